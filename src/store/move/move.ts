import { rowPrice } from '../../domain/ladder/ladder.ts'
import { limitsFor } from '../../domain/limits.ts'
import { midPrice } from '../../domain/market/book.ts'
import { formatExactPrice, formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import { Decimal } from '../../domain/money.ts'
import type { Confirmed } from '../../domain/orders/checks/check.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'
import type { MovePrices } from '../../domain/orders/order-move.ts'
import type { KnownOrder, MovesEnd } from '../../domain/orders/order-outcome.ts'
import { nudge, quantityUse } from '../../domain/orders/ticket.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import {
  activeLadder,
  hasSecondLadder,
  type LadderName,
  type LadderSlice,
  type LadderState,
  ladderSymbol,
  withCursorAt,
  withSymbolInLadder,
} from '../ladder/ladder.ts'
import { type LogSlice, type Noting, noted } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import { atPaneBefore, paneBeginning } from '../view/pane-before.ts'
import type { PaneName } from '../view/panes.ts'
import type { ViewSlice } from '../view/view.ts'

/** The other orders that move by the same ticks: none, those of its row, or those of its side. */
export type MoveScope = 'one' | 'row' | 'side'

/** The fields of a move; `limit` is a stop's. */
export type MoveField = 'price' | 'limit' | 'quantity'

/** A ladder before a move changed its scale, cursor or symbol. */
type LadderBefore = { name: LadderName; symbol: string | null; ladder: LadderState }

/** A move before its review. `order` is as it was when picked up. */
export type MoveForm = {
  order: Order
  /** Others that move by the same ticks, each a move of its own with its own quantity; none of them is `order`. */
  others: readonly Order[]
  scope: MoveScope
  /** Its price and open quantity when picked up: its limit, or the trigger of a stop. */
  from: Decimal
  open: Decimal
  /** The new price as far as the text is one; the old price while nothing is typed. */
  price: Decimal
  /** For a pending stop with a limit: the old limit, the new one, and the typed text. */
  limit: { from: Decimal; price: Decimal; text: string | null } | null
  field: MoveField
  /** As typed: `64,210.50`, or ticks from the old price, `+2t`. Null: nothing is typed, `price` holds. */
  priceText: string | null
  /** The open quantity of the new order, as typed. Null: unchanged. */
  quantityText: string | null
  /** The ladder when the order was picked up: without a cursor there, the move's cursor disappears with it. */
  ladderBefore: LadderBefore
  /** The pane in which the order was picked up, unless a ladder: it gets the keys back after the move. */
  paneBefore?: PaneName
}

/** An own order on its way to another price or quantity: choose → review → sending. */
export type MoveState =
  | (MoveForm & { stage: 'choose' })
  | (MoveForm & {
      stage: 'review'
      reviewedAtMs: number
      /** The soft limits that the user has confirmed for this move. */
      confirmed: readonly Confirmed[]
      /** The first visible line, if they do not all fit; 0 unless given. */
      top?: number
    })
  | (MoveForm & { stage: 'sending' })

/** The move to send: the new order in whole, from which fills are subtracted, and its present open quantity. */
export type OrderMove = {
  orderId: string
  whole: OrderDraft
  rest: OrderDraft
  /** The old trigger, which no report contains; null for none. */
  fromStop: Decimal | null
  /** The order as listed: a report of its end that contradicts it is not believed. */
  was: KnownOrder
}

export type MoveEvent =
  | ({ type: 'moveOpened'; order: Order; open: Decimal; atMs: number } & MovePrices)
  /** Rows of the ladder that shows the order, positive to higher prices; lots in the quantity. */
  | { type: 'moveStepped'; rows: number; atMs: number }
  /** A price selected on screen: into the field of the limit, else the order's price. */
  | { type: 'movePricePointed'; price: Decimal; atMs: number }
  /** The typed text of a field; null clears it. `price`: its value, if it is a price. */
  | { type: 'moveTyped'; text: string | null; price: Decimal | null; atMs: number }
  | { type: 'moveFieldChosen'; field: MoveForm['field'] }
  | { type: 'moveScoped'; scope: MoveScope; others: readonly Order[] }
  /** `others`: those that still work. */
  | { type: 'moveReviewed'; others: readonly Order[]; atMs: number }
  | { type: 'moveConfirmed'; limits: readonly Confirmed[] }
  | { type: 'moveScrolled'; top: number }
  | { type: 'moveBackToChoose' }
  | { type: 'moveSending' }
  /** `ended`: the result of several moves; a single order's outcome is reported by itself. */
  | { type: 'moveClosed'; ended?: MovesEnd & { atMs: number } }

const eventNames: Readonly<Record<MoveEvent['type'], true>> = {
  moveOpened: true,
  moveStepped: true,
  movePricePointed: true,
  moveTyped: true,
  moveFieldChosen: true,
  moveScoped: true,
  moveReviewed: true,
  moveConfirmed: true,
  moveScrolled: true,
  moveBackToChoose: true,
  moveSending: true,
  moveClosed: true,
}

/** True for an event of a move. */
export const isMoveEvent = (event: { type: string }): event is MoveEvent => Object.hasOwn(eventNames, event.type)

/** An overlay takes a move under review one step back, so that it is reviewed again before sending. */
export const withoutMoveReview = (move: MoveState | null): MoveState | null =>
  move?.stage === 'review' ? chosen(move) : move

/** A move that is not under review. */
function chosen({
  order,
  others,
  scope,
  from,
  open,
  price,
  limit,
  field,
  priceText,
  quantityText,
  ladderBefore,
  paneBefore,
}: MoveForm): MoveState {
  const form = { order, others, scope, from, open, price, limit, field, priceText, quantityText, ladderBefore }
  return { stage: 'choose', ...form, ...(paneBefore === undefined ? {} : { paneBefore }) }
}

/** The typed text of the active field; null for none. */
export const typedIn = ({ field, priceText, limit, quantityText }: MoveForm): string | null =>
  field === 'price' ? priceText : field === 'limit' ? (limit?.text ?? null) : quantityText

/** The fields of a move, in Tab order. */
export const moveFields = ({ limit }: MoveForm): MoveField[] => [
  'price',
  ...(limit === null ? [] : ['limit' as const]),
  'quantity',
]

/** `move`: an own order being moved to another price. */
export type MoveSlice = { move: MoveState | null }

export type MovePort = {
  /**
   * Cancels each order and, once that is certain, places its unfilled rest: one after the other, none after the first
   * with an uncertain outcome. `moveClosed` is dispatched at the end.
   */
  moveOrders(moves: readonly OrderMove[]): void
}

/** The state that a move changes: its ladder moves along. */
type Needs = LogSlice & Noting & StepNeeds

/** The state that a step on the ladder changes. */
type StepNeeds = ViewSlice & LadderSlice & FeedsSlice & MoveSlice & Pick<ModeSlice, 'limits'>

/** The ladder that shows a symbol, the active one first; null for none. */
function ladderShowing(state: ViewSlice & LadderSlice, symbol: string): LadderName | null {
  const names: LadderName[] = [activeLadder(state), 'ladder', ...(hasSecondLadder(state) ? ['ladder2' as const] : [])]
  return names.find((name) => ladderSymbol(state, name) === symbol) ?? null
}

/** A ladder's row for a price of one side. */
const rowOf = (price: Decimal, { side }: Order, instrument: Instrument, groupTicks: number): Decimal =>
  rowPrice(price, instrument, groupTicks, side === 'BUY' ? 'bid' : 'ask')

/** Picks up an order: the ladder of its symbol gets the focus, with the cursor on the order. */
function moveOpenedOn<S extends Needs>(
  before: S,
  { order, price, limit, open, atMs }: Extract<MoveEvent, { type: 'moveOpened' }>,
): S {
  const instrument = before.instruments.value?.get(order.symbol)
  if (instrument === undefined) return before
  const found = ladderShowing(before, order.symbol)
  const name = found ?? 'ladder'
  const state = found === null ? withSymbolInLadder(before, 'ladder', order.symbol, atMs) : before
  const placed = withCursorAt(state, name, rowOf(price, order, instrument, state[name].groupTicks), atMs)
  // The next order of a row keeps the first one's ladder state.
  const ladderBefore =
    before.move?.stage === 'choose'
      ? before.move.ladderBefore
      : { name, symbol: ladderSymbol(before, name), ladder: before[name] }
  const stands = {
    order,
    from: price,
    open,
    price,
    limit: limit === null ? null : { from: limit, price: limit, text: null },
  }
  const typed = { field: 'price', priceText: null, quantityText: null } as const
  const form = { ...stands, others: [], scope: 'one', ...typed, ladderBefore } as const
  const paneBefore = before.move?.stage === 'choose' ? before.move.paneBefore : paneBeginning(before)
  const move = chosen({ ...form, ...(paneBefore === undefined ? {} : { paneBefore }) })
  return { ...placed, focus: name, move, notice: null }
}

/**
 * True when a letter continues the field's typed digits: `64k` and `1m` are thousands and millions. Any other letter,
 * or one without digits before it, is a key as usual.
 */
export const goesOnWith = (move: MoveForm, letter: string): boolean =>
  /^[km]$/i.test(letter) && /\d\.?$/.test(typedIn(move) ?? '')

/** The quantity changed by `lots` lots; a text that is not a number stays as typed. */
function quantityStepped(move: MoveForm, lots: number, instrument: Instrument): MoveForm {
  const text = move.quantityText ?? formatQuantity(move.open, instrument)
  const quantity = nudge(text, quantityUse(instrument), instrument.lotSize, lots)
  return quantity === null ? move : { ...move, quantityText: formatQuantity(quantity, instrument) }
}

/** The price moved by `rows` rows; one between two rows first goes to the next row in that direction. */
function moveStepped<S extends StepNeeds>(state: S, rows: number, atMs: number): S {
  const { move } = state
  const instrument = state.instruments.value?.get(move?.order.symbol ?? '')
  if (move?.stage !== 'choose' || instrument === undefined) return state
  if (move.field === 'quantity')
    return { ...state, move: { ...quantityStepped(move, rows, instrument), stage: 'choose' } }
  const name = ladderShowing(state, move.order.symbol) ?? 'ladder'
  const { groupTicks } = state[name]
  const step = instrument.tickSize.times(groupTicks)
  const stepped = (at: Decimal) =>
    Decimal.max(rowPrice(at, instrument, groupTicks, rows > 0 ? 'bid' : 'ask').plus(step.times(rows)), step)
  if (move.field === 'limit') return { ...state, move: withLimitAt(move, stepped(move.limit?.price ?? move.price)) }
  const price = stepped(move.price)
  return { ...withCursorAt(state, name, price, atMs), move: { ...move, price, priceText: null } }
}

/** The limit of a stop-limit order at another price. */
const withLimitAt = <M extends MoveForm>(move: M, price: Decimal): M =>
  move.limit === null ? move : { ...move, limit: { ...move.limit, price, text: null } }

/** A price of the ladder's is taken as it is shown, whichever rows there are. */
function movePricePointed<S extends StepNeeds>(state: S, price: Decimal, atMs: number): S {
  const { move } = state
  if (move?.stage !== 'choose') return state
  if (move.field === 'limit') return { ...state, move: withLimitAt(move, price) }
  const name = ladderShowing(state, move.order.symbol) ?? 'ladder'
  return { ...withCursorAt(state, name, price, atMs), move: { ...move, field: 'price', price, priceText: null } }
}

/** Without a collar, a price further away than this counts as half typed. */
const usualCollarPercent = new Decimal(10)

/**
 * True when a price is within the collar of the old price or the market: `61` on the way to `61,000` is a price too,
 * but the ladder must not jump to it.
 */
function isNear(price: Decimal, { order: { symbol }, from }: MoveForm, state: StepNeeds): boolean {
  const { hard, soft } = limitsFor(state.limits, symbol).collarPercent
  const book = state.books.get(symbol)?.value ?? null
  const mid = book === null ? null : midPrice(book)
  const far = (of: Decimal) => price.minus(of).abs().times(100).div(of)
  return [from, mid].some((of) => of?.gt(0) === true && far(of).lte(hard ?? soft ?? usualCollarPercent))
}

/** Applies a field's typed text; the ladder's cursor goes to it once it is a price, and near. */
function moveTyped<S extends StepNeeds>(state: S, event: Extract<MoveEvent, { type: 'moveTyped' }>): S {
  const { move } = state
  const instrument = state.instruments.value?.get(move?.order.symbol ?? '')
  if (move?.stage !== 'choose' || instrument === undefined) return state
  const { text, atMs } = event
  const { limit } = move
  if (move.field === 'quantity') return { ...state, move: { ...move, quantityText: text } }
  if (move.field === 'limit') {
    if (limit === null) return state
    const to = text === null ? limit.from : (event.price ?? limit.price)
    return { ...state, move: { ...move, limit: { ...limit, price: to, text } } }
  }
  const price = text === null ? move.from : event.price
  if (price === null) return { ...state, move: { ...move, priceText: text } }
  if (text !== null && !isNear(price, move, state)) return { ...state, move: { ...move, price, priceText: text } }
  const name = ladderShowing(state, move.order.symbol) ?? 'ladder'
  const at = rowOf(price, move.order, instrument, state[name].groupTicks)
  return { ...withCursorAt(state, name, at, atMs), move: { ...move, price, priceText: text } }
}

/** The text of the active field while nothing is typed. */
export const standingText = ({ field, open, price, limit }: MoveForm, instrument: Instrument): string =>
  field === 'quantity'
    ? formatQuantity(open, instrument)
    : formatExactPrice(field === 'limit' && limit !== null ? limit.price : price, instrument)

/** The picked-up order after the user's action; one that does not fit its stage changes nothing. */
export function reduceMove<S extends Needs>(state: S, event: MoveEvent): S {
  const { move } = state
  if (event.type === 'moveOpened') return moveOpenedOn(state, event)
  if (event.type === 'moveClosed') return moveClosed(state, event)
  if (move === null) return state
  switch (event.type) {
    case 'moveStepped':
      return moveStepped(state, event.rows, event.atMs)
    case 'movePricePointed':
      return movePricePointed(state, event.price, event.atMs)
    case 'moveTyped':
      return moveTyped(state, event)
    case 'moveFieldChosen':
      return move.stage === 'choose' ? { ...state, move: { ...move, field: event.field } } : state
    case 'moveScoped':
      return move.stage === 'choose' ? { ...state, move: withOthers(move, event) } : state
    case 'moveReviewed':
      return move.stage === 'choose'
        ? {
            ...state,
            move: { ...move, stage: 'review', others: event.others, reviewedAtMs: event.atMs, confirmed: [] },
          }
        : state
    case 'moveConfirmed':
      return move.stage === 'review' ? { ...state, move: { ...move, confirmed: event.limits } } : state
    case 'moveScrolled':
      return move.stage === 'review' ? { ...state, move: { ...move, top: event.top } } : state
    case 'moveBackToChoose':
      return { ...state, move: chosen(move) }
    case 'moveSending':
      // From here on the keys are free: a later answer does not change the focus.
      return atPaneBefore({ ...state, move: { ...chosen(move), stage: 'sending' } }, move.paneBefore)
  }
}

/** The distance of a move, in signed ticks: `+3 ticks`; empty for no change. */
export function ticksText({ from, price }: { from: Decimal; price: Decimal }, { tickSize }: Instrument): string {
  const ticks = price.minus(from).div(tickSize).toDecimalPlaces(0)
  return ticks.isZero() ? '' : `${ticks.gt(0) ? '+' : ''}${ticks} tick${ticks.abs().eq(1) ? '' : 's'}`
}

/**
 * The ladder after a move. An abandoned move restores symbol, scale and cursor; a sent one stays at the order, and only
 * removes a cursor that the move set. A symbol or grouping the user chose since stays.
 */
function withLadderAfter<S extends Needs>(state: S, move: MoveState | null): S {
  if (move === null) return state
  const { name, symbol, ladder } = move.ladderBefore
  if (ladderSymbol(state, name) !== move.order.symbol) return state
  if (move.stage !== 'choose')
    return ladder.cursorPrice === null ? { ...state, [name]: { ...state[name], cursorPrice: null } } : state
  const { touchedAtMs, groupTicks } = state[name]
  if (symbol !== move.order.symbol && symbol !== null) {
    const back = withSymbolInLadder(state, name, symbol, touchedAtMs)
    return { ...back, [name]: { ...ladder, touchedAtMs } }
  }
  if (groupTicks !== ladder.groupTicks) return state
  const { centerPrice, cursorPrice } = ladder
  return { ...state, [name]: { ...state[name], centerPrice, cursorPrice } }
}

/** The end of a move; the result of several is one notice. */
function moveClosed<S extends Needs>(state: S, { ended }: Extract<MoveEvent, { type: 'moveClosed' }>): S {
  const { move } = state
  const left = { ...withLadderAfter(state, move), move: null }
  const closed = atPaneBefore(left, move?.stage === 'choose' ? move.paneBefore : undefined)
  const instrument = state.instruments.value?.get(move?.order.symbol ?? '')
  if (move === null || ended === undefined || instrument === undefined) return closed
  const { moved, gone, stop, atMs } = ended
  const all = move.others.length + 1
  const count = moved === all ? `${all}` : `${moved} of ${all}`
  const text = [
    `Moved ${count} ${move.order.symbol} orders ${ticksText(move, instrument)}.`,
    ...(gone.length === 0 ? [] : [`Ended before: ${gone.join(', ')}.`]),
    ...(stop === null ? [] : [`Stopped: ${stop.orderId} ${stop.reason}.`]),
    ...(stop === null || stop.left.length === 0 ? [] : [`Unmoved: ${stop.left.join(', ')}.`]),
  ].join(' ')
  return noted(closed, stop === null ? 'good' : 'bad', text, atMs)
}

/** Several orders keep their quantities: a typed quantity is dropped. */
const withOthers = (
  move: Extract<MoveState, { stage: 'choose' }>,
  { scope, others }: Extract<MoveEvent, { type: 'moveScoped' }>,
): MoveState =>
  others.length === 0 ? { ...move, scope, others } : { ...move, scope, others, field: 'price', quantityText: null }
