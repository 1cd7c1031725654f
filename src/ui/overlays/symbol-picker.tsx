import { keyOf } from '../../domain/desk/session.ts'
import { formatPrice } from '../../domain/market/instrument.ts'
import { change24h } from '../../domain/market/ticker.ts'
import type { DeskState, Overlay } from '../../store/desk.ts'
import { activeSymbol } from '../../store/ladder/ladder.ts'
import { matchingSymbols } from '../../store/symbols.ts'
import { windowOf } from '../tables/list-window.ts'
import { percentText } from '../text/amounts.ts'
import { cellText, left, nameText, right } from '../text/cells.ts'
import { useDesk } from '../text/desk-context.ts'
import { cursorMark, highlighted, type Row, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'
import { LiveDialog } from './dialog.tsx'
import type { ScreenSize } from './dialog-room.ts'

type Line = {
  symbol: string
  /** The name that was searched. */
  whole: string
  positions: readonly number[]
  last: string
  change: string
  changeTone: Tone
  status: string
  note: string
}

/** A symbol with what helps to choose it: last price, 24-hour change, status, and whether it was shown recently. */
function lineOf(state: DeskState, symbol: string, positions: readonly number[]): Line {
  const instrument = state.instruments.value?.get(symbol)
  const ticker = state.tickers.value?.get(symbol)
  const last = ticker?.lastPrice ?? null
  const name = nameText(symbol)
  const change = ticker === undefined ? null : change24h(ticker)
  return {
    symbol: name,
    whole: symbol,
    // In a truncated name the matches are elsewhere.
    positions: name === cellText(symbol) ? positions : [],
    last: last === null ? '-' : instrument === undefined ? last.toFixed() : formatPrice(last, instrument),
    change: change === null ? '-' : percentText(change),
    changeTone: change === null ? 'dim' : change.lt(0) ? 'ask' : 'bid',
    status: instrument?.status ?? '',
    note: symbol === activeSymbol(state) ? 'on the ladder' : state.recentSymbols.includes(symbol) ? 'shown lately' : '',
  }
}

const widest = (texts: readonly string[], least: number): number =>
  texts.reduce((most, text) => Math.max(most, text.length), least)

/** The query, and the symbols that match it, recently shown ones first; `>` marks the one that Enter takes. */
export function symbolsRows(state: DeskState, overlay: Extract<Overlay, { kind: 'symbols' }>, rowCount: number): Row[] {
  const typed: Row = [span(' Search: ', 'label'), span(`${cellText(overlay.query)}_`, 'cursor')]
  if (state.instruments.value === null) return [typed, [], [span(' Waiting for the symbols…', 'dim')]]
  const all = matchingSymbols(state, overlay.query)
  if (all.length === 0)
    return [typed, [], [span(` No symbol matches. ${keyOf(state.reboundKeys, 'eraseInSymbols')} deletes.`, 'dim')]]
  const at = overlay.selected === null ? 0 : all.findIndex(({ symbol }) => symbol === overlay.selected)
  const marked = all[at]
  const shown = windowOf(all, at, rowCount - 3)
  // Only what is shown is read: of 10,000 symbols the rest would be looked up and rounded with every price.
  const lines = shown.map(({ symbol, positions }) => lineOf(state, symbol, positions))
  const widths = {
    symbol: widest(
      lines.map(({ symbol }) => symbol),
      8,
    ),
    last: widest(
      lines.map(({ last }) => last),
      6,
    ),
    change: widest(
      lines.map(({ change }) => change),
      6,
    ),
    status: widest(
      lines.map(({ status }) => status),
      6,
    ),
  }
  const head: Row = [
    span(
      `  ${left('SYMBOL', widths.symbol)}  ${right('LAST', widths.last)}  ${right('24h', widths.change)}  STATUS`,
      'label',
    ),
  ]
  const rows = lines.map((line): Row => {
    const isMarked = line.whole === marked?.symbol
    const name = highlighted(line.symbol, line.whole, line.positions, isMarked ? 'cursor' : 'text')
    return [
      span(' '),
      cursorMark(isMarked),
      ...name,
      span(' '.repeat(widths.symbol - line.symbol.length)),
      span(`  ${right(line.last, widths.last)}`),
      span(`  ${right(line.change, widths.change)}`, line.changeTone),
      span(`  ${left(line.status, widths.status)}`, line.status === 'open' ? 'label' : 'warn'),
      span(`  ${line.note}`, 'dim'),
    ]
  })
  return [typed, [], head, ...rows]
}

const width = 64
const title = [span('Choose a symbol', 'title')]

export function SymbolsOverlay({ screen }: { screen: ScreenSize }) {
  const symbolCount = useDesk((state) => state.instruments.value?.size ?? 0)
  const height = Math.min(screen.rows - 4, symbolCount + 7)
  return (
    <LiveDialog
      title={title}
      make={(state) => (state.overlay?.kind === 'symbols' ? symbolsRows(state, state.overlay, height - 2) : [])}
      width={width}
      height={height}
      screen={screen}
    />
  )
}
