import type { Instrument } from '../../domain/market/instrument.ts'
import { rowPrice } from '../../domain/market/ladder.ts'
import { Decimal } from '../../domain/money.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import {
  activeLadder,
  hasSecondLadder,
  type LadderName,
  type LadderSlice,
  ladderSymbol,
  withCursorAt,
  withSymbolInLadder,
} from '../ladder/ladder.ts'
import type { LogSlice } from '../log.ts'
import type { ViewSlice } from '../view/view.ts'

/** An own order on its way to another price: choose → review → sending. `order` is as it was when it was picked up. */
export type MoveState =
  | { stage: 'choose'; order: Order; price: Decimal }
  | {
      stage: 'review'
      order: Order
      price: Decimal
      reviewedAtMs: number
      /** Rules whose soft limits the person has confirmed for this move. */
      confirmed: readonly CheckRule[]
    }
  | { stage: 'sending'; order: Order; price: Decimal }

/** What goes out: the new order in whole, from which what has filled is left out, and what of it is open now. */
export type OrderMove = { orderId: string; whole: OrderDraft; rest: OrderDraft }

export type MoveEvent =
  | { type: 'moveOpened'; order: Order; price: Decimal; atMs: number }
  /** Rows of the ladder that shows the order, up to higher prices. */
  | { type: 'movePriceStepped'; rows: number; atMs: number }
  | { type: 'moveReviewed'; atMs: number }
  | { type: 'moveConfirmed'; rules: readonly CheckRule[] }
  | { type: 'moveBackToChoose' }
  | { type: 'moveSending' }
  | { type: 'moveClosed' }

/** A move under review is looked at again before it goes: what covers the screen takes it a step back. */
export const withoutMoveReview = (move: MoveState | null): MoveState | null =>
  move?.stage === 'review' ? { stage: 'choose', order: move.order, price: move.price } : move

/** `move`: an own order that is being moved to another price. */
export type MoveSlice = { move: MoveState | null }

export type MovePort = {
  /**
   * Cancels the order and, once that is certain, places what it has not filled. `moveClosed` is dispatched at its end.
   */
  moveOrder(move: OrderMove): void
}

/** What a move touches: the ladder it stands in goes with it. */
type Needs = LogSlice & ViewSlice & LadderSlice & FeedsSlice & MoveSlice

/** What a step on the ladder touches. */
type StepNeeds = ViewSlice & LadderSlice & FeedsSlice & MoveSlice

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
  { order, price, atMs }: Extract<MoveEvent, { type: 'moveOpened' }>,
): S {
  const instrument = before.instruments.value?.get(order.symbol)
  if (instrument === undefined) return before
  const found = ladderShowing(before, order.symbol)
  const name = found ?? 'ladder'
  const state = found === null ? withSymbolInLadder(before, 'ladder', order.symbol, atMs) : before
  const placed = withCursorAt(state, name, rowOf(price, order, instrument, state[name].groupTicks), atMs)
  return { ...placed, focus: name, move: { stage: 'choose', order, price }, notice: null }
}

/** The price `rows` rows on; one between two rows goes to the next row in that direction first. */
function moveStepped<S extends StepNeeds>(state: S, rows: number, atMs: number): S {
  const { move } = state
  const instrument = state.instruments.value?.get(move?.order.symbol ?? '')
  if (move?.stage !== 'choose' || instrument === undefined) return state
  const name = ladderShowing(state, move.order.symbol) ?? 'ladder'
  const { groupTicks } = state[name]
  const step = instrument.tickSize.times(groupTicks)
  const from = rowPrice(move.price, instrument, groupTicks, rows > 0 ? 'bid' : 'ask')
  const price = Decimal.max(from.plus(step.times(rows)), step)
  return { ...withCursorAt(state, name, price, atMs), move: { ...move, price } }
}

/** The picked-up order after what a person did; what does not fit its stage changes nothing. */
export function reduceMove<S extends Needs>(state: S, event: MoveEvent): S {
  const { move } = state
  if (event.type === 'moveOpened') return moveOpenedOn(state, event)
  if (event.type === 'moveClosed') return { ...state, move: null }
  if (move === null) return state
  const { order, price } = move
  switch (event.type) {
    case 'movePriceStepped':
      return moveStepped(state, event.rows, event.atMs)
    case 'moveReviewed':
      return move.stage === 'choose'
        ? { ...state, move: { stage: 'review', order, price, reviewedAtMs: event.atMs, confirmed: [] } }
        : state
    case 'moveConfirmed':
      return move.stage === 'review' ? { ...state, move: { ...move, confirmed: event.rules } } : state
    case 'moveBackToChoose':
      return { ...state, move: { stage: 'choose', order, price } }
    case 'moveSending':
      return { ...state, move: { stage: 'sending', order, price } }
  }
}
