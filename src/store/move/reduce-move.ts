import type { Instrument } from '../../domain/market/instrument.ts'
import { rowPrice } from '../../domain/market/ladder.ts'
import { Decimal } from '../../domain/money.ts'
import type { Order } from '../../domain/orders/order.ts'
import { emptyFeed } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { LadderName, LadderSlice } from '../ladder/ladder.ts'
import { activeLadder, hasSecondLadder, ladderSymbol, withCursorAt, withSymbolInLadder } from '../ladder/ladders.ts'
import type { LogSlice } from '../log.ts'
import type { ViewSlice } from '../view/view.ts'
import type { MoveEvent, MoveSlice } from './move.ts'

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
  const state = found === null ? withLadderOn(before, order.symbol, atMs) : before
  const placed = withCursorAt(state, name, rowOf(price, order, instrument, state[name].groupTicks), atMs)
  return { ...placed, focus: name, move: { stage: 'choose', order, price }, notice: null }
}

/** The first ladder goes to the order's symbol, with a book that is asked for anew. */
function withLadderOn<S extends LadderSlice & FeedsSlice>(state: S, symbol: string, atMs: number): S {
  const books = new Map(state.books)
  books.set(symbol, emptyFeed)
  return withSymbolInLadder({ ...state, books }, 'ladder', symbol, atMs)
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
