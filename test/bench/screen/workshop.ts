import type { Tape } from './tape.ts'

/** What every part of the bench works with: the tape, where it is kept, and a folder that goes away at the end. */
export type Workshop = { tape: Tape; tapePath: string; home: string }
