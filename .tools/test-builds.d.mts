export const testProgram: string
export const testInk: string
export const compiled: string
export function buildTestProgram(): Promise<void>
export function buildTestInk(): Promise<void>
export function sweepTestBuilds(): Promise<void>
