import type { Plugin } from 'rolldown'

export const manualPlugin: Plugin
export function buildManPages(folder: string): Promise<void>
