import { whileSame } from '../../base/memoize.ts'
import { groupSteps, type LadderPrices, ladderPrices, rowPrice } from '../../domain/ladder/ladder.ts'
import { midPrice } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { Decimal } from '../../domain/money.ts'
import type { ClockSlice } from '../clock.ts'
import { emptyFeed } from '../feeds/feed.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import type { NotedEvent } from '../log.ts'
import type { SliceContext } from '../slice.ts'
import type { ViewSlice } from '../view/view.ts'

/** The ladder that is always there, and the second one on wide screens. */
export type LadderName = 'ladder' | 'ladder2'

export type LadderState = {
  /** The middle of the price scale; null until the first book. */
  centerPrice: Decimal | null
  /** The row that keys act on; null until the user puts the cursor on one, and after its removal. */
  cursorPrice: Decimal | null
  groupTicks: number
  /** When the user last moved anything here: the scale re-centers by itself only after hands-off. */
  touchedAtMs: number
  /** What stands beside a price: the sum at it (level 2), or each order in its queue (level 3). */
  view: 'sums' | 'queues'
  /** The column of prices: prices, or ticks from the mid or from the cursor. */
  prices: LadderPrices
}

const emptyLadder = (atMs: number): LadderState => ({
  centerPrice: null,
  cursorPrice: null,
  groupTicks: 1,
  touchedAtMs: atMs,
  view: 'sums',
  prices: 'absolute',
})

/** The two ladders and what they show. */
export type LadderSlice = {
  symbol: string
  /** The second ladder's symbol; null until it has been on screen. */
  symbol2: string | null
  /** Symbols shown before this one, newest first, bounded. */
  recentSymbols: readonly string[]
  ladder: LadderState
  ladder2: LadderState
}

/** Nobody has touched them yet: until then the scale goes with a market that leaves it. */
export const startLadders = (symbol: string, nowMs: number): LadderSlice => ({
  symbol,
  symbol2: null,
  recentSymbols: [],
  ladder: emptyLadder(nowMs - handsOffMs),
  ladder2: emptyLadder(nowMs - handsOffMs),
})

export type LadderEvent =
  | { type: 'cursorMoved'; rows: number; atMs: number }
  /** Puts the cursor on a price that the user points at; the scale stays. */
  | { type: 'cursorPut'; ladder: LadderName; price: Decimal; atMs: number }
  /** Moves only the scale; positive is to higher prices. */
  | { type: 'scaleMoved'; ladder: LadderName; rows: number; atMs: number }
  /** Removes the cursor of the active ladder. */
  | { type: 'cursorRemoved'; atMs: number }
  | { type: 'ladderCentered'; atMs: number }
  | { type: 'groupChanged'; step: 1 | -1; atMs: number }
  /** Level 2 or level 3 in the active ladder. */
  | { type: 'ladderViewToggled'; atMs: number }
  /** Shows the next choice for the column of prices in the active ladder. */
  | { type: 'ladderPricesToggled'; atMs: number }

export type SymbolEvent =
  | { type: 'symbolChosen'; symbol: string; atMs: number }
  /** The wall shows its next symbol by itself. */
  | { type: 'symbolRotated'; symbol: string; atMs: number }

/** The ladders with their market and the time. */
type InTime = OnMarket & ClockSlice

/** The ladders with their screen and their market. */
type OnMarket = ViewSlice & LadderSlice & FeedsSlice

const ladderNames: readonly LadderName[] = ['ladder', 'ladder2']

type Focused = Pick<ViewSlice, 'screen' | 'focus'>

/** True when the screen has room for the second ladder. */
export const hasSecondLadder = ({ screen }: Pick<ViewSlice, 'screen'>): boolean =>
  screen.visiblePanes.includes('ladder2')

/** The ladder that keys act on: the second one while it is on screen and has the focus, else the first. */
export const activeLadder = (state: Focused): LadderName =>
  state.focus === 'ladder2' && hasSecondLadder(state) ? 'ladder2' : 'ladder'

/** A ladder's symbol; null while the second one has none yet. */
export const ladderSymbol = (state: Pick<LadderSlice, 'symbol' | 'symbol2'>, name: LadderName): string | null =>
  name === 'ladder' ? state.symbol : state.symbol2

/** The symbol that keys act on. */
export const activeSymbol = (state: Focused & Pick<LadderSlice, 'symbol' | 'symbol2'>): string =>
  ladderSymbol(state, activeLadder(state)) ?? state.symbol

const withLadder = <S extends LadderSlice>(state: S, name: LadderName, change: Partial<LadderState>): S => ({
  ...state,
  [name]: { ...state[name], ...change },
})

/** A second ladder that comes on screen shows the next listed symbol until the user chooses one. */
function withSecondSymbol<S extends InTime>(state: S): S {
  if (state.symbol2 !== null || !hasSecondLadder(state)) return state
  const symbols = [...(state.instruments.value?.keys() ?? [])]
  const other = symbols.find((symbol) => symbol !== state.symbol)
  return other === undefined ? state : { ...state, symbol2: other, ladder2: emptyLadder(state.nowMs) }
}

/** The first ladder takes the focus when the second one leaves the screen. */
export const withLadderInFocus = <S extends ViewSlice>(state: S): S =>
  state.focus === 'ladder2' && !hasSecondLadder(state) ? { ...state, focus: 'ladder' } : state

/** After this long without a touch the scale may move by itself, and only when the market is about to leave it. */
export const handsOffMs = 10_000

const instrumentOf = (state: LadderSlice & FeedsSlice, name: LadderName): Instrument | undefined =>
  state.instruments.value?.get(ladderSymbol(state, name) ?? '')

/** The price a ladder centers on: the mid, else the better-known best price, else the last trade. */
function centerOf(state: LadderSlice & FeedsSlice, name: LadderName): Decimal | null {
  const symbol = ladderSymbol(state, name) ?? ''
  const book = state.books.get(symbol)?.value ?? null
  const best = book === null ? null : (midPrice(book) ?? book.bids[0]?.price ?? book.asks[0]?.price ?? null)
  return best ?? state.tickers.value?.get(symbol)?.lastPrice ?? null
}

/** Puts the scale's middle on the market. */
function centered<S extends LadderSlice & FeedsSlice>(state: S, name: LadderName): S {
  const instrument = instrumentOf(state, name)
  const center = centerOf(state, name)
  if (instrument === undefined || center === null) return state
  const price = rowPrice(center, instrument, state[name].groupTicks, 'bid')
  return withLadder(state, name, { centerPrice: price })
}

/** The user's `c`: the scale on the market, and no cursor. */
export const centeredByHand = <S extends OnMarket>(state: S, atMs: number): S => {
  const name = activeLadder(state)
  return withLadder(centered(state, name), name, { cursorPrice: null, touchedAtMs: atMs })
}

/** Removes the cursor of the active ladder: orders join the touch again. */
export const cursorRemoved = <S extends OnMarket>(state: S, atMs: number): S =>
  withLadder(state, activeLadder(state), { cursorPrice: null, touchedAtMs: atMs })

/** A first book sets the scale. Later ones leave it alone, so that the cursor stays on its price. */
export function withBook<S extends LadderSlice & FeedsSlice>(before: S, symbol: string): S {
  return ladderNames.reduce((state, name) => {
    const isFirst = ladderSymbol(state, name) === symbol && state[name].centerPrice === null
    return isFirst ? centered(state, name) : state
  }, before)
}

const rememberedDrifts: Readonly<Record<LadderName, ReturnType<typeof whileSame<number>>>> = {
  ladder: whileSame(),
  ladder2: whileSame(),
}

/** Rows between the scale's middle and the market, as a share of half the ladder: above 1 the market is off screen. */
function drift(state: OnMarket, name: LadderName, instrument: Instrument): number {
  const center = centerOf(state, name)
  const { centerPrice, groupTicks } = state[name]
  const { ladderRowCount } = state.screen
  if (center === null || centerPrice === null) return 0
  return rememberedDrifts[name]([center, centerPrice, groupTicks, instrument, ladderRowCount], () => {
    const rows = center.minus(centerPrice).abs().divToInt(instrument.tickSize.times(groupTicks))
    return rows.toNumber() / Math.max(1, ladderRowCount / 2)
  })
}

function recentered<S extends InTime>(state: S, name: LadderName): S {
  const instrument = instrumentOf(state, name)
  if (instrument === undefined) return state
  if (state[name].centerPrice === null) return centered(state, name)
  const isIdle = state.nowMs - state[name].touchedAtMs >= handsOffMs
  return isIdle && drift(state, name, instrument) > 0.7 ? withCursorOnScale(centered(state, name), name) : state
}

/** Called at each tick of the clock: re-centers after hands-off when the market has drifted past the inner part. */
export function recenteredWhenIdle<S extends InTime>(before: S, isBusy: boolean): S {
  const state = withSecondSymbol(before)
  // While an order is entered, its scale stays.
  if (isBusy) return state
  return ladderNames.reduce(recentered, state)
}

/** The highest and the lowest row's price. */
function scaleEnds(
  state: ViewSlice & LadderSlice,
  name: LadderName,
  step: Decimal,
): { top: Decimal; bottom: Decimal } | null {
  const { centerPrice } = state[name]
  if (centerPrice === null) return null
  const top = centerPrice.plus(step.times(Math.floor(state.screen.ladderRowCount / 2)))
  return { top, bottom: top.minus(step.times(state.screen.ladderRowCount - 1)) }
}

/**
 * A cursor off the scale is removed rather than moved to another price: a key pressed at that moment must not act on a
 * row the user did not choose.
 */
function withCursorOnScale<S extends OnMarket>(state: S, name: LadderName): S {
  const { cursorPrice, groupTicks } = state[name]
  const instrument = instrumentOf(state, name)
  const ends = instrument === undefined ? null : scaleEnds(state, name, instrument.tickSize.times(groupTicks))
  if (cursorPrice === null || ends === null) return state
  const isOn = cursorPrice.lte(ends.top) && cursorPrice.gte(ends.bottom)
  return isOn ? state : withLadder(state, name, { cursorPrice: null })
}

/** Puts the cursor on a row; the scale follows only when the cursor would leave it. */
export function withCursorAt<S extends OnMarket>(state: S, name: LadderName, cursor: Decimal, atMs: number): S {
  const instrument = instrumentOf(state, name)
  const { centerPrice, groupTicks } = state[name]
  const touched = { cursorPrice: cursor, touchedAtMs: atMs }
  const ends = instrument === undefined ? null : scaleEnds(state, name, instrument.tickSize.times(groupTicks))
  if (ends === null || centerPrice === null) return withLadder(state, name, touched)
  const { top, bottom } = ends
  let center = centerPrice
  if (cursor.gt(top)) center = centerPrice.plus(cursor.minus(top))
  if (cursor.lt(bottom)) center = centerPrice.minus(bottom.minus(cursor))
  return withLadder(state, name, { ...touched, centerPrice: center })
}

/**
 * A smaller screen takes its cursors along, and a ladder off the screen has none: a key must not act on a hidden row. A
 * ladder that only made room for an order keeps its cursor until the order is done.
 */
export const withCursorsInView = <S extends OnMarket>(before: S, isAtOrder: boolean): S =>
  ladderNames.reduce((state, name) => {
    const { cursorPrice, touchedAtMs } = state[name]
    if (cursorPrice === null) return state
    if (state.screen.visiblePanes.includes(name)) return withCursorAt(state, name, cursorPrice, touchedAtMs)
    return isAtOrder ? state : withLadder(state, name, { cursorPrice: null })
  }, before)

/** Moves the active ladder's cursor by rows; positive is to higher prices. */
export function cursorMoved<S extends OnMarket>(state: S, rows: number, atMs: number): S {
  const name = activeLadder(state)
  const instrument = instrumentOf(state, name)
  const { cursorPrice, centerPrice, groupTicks } = state[name]
  if (instrument === undefined || centerPrice === null) return state
  const step = instrument.tickSize.times(groupTicks)
  // Without a cursor, the first move puts it in the middle.
  const cursor = cursorPrice === null ? centerPrice : Decimal.max(cursorPrice.plus(step.times(rows)), step)
  return withCursorAt(state, name, cursor, atMs)
}

/** Moves a ladder's scale by rows; the cursor stays on its price while that is on the scale. */
export function scaleMoved<S extends OnMarket>(state: S, name: LadderName, rows: number, atMs: number): S {
  const instrument = instrumentOf(state, name)
  const { centerPrice, groupTicks } = state[name]
  if (instrument === undefined || centerPrice === null) return state
  const step = instrument.tickSize.times(groupTicks)
  const center = Decimal.max(centerPrice.plus(step.times(rows)), step)
  return withCursorOnScale(withLadder(state, name, { centerPrice: center, touchedAtMs: atMs }), name)
}

/**
 * The next coarser or finer grouping of the active ladder; cursor and middle move to the row that now holds their
 * price.
 */
export function groupChanged<S extends OnMarket>(state: S, step: 1 | -1, atMs: number): S {
  const name = activeLadder(state)
  const instrument = instrumentOf(state, name)
  const { cursorPrice, centerPrice, groupTicks } = state[name]
  const groupTicksNext = groupSteps[groupSteps.indexOf(groupTicks) + step]
  if (instrument === undefined || groupTicksNext === undefined) return state
  const regroup = (price: Decimal | null) =>
    price === null
      ? null
      : Decimal.max(rowPrice(price, instrument, groupTicksNext, 'bid'), instrument.tickSize.times(groupTicksNext))
  return withLadder(state, name, {
    groupTicks: groupTicksNext,
    cursorPrice: regroup(cursorPrice),
    centerPrice: regroup(centerPrice),
    touchedAtMs: atMs,
  })
}

/** Level 2 or level 3 in the active ladder. */
export function viewToggled<S extends ViewSlice & LadderSlice>(state: S, atMs: number): S {
  const name = activeLadder(state)
  return withLadder(state, name, { view: state[name].view === 'sums' ? 'queues' : 'sums', touchedAtMs: atMs })
}

/** The next choice for the column of prices in the active ladder: prices, ticks from the mid, ticks from the cursor. */
export function pricesToggled<S extends ViewSlice & LadderSlice>(state: S, atMs: number): S {
  const name = activeLadder(state)
  const at = ladderPrices.indexOf(state[name].prices)
  const prices = ladderPrices[(at + 1) % ladderPrices.length] ?? 'absolute'
  return withLadder(state, name, { prices, touchedAtMs: atMs })
}

/** The notice for each choice. */
const pricesWords: Readonly<Record<LadderPrices, string>> = {
  absolute: 'Prices themselves.',
  mid: "Ticks from the mid; the cursor's row keeps its price.",
  cursor: "Ticks from the cursor; the cursor's row keeps its price.",
}

/** Shows another symbol in a ladder: its scale starts anew with the first book. The view stays as chosen. */
export function withSymbolInLadder<S extends LadderSlice & FeedsSlice>(
  state: S,
  name: LadderName,
  symbol: string,
  atMs: number,
): S {
  // An old book of the symbol would look current: it is requested again.
  const books = new Map(state.books).set(symbol, emptyFeed)
  return withLadder({ ...state, books, [name === 'ladder' ? 'symbol' : 'symbol2']: symbol }, name, {
    centerPrice: null,
    cursorPrice: null,
    groupTicks: 1,
    touchedAtMs: atMs,
  })
}

export type LadderCommands = {
  /** Positive is up the screen, to higher prices. */
  moveCursor(rows: number): void
  /** Puts the cursor of a ladder on a price. */
  putCursor(ladder: LadderName, price: Decimal): void
  /** Moves a ladder's scale alone; positive is to higher prices. */
  moveScale(ladder: LadderName, rows: number): void
  centerLadder(): void
  /** Removes the cursor of the active ladder. */
  removeCursor(): void
  changeGroup(step: 1 | -1): void
  /** Level 2 or level 3 in the active ladder. */
  toggleLadderView(): void
  /** Prices, or ticks from the mid or from the cursor, in the active ladder. */
  toggleLadderPrices(): void
}

/** The user's commands for the look of a ladder. */
export function createLadderCommands({
  store,
  port,
}: SliceContext<ViewSlice & LadderSlice, LadderEvent | NotedEvent>): LadderCommands {
  return {
    moveCursor: (rows) => store.dispatch({ type: 'cursorMoved', rows, atMs: port.now() }),
    putCursor: (ladder, price) => store.dispatch({ type: 'cursorPut', ladder, price, atMs: port.now() }),
    moveScale: (ladder, rows) => store.dispatch({ type: 'scaleMoved', ladder, rows, atMs: port.now() }),
    centerLadder: () => store.dispatch({ type: 'ladderCentered', atMs: port.now() }),
    removeCursor: () => store.dispatch({ type: 'cursorRemoved', atMs: port.now() }),
    changeGroup: (step) => store.dispatch({ type: 'groupChanged', step, atMs: port.now() }),
    toggleLadderPrices() {
      const atMs = port.now()
      store.dispatch({ type: 'ladderPricesToggled', atMs })
      const state = store.getState()
      store.dispatch({ type: 'noted', level: 'info', text: pricesWords[state[activeLadder(state)].prices], atMs })
    },
    toggleLadderView() {
      const atMs = port.now()
      store.dispatch({ type: 'ladderViewToggled', atMs })
      const state = store.getState()
      const text =
        state[activeLadder(state)].view === 'queues'
          ? 'Level 3: each order in its queue. Key 3: back; key 2, then key 3: the fills.'
          : 'Level 2: the sum at each price.'
      store.dispatch({ type: 'noted', level: 'info', text, atMs, isPassing: true })
    },
  }
}
