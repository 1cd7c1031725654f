import { z } from 'zod'
import { backoffMs } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import type { ForwardAttempt, GivenUp, PlaceChange, Waiting } from '../store/forward-store.ts'
import type { TroubleLog } from '../trouble-log.ts'

const sequence = z.int().min(0)

/** The file that kept the place of older versions, one on each host. */
export const checkpointSchema = z.strictObject({
  upTo: sequence,
  waiting: z.array(sequence),
  /** The identity of the store whose numbers these are. */
  store: z.optional(z.string()),
})

type Tries = Omit<Waiting, 'sequence'>

/**
 * Between two writes, which take turns with what comes in: most events have come and gone by the next. What was taken
 * in this time goes out again when the process dies.
 */
const paceMs = 100

/** Attempts that a store which cannot be written to is still to be told of. */
const attemptsMost = 10_000

type CheckpointOptions = {
  upTo: number
  /** Writes a change; false: another lease has been given since, and nothing of this one is written any more. */
  write: (change: PlaceChange) => Promise<boolean>
  onLost: () => void
  clock: Clock
  random: () => number
  trouble: TroubleLog
  /** Aborted at the end: a store that fails is not waited for then. */
  ended: AbortSignal
}

/**
 * The moving checkpoint. What is saved is never ahead of what was delivered, so delivery is at least once: after a
 * crash an event may go out twice.
 */
export class Checkpoint {
  readonly #options: CheckpointOptions
  readonly #waiting = new Map<number, Tries>()
  /** What the store may think differently of. */
  #touched = new Set<number>()
  /** Of those what is just being written. */
  #written: ReadonlySet<number> = new Set()
  /** Events that the store is known to have been asked to send again. */
  #asked = new Set<number>()
  #attempts: ForwardAttempt[] = []
  #givenUp: GivenUp[] = []
  #upTo: number
  #isDirty = false
  #isLost = false
  #writing: Promise<void> | null = null

  constructor(options: CheckpointOptions) {
    this.#options = options
    this.#upTo = options.upTo
  }

  get upTo(): number {
    return this.#upTo
  }
  get waitingCount(): number {
    return this.#waiting.size
  }
  isWaiting(at: number): boolean {
    return this.#waiting.has(at)
  }
  /** The store does not know yet what became of it last. */
  isUnwritten(at: number): boolean {
    return this.#touched.has(at) || this.#written.has(at)
  }
  triesOf(at: number): Tries {
    return this.#waiting.get(at) ?? { tries: 0, refusals: 0 }
  }

  /** An event waits as the store says. */
  resume({ sequence: at, tries, refusals }: Waiting): void {
    this.#waiting.set(at, { tries, refusals })
  }

  /** The next event has been read; with `isWanted` it is to be handed on. */
  read(at: number, isWanted: boolean): void {
    this.#upTo = Math.max(at, this.#upTo)
    if (isWanted) this.#add(at)
    else this.#changed()
  }

  /** Somebody asked for it to be sent again; with `isWanted` it is. */
  asked(at: number, isWanted: boolean): void {
    this.#asked.add(at)
    if (isWanted) this.#add(at)
    else this.left(at)
  }

  #add(at: number): void {
    this.#waiting.set(at, this.triesOf(at))
    this.#touch(at)
  }

  /** An attempt failed. */
  failed(attempt: ForwardAttempt, isRefusal: boolean): void {
    const { tries, refusals } = this.triesOf(attempt.sequence)
    this.#waiting.set(attempt.sequence, { tries: tries + 1, refusals: refusals + (isRefusal ? 1 : 0) })
    this.#attempts.push(attempt)
    this.#touch(attempt.sequence)
  }

  /** It has been taken. */
  taken(attempt: ForwardAttempt): void {
    this.#attempts.push(attempt)
    this.left(attempt.sequence)
  }

  /** It is given up. */
  gaveUp(letter: GivenUp): void {
    this.#givenUp.push(letter)
    this.left(letter.sequence)
  }

  /** It is not to be handed on any more, or not at all. */
  left(at: number): void {
    this.#waiting.delete(at)
    this.#touch(at)
  }

  /**
   * The store ends at this number. Was it put back to an earlier state, numbers after it are given again: what they
   * stood for is gone, and what they will stand for has not been read. True when that is so.
   */
  endsAt(newest: number): boolean {
    if (newest >= this.#upTo) return false
    this.#upTo = newest
    for (const at of [...this.#waiting.keys()]) if (at > newest) this.left(at)
    this.#changed()
    return true
  }

  /** Resolves when all that is known is written, or cannot be. */
  async settled(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  #touch(at: number): void {
    this.#touched.add(at)
    this.#changed()
  }

  #changed(): void {
    this.#isDirty = true
    this.#writing ??= this.#write()
  }

  /** One write at a time; what changes meanwhile goes into the next one. */
  async #write(): Promise<void> {
    const { trouble, clock, random, ended } = this.#options
    let failures = 0
    // What else this turn brings goes into the same write. Where nothing is left to write, it also keeps this from
    // ending before it is noted as under way: `settled` would wait for it without end.
    await Promise.resolve()
    while (this.#isDirty && !this.#isLost) {
      this.#isDirty = false
      const sentence = await this.#writeOnce()
      if (sentence === null) {
        failures = 0
        trouble.worked('forward: the checkpoint is saved again')
        await clock.sleep(paceMs, ended)
        continue
      }
      failures += 1
      trouble.failed(`forward: cannot save the checkpoint, events may be sent again: ${sentence}`)
      if (ended.aborted) break
      await clock.sleep(backoffMs(failures, random()), ended)
    }
    this.#writing = null
  }

  /** What failed, as a sentence; then all of it is still to be written. */
  async #writeOnce(): Promise<string | null> {
    const [touched, asked, attempts, givenUp] = [this.#touched, this.#asked, this.#attempts, this.#givenUp]
    this.#touched = new Set()
    this.#written = touched
    this.#asked = new Set()
    this.#attempts = []
    this.#givenUp = []
    const waiting = [...touched].flatMap((at) => {
      const tries = this.#waiting.get(at)
      return tries === undefined ? [] : [{ sequence: at, ...tries }]
    })
    const gone = [...touched].filter((at) => !this.#waiting.has(at))
    const [done, answered] = [gone.filter((at) => !asked.has(at)), gone.filter((at) => asked.has(at))]
    try {
      if (await this.#options.write({ upTo: this.#upTo, waiting, done, answered, attempts, givenUp })) return null
      this.#isLost = true
      this.#options.onLost()
      return null
    } catch (error) {
      for (const at of touched) this.#touched.add(at)
      for (const at of asked) this.#asked.add(at)
      this.#attempts = [...attempts, ...this.#attempts].slice(-attemptsMost)
      this.#givenUp = [...givenUp, ...this.#givenUp]
      this.#isDirty = true
      return errorText(error)
    } finally {
      this.#written = new Set()
    }
  }
}
