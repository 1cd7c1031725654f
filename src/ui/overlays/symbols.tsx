import { formatPrice } from '../../domain/instrument.ts'
import { matchingSymbols } from '../../store/selectors.ts'
import type { DeskState, Overlay } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import { cellText } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { tableRows } from '../text/table.ts'
import { windowOf } from '../text/window.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 50

/** What is typed, and the symbols that match it with their last price and status; `>` marks the one Enter takes. */
export function symbolsRows(state: DeskState, overlay: Extract<Overlay, { kind: 'symbols' }>, rowCount: number): Row[] {
  const typed: Row = [span(' Search: ', 'label'), span(`${overlay.query}_`, 'cursor')]
  const instruments = state.instruments.value
  if (instruments === null) return [typed, [], [span(' Waiting for the symbols…', 'dim')]]
  const all = matchingSymbols(state, overlay.query)
  if (all.length === 0) return [typed, [], [span(' No symbol matches: Backspace takes letters away.', 'dim')]]
  const shown = windowOf(all, overlay.selected, rowCount - 3)
  const marked = all[overlay.selected]
  const price = (symbol: string) => {
    const instrument = instruments.get(symbol)
    const last = state.tickers.value?.get(symbol)?.lastPrice ?? null
    return last === null || instrument === undefined ? '-' : formatPrice(last, instrument)
  }
  const tone = (row: number) => (shown[row] === marked ? 'cursor' : 'text')
  const { head, rows } = tableRows(
    [
      {
        head: '',
        cells: shown.map((symbol) => (symbol === marked ? '>' : ' ')),
        align: 'left',
        tone,
        rank: 0,
      },
      { head: 'SYMBOL', cells: shown.map(cellText), align: 'left', tone, rank: 0, isFlexible: true },
      { head: 'LAST', cells: shown.map(price), align: 'point', rank: 1 },
      {
        head: 'STATUS',
        cells: shown.map((symbol) => instruments.get(symbol)?.status ?? ''),
        align: 'left',
        tone: 'label',
        rank: 2,
      },
    ],
    width - 4,
  )
  return [typed, [], head, ...rows].map((row) => [span(' '), ...row])
}

export function SymbolsOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'symbols') return null
  const height = Math.min(screen.rows - 4, (state.instruments.value?.size ?? 0) + 7)
  const rows = symbolsRows(state, state.overlay, height - 2)
  return <Dialog title={[span('Choose a symbol', 'title')]} rows={rows} width={width} height={height} screen={screen} />
}
