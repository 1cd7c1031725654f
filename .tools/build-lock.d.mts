export function isBuilding(lock: string): boolean
export function buildAlone(work: { lock: string; isBuilt(): boolean; build(): Promise<void> }): Promise<void>
