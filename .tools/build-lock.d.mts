export function isBuilding(lock: string): boolean
export function buildAlone(work: { lock: string; isBuilt(): boolean; build(): Promise<void> }): Promise<void>
export function buildOnce(folder: string, build: (folder: string) => Promise<void> | void): Promise<void>
