/** One change of the code, in words: where, the lines as they are, and with the change in place. */
export type Mutant = { file: string; line: number; code: string; mutated: string }

/** What became of it; `broken`: it could not be run. */
export type Outcome = 'killed' | 'survived' | 'hangs' | 'broken'

/** A survivor that no input can tell from the code, with the reason. */
export type Equal = { file: string; code: string; mutated: string; why: string }

export function describeMutant(
  mutant: {
    file: string
    location: { start: { line: number; column: number }; end: { line: number; column: number } }
    replacement: string
  },
  text: string,
): Mutant

export function inOneLine(text: string): string

export function verdictOver(
  mutants: readonly (Mutant & { outcome: Outcome })[],
  equals: readonly Equal[],
  files: readonly string[],
): {
  mutants: number
  killed: number
  hanging: number
  equal: number
  score: number
  faults: string[]
  left: Mutant[]
}

export function withRow(text: string, name: string, cells: readonly (string | number)[]): string

export function rowOf(text: string, name: string): string[]
