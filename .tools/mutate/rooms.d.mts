/** Of each room what is mutated, the tests that are asked, and in what they run. A folder ends with `/`. */
export const rooms: Record<string, { files: string[]; tests: string[]; pool?: 'threads' | 'forks' }>

export function patternOf(name: string, ending: string): string
