import type { InputOptions } from 'rolldown'

export const inkTablePath: string
export function buildInkTable(): Promise<void>
export function buildInk(folder: string): Promise<void>
export const programInput: InputOptions
export function build(folder?: string): Promise<{ packages: string[]; outside: string[] }>
