import { plainWidth, readPastedAmount } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import { formatExactPrice, type Instrument } from '../../domain/market/instrument.ts'
import { type Decimal, sameAmount, zero } from '../../domain/money.ts'
import { ask, block, blockOf, type Check, isBlocked, unconfirmed, warn } from '../../domain/orders/checks/check.ts'
import { type CheckContext, preTradeChecks } from '../../domain/orders/checks/pre-trade.ts'
import { isPending, isWorking, type Order, type OrderDraft, orderName, restsInBook } from '../../domain/orders/order.ts'
import {
  aboutOrder,
  changedQuantities,
  contextMoved,
  contextWithout,
  type MovePrices,
  movedDrafts,
  moveQuantities,
  type OrderTerms,
  orderTerms,
  readMovePrice,
  readMoveQuantity,
  standsAt,
} from '../../domain/orders/order-move.ts'
import { asKnown } from '../../domain/orders/order-outcome.ts'
import { priceUse, quantityUse } from '../../domain/orders/ticket.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { activeSymbol, type LadderSlice } from '../ladder/ladder.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { modeSentence } from '../mode.ts'
import {
  orderRowKey,
  ordersAtCursor,
  ownStopsIn,
  restingOrders,
  whyNoneInRow,
  workingOrder,
} from '../orders/order-selectors.ts'
import { lostByHand, type PlansSlice } from '../plans/plans.ts'
import type { RefreshPort, SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import { type Checked, checkContext, journalBlocks } from '../ticket/check-context.ts'
import { reviewArmedAfterMs, type TicketSlice } from '../ticket/ticket.ts'
import type { ViewSlice } from '../view/view.ts'
import {
  type MoveEvent,
  type MoveForm,
  type MovePort,
  type MoveScope,
  type MoveSlice,
  moveFields,
  type OrderMove,
  standingText,
  typedIn,
} from './move.ts'

/** The state for the checks of a move. */
type Moving = Checked & PlansSlice

/** The parts that its commands use. */
type Context = SliceContext<
  Moving & ViewSlice & LadderSlice & TicketSlice & MoveSlice & TablesSlice,
  MoveEvent | NotedEvent,
  MovePort & RefreshPort
>

/** A move as it would be sent now: the present order, the order to place, and the checks. */
export type MoveReading = {
  /** As last reported; null when it no longer works. */
  order: Order | null
  /** The whole order, from which the service subtracts its fills by then. */
  whole: OrderDraft
  /** Its present open quantity, or the requested one. */
  rest: OrderDraft
  terms: OrderTerms
  checks: Check[]
}

/** One move, or several by the same ticks, in sending order. */
export type MovesReading = MoveReading & {
  /** All of them, including the picked-up order. */
  all: readonly MoveReading[]
  /** False when the typed text is not an amount; then `checks` only says what is wrong with it. */
  isReadable: boolean
}

/** The moved order in the present list. */
const liveOrder = (state: Pick<FeedsSlice, 'orders'>, { orderId }: Order): Order | null =>
  state.orders.value?.find((order) => order.orderId === orderId && isWorking(order)) ?? null

/**
 * The data for the checks of an order that replaces another one; null for none. `besides`: client order ids of orders
 * that the same move has already placed on purpose.
 */
export function contextInstead(
  state: Checked,
  symbol: string,
  insteadOf: string | null,
  nowMs: number,
  besides: readonly string[],
): CheckContext {
  const whole = checkContext(state, symbol, nowMs)
  const recentOrders = whole.recentOrders.filter(
    ({ clientOrderId, stage }) => stage !== 'taken' || !besides.includes(clientOrderId),
  )
  const context = besides.length === 0 ? whole : { ...whole, recentOrders }
  const order = insteadOf === null ? undefined : state.orders.value?.find(({ orderId }) => orderId === insteadOf)
  return order === undefined ? context : contextWithout(context, order)
}

/** Why an order of unknown quantity cannot be moved, as a clause. */
const unknownQuantity = (order: Order): string =>
  `open quantity of order ${orderName(order)} unknown: cancel it and place a new one instead`

/** An order, its new price, and its new open quantity; null: unchanged. */
type Aim = { picked: Order; to: MovePrices; quantity: Decimal | null }

/** An unchanged size counts as intended; a larger one may be a slip, and a move has no retyping. */
function sizeCheck(check: Check, isLarger: boolean): Check[] {
  if (check.rule !== 'unusual') return [check]
  return isLarger && check.level !== 'ok'
    ? [block('unusual', `${check.text}: use a ticket, which asks for it again`)]
    : []
}

/** Checks one move like every new order; `context` includes the moves before it. */
function readOne(state: Moving, { picked, to, quantity }: Aim, context: CheckContext): MoveReading {
  const order = liveOrder(state, picked)
  const terms = orderTerms(picked, state.ownDrafts)
  const known = moveQuantities(order ?? picked, terms)
  const quantities = known === null ? null : changedQuantities(known, moveQuantities(picked, terms) ?? known, quantity)
  const { price } = to
  // As it was picked up: a stop triggered since is another order, and not made a stop again.
  const drafts = movedDrafts(picked, to, terms, quantities ?? { open: zero, whole: zero })
  const blocked = (text: string): MoveReading => ({ order, ...drafts, terms, checks: [block('fields', text)] })
  if (order === null) return blocked(`order ${orderName(picked)} is no longer working: nothing to move`)
  if (isPending(picked) && !isPending(order))
    return blocked(`stop ${orderName(picked)} has triggered: it is no longer pending`)
  if (quantities === null || known === null) return blocked(unknownQuantity(order))
  if (!price.gt(0)) return blocked(`order ${orderName(picked)} would go below zero: fewer ticks`)
  const isLarger = quantities.open.gt(known.open)
  const checks = preTradeChecks(drafts.rest, contextWithout(context, order)).flatMap((check) =>
    sizeCheck(check, isLarger),
  )
  const held = lostByHand(state, [order.clientOrderId])
  if (held !== null) checks.push(ask('plan', held.replace(/\.$/, '')))
  if (!terms.isKnown) checks.push(warn('fields', 'its time in force is not reported: the new one is GTC'))
  const instrument = state.instruments.value?.get(order.symbol)
  const at = standsAt(order, state.ownDrafts)
  const isThere = at?.price.eq(price) === true && sameAmount(at.limit, to.limit)
  if (isThere && quantities.open.eq(known.open) && instrument !== undefined) {
    const stands = `${isPending(order) ? 'is pending' : 'rests'} at ${formatExactPrice(price, instrument)}`
    const text = `it ${stands} already: choose another price`
    checks.unshift(block('fields', text))
  }
  return { order, ...drafts, terms, checks }
}

/** The faults of typed text that is not a price or quantity. */
function fieldProblems({ from, priceText, limit, quantityText }: MoveForm, instrument: Instrument | undefined) {
  if (instrument === undefined) return { quantity: null, problems: [] }
  const price = priceText === null ? null : readMovePrice(priceText, from, instrument)
  const limitPrice = limit === null || limit.text === null ? null : readMovePrice(limit.text, limit.from, instrument)
  const quantity = quantityText === null ? null : readMoveQuantity(quantityText, instrument)
  const problems = [price, limitPrice, quantity].flatMap((read) =>
    read === null || read.ok ? [] : [block('fields', read.error)],
  )
  return { quantity: quantity?.ok === true ? quantity.value : null, problems }
}

/** The moved orders in sending order: upwards the highest first, so that none meets the one ahead. */
function movers({ order, others, from, price }: MoveForm): readonly Order[] {
  const sign = price.gte(from) ? -1 : 1
  return [order, ...others].toSorted((left, right) => sign * (left.limitPrice ?? zero).cmp(right.limitPrice ?? zero))
}

/**
 * Checks a move like every new order, as if the old one were already canceled; several in sequence, each as if those
 * before it had moved.
 */
export function readMove(state: Moving, move: MoveForm, nowMs: number = state.nowMs): MovesReading {
  const { order: lead, others, price } = move
  const to = { price, limit: move.limit?.price ?? null }
  const instrument = state.instruments.value?.get(lead.symbol)
  const { quantity, problems } = fieldProblems(move, instrument)
  const by = price.minus(move.from)
  let context = checkContext(state, lead.symbol, nowMs)
  const readings = movers(move).map((picked) => {
    const target = picked === lead ? to : { price: (picked.limitPrice ?? zero).plus(by), limit: null }
    const reading = readOne(state, { picked, to: target, quantity: picked === lead ? quantity : null }, context)
    if (reading.order !== null) context = contextMoved(context, reading.order, reading.rest)
    return { picked, reading }
  })
  const own =
    readings.find(({ picked }) => picked === lead)?.reading ?? readOne(state, { picked: lead, to, quantity }, context)
  const checks =
    others.length === 0
      ? own.checks
      : readings.flatMap(({ picked, reading }) =>
          reading.checks.map((check) => aboutOrder(check, reading.order ?? picked)),
        )
  // Typed text that is not an amount: reports nothing about the old value.
  const isReadable = problems.length === 0
  const said = [...journalBlocks(state), ...(isReadable ? checks : problems)]
  return { ...own, isReadable, checks: said, all: readings.map(({ reading }) => reading) }
}

export type MoveCommands = {
  /** Picks up the own order in the cursor's row; of several the first one, with each further call the next. */
  moveAtCursor(): void
  /** Picks up the order selected in the list. */
  moveSelectedOrder(): void
  /** Picks up the only order in the ladder's symbol; of several the user must select one. */
  moveOnlyOrder(): void
  /**
   * Includes the other own orders of its row, then those of its side, then none again: all move by the same ticks. Says
   * so if there are none.
   */
  widenMove(): void
  /** Positive is up the screen, to higher prices; in the quantity to more. */
  stepMove(rows: number): void
  /** A price selected on screen: into the field of the limit, else the order's price. */
  pointMoveAt(price: Decimal): void
  /** Goes to the next field. */
  nextMoveField(): void
  /** Typed text; the first character replaces the field's text. */
  typeIntoMove(text: string): void
  /** Pasted text: one amount. */
  pasteIntoMove(text: string): void
  eraseInMove(): void
  /** Clears the typed text. */
  clearMoveField(): void
  /** Choose → review when nothing blocks. */
  reviewMove(): void
  confirmMoveLimits(): void
  /** Shows the review from this line on. */
  scrollMove(top: number): void
  /** Review → sent, after it was on screen for `reviewArmedAfterMs`, with no soft limit left to confirm. */
  sendMove(): void
  /** Review → choose, choose → abandoned: the order stays as it is. */
  backFromMove(): void
}

/**
 * Moves an own order to another price. There is no amend: the old one is canceled, and once that is certain its
 * unfilled rest is placed anew.
 */
export function createMoveCommands(context: Context): MoveCommands {
  return { ...createPickCommands(context), ...createMoveEditCommands(context), ...createMoveSendCommands(context) }
}

const widerScope: Readonly<Record<MoveScope, MoveScope>> = { one: 'row', row: 'side', side: 'one' }

type PickCommands = Pick<MoveCommands, 'moveAtCursor' | 'moveSelectedOrder' | 'moveOnlyOrder' | 'widenMove'>

/** Selects the orders to move. */
function createPickCommands({ store, port }: Context): PickCommands {
  const say = sayer({ store, port }, { isOfField: true })
  const pickUp = (order: Order) => {
    const { mode, ticket, move, symbol } = store.getState()
    if (!mayPlace(mode)) return say(modeSentence(store.getState()))
    if (ticket !== null || move?.stage === 'sending') return say('Wait: the last order has no answer yet.')
    if (order.orderId === null) return say(`Order ${order.clientOrderId}: exchange id unknown. It cannot be moved.`)
    const { ownDrafts } = store.getState()
    const at = standsAt(order, ownDrafts)
    if (at === null)
      return say(
        isPending(order)
          ? `Cannot move: trigger of stop ${order.orderId} not reported. Cancel it and place a new one.`
          : 'Cannot move: the order rests at no price.',
      )
    const quantities = moveQuantities(order, orderTerms(order, ownDrafts))
    if (quantities === null) return say(`Not moved: ${unknownQuantity(order)}.`)
    store.dispatch({ type: 'moveOpened', order, ...at, open: quantities.open, atMs: port.now() })
    if (store.getState().symbol !== symbol) port.refresh()
  }
  return {
    moveAtCursor() {
      const state = store.getState()
      const { move } = state
      const held = move?.stage === 'choose' ? orderRowKey(move.order) : null
      // A move's cursor is on its target: the next order comes from the row in which the move began.
      const orders = ordersAtCursor(state, move?.stage === 'choose' ? move.from : undefined, state.ownDrafts)
      const next = orders[(orders.findIndex((order) => orderRowKey(order) === held) + 1) % Math.max(1, orders.length)]
      if (next === undefined) return say(whyNoneInRow(state, rowKeysOf(state.reboundKeys)))
      pickUp(next)
    },
    moveSelectedOrder() {
      const state = store.getState()
      const order = workingOrder(state, state.tables.views.orders.selectedKey ?? '')
      if (order === undefined) return say(`No working order is selected: ${rowKeysOf(state.reboundKeys)} select one.`)
      pickUp(order)
    },
    moveOnlyOrder() {
      const state = store.getState()
      const where = activeSymbol(state)
      const [only, ...others] = [...restingOrders(state), ...ownStopsIn(state, where)]
      if (only === undefined) return say(`You have no order to move in ${where}.`)
      if (others.length === 0) return pickUp(only)
      say(`You have ${others.length + 1} working orders in ${where}: select one in ladder or orders, then move it.`)
    },
    widenMove() {
      const state = store.getState()
      const { move } = state
      if (move?.stage !== 'choose') return
      if (isPending(move.order)) return say('Stops are moved one at a time.')
      const isOther = (order: Order) => orderRowKey(order) !== orderRowKey(move.order) && order.orderId !== null
      const sets = {
        one: [],
        row: ordersAtCursor(state, move.from).filter(isOther),
        side: (state.orders.value ?? []).filter(
          (order) =>
            isOther(order) &&
            restsInBook(order) &&
            order.symbol === move.order.symbol &&
            order.side === move.order.side,
        ),
      } satisfies Record<MoveScope, Order[]>
      const { side, symbol } = move.order
      if (sets.row.length + sets.side.length === 0 && move.scope === 'one')
        return say(`Just this one: you have no other resting ${side} in ${symbol}.`)
      // One step per call, whatever rests there: two calls always mean the side.
      const scope = widerScope[move.scope]
      store.dispatch({ type: 'moveScoped', scope, others: sets[scope] })
      if (scope !== 'row' || sets.row.length > 0) return
      const key = keyOf(state.reboundKeys, 'widenMove')
      say(`Just this one rests in its row. ${key} again: all ${sets.side.length + 1} ${side}s of ${symbol}.`)
    },
  }
}

type EditCommands = Pick<
  MoveCommands,
  'stepMove' | 'pointMoveAt' | 'nextMoveField' | 'typeIntoMove' | 'pasteIntoMove' | 'eraseInMove' | 'clearMoveField'
>

/** Longer than any price or quantity. */
const typedMax = 24

/** Typing in a move's fields. */
function createMoveEditCommands({ store, port }: Context): EditCommands {
  const say = sayer({ store, port }, { isOfField: true })
  const editing = () => {
    const { move, instruments } = store.getState()
    const instrument = instruments.value?.get(move?.order.symbol ?? '')
    return move?.stage === 'choose' && instrument !== undefined ? { move, instrument } : null
  }
  const write = (edit: (typed: string | null, standing: string) => string | null) => {
    const now = editing()
    if (now === null) return
    const { move, instrument } = now
    const typed = typedIn(move)
    const text = edit(typed, standingText(move, instrument))?.slice(0, typedMax) ?? null
    if (text === typed) return
    const from = move.field === 'limit' ? (move.limit?.from ?? zero) : move.from
    const read = text === null || move.field === 'quantity' ? null : readMovePrice(text, from, instrument)
    store.dispatch({ type: 'moveTyped', text, price: read?.ok === true ? read.value : null, atMs: port.now() })
  }
  return {
    stepMove: (rows) => store.dispatch({ type: 'moveStepped', rows, atMs: port.now() }),
    pointMoveAt: (price) => store.dispatch({ type: 'movePricePointed', price, atMs: port.now() }),
    nextMoveField() {
      const now = editing()
      if (now === null) return
      if (now.move.others.length > 0) return say('Several orders keep their quantities: one price for all, by ticks.')
      const fields = moveFields(now.move)
      const field = fields[(fields.indexOf(now.move.field) + 1) % fields.length] ?? 'price'
      store.dispatch({ type: 'moveFieldChosen', field })
    },
    typeIntoMove(typed) {
      const now = editing()
      if (now === null) return
      const text = plainWidth(typed)
      const begun = typedIn(now.move)
      // A letter alone begins no amount; dropping it, or its sign, from a begun one would make another amount.
      if ((begun ?? '') !== '' || /^[\d.,+\-t %\p{Sc}]+$/u.test(text)) write((before) => (before ?? '') + text)
    },
    pasteIntoMove(text) {
      const now = editing()
      if (now === null) return
      const use = now.move.field === 'quantity' ? quantityUse(now.instrument) : priceUse(now.instrument)
      const read = readPastedAmount(text, use)
      if (!read.ok) return say(read.error)
      write(() => read.value.toFixed())
    },
    eraseInMove: () => write((typed, standing) => [...(typed ?? standing)].slice(0, -1).join('')),
    clearMoveField: () => write(() => null),
  }
}

type SendCommands = Pick<MoveCommands, 'reviewMove' | 'confirmMoveLimits' | 'scrollMove' | 'sendMove' | 'backFromMove'>

/** From the form through the review to the exchange. */
function createMoveSendCommands({ store, port }: Context): SendCommands {
  const say = sayer({ store, port }, { isOfField: true })
  return {
    reviewMove() {
      const { move } = store.getState()
      if (move?.stage !== 'choose') return
      const atMs = port.now()
      // Leaves out orders that have ended since they were included; the review shows the number.
      const others = move.others.filter((order) => liveOrder(store.getState(), order) !== null)
      const blocking = blockOf(readMove(store.getState(), { ...move, others }, atMs).checks)
      if (blocking !== undefined) return say(`Blocked: ${blocking.text}.`)
      store.dispatch({ type: 'moveReviewed', others, atMs })
    },
    confirmMoveLimits() {
      const { move } = store.getState()
      if (move?.stage !== 'review') return
      const { checks } = readMove(store.getState(), move, port.now())
      const limits = unconfirmed(checks, [])
      if (limits.length === 0) return say('Enter sends: no soft limit to confirm.')
      store.dispatch({ type: 'moveConfirmed', limits })
    },
    scrollMove: (top) => store.dispatch({ type: 'moveScrolled', top }),
    sendMove() {
      const state = store.getState()
      const { move } = state
      const atMs = port.now()
      // Shorter than a reaction time: this Enter is the repeat of the one that opened the review.
      if (move?.stage !== 'review' || atMs - move.reviewedAtMs < reviewArmedAfterMs) return
      if (!mayPlace(state.mode)) return say(modeSentence(state))
      const { all, checks } = readMove(state, move, atMs)
      const moves = all.flatMap(({ order, whole, rest, terms }): OrderMove[] => {
        if (order === null || order.orderId === null) return []
        const fromStop = rest.stopPrice === null ? null : move.from
        return [{ orderId: order.orderId, was: asKnown(order, terms.askedQuantity), whole, rest, fromStop }]
      })
      if (moves.length < all.length || isBlocked(checks)) {
        const reason = blockOf(checks)?.text ?? 'the order changed'
        store.dispatch({ type: 'moveBackToChoose' })
        const stays = all.length === 1 ? 'The order stays as it is' : `All ${all.length} orders stay as they are`
        return say(`Not sent: ${reason}. ${stays}.`)
      }
      const asked = unconfirmed(checks, move.confirmed)[0]
      if (asked !== undefined)
        return say(`Not sent: type ${keyOf(state.reboundKeys, 'confirmMoveLimits')}, then Enter. ${asked.text}.`)
      store.dispatch({ type: 'moveSending' })
      port.moveOrders(moves)
    },
    backFromMove() {
      const { move, symbol } = store.getState()
      if (move?.stage === 'choose') store.dispatch({ type: 'moveClosed' })
      // The ladder of another symbol's order returns to its own symbol, whose book is outdated.
      if (store.getState().symbol !== symbol) port.refresh()
      if (move?.stage === 'review') store.dispatch({ type: 'moveBackToChoose' })
    },
  }
}
