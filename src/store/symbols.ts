import { memoizeLast } from '../base/memoize.ts'
import { fuzzyFind } from '../base/text/fuzzy.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import { activeSymbol, type LadderSlice, type SymbolEvent } from './ladder/ladder.ts'
import { type NotedEvent, sayer } from './log.ts'
import { type Covering, isOverlay, type OverlayEvent, placeOf, type RefreshPort, type SliceContext } from './slice.ts'
import type { ViewSlice } from './view/view.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  ViewSlice & LadderSlice & FeedsSlice & Covering,
  SymbolEvent | OverlayEvent<SymbolsOverlay> | NotedEvent,
  RefreshPort
>

export type SymbolsCommands = {
  openSymbols(): void
  typeIntoSymbols(text: string): void
  eraseInSymbols(): void
  clearSymbols(): void
  /** Positive is down the list. */
  moveInSymbols(step: number): void
  chooseSymbol(): void
  /** Shows this symbol in ladder and ticket. */
  switchSymbol(symbol: string): void
}

const recentMax = 8
const queryMax = 24

/** The recent symbols, newest first, with `symbol` before them; bounded. */
export const withRecentSymbol = (recent: readonly string[], symbol: string): string[] =>
  [symbol, ...recent.filter((each) => each !== symbol)].slice(0, recentMax)

type SymbolMatch = { symbol: string; positions: readonly number[] }

/** The order of the symbols without a search: recent ones, then in the exchange's order, the present one last. */
function inStanding(instruments: ReadonlyMap<string, unknown>, recent: readonly string[], active: string): string[] {
  const lately = recent.filter((name) => name !== active && instruments.has(name))
  const placed = new Set([...lately, active])
  const others = [...instruments.keys()].filter((name) => !placed.has(name))
  return [...lately, ...others, ...(instruments.has(active) ? [active] : [])]
}

/** Computed again only for a changed source: the switcher is drawn with every price, among 10,000 symbols. */
const matchesOf = memoizeLast(
  (
    instruments: ReadonlyMap<string, unknown> | null,
    recent: readonly string[],
    active: string,
    query: string,
  ): readonly SymbolMatch[] =>
    instruments === null
      ? []
      : fuzzyFind(query, inStanding(instruments, recent, active), (name) => name).map(({ item, match }) => ({
          symbol: item,
          positions: match.positions,
        })),
)

/** The symbols that match the typed text, best first, with the places of the matching letters. */
export const matchingSymbols = (state: ViewSlice & LadderSlice & FeedsSlice, query: string): readonly SymbolMatch[] =>
  matchesOf(state.instruments.value, state.recentSymbols, activeSymbol(state), query)

/** The symbol switcher. */
export function createSymbolsCommands({ store, port }: Context): SymbolsCommands {
  const say = sayer({ store, port })
  const namesOf = (query: string) => matchingSymbols(store.getState(), query).map(({ symbol }) => symbol)
  const open = (query: string, selected: string | null) =>
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'symbols', query, selected } })
  const search = (query: string) => open(query, namesOf(query)[0] ?? null)
  const searching = () => {
    const { overlay } = store.getState()
    return isOverlay<SymbolsOverlay>(overlay, 'symbols') ? overlay : null
  }
  const write = (edit: (query: string) => string) => {
    const overlay = searching()
    if (overlay !== null) search(edit(overlay.query).toUpperCase().slice(0, queryMax))
  }
  const show = (symbol: string) => {
    store.dispatch({ type: 'symbolChosen', symbol, atMs: port.now() })
    port.refresh()
  }
  return {
    openSymbols: () => search(''),
    typeIntoSymbols(text) {
      if (/^[\w./ -]{1,20}$/.test(text)) write((query) => query + text)
    },
    eraseInSymbols: () => write((query) => query.slice(0, -1)),
    clearSymbols: () => write(() => ''),
    moveInSymbols(step) {
      const overlay = searching()
      if (overlay === null) return
      const names = namesOf(overlay.query)
      const at = Math.max(0, Math.min(names.length - 1, placeOf(overlay.selected, names) + step))
      open(overlay.query, names[at] ?? null)
    },
    chooseSymbol() {
      const overlay = searching()
      if (overlay === null) return
      const names = namesOf(overlay.query)
      const name = names[placeOf(overlay.selected, names)]
      if (name !== undefined) show(name)
      else if (names.length > 0) say(`${overlay.selected} is not listed any more: choose again.`)
    },
    switchSymbol: show,
  }
}

/**
 * The switcher: the typed text, and the selected match by its name, as the list may change while it is open. Null for
 * the first one.
 */
export type SymbolsOverlay = { kind: 'symbols'; query: string; selected: string | null }
