import type { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import {
  type AccountTerms,
  noJournal,
  openAccount,
  openAccountJournal,
  openDrafts,
  openOrderDrafts,
  openOwnTerms,
} from '../../desk/account.ts'
import { type Account, accountOf } from '../../desk/account-folder.ts'
import { firmDrafts, hubTerms, isHubToken } from '../../desk/behind-hub.ts'
import { createInFlight } from '../../desk/in-flight.ts'
import type { Session } from '../../desk/profile.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { scalesOf } from '../../domain/market/amounts.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { hasSameTerms, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { type OrderOutcome, refusedButThereSentence, unknownOrderSentence } from '../../domain/orders/order-outcome.ts'
import { withdrawalText } from '../../domain/transfers/transfer.ts'
import { unknownWithdrawalSentence, unseenWithdrawalSentence } from '../../domain/transfers/withdrawal-outcome.ts'
import type { WithdrawalReviewContext } from '../../domain/transfers/withdrawal-review.ts'
import { describeIntent, isOpen, type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { createLimitGuard } from '../../services/orders/limit-guard.ts'
import { keyOf } from '../../services/orders/open-write.ts'
import { type RefusedOrder, refusedDoubtedMs } from '../../services/orders/refused-before.ts'
import { createClientOrderIds, createDraftIds, createTrading, type Trading } from '../../services/trading.ts'
import { createWithdrawalGuard, fetchReviewContext } from '../../services/transfers/withdrawal-guard.ts'
import { type Ending, type FailureKind, failure } from '../cli/exit-codes.ts'
import { tellBeside } from '../cli/prompt.ts'
import { recentOrders } from './check-context.ts'
import { type CancelCall, createNotedCalls, type NotedCalls } from './noted-calls.ts'

/** What a one-shot command writes with: the same entry, journal and reconciliation as the desk's. */
export type Writing = {
  trading: Trading
  journal: WriteJournal
  /** What orders are held against once more in the moment they leave; until then none may. */
  judgedBy(context: CheckContext): void
  /** The checks that block an order, as of the context last judged by and what is on record by now. */
  blocks(draft: OrderDraft): Promise<Check[]>
  /**
   * Everything that a withdrawal is held against, asked for now; the same once more when it is sent. Throws
   * `ExchangeError`.
   */
  withdrawalContext(): Promise<WithdrawalReviewContext>
  /** Looks for writes without an answer until they are settled, only the user can say more, or it takes too long. */
  settle(patienceMs: number): Promise<void>
  /**
   * The entry of a write that may still be on its way, as it stands once that is settled, or as long as patience lasts;
   * `find` reads it anew. One that another process is sending right now, or looks for, is waited for.
   */
  settled(find: () => Promise<JournalEntry | undefined>, patienceMs: number): Promise<JournalEntry | undefined>
  /** Asks again and again until it holds, or as long as patience lasts. */
  until(holds: () => Promise<boolean>, patienceMs: number, pauseMs?: number): Promise<void>
  /**
   * Looks for a withdrawal that was answered as rejected, several times in a few seconds; true when it is there all the
   * same. `key` names it.
   */
  turnsUp(key: string): Promise<boolean>
  /**
   * Looks once whether a withdrawal that was answered as rejected is there all the same, however long ago that was;
   * what is found is on record then. Throws `ExchangeError` and `JournalError`.
   */
  hasTurnedUp(entry: JournalEntry): Promise<boolean>
  /** How long what became of the last write is still looked for, in ms: looks that were made since its answer count. */
  patienceMs(): number
  /** The order with this client order id, if looking for it has found it. */
  found(clientOrderId: string): Order | undefined
  /** Why the last write failed at the exchange, or on the way to it; null when it did not. */
  lastFailure(): ExchangeError | null
  /** Watches the call of the next cancel of this order: of several, the last failure may be another one's. */
  cancelCall(orderId: string): CancelCall
  /**
   * The failure of a write that the exchange did not take: by what the last call said, whether it could be reached at
   * all.
   */
  refused(outcome: 'rejected' | 'notSent', sentence: string, more?: Omit<Ending, 'code' | 'sentence'>): Ending
  close(): Promise<void>
}

const beatMs = 200
/**
 * What earlier commands left open is looked for this long before a new write goes out: two looks of reconciliation,
 * five seconds apart, after which it says what only the user can settle.
 */
const earlierPatienceMs = 8_000
/** What this command left open: longer than the exchange's reports take to be trusted. */
export const ownPatienceMs = 30_000

/** A refused withdrawal is looked for so long before it is told of: two looks beside the first one. */
const refusalPatienceMs = 5_000

/**
 * Opens the journal of the session's account, and first settles what commands before this one left without an answer. A
 * cancel waits for neither: it goes out at once, unrecorded where there is no journal.
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

/** The firm remembers, not this machine. */
const atHub = ({ client, settings: { limits } }: Session, { clock }: CommandTools): AccountTerms => ({
  withdrawalTerms: hubTerms(client, { limits: limits.withdrawals, clock }),
  onWithdrawn: () => Promise.resolve(),
})

/** Whether a write was turned down, or never got as far as somebody who could do that. */
export function refusalKind(outcome: 'rejected' | 'notSent', failed: ExchangeError | null): FailureKind {
  const isUnreachable = failed?.kind === 'rateLimited' || (failed?.kind === 'connectivity' && outcome === 'notSent')
  return isUnreachable ? 'unreachable' : outcome
}

/** How a refusal begins: one for too many calls says nothing of what was asked for. */
export const refusalText = (failed: ExchangeError | null): string => {
  if (failed?.kind === 'rateLimited') return 'refused for too many calls'
  return isHubRefusal(failed) ? 'the hub refused it' : 'the exchange rejected it'
}

/** Statuses by which a hub refuses what it was asked; what the exchange says comes with another. */
const hubRefusals: ReadonlySet<number | null> = new Set([401, 403, 404, 409, 503])

/** Whether a hub refused it before anything was sent: a draft of it is a draft as before. */
export const isHubRefusal = (failed: ExchangeError | null): boolean =>
  failed?.isOfHub === true && failed.outcome === 'refused' && hubRefusals.has(failed.status)

/** What is found now; what was found before where the journal can no longer be read: what left has left. */
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
  /** What only the user can settle. */
  readonly #asked = new Set<string>()
  /** What was settled meanwhile. */
  readonly #settled = new Set<string>()
  readonly #beside: ReturnType<typeof createInFlight>
  readonly #news: WriteNews
  #known: CheckContext | null = null
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
      // A command ends with what it says: there is no list that tells better a moment later.
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
  }

  async blocks(draft: OrderDraft): Promise<Check[]> {
    const { tools, session } = this.#parts
    const known = this.#known
    if (known !== null)
      this.#known = { ...known, recentOrders: await recentOrders(this.journal, tools.clock, session.skewMs()) }
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
      // One without an answer so far is still being sent, and where there is none, looked for by whoever sent it.
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
    await this.until(() => Promise.resolve(this.#settled.has(key)), refusalPatienceMs)
    return this.#settled.has(key)
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
    const { tools, terms } = this.#parts
    return {
      ...{ journal: this.journal, clock: tools.clock, signal: this.#stop.signal, terms: terms.withdrawalTerms },
      skewMs: this.#parts.session.skewMs,
      isBehindHub: isHubToken(this.#parts.session.token),
    }
  }

  #sought(): JournalEntry[] {
    return this.journal.open().filter(({ outcome }) => outcome?.kind === 'unknown')
  }

  #guard(draft: OrderDraft): Check[] {
    const context = this.#known
    if (context === null) return [block('freshness', 'the order was not checked')]
    const nowMs = this.#parts.tools.clock.wallMs()
    return createLimitGuard(() => ({ ...context, nowMs }))(draft)
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
    if (event.type === 'settled' && event.paid !== undefined) this.#beside.track(terms.onWithdrawn(event.paid))
    if (event.type === 'unsettledQuestion') this.#asked.add(event.key)
    if (event.type === 'settled') this.#settled.add(event.key)
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
 * Tells on stderr what happens to a command's writes, in the order in which the user has to read it: that there is no
 * answer comes before what was found of it, though the look that finds it may be quicker than whoever waits for the
 * answer. `printError` takes whole sentences.
 */
export function createWriteNews(printError: (sentence: string) => void): WriteNews {
  /** What is found while an answer is awaited; null while none is. */
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
          if (outcome.kind === 'accepted' && outcome.unseen !== undefined)
            return answered(unseenWithdrawalSentence(what, outcome.unseen))
          return answered(outcome.kind === 'unknown' ? unknownWithdrawalSentence(what, outcome) : null)
        }
        case 'orderNotSent':
        case 'withdrawalNotSent':
          return answered(null)
        case 'settled':
          return tell(event.sentence)
        case 'journalTrouble':
          return printError(`${event.sentence}.`)
        case 'unsettledQuestion':
          if (!asked.has(event.key)) tell(`${event.question.evidence} Resolve it in the desk.`)
          asked.add(event.key)
          return
      }
    },
  }
}
