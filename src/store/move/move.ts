import { rowPrice } from '../../domain/ladder/ladder.ts'
import { limitsFor } from '../../domain/limits.ts'
import { midPrice } from '../../domain/market/book.ts'
import { formatExactPrice, formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import { Decimal } from '../../domain/money.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
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

/** Which other orders go with the one that is moved, by as many ticks: none, those of its row, or those of its side. */
export type MoveScope = 'one' | 'row' | 'side'

/** What a person says of a move; `limit` is that of a stop. */
export type MoveField = 'price' | 'limit' | 'quantity'

/** A ladder as it was before a move put another scale, cursor or symbol on it. */
type LadderBefore = { name: LadderName; symbol: string | null; ladder: LadderState }

/** What is said of a move before it is reviewed. `order` is as it was when it was picked up. */
export type MoveForm = {
  order: Order
  /** Others that go by as many ticks, each a move of its own with its own quantity; none of them is `order`. */
  others: readonly Order[]
  scope: MoveScope
  /** Where it stood and how much of it was open when it was picked up: its limit, or the trigger of a stop. */
  from: Decimal
  open: Decimal
  /** Where it goes, as far as the text says; what stands there where nothing is typed. */
  price: Decimal
  /** Of a pending stop that has a limit: where that stood, where it goes, and what is typed of it. */
  limit: { from: Decimal; price: Decimal; text: string | null } | null
  field: MoveField
  /** As typed: `64,210.50`, or ticks from where it rests, `+2t`. Null: nothing is typed, `price` holds. */
  priceText: string | null
  /** The open quantity of the new order, as typed. Null: what is open stays open. */
  quantityText: string | null
  /** The ladder as the order was picked up: where no cursor stood, the one of the move goes with it. */
  ladderBefore: LadderBefore
  /** The pane that the order was picked up in, where that is no ladder: its keys are meant again after the move. */
  paneBefore?: PaneName
}

/** An own order on its way to another price or quantity: choose → review → sending. */
export type MoveState =
  | (MoveForm & { stage: 'choose' })
  | (MoveForm & {
      stage: 'review'
      reviewedAtMs: number
      /** Rules whose soft limits the person has confirmed for this move. */
      confirmed: readonly CheckRule[]
    })
  | (MoveForm & { stage: 'sending' })

/** What goes out: the new order in whole, from which what has filled is left out, and what of it is open now. */
export type OrderMove = {
  orderId: string
  whole: OrderDraft
  rest: OrderDraft
  /** The trigger it had, which no report tells; null for one without. */
  fromStop: Decimal | null
  /** The order as it is listed: a report of its end that does not agree with that is not believed. */
  was: KnownOrder
}

export type MoveEvent =
  | ({ type: 'moveOpened'; order: Order; open: Decimal; atMs: number } & MovePrices)
  /** Rows of the ladder that shows the order, up to higher prices; in the quantity lots. */
  | { type: 'moveStepped'; rows: number; atMs: number }
  /** What is typed of a field; null takes back what was typed. `price`: what that comes to, where it is a price. */
  | { type: 'moveTyped'; text: string | null; price: Decimal | null; atMs: number }
  | { type: 'moveFieldChosen'; field: MoveForm['field'] }
  | { type: 'moveScoped'; scope: MoveScope; others: readonly Order[] }
  /** `others`: those that still work. */
  | { type: 'moveReviewed'; others: readonly Order[]; atMs: number }
  | { type: 'moveConfirmed'; rules: readonly CheckRule[] }
  | { type: 'moveBackToChoose' }
  | { type: 'moveSending' }
  /** `ended`: how several went, one after the other; of one order its outcome tells. */
  | { type: 'moveClosed'; ended?: MovesEnd & { atMs: number } }

/** A move under review is looked at again before it goes: what covers the screen takes it a step back. */
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

/** What is typed of the field with the keys; null where nothing is. */
export const typedIn = ({ field, priceText, limit, quantityText }: MoveForm): string | null =>
  field === 'price' ? priceText : field === 'limit' ? (limit?.text ?? null) : quantityText

/** The fields that a move has, in the order in which they are gone through. */
export const moveFields = ({ limit }: MoveForm): MoveField[] => [
  'price',
  ...(limit === null ? [] : ['limit' as const]),
  'quantity',
]

/** `move`: an own order that is being moved to another price. */
export type MoveSlice = { move: MoveState | null }

export type MovePort = {
  /**
   * Cancels each order and, once that is certain, places what it has not filled: one after the other, none after the
   * first whose outcome is not certain. `moveClosed` is dispatched at the end.
   */
  moveOrders(moves: readonly OrderMove[]): void
}

/** What a move touches: the ladder it stands in goes with it. */
type Needs = LogSlice & Noting & StepNeeds

/** What a step on the ladder touches. */
type StepNeeds = ViewSlice & LadderSlice & FeedsSlice & MoveSlice & Pick<ModeSlice, 'limits'>

/** The ladder that shows a symbol, the active one first; null when none does. */
function ladderShowing(state: ViewSlice & LadderSlice, symbol: string): LadderName | null {
  const names: LadderName[] = [activeLadder(state), 'ladder', ...(hasSecondLadder(state) ? ['ladder2' as const] : [])]
  return names.find((name) => ladderSymbol(state, name) === symbol) ?? null
}

/** The row of a ladder in which a price of one side stands. */
const rowOf = (price: Decimal, { side }: Order, instrument: Instrument, groupTicks: number): Decimal =>
  rowPrice(price, instrument, groupTicks, side === 'BUY' ? 'bid' : 'ask')

/** Picks an order up: the ladder of its symbol has the focus, and the cursor stands on the order. */
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
  // The next order of a row takes over what the first one found.
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
 * Whether a letter goes on with the digits that are typed in the field: `64k` and `1m` are thousands and millions. Any
 * other letter, and these without digits before them, is the key it always is.
 */
export const goesOnWith = (move: MoveForm, letter: string): boolean =>
  /^[km]$/i.test(letter) && /\d\.?$/.test(typedIn(move) ?? '')

/** The quantity `lots` lots on; a text that is not a number stays as it was typed. */
function quantityStepped(move: MoveForm, lots: number, instrument: Instrument): MoveForm {
  const text = move.quantityText ?? formatQuantity(move.open, instrument)
  const quantity = nudge(text, quantityUse(instrument), instrument.lotSize, lots)
  return quantity === null ? move : { ...move, quantityText: formatQuantity(quantity, instrument) }
}

/** The price `rows` rows on; one between two rows goes to the next row in that direction first. */
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
  const { limit } = move
  if (move.field === 'limit')
    return {
      ...state,
      move: { ...move, limit: limit === null ? null : { ...limit, price: stepped(limit.price), text: null } },
    }
  const price = stepped(move.price)
  return { ...withCursorAt(state, name, price, atMs), move: { ...move, price, priceText: null } }
}

/** Where no collar is set, a price further away than this is taken for one that is half typed. */
const usualCollarPercent = new Decimal(10)

/**
 * Whether a price is as near to where the order stood, or to the market, as the collar allows: `61` on its way to
 * `61,000` is a price too, and the ladder does not jump to it.
 */
function isNear(price: Decimal, { order: { symbol }, from }: MoveForm, state: StepNeeds): boolean {
  const { hard, soft } = limitsFor(state.limits, symbol).collarPercent
  const book = state.books.get(symbol)?.value ?? null
  const mid = book === null ? null : midPrice(book)
  const far = (of: Decimal) => price.minus(of).abs().times(100).div(of)
  return [from, mid].some((of) => of?.gt(0) === true && far(of).lte(hard ?? soft ?? usualCollarPercent))
}

/** What is typed of a field; the cursor of the ladder goes to a price once it is one, and near. */
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

/** What stands in the field with the keys while nothing is typed there. */
export const standingText = ({ field, open, price, limit }: MoveForm, instrument: Instrument): string =>
  field === 'quantity'
    ? formatQuantity(open, instrument)
    : formatExactPrice(field === 'limit' && limit !== null ? limit.price : price, instrument)

/** The picked-up order after what a person did; what does not fit its stage changes nothing. */
export function reduceMove<S extends Needs>(state: S, event: MoveEvent): S {
  const { move } = state
  if (event.type === 'moveOpened') return moveOpenedOn(state, event)
  if (event.type === 'moveClosed') return moveClosed(state, event)
  if (move === null) return state
  switch (event.type) {
    case 'moveStepped':
      return moveStepped(state, event.rows, event.atMs)
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
      return move.stage === 'review' ? { ...state, move: { ...move, confirmed: event.rules } } : state
    case 'moveBackToChoose':
      return { ...state, move: chosen(move) }
    case 'moveSending':
      // From here on the keys are free: an answer that comes later takes nobody to another pane.
      return atPaneBefore({ ...state, move: { ...chosen(move), stage: 'sending' } }, move.paneBefore)
  }
}

/** How far an order goes, in ticks with their sign: `+3 ticks`; empty where it stays at its price. */
export function ticksText({ from, price }: { from: Decimal; price: Decimal }, { tickSize }: Instrument): string {
  const ticks = price.minus(from).div(tickSize).toDecimalPlaces(0)
  return ticks.isZero() ? '' : `${ticks.gt(0) ? '+' : ''}${ticks} tick${ticks.abs().eq(1) ? '' : 's'}`
}

/**
 * The ladder at the end of a move. Of one that was let go it is where it was before: symbol, scale and cursor. After
 * one that was sent it stays with the order, and only a cursor that the move brought goes. What a person has made of it
 * since, another symbol or grouping, stays.
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

/** The end of a move; what became of several is one notice. */
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

/** Several keep their quantities: what was typed of one is dropped. */
const withOthers = (
  move: Extract<MoveState, { stage: 'choose' }>,
  { scope, others }: Extract<MoveEvent, { type: 'moveScoped' }>,
): MoveState =>
  others.length === 0 ? { ...move, scope, others } : { ...move, scope, others, field: 'price', quantityText: null }
