import type { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { elapsedMaxMs, type Moment, momentOf } from '../../base/clock.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { durationText } from '../../base/text/time-text.ts'
import {
  type AccountTerms,
  noJournal,
  openAccount,
  openAccountJournal,
  openDrafts,
  openOrderDrafts,
  openOwnTerms,
} from '../../desk/account/account.ts'
import { type Account, accountOf } from '../../desk/account/account-folder.ts'
import type { Session } from '../../desk/account/profile.ts'
import { createInFlight } from '../../desk/in-flight.ts'
import { firmDrafts, hubTerms, isHubToken } from '../../desk/wiring/behind-hub.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { namedKeys } from '../../domain/desk/session.ts'
import { scalesOf } from '../../domain/market/amounts.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { hasSameTerms, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { type OrderOutcome, refusedButThereSentence, unknownOrderSentence } from '../../domain/orders/order-outcome.ts'
import { withdrawalText } from '../../domain/transfers/transfer.ts'
import { acceptedWithdrawalWarning, unknownWithdrawalSentence } from '../../domain/transfers/withdrawal-outcome.ts'
import type { WithdrawalReviewContext } from '../../domain/transfers/withdrawal-review.ts'
import { cancelKey } from '../../domain/unknown-write.ts'
import { describeIntent, isOpen, type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { createLimitGuard } from '../../services/orders/limit-guard.ts'
import { keyOf } from '../../services/orders/open-write.ts'
import { type RefusedOrder, refusedDoubtedMs } from '../../services/orders/refused-before.ts'
import { createClientOrderIds, createDraftIds, createTrading, type Trading } from '../../services/trading.ts'
import {
  createWithdrawalGuard,
  fetchReviewContext,
  type WithdrawalTermsSource,
} from '../../services/transfers/withdrawal-guard.ts'
import { type Ending, type FailureKind, failure } from '../cli/exit-codes.ts'
import { tellBeside } from '../cli/prompt.ts'
import { recentOrders, sinceListed } from './check-context.ts'
import { type CancelCall, createNotedCalls, type NotedCalls } from './noted-calls.ts'

/** Market data older than this, in ms, is requested again before an order is sent; one that waits longer is not. */
export const freshMs = 5_000

/** The parts of a one-shot write: the same entry, journal and reconciliation as the desk's. */
export type Writing = {
  trading: Trading
  journal: WriteJournal
  /** Sets the context for the recheck of orders at the moment of sending; none may be sent before. */
  judgedBy(context: CheckContext): void
  /** The checks that block an order, by the last context and the journal as it is now. */
  blocks(draft: OrderDraft): Promise<Check[]>
  /** Requests everything a withdrawal is checked against; sending requests it again. Throws `ExchangeError`. */
  withdrawalContext(): Promise<WithdrawalReviewContext>
  /** Looks for unanswered writes until they are resolved, only the user can resolve them, or the time is over. */
  settle(patienceMs: number): Promise<void>
  /**
   * The entry of a write that may be in flight, once it is resolved or the time is over; `find` rereads it. Also waits
   * for one that another process is sending or resolving.
   */
  settled(find: () => Promise<JournalEntry | undefined>, patienceMs: number): Promise<JournalEntry | undefined>
  /** Asks repeatedly until it holds or the time is over. */
  until(holds: () => Promise<boolean>, patienceMs: number, pauseMs?: number): Promise<void>
  /**
   * Looks several times within seconds for a withdrawal that was answered as rejected; true when it exists anyway.
   * `key` names it.
   */
  turnsUp(key: string): Promise<boolean>
  /**
   * Looks once for a withdrawal that was answered as rejected, however long ago, and records it if found; true when it
   * exists anyway. Throws `ExchangeError` and `JournalError`.
   */
  hasTurnedUp(entry: JournalEntry): Promise<boolean>
  /** The time left for resolving the last write, in ms, less the time since its answer. */
  patienceMs(): number
  /** The order with this client order id, if reconciliation has found it. */
  found(clientOrderId: string): Order | undefined
  /** True when reconciliation has resolved a cancel of this order with nothing to cancel: no id and no list has it. */
  isNowhere(orderId: string): boolean
  /** The error of the last write; null when it did not fail. */
  lastFailure(): ExchangeError | null
  /** Watches the call of the next cancel of this order: with several, the last failure may be of another one. */
  cancelCall(orderId: string): CancelCall
  /** The failure of a write that the exchange did not take; the last error decides whether it counts as unreachable. */
  refused(outcome: 'rejected' | 'notSent', sentence: string, more?: Omit<Ending, 'code' | 'sentence'>): Ending
  close(): Promise<void>
}

const beatMs = 200
/**
 * Maximum time in ms for resolving earlier commands' writes before a new one: two looks of reconciliation, five seconds
 * apart, after which it names those that only the user can resolve.
 */
const earlierPatienceMs = 8_000
/** The same for this command's own writes: longer than the exchange's reports take to be reliable. */
export const ownPatienceMs = 30_000

/** Maximum time in ms of looking for a refused withdrawal: two looks besides the first one. */
const refusalPatienceMs = 5_000

/**
 * Opens the journal of the session's account, and first resolves earlier commands' unanswered writes. A cancel waits
 * for neither: it is sent at once, unrecorded if there is no journal.
 */
export async function openWriting(
  session: Session,
  io: CommandIo,
  tools: CommandTools,
  isCancel: boolean,
): Promise<Result<Writing>> {
  const opened = await openAccount(session.settings, session.token, io, tools)
  if (!opened.ok && !isCancel) return err(opened.error.sentence)
  for (const notice of opened.ok ? opened.value.notices : []) io.printError(plainText(notice))
  const account = opened.ok ? opened.value.account : accountOf(session.settings, session.token, io)
  const journal = opened.ok ? await openAccountJournal(account, io, tools) : opened
  if (!journal.ok && !isCancel) return err(journal.error.sentence)
  const terms = isHubToken(session.token)
    ? atHub(session, tools)
    : await openOwnTerms(session.settings, account, io, tools)
  const kept = journal.ok ? journal.value : noJournal(journal.error.reason)
  const writing = new OneShotWriting({ session, account, io, tools, journal: kept, terms })
  if (!isCancel) await writing.takeUpEarlier()
  return ok(writing)
}

/** The firm's memory of the whitelist, instead of this machine's. */
const atHub = ({ client, settings: { limits } }: Session, { clock }: CommandTools): AccountTerms => ({
  withdrawalTerms: hubTerms(client, { limits: limits.withdrawals, clock }),
  onWithdrawn: () => Promise.resolve(),
})

/** Whether a write was refused, or did not reach the exchange. */
export function refusalKind(outcome: 'rejected' | 'notSent', failed: ExchangeError | null): FailureKind {
  const isUnreachable = failed?.kind === 'rateLimited' || (failed?.kind === 'connectivity' && outcome === 'notSent')
  return isUnreachable ? 'unreachable' : outcome
}

/** The beginning of a refusal: one for too many calls says nothing about the write itself. */
export const refusalText = (failed: ExchangeError | null): string => {
  if (failed?.kind === 'rateLimited') return 'refused for too many calls'
  return isHubRefusal(failed) ? 'the hub refused it' : 'the exchange rejected it'
}

/** Statuses of a hub's own refusals; the exchange's come with others. */
const hubRefusals: ReadonlySet<number | null> = new Set([401, 403, 404, 409, 503])

/** True when a hub refused it before sending: its draft stays a draft. */
export const isHubRefusal = (failed: ExchangeError | null): boolean =>
  failed?.isOfHub === true && failed.outcome === 'refused' && hubRefusals.has(failed.status)

/** The entry found now; if the journal has become unreadable, the one found before, since a sent write stays sent. */
async function foundBy(
  find: () => Promise<JournalEntry | undefined>,
  before: JournalEntry | undefined,
): Promise<JournalEntry | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof JournalError) return before
    throw error
  }
}

type Parts = {
  session: Session
  account: Account
  io: CommandIo
  tools: CommandTools
  journal: WriteJournal
  terms: AccountTerms
}

class OneShotWriting implements Writing {
  readonly trading: Trading
  readonly journal: WriteJournal
  readonly #parts: Parts
  readonly #client: ExchangeClient
  readonly #calls: NotedCalls
  readonly #stop = new AbortController()
  readonly #foundOrders = new Map<string, Order>()
  /** Writes that only the user can resolve. */
  readonly #asked = new Set<string>()
  /** Writes resolved meanwhile. */
  readonly #resolved = new Set<string>()
  readonly #beside: ReturnType<typeof createInFlight>
  readonly #news: WriteNews
  #known: CheckContext | null = null
  #judgedAt: Moment | null = null
  #running: Promise<void> | null = null

  constructor(parts: Parts) {
    const { session, account, io, tools, journal } = parts
    const calls = createNotedCalls(session.client, tools)
    const { client } = calls
    this.#parts = parts
    this.#client = client
    this.#calls = calls
    this.#beside = createInFlight((error) => io.crash(error))
    const tell = (sentence: string) => tellBeside(io, plainText(sentence))
    this.#news = createWriteNews(tell)
    this.journal = journal
    journal.listen((sentence) => tell(`${sentence}.`))
    this.trading = createTrading(client, {
      guard: (draft) => this.#guard(draft),
      refusedBefore: (draft) => this.#refusedBefore(draft),
      scalesOf: () => scalesOf(this.#known?.instrument.kind === 'fresh' ? this.#known.instrument.value : undefined),
      drafts: openDrafts(account, tools),
      newDraftId: createDraftIds(tools.randomBytes),
      withdrawalGuard: createWithdrawalGuard(client, this.#judging()),
      firm: firmDrafts(session.token, client, tell) ?? undefined,
      onDrafts: () => undefined,
      orderDrafts: openOrderDrafts(account, tools),
      onOrderDrafts: () => undefined,
      track: this.#beside.track,
      clock: tools.clock,
      random: tools.random,
      signal: this.#stop.signal,
      journal,
      // A command's output is final: no list corrects it a moment later.
      confirms: 'all',
      looksSignal: io.signal,
      newClientOrderId: createClientOrderIds(tools.randomBytes),
      emit: (event) => this.#tell(event),
      skewMs: () => session.skewMs(),
      onWritten: () => undefined,
      onFound: (order) => this.#foundOrders.set(order.clientOrderId, order),
    })
  }

  async takeUpEarlier(): Promise<void> {
    if (this.#sought().length === 0) return
    await this.settle(earlierPatienceMs)
    for (const { intent } of this.#sought())
      this.#parts.io.printError(plainText(`Still unknown: ${describeIntent(intent)}.`))
  }

  judgedBy(context: CheckContext): void {
    this.#known = context
    this.#judgedAt = momentOf(this.#parts.tools.clock)
  }

  async blocks(draft: OrderDraft): Promise<Check[]> {
    const { tools, session } = this.#parts
    const known = this.#known
    if (known !== null) {
      const recent = await recentOrders(this.journal, tools.clock, session.skewMs())
      this.#known = { ...known, recentOrders: sinceListed(recent, known.recentOrders) }
    }
    return this.#guard(draft)
  }

  withdrawalContext(): Promise<WithdrawalReviewContext> {
    return fetchReviewContext(this.#client, this.#judging())
  }

  async settle(patienceMs: number): Promise<void> {
    const { io, tools } = this.#parts
    this.#running ??= this.trading.reconciliation.run()
    const endMs = tools.clock.now() + patienceMs
    const isAwaited = (entry: JournalEntry) => !this.#asked.has(keyOf(entry))
    while (this.#sought().some(isAwaited) && tools.clock.now() < endMs && !io.signal.aborted)
      await tools.clock.sleep(beatMs, io.signal)
  }

  async settled(find: () => Promise<JournalEntry | undefined>, patienceMs: number): Promise<JournalEntry | undefined> {
    const { clock } = this.#parts.tools
    const endMs = clock.now() + patienceMs
    await this.settle(patienceMs)
    let entry: JournalEntry | undefined
    await this.until(async () => {
      entry = await foundBy(find, entry)
      if (entry === undefined || !isOpen(entry)) return true
      // Without an outcome it is still being sent, or its sender resolves it.
      return entry.outcome !== null && this.#asked.has(keyOf(entry))
    }, endMs - clock.now())
    return entry
  }

  async until(holds: () => Promise<boolean>, patienceMs: number, pauseMs = beatMs): Promise<void> {
    const { io, tools } = this.#parts
    const endMs = tools.clock.now() + patienceMs
    while (!(await holds()) && tools.clock.now() < endMs && !io.signal.aborted)
      await tools.clock.sleep(pauseMs, io.signal)
  }

  async turnsUp(key: string): Promise<boolean> {
    this.#running ??= this.trading.reconciliation.run()
    await this.until(() => Promise.resolve(this.#resolved.has(key)), refusalPatienceMs)
    return this.#resolved.has(key)
  }

  hasTurnedUp(entry: JournalEntry): Promise<boolean> {
    return this.trading.reconciliation.lookForRefused(entry, this.#parts.io.signal)
  }

  patienceMs(): number {
    const nowMs = this.#parts.tools.clock.now()
    return Math.max(0, ownPatienceMs - (nowMs - (this.#calls.endedAtMs() ?? nowMs)))
  }

  found(clientOrderId: string): Order | undefined {
    return this.#foundOrders.get(clientOrderId)
  }

  isNowhere(orderId: string): boolean {
    const isFound = [...this.#foundOrders.values()].some((order) => order.orderId === orderId)
    return this.#resolved.has(cancelKey(orderId)) && !isFound
  }

  lastFailure(): ExchangeError | null {
    return this.#calls.lastFailure()
  }

  cancelCall(orderId: string): CancelCall {
    return this.#calls.cancelCall(orderId)
  }

  refused(outcome: 'rejected' | 'notSent', sentence: string, more?: Omit<Ending, 'code' | 'sentence'>): Ending {
    return failure(refusalKind(outcome, this.lastFailure()), sentence, more)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.#beside.ended()
    await this.journal.close()
  }

  #judging() {
    const { io, tools, terms } = this.#parts
    return {
      ...{ journal: this.journal, clock: tools.clock, signal: this.#stop.signal },
      // Without its memory every entry counts as new, and only this says why.
      terms: async (...asked: Parameters<WithdrawalTermsSource>) => {
        const now = await terms.withdrawalTerms(...asked)
        if (now.trouble != null) tellBeside(io, plainText(now.trouble))
        return now
      },
      skewMs: this.#parts.session.skewMs,
      isBehindHub: isHubToken(this.#parts.session.token),
    }
  }

  #sought(): JournalEntry[] {
    return this.journal.open().filter(({ outcome }) => outcome?.kind === 'unknown')
  }

  /** Asked again when the order's turn to leave has come: a stopped process or a long wait makes the data old. */
  #guard(draft: OrderDraft): Check[] {
    const { clock } = this.#parts.tools
    if (this.#known === null || this.#judgedAt === null) return [block('freshness', 'the order was not checked')]
    const ageMs = elapsedMaxMs(this.#judgedAt, momentOf(clock))
    if (ageMs > freshMs) return [block('freshness', `its checks are ${durationText(ageMs)} old: repeat it`)]
    const context = { ...this.#known, nowMs: clock.wallMs() }
    return createLimitGuard(() => context)(draft)
  }

  #refusedBefore(draft: OrderDraft): RefusedOrder[] {
    const sinceMs = this.#parts.tools.clock.wallMs() - refusedDoubtedMs
    const sent = this.#known?.recentOrders ?? []
    return sent.filter((each) => each.stage === 'refused' && each.atMs > sinceMs && hasSameTerms(each.draft, draft))
  }

  #tell(event: WriteEvent): void {
    const { terms } = this.#parts
    this.#news.take(event)
    if (event.type === 'withdrawalOutcome' && event.outcome.kind === 'accepted')
      this.#beside.track(terms.onWithdrawn(event.request.beneficiary))
    if (event.type === 'writeResolved' && event.paid !== undefined) this.#beside.track(terms.onWithdrawn(event.paid))
    if (event.type === 'writeQuestion') this.#asked.add(event.key)
    if (event.type === 'writeResolved') this.#resolved.add(event.key)
  }
}

/** What an order's outcome says beside the ending of its command; null where that says all. */
function orderNews(outcome: OrderOutcome): string | null {
  if (outcome.kind === 'unknown') return unknownOrderSentence(outcome)
  if (outcome.kind !== 'accepted' || outcome.refusal === undefined) return null
  return refusedButThereSentence(outcome.order, outcome.refusal)
}

/** Takes the events of a command's writes. */
type WriteNews = { take(event: WriteEvent): void }

/**
 * Reports a command's writes on stderr in the order the user needs: a missing answer comes before its resolution, even
 * if the resolving look is faster than the wait for the answer. `printError` takes whole sentences.
 */
export function createWriteNews(printError: (sentence: string) => void): WriteNews {
  /** Sentences held back while an answer is awaited; null otherwise. */
  let held: string[] | null = null
  const asked = new Set<string>()
  const tell = (sentence: string) => {
    if (held === null) printError(sentence)
    else held.push(sentence)
  }
  const answered = (unknown: string | null) => {
    const found = held ?? []
    held = null
    for (const sentence of unknown === null ? found : [unknown, ...found]) printError(sentence)
  }
  return {
    take(event) {
      switch (event.type) {
        case 'orderSent':
        case 'withdrawalSent':
          held ??= []
          return
        case 'orderOutcome':
          return answered(orderNews(event.outcome))
        case 'withdrawalOutcome': {
          const { outcome, request } = event
          const what = withdrawalText(request)
          if (outcome.kind === 'accepted') return answered(acceptedWithdrawalWarning(what, outcome))
          return answered(outcome.kind === 'unknown' ? unknownWithdrawalSentence(what, outcome) : null)
        }
        case 'orderNotSent':
        case 'withdrawalNotSent':
          return answered(null)
        case 'writeResolved':
          return tell(event.sentence)
        case 'journalTrouble':
          return printError(`${event.sentence}.`)
        case 'writeQuestion': {
          const { evidence, verdicts } = event.question
          // Without an answer to it no key of the desk resolves it.
          const how = verdicts.length === 0 ? '' : ` Resolve it in the desk with its key ${namedKeys.askUnsettled}.`
          if (!asked.has(event.key)) tell(`${evidence}${how}`)
          asked.add(event.key)
          return
        }
      }
    },
  }
}
