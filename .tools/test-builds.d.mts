export const testProgram: string
export const testInk: string
export const testCluster: string
export const compiled: string
export function buildTestProgram(): Promise<void>
export function buildTestDrills(name: string): Promise<string>
export function buildTestInk(): Promise<void>
export function sweepTestBuilds(): Promise<void>
