import { ExchangeError } from '../../api/errors.ts'
import { type Clock, type Moment, momentOf } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs } from '../../base/time-text.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import type { HubDraft } from '../../domain/hub/draft.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { type UnknownWriteQuestion, type Verdict, verdictWords } from '../../domain/unknown-write.ts'
import { type JournalEntry, JournalError, type Settlement, type WriteJournal } from '../../journal/entry.ts'
import { findOrders, ordersSinceMs } from '../orders/find-orders.ts'
import {
  AbsenceCheck,
  type AbsenceDelays,
  isOf,
  keyOf,
  type Sought,
  sentIn,
  soughtBy,
  toUnknownWrite,
} from '../orders/open-write.ts'
import { fetchAllWorking, type OrderListClient } from '../orders/order-pages.ts'
import { createPoller, type Poller } from '../polling/poller.ts'
import { type TimeWindow, withdrawalWindow } from '../transfers/match-withdrawals.ts'
import { travelMaxMs } from '../transfers/refused-withdrawals.ts'
import { ExchangeBack } from './exchange-back.ts'
import {
  absentOrder,
  type CancelClient,
  endedOrder,
  type Finding,
  foundOrder,
  lookAtCancel,
  lookAtCancelAll,
  lookAtHubDraft,
  lookAtWithdrawal,
  type WithdrawalsClient,
} from './findings.ts'
import { RefusedOrders } from './refused-orders.ts'
import { RefusedWatch } from './refused-watch.ts'

export type LookClient = OrderListClient & CancelClient & WithdrawalsClient

/** A draft as the hub that was to send it has it now; null where it lists none with that id. */
export type HubDraftReader = (draftId: string, signal: AbortSignal) => Promise<HubDraft | null>

export type Look = {
  journal: WriteJournal
  /** How far the exchange's clock is ahead of ours; null while that is not known. */
  skewMs: number | null
  quietMs: number
  /** The time of the wall clock, which entries are dated by. */
  nowMs: number
  signal: AbortSignal
  hubDraft?: HubDraftReader | undefined
  /** Told of each entry as soon as something can be said of it. */
  onFinding: (entry: JournalEntry, finding: Finding) => Promise<void>
}

/**
 * How far back a write is looked for whose entry bears a time that has not come yet: the clock was wrong then, nobody
 * knows by how much.
 */
const wrongClockLookBackMs = 7 * dayMs

/** From when on a write may have been sent, by our clock, and until when. */
const sentWithin = (atMs: number, { nowMs, quietMs }: Look): TimeWindow =>
  atMs > nowMs + quietMs ? { fromMs: nowMs - wrongClockLookBackMs, toMs: nowMs } : { fromMs: atMs, toMs: atMs }

type Pair<K extends Sought['kind']> = { entry: JournalEntry; sought: Extract<Sought, { kind: K }> }

/**
 * Looks once at everything that is sought, with as few questions as possible: the lists are asked for once for all
 * orders. Throws `ExchangeError` at the first call that fails; what was found until then has been told.
 */
async function lookAtAll(client: LookClient, entries: readonly JournalEntry[], look: Look): Promise<void> {
  const { signal, onFinding } = look
  const pairs = entries.map((entry) => ({ entry, sought: soughtBy(entry) }))
  const cancels = pairs.filter((pair): pair is Pair<'cancel'> => pair.sought.kind === 'cancel')
  const cancelAlls = pairs.filter((pair): pair is Pair<'cancelAll'> => pair.sought.kind === 'cancelAll')
  const withdrawals = pairs.filter((pair): pair is Pair<'withdrawal'> => pair.sought.kind === 'withdrawal')
  await lookAtOrders(
    client,
    pairs.filter((pair): pair is Pair<'order'> => pair.sought.kind === 'order'),
    look,
  )
  for (const { entry, sought } of cancels) {
    await onFinding(entry, await lookAtCancel(client, sought, signal))
  }
  if (cancelAlls.length > 0) {
    const working = await fetchAllWorking(client, signal)
    for (const { entry, sought } of cancelAlls) await onFinding(entry, lookAtCancelAll(working, sought.symbol))
  }
  // One after the other: what settles one is not a match for the next.
  for (const { entry, sought } of withdrawals) {
    const { fromMs, toMs } = sentWithin(entry.atMs, look)
    const window = { fromMs: withdrawalWindow(fromMs, look).fromMs, toMs: withdrawalWindow(toMs, look).toMs }
    const question = { entry, request: sought.request, window, times: look }
    const draftId = entry.intent.kind === 'withdrawal' ? entry.intent.draftId : null
    const finding =
      look.hubDraft === undefined || draftId === null
        ? await lookAtWithdrawal(client, look.journal, question, signal)
        : lookAtHubDraft(draftId, await look.hubDraft(draftId, signal))
    await onFinding(entry, finding)
  }
}

async function lookAtOrders(client: LookClient, pairs: readonly Pair<'order'>[], look: Look): Promise<void> {
  if (pairs.length === 0) return
  const ids = new Set(pairs.map(({ sought }) => sought.clientOrderId))
  const oldestMs = Math.min(...pairs.map(({ entry }) => sentWithin(entry.atMs, look).fromMs))
  const found = await findOrders(client, ids, ordersSinceMs(oldestMs, look.skewMs), look.signal)
  for (const { entry, sought } of pairs) {
    const order = found.orders.get(sought.clientOrderId)
    const others = found.others.get(sought.clientOrderId)
    const finding =
      order === undefined ? absentOrder(sought.clientOrderId, found) : foundOrder(order, sentIn(entry), others)
    await look.onFinding(entry, finding)
  }
}

export type ReconciliationPace = AbsenceDelays & {
  /**
   * Pause between rounds while something is sought; while only a person's word is missing; and while all is settled.
   */
  seekingMs: number
  askedMs: number
  idleMs: number
  /** A venue that is down is asked again at least this often. */
  backOffMaxMs: number
}

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
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs: () => number | null
  /** Behind a hub: it alone knows which withdrawal a draft became. */
  hubDraft?: HubDraftReader | undefined
  /** Called with each order that is found. */
  onFound: (order: Order) => void
  pace?: Partial<ReconciliationPace>
}

export type Reconciliation = {
  /**
   * Reports the open entries of earlier desks, then looks for everything without an answer until the signal is aborted.
   */
  run(): Promise<void>
  /** There is something new to look for. */
  wake(): void
  /**
   * Looks into the journal at once for what other processes left without an outcome; what is taken over is reported
   * like that of earlier desks. Resolves to how many such writes running processes still have.
   */
  lookElsewhere(): Promise<Result<number>>
  /** Orders that some other service has seen: they may be what is sought. */
  observe(orders: readonly Order[]): void
  /** Fills that some other service has seen: an order that is sought, or was answered as rejected, may have filled. */
  observeFills(fills: readonly Fill[]): void
  /** What a feed was answered, or that it failed: the first answer after an outage ends a back-off. */
  observeFeed(event: FeedEvent): void
  /**
   * An order was answered as rejected and is listed nowhere: for some time it is told of if it turns up all the same,
   * or fills under the exchange's id that the answer named.
   */
  doubt(clientOrderId: string, orderId?: string | null): void
  /** The same for a withdrawal, by its entry in the journal. */
  doubtWithdrawal(entryId: string): void
  /** Withdrawals that some other service has seen listed: refused ones may be among them. Rejects only for bugs. */
  observeWithdrawals(listed: readonly Withdrawal[]): Promise<void>
  /**
   * Looks once whether a withdrawal that was answered as refused is there all the same, however long ago that was; what
   * is found is put on record and told of. Throws `ExchangeError` and `JournalError`.
   */
  lookForRefused(entry: JournalEntry, signal: AbortSignal): Promise<boolean>
  /**
   * A person's word on a write that a question was put about; `id` is which of those listed it was, where several may
   * be it.
   */
  decide(key: string, verdict: Verdict, id?: string | null): Promise<Result<string>>
}

/** True for entries that are looked for: those whose call has ended without an answer. */
const isSought = ({ outcome }: JournalEntry): boolean => outcome?.kind === 'unknown'

/**
 * Settles writes whose outcome is not known by what the exchange reports. What its reports do not tell, it puts before
 * a person with the evidence, and goes on looking meanwhile.
 */
export const createReconciliation = (client: LookClient, context: ReconciliationContext): Reconciliation =>
  new Settler(client, context)

/**
 * How long ago an entry was begun, at least. It is dated by the wall clock, which may have been set before or after:
 * only what the desk's own time and the wall clock both say is believed.
 */
const agoMs = ({ atMs }: JournalEntry, { nowMs, wallMs }: Moment): number => Math.max(0, Math.min(nowMs, wallMs) - atMs)

/** Listed under the same client order id. */
const othersOf = (order: Order, orders: readonly Order[]): Order[] =>
  orders.filter(({ clientOrderId, orderId }) => clientOrderId === order.clientOrderId && orderId !== order.orderId)

/** Whom a withdrawal that was settled as placed pays. */
const paidBy = ({ intent }: JournalEntry, how: Settlement['how']): { paid?: string } =>
  intent.kind === 'withdrawal' && how === 'placed' ? { paid: intent.request.beneficiary } : {}

class Settler implements Reconciliation {
  readonly #client: LookClient
  readonly #context: ReconciliationContext
  readonly #pace: ReconciliationPace
  readonly #looks: AbsenceCheck
  readonly #poller: Poller
  readonly #questions = new Map<string, UnknownWriteQuestion>()
  /** Entries whose settlement is on its way to the disk. */
  readonly #settling = new Set<string>()
  /** Entries of others that were told of. */
  readonly #announced = new Set<string>()
  readonly #refusedOrders: RefusedOrders
  readonly #refused: RefusedWatch
  readonly #back = new ExchangeBack()
  /** The last look came to nothing, and the next one waits in its back-off. */
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

  /** Tells of entries that this desk did not begin itself, each once: two looks may share what they took over. */
  #announce(entries: readonly JournalEntry[]): void {
    const { clock, emit } = this.#context
    for (const entry of entries) {
      if (this.#announced.has(entry.id)) continue
      this.#announced.add(entry.id)
      emit({ type: 'unsettled', write: toUnknownWrite(entry), atMs: clock.now() })
    }
  }

  #pauseMs(): number {
    const sought = this.#sought()
    if (sought.length === 0) return Math.min(this.#pace.idleMs, this.#untilDoubtMs())
    return sought.every(({ id }) => this.#questions.has(id)) ? this.#pace.askedMs : this.#pace.seekingMs
  }

  /** One look at everything that is sought. False when the exchange did not answer as it should. */
  async #round(signal: AbortSignal): Promise<boolean> {
    const { clock, journal } = this.#context
    this.#announce(await journal.adopt())
    const entries = this.#sought()
    const looked = momentOf(clock)
    try {
      await this.#refusedOrders.look(signal)
      if (entries.length > 0) await this.#lookAt(entries, looked, signal)
      await this.#refused.look(signal)
      return true
    } catch (error) {
      // A journal that cannot be read for a while is as much in the way as an exchange that does not answer.
      if (error instanceof ExchangeError || error instanceof JournalError) return false
      throw error
    }
  }

  async #lookAt(entries: readonly JournalEntry[], looked: Moment, signal: AbortSignal): Promise<void> {
    const { journal, skewMs } = this.#context
    await lookAtAll(this.#client, entries, {
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
    // Behind a hub its journal has them, and it looks itself.
    if (this.#context.hubDraft === undefined) await this.#refused.observe(listed)
  }

  lookForRefused(entry: JournalEntry, signal: AbortSignal): Promise<boolean> {
    return this.#refused.lookFor(entry, signal)
  }

  /** How long until a rejected order or a refused withdrawal is to be looked for. */
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
          // A refused copy of an order, or one of two, settles nothing: a look at all lists tells what else is there.
          void this.#settle(entry, foundOrder(order, sentIn(entry), othersOf(order, orders)))
        else if (by.kind === 'cancel' && isOf(by, order) && !isWorking(order))
          void this.#settle(entry, endedOrder(order, by.orderId))
      }
    }
  }

  async decide(key: string, verdict: Verdict, id: string | null = null): Promise<Result<string>> {
    const { clock, journal, emit } = this.#context
    const entry = this.#sought().find((each) => keyOf(each) === key)
    const question = entry === undefined ? undefined : this.#questions.get(entry.id)
    if (entry === undefined) return err('Already resolved.')
    if (question === undefined) return err('Still checking: wait until its evidence is complete.')
    if (!question.verdicts.includes(verdict)) return err(`"${verdict}" does not answer this: ${question.evidence}`)
    const matches = question.withdrawals?.matches ?? []
    if (verdict === 'placed' && matches.length > 0 && matches.every(({ withdrawalId }) => withdrawalId !== id))
      return err('Select which of those listed it was: the list has changed meanwhile.')
    this.#settling.add(entry.id)
    const { evidence } = question
    const settledId = verdict === 'placed' ? id : null
    await journal.settle(entry.id, { how: verdict, by: 'person', id: settledId, evidence }, clock.wallMs())
    const as = settledId === null ? '' : `, as ${settledId}`
    const sentence = `Resolved by you as ${verdictWords[verdict]}: ${key}${as}.`
    emit({ type: 'settled', key, id: settledId, ...paidBy(entry, verdict), sentence, level: 'info', atMs: clock.now() })
    this.#forget(entry)
    return ok(sentence)
  }

  #sought(): JournalEntry[] {
    return this.#context.journal.open().filter((entry) => isSought(entry) && !this.#settling.has(entry.id))
  }

  async #take(entry: JournalEntry, finding: Finding, looked: Moment): Promise<void> {
    // A feed or a person may have settled it while the exchange was asked.
    if (!this.#sought().some(({ id }) => id === entry.id)) return
    switch (finding.kind) {
      case 'settled':
        return await this.#settle(entry, finding)
      case 'absent':
        if (this.#looks.isAbsent(entry.id, agoMs(entry, looked), looked.nowMs))
          await this.#take(entry, finding.ifSure, looked)
        return
      case 'asks':
        return this.#ask(entry, finding.question)
    }
  }

  #ask(entry: JournalEntry, question: UnknownWriteQuestion): void {
    const { clock, emit } = this.#context
    if (this.#questions.get(entry.id)?.evidence === question.evidence) return
    this.#questions.set(entry.id, question)
    emit({ type: 'unsettledQuestion', key: keyOf(entry), question, atMs: clock.now() })
  }

  async #settle(entry: JournalEntry, finding: Finding): Promise<void> {
    if (finding.kind !== 'settled' || this.#settling.has(entry.id)) return
    const { clock, journal, emit, onFound } = this.#context
    this.#settling.add(entry.id)
    await journal.settle(entry.id, finding.settlement, clock.wallMs())
    const { sentence, level, order, settlement } = finding
    const { how, id } = settlement
    emit({ type: 'settled', key: keyOf(entry), id, ...paidBy(entry, how), sentence, level, atMs: clock.now() })
    if (order !== null) onFound(order)
    this.#forget(entry)
  }

  #forget({ id }: JournalEntry): void {
    this.#settling.delete(id)
    this.#questions.delete(id)
    this.#looks.forget(id)
  }
}
