import { z } from 'zod'
import type { Result } from '../../base/result.ts'

const sequence = z.int().min(0)

/** Where handing on stands: every event up to `upTo` has been taken, but for those in `waiting`. */
export const checkpointSchema = z.strictObject({
  upTo: sequence,
  waiting: z.array(sequence),
  /** The identity of the store whose numbers these are. */
  store: z.optional(z.string()),
})
export type CheckpointData = z.infer<typeof checkpointSchema>

/**
 * Where to begin in a store, and what has to be said of it: numbers of another store in the same place mean nothing in
 * this one.
 */
export function startingCheckpoint(
  store: string,
  kept: CheckpointData | null,
): { start: CheckpointData; sentence: string | null } {
  const isOther = kept !== null && kept.store !== undefined && kept.store !== store
  if (kept !== null && !isOther) return { start: { ...kept, store }, sentence: null }
  return {
    start: { upTo: 0, waiting: [], store },
    sentence: isOther ? 'ALARM this is another store than the last run had: each of its events is forwarded' : null,
  }
}

/** Keeps the place from run to run; `write` replaces it whole, and on the disk when it resolves. */
export type CheckpointFile = {
  read(): Promise<Result<CheckpointData | null>>
  write(place: CheckpointData): Promise<Result<null>>
}

/**
 * The place as it moves. What is written is never ahead of the truth: after a crash an event may go out twice, but
 * never not at all.
 */
export class Checkpoint {
  readonly #waiting: Set<number>
  readonly #file: CheckpointFile
  readonly #onTrouble: (sentence: string) => void
  readonly #store: string | undefined
  #upTo: number
  #isDirty = false
  #writing: Promise<void> | null = null

  constructor(start: CheckpointData, file: CheckpointFile, onTrouble: (sentence: string) => void) {
    this.#store = start.store
    this.#upTo = start.upTo
    this.#waiting = new Set(start.waiting)
    this.#file = file
    this.#onTrouble = onTrouble
  }

  get upTo(): number {
    return this.#upTo
  }
  get waiting(): ReadonlySet<number> {
    return this.#waiting
  }

  /** The next event has been read and is to be handed on. */
  read(at: number): void {
    this.#upTo = at
    this.#waiting.add(at)
    this.#changed()
  }

  /** It has been taken, or is in the store no more. */
  taken(at: number): void {
    this.#waiting.delete(at)
    this.#changed()
  }

  /**
   * The store ends at this number. Was it put back to an earlier state, numbers after it are given again: what they
   * stood for is gone, and what they will stand for has not been read. True when that is so.
   */
  endsAt(newest: number): boolean {
    if (newest >= this.#upTo) return false
    this.#upTo = newest
    for (const at of [...this.#waiting]) if (at > newest) this.#waiting.delete(at)
    this.#changed()
    return true
  }

  /** Resolves when all that is known is written. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  #changed(): void {
    this.#isDirty = true
    this.#writing ??= this.#write()
  }

  /** One write at a time; what changes meanwhile goes into the next one. */
  async #write(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false
      // What else this turn brings goes into the same write.
      await Promise.resolve()
      const place = { upTo: this.#upTo, waiting: [...this.#waiting] }
      const written = await this.#file.write(this.#store === undefined ? place : { ...place, store: this.#store })
      if (!written.ok) this.#onTrouble(written.error)
    }
    this.#writing = null
  }
}
