import { z } from 'zod'
import { backoffMs } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/text/error-text.ts'
import type { ForwardAttempt, GivenUp, PlaceChange, Waiting } from '../store/forward-store.ts'
import type { TroubleLog } from '../trouble-log.ts'

const sequence = z.int().min(0)

/** The checkpoint file of older versions, one per host. */
export const checkpointSchema = z.strictObject({
  upTo: sequence,
  waiting: z.array(sequence),
  /** The identity of the store the numbers belong to. */
  store: z.optional(z.string()),
})

type Tries = Omit<Waiting, 'sequence'>

/**
 * Pause between writes, which compete with recording: most events come and go in that time. Events accepted within it
 * are sent again if the process dies.
 */
const paceMs = 100

/** Maximum attempts queued while the store cannot be written. */
const attemptsMax = 10_000

type CheckpointOptions = {
  upTo: number
  /** Writes a change; false when nothing of this lease may be written any more, see `movePlace`. */
  write: (change: Omit<PlaceChange, 'from'>) => Promise<boolean>
  onLost: () => void
  clock: Clock
  random: () => number
  trouble: TroubleLog
  /** Aborted at the end, when a failing store is not waited for. */
  ended: AbortSignal
}

/**
 * The moving checkpoint. It is never ahead of what was delivered, so delivery is at least once: after a crash an event
 * may be sent twice.
 */
export class Checkpoint {
  readonly #options: CheckpointOptions
  readonly #waiting = new Map<number, Tries>()
  /** Events whose state in the store may be outdated. */
  #touched = new Set<number>()
  /** Those of them being written now. */
  #written: ReadonlySet<number> = new Set()
  /** Events whose re-sending was requested, as far as known. */
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
  /** True while the store lacks the event's latest state. */
  isUnwritten(at: number): boolean {
    return this.#touched.has(at) || this.#written.has(at)
  }
  triesOf(at: number): Tries {
    return this.#waiting.get(at) ?? { tries: 0, refusals: 0 }
  }

  /** Adds a waiting event from the store. */
  resume({ sequence: at, tries, refusals }: Waiting): void {
    this.#waiting.set(at, { tries, refusals })
  }

  /** Records that the next event was read; `isWanted` when it is to be forwarded. */
  read(at: number, isWanted: boolean): void {
    this.#upTo = Math.max(at, this.#upTo)
    if (isWanted) this.#add(at)
    else this.#changed()
  }

  /** Records a request to send an event again; `isWanted` when it is to be forwarded. */
  asked(at: number, isWanted: boolean): void {
    this.#asked.add(at)
    if (isWanted) this.#add(at)
    else this.left(at)
  }

  #add(at: number): void {
    this.#waiting.set(at, this.triesOf(at))
    this.#touch(at)
  }

  /** Records a failed attempt. */
  failed(attempt: ForwardAttempt, isRefusal: boolean): void {
    const { tries, refusals } = this.triesOf(attempt.sequence)
    this.#waiting.set(attempt.sequence, { tries: tries + 1, refusals: refusals + (isRefusal ? 1 : 0) })
    this.#attempts.push(attempt)
    this.#touch(attempt.sequence)
  }

  /** Records a successful attempt. */
  taken(attempt: ForwardAttempt): void {
    this.#attempts.push(attempt)
    this.left(attempt.sequence)
  }

  /** Records that an event was given up. */
  gaveUp(letter: GivenUp): void {
    this.#givenUp.push(letter)
    this.left(letter.sequence)
  }

  /** Removes an event that is no longer, or never, to be forwarded. */
  left(at: number): void {
    this.#waiting.delete(at)
    this.#touch(at)
  }

  /**
   * Adjusts to the store's last number before anything is read: what was said to be done may be beyond it, and its
   * numbers are assigned to new events. Returns true in that case.
   */
  endsAt(newest: number): boolean {
    if (newest >= this.#upTo) return false
    this.#upTo = newest
    for (const at of [...this.#waiting.keys()]) if (at > newest) this.left(at)
    this.#changed()
    return true
  }

  /** Resolves when everything is written, or cannot be. */
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

  /** One write at a time; changes during it go into the next one. */
  async #write(): Promise<void> {
    const { trouble, clock, random, ended } = this.#options
    let failures = 0
    // Collects all changes of this turn. Also, with nothing to write, this must not end before it is registered as
    // running, or `settled` would wait forever.
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

  /** Returns the failure as a sentence; everything is then still to be written. */
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
      this.#attempts = [...attempts, ...this.#attempts].slice(-attemptsMax)
      this.#givenUp = [...givenUp, ...this.#givenUp]
      this.#isDirty = true
      return errorText(error)
    } finally {
      this.#written = new Set()
    }
  }
}
