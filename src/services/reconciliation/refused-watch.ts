import { type Clock, type Moment, momentOf } from '../../base/clock.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { refusedDoubtedMs } from '../orders/refused-before.ts'
import { earlierWithdrawals, withdrawalWindow } from '../transfers/match-withdrawals.ts'
import {
  isRefusedWithdrawal,
  type TurnedUp,
  travelMaxMs,
  turnedUp,
  turnedUpWords,
} from '../transfers/refused-withdrawals.ts'
import type { WithdrawalsClient } from './findings.ts'

/** When something was rejected, and how often it was looked for since. */
export type Doubted = Moment & { looks: number }

/** Desk time of its next look. */
export const dueAtMs = ({ nowMs, looks }: Doubted, looksMs: readonly number[]): number =>
  nowMs + (looksMs[looks] ?? Number.POSITIVE_INFINITY)

/**
 * When to look again for a withdrawal after its refusal, in ms: sooner than for an order, because the user may resubmit
 * it, and each look costs one list.
 */
const looksMs = [1_500, 4_000, 12_000, 30_000, 60_000] as const

export type RefusedWatchContext = {
  clock: Clock
  journal: WriteJournal
  emit: (event: WriteEvent) => void
  /** How far the exchange's clock is ahead of the wall clock, in ms; null when unknown. */
  skewMs: () => number | null
}

/** Looks for refused withdrawals: a listed one is an alarm and counts as placed. */
export class RefusedWatch {
  readonly #client: WithdrawalsClient
  readonly #context: RefusedWatchContext
  /** This desk's doubted withdrawals, by journal entry. */
  readonly #doubted = new Map<string, Doubted>()
  /** Those that turned up: each is reported once. */
  readonly #turnedUp = new Set<string>()
  /** The listed ids when the list was last read to its end. */
  #lookedThrough: ReadonlySet<string> = new Set()

  constructor(client: WithdrawalsClient, context: RefusedWatchContext) {
    this.#client = client
    this.#context = context
  }

  doubt(entryId: string): void {
    this.#doubted.set(entryId, { ...momentOf(this.#context.clock), looks: 0 })
  }

  /** Desk time of the next look; infinite without one. */
  dueAtMs(): number {
    return Math.min(...[...this.#doubted.values()].map((each) => dueAtMs(each, looksMs)))
  }

  /** Reads the list when a withdrawal of this desk is due. Throws `ExchangeError` and `JournalError`. */
  async look(signal: AbortSignal): Promise<void> {
    const nowMs = this.#context.clock.now()
    const due = [...this.#doubted].filter(([, each]) => nowMs >= dueAtMs(each, looksMs))
    if (due.length === 0) return
    const oldestMs = Math.min(...due.map(([, { wallMs }]) => wallMs))
    const { entries } = await this.#client.fetchWithdrawals({ fromMs: this.#fromMs(oldestMs) }, signal)
    // After an outage the oldest may be longer ago than what is looked through otherwise.
    await this.#lookThrough(entries, oldestMs - travelMaxMs)
    for (const [id, doubted] of due) {
      doubted.looks += 1
      if (doubted.looks >= looksMs.length) this.#doubted.delete(id)
    }
  }

  /** Checks a list that was read anyway. Rejects only for bugs. */
  async observe(listed: readonly Withdrawal[]): Promise<void> {
    const ids = new Set(listed.flatMap(({ withdrawalId }) => withdrawalId ?? []))
    // The journal is read only when something new may be a refused one.
    if (listed.length === ids.size && [...ids].every((id) => this.#lookedThrough.has(id))) return
    try {
      if (await this.#lookThrough(listed)) this.#lookedThrough = ids
    } catch (error) {
      // The next list is checked instead.
      if (!(error instanceof JournalError)) throw error
    }
  }

  /** Looks once for this withdrawal, however long ago it was refused. Throws `ExchangeError` and `JournalError`. */
  async lookFor(entry: JournalEntry, signal: AbortSignal): Promise<boolean> {
    const fromMs = this.#fromMs(entry.atMs)
    const { entries: listed } = await this.#client.fetchWithdrawals({ fromMs }, signal)
    const earlier = await earlierWithdrawals(this.#context.journal, null, fromMs)
    const { found } = turnedUp(earlier.entries.filter(isRefusedWithdrawal), listed, earlier, this.#times())
    const own = found.find((each) => each.entry.id === entry.id)
    if (own !== undefined) await this.#take(own)
    return own !== undefined
  }

  /**
   * Looks for withdrawals that any desk had refused in the last minutes, or since `fromMs`; false when another look is
   * needed.
   */
  async #lookThrough(listed: readonly Withdrawal[], fromMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const sinceMs = Math.min(fromMs, this.#context.clock.wallMs() - refusedDoubtedMs)
    const earlier = await earlierWithdrawals(this.#context.journal, null, sinceMs)
    const refused = earlier.entries.filter((entry) => entry.atMs >= sinceMs && isRefusedWithdrawal(entry))
    const { found, isUnsure } = turnedUp(refused, listed, earlier, this.#times())
    for (const each of found) await this.#take(each)
    // One without an answer yet may be refused, and be on this list already.
    return !isUnsure && earlier.entries.every(({ outcome }) => outcome !== null)
  }

  async #take(found: TurnedUp): Promise<void> {
    const { clock, journal, emit } = this.#context
    const { entry } = found
    const { id, intent } = entry
    if (this.#turnedUp.has(id)) return
    this.#turnedUp.add(id)
    this.#doubted.delete(id)
    const { sentence, settlement } = turnedUpWords(found)
    await journal.settle(id, settlement, clock.wallMs(), entry)
    const paid = intent.kind === 'withdrawal' ? { paid: intent.request.beneficiary } : {}
    const told = {
      key: withdrawalKey(id),
      id: settlement.id,
      ...paid,
      sentence,
      level: 'bad',
      isFalseRefusal: true,
      atMs: clock.now(),
    } as const
    emit({ type: 'writeResolved', ...told })
  }

  /** The earliest exchange time of a withdrawal sent at `atMs`, or right before. */
  #fromMs(atMs: number): number {
    return withdrawalWindow(atMs - travelMaxMs, this.#times()).fromMs
  }

  #times() {
    return { skewMs: this.#context.skewMs(), quietMs: travelMaxMs }
  }
}
