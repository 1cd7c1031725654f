import { ExchangeError } from '../../api/errors.ts'
import { type Clock, type Moment, momentOf } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { evidenceChanged, type UnknownWriteQuestion, type Verdict, verdictWords } from '../../domain/unknown-write.ts'
import { type JournalEntry, JournalError, type Settlement, type WriteJournal } from '../../journal/entry.ts'
import {
  AbsenceCheck,
  type AbsenceDelays,
  isOf,
  keyOf,
  sentIn,
  soughtBy,
  toUnknownWrite,
} from '../orders/open-write.ts'
import { createPoller, type Poller } from '../polling/poller.ts'
import { travelMaxMs } from '../transfers/refused-withdrawals.ts'
import { ExchangeBack } from './exchange-back.ts'
import { endedOrder, type Finding, foundOrder } from './findings.ts'
import { despiteOdd, type HubDraftReader, type LookClient, lookAtAll } from './looks.ts'
import { RefusedOrders } from './refused-orders.ts'
import { RefusedWatch } from './refused-watch.ts'

export type ReconciliationPace = AbsenceDelays & {
  /**
   * Pauses between rounds in ms: while something is sought, while only the user's answer is missing, and while
   * everything is resolved.
   */
  seekingMs: number
  askedMs: number
  idleMs: number
  /** Longest pause while the exchange is down, in ms. */
  backOffMaxMs: number
}

/** For so long a list may fail before a person is asked about an order that may be there: it may fail for ever. */
const hiddenMaxMs = 2 * minuteMs
/** Looks that are this far apart, more than one takes with its back-off, tell nothing of what was between them. */
const looksApartMs = 5 * minuteMs

const defaultReconciliationPace: ReconciliationPace = {
  quietMs: travelMaxMs,
  secondLookAfterMs: 5_000,
  seekingMs: 1_000,
  askedMs: 10_000,
  idleMs: 30_000,
  backOffMaxMs: 15_000,
}

export type ReconciliationContext = {
  clock: Clock
  random: () => number
  signal: AbortSignal
  journal: WriteJournal
  emit: (event: WriteEvent) => void
  /** How far the exchange's clock is ahead of the wall clock, in ms; null when unknown. */
  skewMs: () => number | null
  /** Set behind a hub, which alone knows which withdrawal a draft became. */
  hubDraft?: HubDraftReader | undefined
  /** Called with each order found. */
  onFound: (order: Order) => void
  pace?: Partial<ReconciliationPace>
}

export type Reconciliation = {
  /**
   * Reports the open entries of earlier desks, then looks for everything without an answer until the signal is aborted.
   */
  run(): Promise<void>
  /** Call when there is something new to look for. */
  wake(): void
  /**
   * Reads at once what other processes left without an outcome; entries taken over are reported like those of earlier
   * desks. Resolves to the number of such writes of processes that still run.
   */
  lookElsewhere(): Promise<Result<number>>
  /** Orders seen by another service: sought ones may be among them. */
  observe(orders: readonly Order[]): void
  /** Fills seen by another service: a sought or rejected order may have filled. */
  observeFills(fills: readonly Fill[]): void
  /** A feed's answer or failure: the first answer after an outage ends a back-off. */
  observeFeed(event: FeedEvent): void
  /**
   * Call for an order that was rejected and is listed nowhere: for some time it is reported if it turns up, or fills
   * under the exchange id of its refusal.
   */
  doubt(clientOrderId: string, orderId?: string | null): void
  /** The same for a withdrawal, by its entry in the journal. */
  doubtWithdrawal(entryId: string): void
  /** Withdrawals listed to another service: refused ones may be among them. Rejects only for bugs. */
  observeWithdrawals(listed: readonly Withdrawal[]): Promise<void>
  /**
   * Looks once for a refused withdrawal, however old; if found, it is recorded and reported. Throws `ExchangeError` and
   * `JournalError`.
   */
  lookForRefused(entry: JournalEntry, signal: AbortSignal): Promise<boolean>
  /**
   * The user's answer about a write; `id` is the listed withdrawal that it was, if several may be it. `seen`: the
   * evidence that the user was shown, which every answer but "placed" is about; undefined where it is not told.
   */
  decide(key: string, verdict: Verdict, id?: string | null, seen?: string): Promise<Result<string>>
}

/** True for sought entries: those whose call ended without an answer. */
const isSought = ({ outcome }: JournalEntry): boolean => outcome?.kind === 'unknown'

/**
 * Resolves writes of unknown outcome by the exchange's reports. What these do not show is put before the user with the
 * evidence, while looking continues.
 */
export const createReconciliation = (client: LookClient, context: ReconciliationContext): Reconciliation =>
  new Resolver(client, context)

/**
 * The minimum age of an entry in ms. Its date is by the wall clock, which may have been set since: only an age by both
 * the desk's clock and the wall clock counts.
 */
const agoMs = ({ atMs }: JournalEntry, { nowMs, wallMs }: Moment): number => Math.max(0, Math.min(nowMs, wallMs) - atMs)

/** What a look that found nothing would mean: how the entry is resolved, or what a person may answer. */
function meaningOf(finding: Finding): string {
  if (finding.kind === 'resolved') return finding.settlement.how
  return finding.kind === 'asks' ? `asks ${finding.question.verdicts}` : finding.kind
}

/** Other orders listed under the same client order id. */
const othersOf = (order: Order, orders: readonly Order[]): Order[] =>
  orders.filter(({ clientOrderId, orderId }) => clientOrderId === order.clientOrderId && orderId !== order.orderId)

/** The beneficiary of a withdrawal resolved as placed. */
const paidBy = ({ intent }: JournalEntry, how: Settlement['how']): { paid?: string } =>
  intent.kind === 'withdrawal' && how === 'placed' ? { paid: intent.request.beneficiary } : {}

class Resolver implements Reconciliation {
  readonly #client: LookClient
  readonly #context: ReconciliationContext
  readonly #pace: ReconciliationPace
  readonly #looks: AbsenceCheck
  readonly #poller: Poller
  readonly #questions = new Map<string, UnknownWriteQuestion>()
  /** Since when a list fails on which an entry's order may be, in desk time. */
  readonly #hiddenSinceMs = new Map<string, number>()
  /** When the last look began, in desk time. */
  #lookedAtMs = Number.NEGATIVE_INFINITY
  /** Entries whose resolution is being written to disk. */
  readonly #resolving = new Set<string>()
  /** Entries of other processes that were reported. */
  readonly #announced = new Set<string>()
  readonly #refusedOrders: RefusedOrders
  readonly #refused: RefusedWatch
  readonly #back = new ExchangeBack()
  /** True when the last look failed and the next one waits in its back-off. */
  #hasFailed = false

  constructor(client: LookClient, context: ReconciliationContext) {
    this.#client = client
    this.#context = context
    this.#pace = { ...defaultReconciliationPace, ...context.pace }
    this.#looks = new AbsenceCheck(this.#pace)
    this.#refusedOrders = new RefusedOrders(client, context)
    this.#refused = new RefusedWatch(client, context)
    const { clock, random, signal } = context
    const round = async (stop: AbortSignal) => {
      this.#hasFailed = !(await this.#round(stop))
      return !this.#hasFailed
    }
    this.#poller = createPoller(round, {
      intervalMs: () => this.#pauseMs(),
      intervalMaxMs: this.#pace.backOffMaxMs,
      clock,
      random,
      signal,
    })
  }

  run(): Promise<void> {
    this.#announce(this.#context.journal.open().filter(isSought))
    return this.#poller.run()
  }

  wake(): void {
    this.#poller.wake()
  }

  async lookElsewhere(): Promise<Result<number>> {
    const { journal } = this.#context
    this.#announce(await journal.adopt())
    this.#poller.wake()
    try {
      return ok((await journal.openElsewhere()).filter(isSought).length)
    } catch (error) {
      if (error instanceof JournalError) return err(error.message)
      throw error
    }
  }

  /** Reports entries of other processes, each once: two looks may find the same ones. */
  #announce(entries: readonly JournalEntry[]): void {
    const { clock, emit } = this.#context
    for (const entry of entries) {
      if (this.#announced.has(entry.id)) continue
      this.#announced.add(entry.id)
      emit({ type: 'writeUnknown', write: toUnknownWrite(entry), atMs: clock.now() })
    }
  }

  #pauseMs(): number {
    const { idleMs, askedMs, seekingMs } = this.#pace
    const sought = this.#sought()
    if (sought.some(({ id }) => !this.#questions.has(id))) return seekingMs
    return Math.min(sought.length === 0 ? idleMs : askedMs, this.#untilDoubtMs())
  }

  /** One look for everything sought. False when the exchange failed. */
  async #round(signal: AbortSignal): Promise<boolean> {
    const { clock, journal } = this.#context
    this.#announce(await journal.adopt())
    const entries = this.#sought()
    const looked = momentOf(clock)
    if (looked.nowMs - this.#lookedAtMs >= looksApartMs) this.#hiddenSinceMs.clear()
    this.#lookedAtMs = looked.nowMs
    const odd: ExchangeError[] = []
    try {
      await despiteOdd(() => this.#refusedOrders.look(signal), odd)
      odd.push(...(await this.#lookAt(entries, looked, signal)))
      await despiteOdd(() => this.#refused.look(signal), odd)
      return odd.length === 0
    } catch (error) {
      // What lasted until an outage is not known to have lasted through it.
      this.#hiddenSinceMs.clear()
      // An unreadable journal prevents looking as much as a silent exchange.
      if (error instanceof ExchangeError || error instanceof JournalError) return false
      throw error
    }
  }

  #lookAt(entries: readonly JournalEntry[], looked: Moment, signal: AbortSignal): Promise<readonly ExchangeError[]> {
    const { journal, skewMs } = this.#context
    return lookAtAll(this.#client, entries, {
      journal,
      skewMs: skewMs(),
      hubDraft: this.#context.hubDraft,
      quietMs: this.#pace.quietMs,
      nowMs: looked.wallMs,
      signal,
      onFinding: (entry, finding) => this.#take(entry, finding, looked),
    })
  }

  doubt(clientOrderId: string, orderId: string | null = null): void {
    this.#refusedOrders.doubt(clientOrderId, orderId)
    this.#poller.wake()
  }

  doubtWithdrawal(entryId: string): void {
    this.#refused.doubt(entryId)
    this.#poller.wake()
  }

  async observeWithdrawals(listed: readonly Withdrawal[]): Promise<void> {
    // Behind a hub the hub's journal has them, and the hub looks itself.
    if (this.#context.hubDraft === undefined) await this.#refused.observe(listed)
  }

  lookForRefused(entry: JournalEntry, signal: AbortSignal): Promise<boolean> {
    return this.#refused.lookFor(entry, signal)
  }

  /** Time in ms until a rejected order or refused withdrawal is due to be looked for. */
  #untilDoubtMs(): number {
    const dueAtMs = Math.min(this.#refused.dueAtMs(), this.#refusedOrders.dueAtMs())
    return Math.max(this.#pace.seekingMs, dueAtMs - this.#context.clock.now())
  }

  observeFills(fills: readonly Fill[]): void {
    this.#refusedOrders.observeFills(fills)
    if (this.#back.hasFilled(this.#sought(), fills)) this.#poller.wake()
  }

  observeFeed(event: FeedEvent): void {
    if (this.#back.answersAgain(event) && this.#hasFailed) this.#poller.wake()
  }

  observe(orders: readonly Order[]): void {
    this.#refusedOrders.observe(orders)
    const sought = this.#sought()
    if (sought.length === 0) return
    for (const entry of sought) {
      const by = soughtBy(entry)
      for (const order of orders) {
        if (by.kind === 'order' && by.clientOrderId === order.clientOrderId)
          // A refused duplicate, or one of two orders, resolves nothing: a look at all lists shows what else exists.
          void this.#resolve(entry, foundOrder(order, sentIn(entry), othersOf(order, orders)))
        else if (by.kind === 'cancel' && isOf(by, order) && !isWorking(order))
          void this.#resolve(entry, endedOrder(order, by.orderId))
      }
    }
  }

  async decide(key: string, verdict: Verdict, id: string | null = null, seen?: string): Promise<Result<string>> {
    const { clock, journal, emit } = this.#context
    const entry = this.#sought().find((each) => keyOf(each) === key)
    const question = entry === undefined ? undefined : this.#questions.get(entry.id)
    if (entry === undefined) return err('Already resolved.')
    if (question === undefined) return err('Still checking: wait until its evidence is complete.')
    if (!question.verdicts.includes(verdict)) return err(`"${verdict}" does not answer this: ${question.evidence}`)
    if (verdict !== 'placed' && seen !== undefined && seen !== question.evidence) return err(evidenceChanged)
    const matches = question.withdrawals?.matches ?? []
    if (verdict === 'placed' && matches.length > 0 && matches.every(({ withdrawalId }) => withdrawalId !== id))
      return err('Select which of those listed it was: the list has changed meanwhile.')
    this.#resolving.add(entry.id)
    const { evidence } = question
    const resolvedId = verdict === 'placed' ? id : null
    await journal.settle(entry.id, { how: verdict, by: 'person', id: resolvedId, evidence }, clock.wallMs())
    const as = resolvedId === null ? '' : `, as ${resolvedId}`
    const sentence = `Resolved by you as ${verdictWords[verdict]}: ${key}${as}.`
    emit({
      type: 'writeResolved',
      key,
      id: resolvedId,
      ...paidBy(entry, verdict),
      sentence,
      level: 'info',
      atMs: clock.now(),
    })
    // It may still be on its way, or on a list that failed, and be sent again meanwhile: then there are two.
    if (verdict === 'notPlaced' && soughtBy(entry).kind === 'order')
      this.#refusedOrders.doubt(key, null, 'resolved as not placed')
    this.#forget(entry)
    return ok(sentence)
  }

  #sought(): JournalEntry[] {
    return this.#context.journal.open().filter((entry) => isSought(entry) && !this.#resolving.has(entry.id))
  }

  async #take(entry: JournalEntry, finding: Finding, looked: Moment): Promise<void> {
    // A feed or the user may have resolved it during the call.
    if (!this.#sought().some(({ id }) => id === entry.id)) return
    const hiddenSinceMs = this.#hiddenSinceMs.get(entry.id) ?? looked.nowMs
    this.#hiddenSinceMs.delete(entry.id)
    switch (finding.kind) {
      case 'resolved':
        return await this.#resolve(entry, finding)
      case 'absent':
        if (this.#looks.isAbsent(entry.id, meaningOf(finding.ifSure), agoMs(entry, looked), looked.nowMs))
          await this.#take(entry, finding.ifSure, looked)
        return
      case 'hidden':
        this.#hiddenSinceMs.set(entry.id, hiddenSinceMs)
        if (looked.nowMs - hiddenSinceMs >= hiddenMaxMs) this.#ask(entry, finding.question)
        return
      case 'unseen':
        return
      case 'asks':
        return this.#ask(entry, finding.question)
    }
  }

  #ask(entry: JournalEntry, question: UnknownWriteQuestion): void {
    const { clock, emit } = this.#context
    if (this.#questions.get(entry.id)?.evidence === question.evidence) return
    this.#questions.set(entry.id, question)
    emit({ type: 'writeQuestion', key: keyOf(entry), question, atMs: clock.now() })
  }

  async #resolve(entry: JournalEntry, finding: Finding): Promise<void> {
    if (finding.kind !== 'resolved' || this.#resolving.has(entry.id)) return
    const { clock, journal, emit, onFound } = this.#context
    this.#resolving.add(entry.id)
    await journal.settle(entry.id, finding.settlement, clock.wallMs())
    const { sentence, level, order } = finding
    const { how, id } = finding.settlement
    const told = { key: keyOf(entry), id, ...paidBy(entry, how), sentence, level, atMs: clock.now() }
    const isEnded = how === 'placed' && order !== null && !isWorking(order)
    emit({ type: 'writeResolved', ...told, ...(isEnded ? { isEnded } : {}) })
    if (order !== null) onFound(order)
    // As after every refusal: the lists may have been behind.
    const isRefusal = how === 'rejected' && id === null && soughtBy(entry).kind === 'order'
    if (isRefusal) this.#refusedOrders.doubt(keyOf(entry), null)
    this.#forget(entry)
  }

  #forget({ id }: JournalEntry): void {
    this.#resolving.delete(id)
    this.#questions.delete(id)
    this.#hiddenSinceMs.delete(id)
    this.#looks.forget(id)
  }
}
