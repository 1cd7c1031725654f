import { change24h, type Ticker } from '../../../domain/balance.ts'
import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import { formatGrouped } from '../../../domain/money.ts'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { percentText } from '../../text/amounts.ts'
import { cursorMark, edges, type Row, rowWidth, span } from '../../text/row.ts'
import { shortNames } from '../../text/short-symbols.ts'
import { statusLetter } from '../tickers/status-letter.ts'

type TickerPart = { name: string; ticker: Ticker | undefined; instrument: Instrument | undefined; isChosen: boolean }

function tickerRow({ name, ticker, instrument, isChosen }: TickerPart): Row {
  const price = ticker?.lastPrice ?? null
  const decimals = instrument?.priceScale ?? price?.decimalPlaces() ?? 0
  const change = ticker === undefined ? null : change24h(ticker)
  const letter = instrument === undefined ? '' : statusLetter(instrument.status)
  const row: Row = [
    cursorMark(isChosen),
    span(`${name} `, isChosen ? 'title' : 'label'),
    span(price === null ? '-' : formatGrouped(price, decimals)),
  ]
  if (letter !== '') return [...row, span(` ${letter}`, 'warn')]
  return change === null ? row : [...row, span(` ${percentText(change)}`, change.lt(0) ? 'ask' : 'bid')]
}

/** Cells of a name, a price and its change, longer than any market has. */
const tickerMost = 48

/**
 * One line of prices: the chosen symbol among as many others as fit, in the service's order; the ladder's group at the
 * end.
 */
export function tickersRow(state: DeskState, width: number): Row {
  const instrument = state.instruments.value?.get(state.symbol)
  const group =
    instrument === undefined
      ? ''
      : `grp ${formatPrice(instrument.tickSize.times(state.ladder.groupTicks), instrument)} `
  const end: Row = [span(group, 'label')]
  const tickers = state.tickers.value
  if (tickers === null) return edges([span(' Waiting for prices…', 'dim')], end, width)
  const symbols = [...(state.instruments.value?.keys() ?? tickers.keys())]
  const name = shortNames(state.instruments.value)
  const rows = symbols.map((symbol) => ({
    symbol,
    row: tickerRow({
      name: name(symbol),
      ticker: tickers.get(symbol),
      instrument: state.instruments.value?.get(symbol),
      isChosen: symbol === state.symbol,
    }),
  }))
  const room = width - group.length - 1
  // The chosen one's place is kept free while the others are laid out.
  let left = room - rowWidth(rows.find(({ symbol }) => symbol === state.symbol)?.row ?? [])
  const shown = rows.filter(({ symbol, row }) => {
    if (symbol === state.symbol) return true
    // One that is far too wide is passed over; the others keep their order and stand still while prices change.
    if (rowWidth(row) > tickerMost) return false
    if (rowWidth(row) + 2 > left) {
      left = 0
      return false
    }
    left -= rowWidth(row) + 2
    return true
  })
  const line = shown.flatMap(({ row }, index) => (index === 0 ? row : [span('  '), ...row]))
  const isOld = isStale(state.tickers, 'tickers', state.nowMs)
  return edges(isOld ? line.map((piece) => ({ ...piece, tone: 'dim' as const })) : line, end, width)
}
