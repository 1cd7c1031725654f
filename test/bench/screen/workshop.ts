import type { Tape } from './tape.ts'
import type { Both, Version } from './versions.ts'

/**
 * What every part of the bench works with: the tape, where it is kept, a folder that goes away at the end, the versions
 * that are measured, and how many updates the memory's day is asked to have.
 */
export type Workshop = {
  tape: Tape
  tapePath: string
  home: string
  versions: Both<Version>
  memoryUpdates: number | null
}
