export const testProgram: string
export function buildTestProgram(): Promise<void>
export function sweepTestPrograms(): Promise<void>
