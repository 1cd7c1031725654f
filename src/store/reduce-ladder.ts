import { midPrice } from '../domain/book.ts'
import type { Instrument } from '../domain/instrument.ts'
import { groupSteps, rowPrice } from '../domain/ladder.ts'
import { Decimal } from '../domain/money.ts'
import type { DeskState } from './state.ts'

/** After this long without a touch the scale may move by itself, and only when the market is about to leave it. */
export const handsOffMs = 10_000

const instrumentOf = (state: DeskState): Instrument | undefined => state.instruments.value?.get(state.symbol)

/** The price the ladder centres on: the mid, else the better-known best price, else the last trade. */
export function centreOf(state: DeskState): Decimal | null {
  const book = state.books.get(state.symbol)?.value ?? null
  const best = book === null ? null : (midPrice(book) ?? book.bids[0]?.price ?? book.asks[0]?.price ?? null)
  return best ?? state.tickers.value?.get(state.symbol)?.lastPrice ?? null
}

/** Puts the scale's middle, and the cursor, on the market. */
export function centred(state: DeskState, moveCursor: boolean): DeskState {
  const instrument = instrumentOf(state)
  const centre = centreOf(state)
  if (instrument === undefined || centre === null) return state
  const price = rowPrice(centre, instrument, state.ladder.groupTicks, 'bid')
  const cursorPrice = moveCursor ? price : state.ladder.cursorPrice
  return {
    ...state,
    ladder: { ...state.ladder, centrePrice: price, cursorPrice },
  }
}

/** A first book sets the scale; later ones leave it alone: that is what keeps the cursor on its price. */
export function withBook(state: DeskState, symbol: string): DeskState {
  return symbol === state.symbol && state.ladder.centrePrice === null ? centred(state, true) : state
}

/** Rows between the scale's middle and the market, as a share of half the ladder: above 1 the market is off the screen. */
function drift(state: DeskState, instrument: Instrument): number {
  const centre = centreOf(state)
  if (centre === null || state.ladder.centrePrice === null) return 0
  const step = instrument.tickSize.times(state.ladder.groupTicks)
  const rows = centre.minus(state.ladder.centrePrice).abs().divToInt(step)
  return rows.toNumber() / Math.max(1, state.screen.ladderRowCount / 2)
}

/** Called at each tick of the clock: re-centres after hands-off when the market has drifted past the inner part. */
export function recentredWhenIdle(state: DeskState): DeskState {
  const instrument = instrumentOf(state)
  if (instrument === undefined) return state
  if (state.ladder.centrePrice === null) return centred(state, true)
  const isIdle = state.nowMs - state.ladder.touchedAtMs >= handsOffMs && state.ticket === null && state.overlay === null
  return isIdle && drift(state, instrument) > 0.7 ? withCursorOnScale(centred(state, false)) : state
}

/** The highest and the lowest row's price. */
function scaleEnds(state: DeskState, step: Decimal): { top: Decimal; bottom: Decimal } | null {
  const { centrePrice } = state.ladder
  if (centrePrice === null) return null
  const top = centrePrice.plus(step.times(Math.floor(state.screen.ladderRowCount / 2)))
  return { top, bottom: top.minus(step.times(state.screen.ladderRowCount - 1)) }
}

/**
 * A cursor that is off the scale is taken away instead of being moved to another price: a key that is pressed in this very
 * moment must not act on a row that nobody chose.
 */
function withCursorOnScale(state: DeskState): DeskState {
  const { cursorPrice, groupTicks } = state.ladder
  const instrument = instrumentOf(state)
  const ends = instrument === undefined ? null : scaleEnds(state, instrument.tickSize.times(groupTicks))
  if (cursorPrice === null || ends === null) return state
  const isOn = cursorPrice.lte(ends.top) && cursorPrice.gte(ends.bottom)
  return isOn ? state : { ...state, ladder: { ...state.ladder, cursorPrice: null } }
}

/** Moves the cursor by rows, up to higher prices; the scale follows only when the cursor would leave it. */
export function cursorMoved(state: DeskState, rows: number, atMs: number): DeskState {
  const instrument = instrumentOf(state)
  const { cursorPrice, centrePrice, groupTicks } = state.ladder
  if (instrument === undefined || centrePrice === null) return state
  const step = instrument.tickSize.times(groupTicks)
  const ends = scaleEnds(state, step)
  if (ends === null) return state
  const { top, bottom } = ends
  // The first move after the scale went on without the cursor brings it back in the middle.
  const cursor = cursorPrice === null ? centrePrice : Decimal.max(cursorPrice.plus(step.times(rows)), step)
  let centre = centrePrice
  if (cursor.gt(top)) centre = centrePrice.plus(cursor.minus(top))
  if (cursor.lt(bottom)) centre = centrePrice.minus(bottom.minus(cursor))
  return {
    ...state,
    ladder: {
      ...state.ladder,
      cursorPrice: cursor,
      centrePrice: centre,
      touchedAtMs: atMs,
    },
  }
}

/** The next coarser or finer grouping; cursor and middle move to the row that now holds their price. */
export function groupChanged(state: DeskState, step: 1 | -1, atMs: number): DeskState {
  const instrument = instrumentOf(state)
  const { cursorPrice, centrePrice, groupTicks } = state.ladder
  const groupTicksNext = groupSteps[groupSteps.indexOf(groupTicks) + step]
  if (instrument === undefined || groupTicksNext === undefined) return state
  const regroup = (price: Decimal | null) =>
    price === null
      ? null
      : Decimal.max(rowPrice(price, instrument, groupTicksNext, 'bid'), instrument.tickSize.times(groupTicksNext))
  return {
    ...state,
    ladder: {
      groupTicks: groupTicksNext,
      cursorPrice: regroup(cursorPrice),
      centrePrice: regroup(centrePrice),
      touchedAtMs: atMs,
    },
  }
}
