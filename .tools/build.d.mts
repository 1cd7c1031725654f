export const inkTablePath: string
export function buildInkTable(): Promise<void>
export function build(folder?: string): Promise<void>
