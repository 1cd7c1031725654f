import { z } from 'zod'
import type { Result } from '../../domain/result.ts'

const sequence = z.int().min(0)

/** Where handing on stands: every event up to `upTo` has been taken, but for those in `waiting`. */
export const forwardPlace = z.strictObject({ upTo: sequence, waiting: z.array(sequence) })
export type ForwardPlace = z.infer<typeof forwardPlace>

/** Keeps the place from run to run; `write` replaces it whole, and on the disk when it resolves. */
export type PlaceFile = {
  read(): Promise<Result<ForwardPlace | null>>
  write(place: ForwardPlace): Promise<Result<null>>
}

/** The place as it moves. What is written is never ahead of the truth: after a crash an event may go out twice, but never not at all. */
export class Place {
  readonly #waiting: Set<number>
  readonly #file: PlaceFile
  readonly #onTrouble: (sentence: string) => void
  #upTo: number
  #isDirty = false
  #writing: Promise<void> | null = null

  constructor(start: ForwardPlace, file: PlaceFile, onTrouble: (sentence: string) => void) {
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
      const written = await this.#file.write({ upTo: this.#upTo, waiting: [...this.#waiting] })
      if (!written.ok) this.#onTrouble(written.error)
    }
    this.#writing = null
  }
}
