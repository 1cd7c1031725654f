import { ExchangeError } from '../../api/errors.ts'
import { overPersonLimits, unvalued } from '../../domain/hub/person-limits.ts'
import { type Act, may } from '../../domain/hub/roles.ts'
import type { Book } from '../../domain/market/book.ts'
import { counterOf } from '../../domain/market/instrument.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { block, stopTexts } from '../../domain/orders/checks/check.ts'
import { draftText, endedNotional, hasSameTerms, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { termsComplaints } from '../../domain/orders/order-fields.ts'
import { requestOf } from '../../domain/transfers/draft.ts'
import { type WithdrawalRequest, withdrawalText } from '../../domain/transfers/transfer.ts'
import { usdText } from '../../domain/usd-value.ts'
import { apartText, limitUsd } from '../../domain/usd-worth.ts'
import type { RequestBody } from '../../http-server/request.ts'
import { type Answer, badRequest, checkJsonType, failure, json, jsonBounds, nothing } from '../../http-server/route.ts'
import { JournalError, mayHaveLeft, placedId, type WriteIntent, type WriteKey } from '../../journal/entry.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { journaledWrite, recordedFailure, untilItEnds } from '../../services/orders/journaled-write.ts'
import { nameLengthMax, readErrorText } from '../../wire/message.ts'
import { nonPositiveAmount, readCancelAll, readNewOrder } from '../../wire/order-requests.ts'
import { readNewWithdrawal, writeDepositAddress } from '../../wire/transfers.ts'
import { createPlaces } from '../people/places.ts'
import { waitedTooLong } from '../people/send-lines.ts'
import {
  failedWrite,
  forbidden,
  idTaken,
  maybeSent,
  nothingSent,
  orderAnswer,
  rejectedOrder,
  stoppedOrFailed,
  withdrawalAnswer,
} from './answers.ts'
import type { Deed, Guest, HubWritesContext } from './context.ts'
import { firmStops, orderUsd } from './firm-checks.ts'
import { createListedOrders } from './listed-orders.ts'

/** The writes of the exchange's interface, for permitted persons; every answer contains the outcome. */
export type HubWrites = {
  placeOrder(guest: Guest, body: RequestBody): Promise<Answer>
  cancelOrder(guest: Guest, orderId: string): Promise<Answer>
  cancelAll(guest: Guest, symbolInQuery: string | null, body: RequestBody): Promise<Answer>
  withdraw(guest: Guest, body: RequestBody, draftId: string | null): Promise<Answer>
  depositAddress(guest: Guest, currency: string): Promise<Answer>
  /** Call with the exchange's report of an order: a finished one counts only what it filled. */
  seen(order: Order): void
  /** Call when an order turns out not to have been placed, so that it counts nothing. */
  notPlaced(clientOrderId: string): void
  /** Call when a write that was answered as rejected is there all the same: it counts fully again. */
  turnedUp(key: WriteKey, intent?: WriteIntent): void
}

const everyDigit = { price: (price: Decimal) => price.toFixed(), quantity: (quantity: Decimal) => quantity.toFixed() }
const roleRefusal = ({ role }: Guest, what: string): Answer => forbidden(`the role ${role} may not ${what}`)

/** As what a write of this person begins: as who they were when it was checked. */
const standingOf = ({ tokenDigest, limits }: Guest, act: Act) => {
  const standing = { act, by: { tokenDigest, limits } }
  return () => standing
}

export const createHubWrites = (context: HubWritesContext): HubWrites => new Writes(context)

/** The answer to an order that is on record already, with the same terms and of the same person. */
type Again = { readonly again: Answer }

/** The draft named by a withdrawal; its maker is known once it was looked up. */
type DraftSent = { readonly draftId: string | null; madeBy: string | null }

/** Maximum writes in flight per person, and the same for cancels. */
export const writesMaxEach = 16
/** The answer to a person with `writesMaxEach` writes in flight, so that one person cannot starve the others. */
export const tooManyWrites = failure(
  429,
  `${writesMaxEach} writes of yours are under way, as many as one person may have: nothing was sent`,
  { 'retry-after': '1' },
)

const tooSlow = nothingSent(waitedTooLong)

class Writes implements HubWrites {
  readonly #context: HubWritesContext
  /** A runaway program with one token must not block others' writes or its own cancels. */
  readonly #places = createPlaces(writesMaxEach)
  readonly #cancelPlaces = createPlaces(writesMaxEach)
  /** Drafts being sent. */
  readonly #sending = new Set<string>()
  readonly #listed = createListedOrders()

  constructor(context: HubWritesContext) {
    this.#context = context
  }

  async placeOrder(guest: Guest, body: RequestBody): Promise<Answer> {
    const read = checkJsonType(body) ?? readNewOrder(body.text, jsonBounds)
    if ('status' in read) return read
    if (!read.ok) return badRequest(read.error)
    const { clientOrderId, ...draft } = read.value
    // Limits are held against every amount given: none may lower a value, nor may one that the exchange leaves aside.
    const complaints = [nonPositiveAmount(draft), ...termsComplaints(draft)]
    const [complaint = null] = complaints.filter((each) => each !== null)
    if (complaint !== null) return badRequest(complaint)
    const what = `${draftText(draft, everyDigit)} as ${clientOrderId}`
    // From the start: while it is under way a repeat may come.
    const isListed = this.#listed.add(`${guest.name}: ${what}`)
    return await this.#told(guest, 'placeOrder', what, async () => {
      const answer = await this.#place(guest, draft, clientOrderId)
      return 'again' in answer ? { ...answer, isListed } : answer
    })
  }

  async cancelOrder(guest: Guest, orderId: string): Promise<Answer> {
    return await this.#told(guest, 'cancel', `order ${orderId}`, async () => {
      if (!may(guest.role, 'cancel')) return roleRefusal(guest, 'cancel orders')
      const { client } = this.#context
      return await this.#through(guest, { kind: 'cancel', orderId }, (stoppedNow) =>
        client.cancelOrder(orderId, undefined, stoppedNow),
      )
    })
  }

  async cancelAll(guest: Guest, symbolInQuery: string | null, body: RequestBody): Promise<Answer> {
    // An unreadable body may contain a symbol, so canceling everything could be wrong.
    const inBody = body.text.trim() === '' ? null : readCancelAll(body.text, jsonBounds)
    if (inBody?.ok === false) return badRequest(inBody.error)
    const symbol = inBody?.value.symbol ?? symbolInQuery
    if (symbol === '') return badRequest('query parameter "symbol" is empty')
    if (symbolInQuery !== null && symbol !== symbolInQuery)
      return badRequest('field "symbol" and query parameter "symbol" differ')
    if (symbol !== null && symbol.length > nameLengthMax)
      return badRequest(`query parameter "symbol" is longer than ${nameLengthMax} characters`)
    return await this.#told(guest, 'cancelAll', symbol === null ? 'in every symbol' : `in ${symbol}`, async () => {
      if (!may(guest.role, 'cancelAll')) return roleRefusal(guest, 'cancel orders')
      const { client } = this.#context
      return await this.#through(guest, { kind: 'cancelAll', symbol }, (stoppedNow) =>
        client.cancelAllOrders(symbol, undefined, stoppedNow),
      )
    })
  }

  async withdraw(guest: Guest, body: RequestBody, draftId: string | null): Promise<Answer> {
    const read = checkJsonType(body) ?? readNewWithdrawal(body.text, jsonBounds)
    if ('status' in read) return read
    if (!read.ok) return badRequest(read.error)
    const request = read.value
    const { amount } = request
    if (amount !== 'max' && amount.lte(0)) return badRequest('field "amount" must be above zero')
    const what = withdrawalText(request)
    const sent: DraftSent = { draftId, madeBy: null }
    return await this.#told(guest, 'withdraw', what, () => this.#withdraw(guest, request, sent), sent)
  }

  async depositAddress(guest: Guest, currency: string): Promise<Answer> {
    return await this.#told(guest, 'depositAddress', currency, async () => {
      if (!may(guest.role, 'depositAddress')) return roleRefusal(guest, 'ask for deposit addresses')
      const { client, ended } = this.#context
      const stoppedNow = () => ended(guest, 'depositAddress')
      return await this.#inTurn(guest, async () => {
        try {
          return json(writeDepositAddress(await client.createDepositAddress(currency, untilItEnds, stoppedNow)))
        } catch (error) {
          return stoppedOrFailed(error)
        }
      })
    })
  }

  seen(order: Order): void {
    const filled = endedNotional(order)
    const rate = limitUsd(counterOf(order.symbol), this.#context.prices())
    if (filled !== null && rate !== null) this.#count({ kind: 'order', id: order.clientOrderId }, filled.times(rate))
  }

  notPlaced(clientOrderId: string): void {
    this.#count({ kind: 'order', id: clientOrderId }, zero)
  }

  turnedUp(key: WriteKey, intent?: WriteIntent): void {
    const { days, hubJournal } = this.#context
    const otherwise = intent?.kind === 'withdrawal' ? this.#withdrawalUsd(intent.request) : null
    const usd = days.restore(key, otherwise ?? zero)
    if (usd !== null) void hubJournal.count(key, usd, true)
  }

  /** Runs the write in a place of this person, records it, and makes everyone read again. */
  async #told(
    guest: Guest,
    act: Deed['act'],
    what: string,
    run: () => Promise<Answer | (Again & { isListed: boolean })>,
    sent: Readonly<DraftSent> = { draftId: null, madeBy: null },
  ): Promise<Answer> {
    const places = act === 'cancel' || act === 'cancelAll' ? this.#cancelPlaces : this.#places
    const { writing, note } = this.#context
    return await places.within(guest.name, tooManyWrites, async () => {
      const changed = writing()
      try {
        const ran = await run()
        const isRepeat = 'again' in ran
        const answer = isRepeat ? ran.again : ran
        const { status, body } = answer
        const reason = status === 200 || body === null ? null : readErrorText(body)
        // A repeat does nothing. It has a row only where the order's own may be missing: its hub may have died.
        if (!isRepeat || !ran.isListed) note({ person: guest.name, act, what, ...sent, status, reason, isRepeat })
        return answer
      } finally {
        changed()
      }
    })
  }

  /** Sends in this person's turn among what all persons send. */
  #inTurn<T>(guest: Guest, send: () => Promise<Answer | T>): Promise<Answer | T> {
    return this.#context.lines.orders.run<Answer | T>(guest.name, send, () => Promise.resolve(tooSlow)).answer
  }

  async #place(guest: Guest, draft: OrderDraft, clientOrderId: string): Promise<Answer | Again> {
    const { halted, days } = this.#context
    if (!may(guest.role, 'placeOrder')) return roleRefusal(guest, 'place orders')
    const key = { kind: 'order', id: clientOrderId } as const
    // A repeated request is sent once, whatever happened to the first.
    const repeated = async () =>
      (await this.#earlier(guest, draft, clientOrderId, maybeSent)) ?? maybeSent('it is being sent')
    if (days.has(key)) return await repeated()
    const reason = halted()
    const first = reason === null ? await this.#book(draft.symbol) : forbidden(reason)
    const send = async () => {
      // Waiting for its turn may have taken seconds: it is not held against what the market was before.
      const book = await this.#book(draft.symbol)
      if ('status' in book) return { unsent: book }
      return days.has(key) ? 'repeated' : await this.#placeNow(guest, draft, clientOrderId, book)
    }
    const placed = 'status' in first ? { unsent: first } : await this.#inTurn(guest, send)
    if (placed === 'repeated') return await repeated()
    if ('status' in placed) return placed
    // Whatever is in the way now: what left under an id of long ago is not told as not sent.
    return (await this.#earlier(guest, draft, clientOrderId, () => placed.unsent)) ?? placed.unsent
  }

  /** The book that limits are checked against, or the answer where there is none. */
  async #book(symbol: string): Promise<Book | Answer> {
    try {
      return await this.#context.bookOf(symbol)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      // An unlisted symbol is refused by the exchange itself, in its own words.
      if (error.kind === 'notFound') return { symbol, bids: [], asks: [] }
      return nothingSent(`its limits cannot be checked: ${failureSentence(error)}`)
    }
  }

  /** Checks an order and sends it. `unsent`: the answer that it has not left; one under its id may have before. */
  async #placeNow(
    guest: Guest,
    draft: OrderDraft,
    clientOrderId: string,
    book: Book,
  ): Promise<Answer | { unsent: Answer }> {
    const { halted, ended, contextOf, entryUnder, hubJournal, days, clock, prices } = this.#context
    const [act, key] = ['placeOrder', { kind: 'order', id: clientOrderId }] as const
    const first = contextOf(draft.symbol)
    const stops = stopTexts(firmStops(draft, book, first))
    if (stops !== null) return { unsent: forbidden(stops) }
    const usd = orderUsd(draft, book, { ...first, prices: prices() })
    const unvalued = this.#unvalued(counterOf(draft.symbol))
    const over = overPersonLimits(guest.limits, usd, days.of(guest.name, 'order'), unvalued)
    if (over !== null) return { unsent: forbidden(over) }
    days.add(key, { person: guest.name, kind: 'order', usd: usd ?? zero })
    const journal = hubJournal.as({ person: guest.name, countedUsd: usd ?? zero, standing: standingOf(guest, act) })
    // Checked against the limits already; again at its turn if another order was sent meanwhile.
    const late: { stop: string | null } = { stop: null }
    const lastLook = () => {
      const now = contextOf(draft.symbol)
      if (now.recentOrders !== first.recentOrders) late.stop = stopTexts(firmStops(draft, book, now))
      return Promise.resolve(late.stop)
    }
    // The firm may be halted, and the person revoked, until its first byte leaves.
    const guard = () => {
      const stoppedNow = halted() ?? ended(guest, act)
      if (stoppedNow === null) return []
      late.stop = stoppedNow
      return [block('mode', stoppedNow)]
    }
    const outcome = await entryUnder(guard, journal).submit(draft, { clientOrderId, lastLook })
    if (outcome.kind === 'rejected') this.#count(key, zero)
    if (outcome.kind !== 'notSent') return orderAnswer(draft, outcome, clock.wallMs())
    // Nothing was sent or is in flight, so a repeated request is tried again.
    days.forget(key)
    // Held back by a halt right before its first byte, it has the hub's words for it too.
    const stop = late.stop ?? halted()
    return { unsent: stop === null ? nothingSent(outcome.reason) : forbidden(stop) }
  }

  #unvalued = (currency: string): string => apartText(currency, this.#context.prices()) ?? unvalued

  #count(key: { kind: 'order' | 'draft'; id: string }, usd: Decimal): void {
    const { days, hubJournal } = this.#context
    if (days.reduce(key, usd)) void hubJournal.count(key, usd)
  }

  /**
   * The outcome of an earlier order under this id; null when there is none. `unread` answers where the database does
   * not say: of an order that this hub knows of, nobody may be told that it was not sent.
   */
  async #earlier(
    guest: Guest,
    draft: OrderDraft,
    clientOrderId: string,
    unread: (reason: string) => Answer,
  ): Promise<Answer | Again | null> {
    const { hubJournal, client, clock } = this.#context
    try {
      const found = await hubJournal
        .as({ person: guest.name, countedUsd: null })
        .find({ kind: 'order', id: clientOrderId })
      // One that certainly did not leave may still be there: that it did not is stored a moment later.
      const entry = found.entries.find((each) => each.intent.kind === 'order' && mayHaveLeft(each))
      if (entry === undefined || entry.intent.kind !== 'order') return null
      const isAnothers = (await hubJournal.personOf(entry.id)) !== guest.name
      if (isAnothers || !hasSameTerms(entry.intent.draft, draft))
        return idTaken(clientOrderId, isAnothers ? 'anotherPerson' : 'anotherOrder')
      const orderId = placedId(entry)
      if (orderId !== undefined && orderId !== null) {
        // Whoever repeats orders all the time must not keep others from the exchange either.
        const report = async () => {
          const sent = await client.fetchOrder(orderId, untilItEnds)
          return orderAnswer(draft, { kind: 'accepted', order: sent }, clock.wallMs())
        }
        const late = () => Promise.resolve(maybeSent('it was sent before, and the exchange is slow to tell of it'))
        return {
          again: await this.#context.lines.orders.run(guest.name, () => report().catch(failedWrite), late).answer,
        }
      }
      const end = entry.settlement?.how ?? entry.outcome?.kind
      if (end === 'rejected' || end === 'notPlaced')
        return { again: rejectedOrder(draft, clientOrderId, 'it was sent before and refused', clock.wallMs()) }
      return { again: maybeSent('it was sent before, and is looked for') }
    } catch (error) {
      if (error instanceof JournalError) return unread(error.message)
      return failedWrite(error)
    }
  }

  async #withdraw(guest: Guest, request: WithdrawalRequest, sent: DraftSent): Promise<Answer> {
    const named = sent.draftId
    if (!may(guest.role, 'withdraw')) return roleRefusal(guest, 'withdraw')
    // Before whatever is in the way now, however long ago: what has left is not told as not sent.
    const left = named === null ? null : await this.#leftBefore(guest, request, named)
    if (left !== null) return left
    const reason = this.#context.halted()
    if (reason !== null) return forbidden(reason)
    const send = () => this.#send(guest, request, sent)
    if (named === null) return await this.#inTurn(guest, send)
    if (this.#sending.has(named)) return maybeSent(`draft ${named} is being sent`)
    this.#sending.add(named)
    try {
      return await this.#inTurn(guest, send)
    } finally {
      this.#sending.delete(named)
    }
  }

  async #send(guest: Guest, request: WithdrawalRequest, sent: DraftSent): Promise<Answer> {
    const { draftOf, judgementOf, withdrawUnder, hubJournal, days, halted, ended } = this.#context
    const found = await draftOf(guest.name, sent.draftId, request)
    if (!found.ok) return found.error === 'unread' ? this.#unreadDraft(sent.draftId) : found.error
    const { draft, version } = found.value
    sent.madeBy = draft.madeBy ?? null
    const judgement = await judgementOf(found.value)
    if (judgement.stop !== null) return forbidden(judgement.stop)
    const usd = this.#withdrawalUsd(request)
    const most = guest.limits.withdrawDayUsd
    // The available balance may be higher when it is sent.
    if (most !== null && request.amount === 'max') return forbidden('your day has a limit: name an amount, not all')
    const sum = usd === null ? null : days.of(guest.name, 'withdrawal').plus(usd)
    if (most !== null && sum === null) return forbidden(`${this.#unvalued(request.currency)}, and your day has a limit`)
    if (most !== null && sum?.gt(most) === true)
      return forbidden(`your withdrawals of the day would be ${usdText(sum)}, over your limit ${usdText(most)}`)
    const key = { kind: 'draft', id: draft.draftId } as const
    days.add(key, { person: guest.name, kind: 'withdrawal', usd: usd ?? zero })
    const approvedBy = draft.approval.kind === 'given' ? draft.approval.by : null
    const kept = version === null ? null : { draftId: draft.draftId, version, approvedBy }
    const standing = standingOf(guest, 'withdraw')
    const journal = hubJournal.as({ person: guest.name, countedUsd: usd ?? zero, draft: kept, standing })
    const forbiddenNow = () => halted() ?? ended(guest, 'withdraw')
    const stoppedNow = () => halted() ?? ended(guest, 'withdraw', approvedBy)
    const late: { stop: string | null } = { stop: null }
    // No other write begins meanwhile: of two simultaneous ones the second is judged with the first on record.
    const lastLook = async () => {
      late.stop = await judgement.again()
      return late.stop
    }
    const { outcome } = await withdrawUnder({ journal, stoppedNow, lastLook }, requestOf(draft), draft)
    if (outcome.kind === 'rejected') this.#count(key, zero)
    if (outcome.kind === 'notSent') days.forget(key)
    const stop = outcome.kind === 'notSent' ? (late.stop ?? forbiddenNow()) : null
    return stop === null ? withdrawalAnswer(outcome) : forbidden(stop)
  }

  /** Why a draft is not sent, such as because it was; null for one that may be. */
  async #leftBefore(guest: Guest, request: WithdrawalRequest, draftId: string): Promise<Answer | null> {
    const { draftOf } = this.#context
    const found = await draftOf(guest.name, draftId, request)
    if (found.ok) return null
    return found.error === 'unread' ? this.#unreadDraft(draftId) : found.error
  }

  /** Of a draft that this hub knows to have begun, nobody may be told that it was not sent. */
  #unreadDraft(draftId: string | null): Answer {
    const reason = "the hub's database does not answer"
    const isBegun = draftId !== null && this.#context.days.has({ kind: 'draft', id: draftId })
    return isBegun ? maybeSent(reason) : nothingSent(reason)
  }

  #withdrawalUsd({ currency, amount }: WithdrawalRequest): Decimal | null {
    const prices = this.#context.prices()
    const available = prices.balances.find((balance) => balance.currency === currency)?.available ?? null
    const most = amount === 'max' ? available : amount
    const price = limitUsd(currency, prices)
    return most === null || price === null ? null : most.times(price)
  }

  /** Sends a write that is harmless to repeat, recorded first; its answer is the exchange's own. */
  async #through(
    guest: Guest,
    intent: Extract<WriteIntent, { kind: 'cancel' | 'cancelAll' }>,
    call: (stoppedNow: () => string | null) => Promise<void>,
  ): Promise<Answer> {
    const { hubJournal, onUnknown, ended } = this.#context
    // A cancel may remove what protects the firm, so one that waits ends with its person's right to it.
    const stoppedNow = () => ended(guest, intent.kind)
    const journal = hubJournal.as({ person: guest.name, countedUsd: null })
    const send = () =>
      journaledWrite<Answer>({ ...this.#context, journal }, intent, async () => {
        try {
          await call(stoppedNow)
          return { recorded: { kind: 'canceled' }, outcome: nothing }
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error
          const recorded = recordedFailure(error, 'refused')
          if (recorded.kind === 'unknown') onUnknown()
          return { recorded, outcome: stoppedOrFailed(error) }
        }
      })
    const late = () => Promise.resolve(tooSlow)
    const answer = await this.#context.lines.cancels.run(guest.name, send, late, intent.kind === 'cancelAll').answer
    return 'kind' in answer ? nothingSent(answer.reason) : answer
  }
}
