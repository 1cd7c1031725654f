import { change24h, type Ticker } from '../../../domain/balance.ts'
import { formatPrice, type Instrument } from '../../../domain/instrument.ts'
import { percentText, withoutLeadingZero } from '../../text/amounts.ts'
import { cellText } from '../../text/cells.ts'
import type { Row } from '../../text/row.ts'
import { span } from '../../text/row.ts'
import { type TableColumn, tableRows } from '../../text/table.ts'
import { auctionParts } from '../ladder/auction-text.ts'
import { statusLetter } from './status-letter.ts'

export type TickerItem = { symbol: string; ticker: Ticker | undefined; instrument: Instrument | undefined }

const priceText = ({ ticker, instrument }: TickerItem): string => {
  const price = ticker?.lastPrice ?? null
  if (price === null) return '-'
  return instrument === undefined ? price.toFixed() : formatPrice(price, instrument)
}

function volumeText({ ticker, instrument }: TickerItem): string {
  const volume = ticker?.volume24h ?? null
  return volume === null ? '-' : volume.toFixed(Math.min(instrument?.quantityScale ?? 2, 2))
}

/** The names of the columns and a line for each symbol; `>` marks the one on the ladder, a letter one that is not open. */
export function tickersRows(
  items: readonly TickerItem[],
  { chosen, width, shortName }: { chosen: string; width: number; shortName: (symbol: string) => string },
): Row[] {
  const changes = items.map(({ ticker }) => (ticker === undefined ? null : change24h(ticker)))
  const mark = (symbol: string) => (symbol === chosen ? '>' : ' ')
  const last = items.map(priceText)
  const columns: TableColumn[] = [
    {
      head: ' SYMBOL',
      cells: items.map(({ symbol }) => mark(symbol) + cellText(symbol)),
      align: 'left',
      tone: (row) => (items[row]?.symbol === chosen ? 'title' : 'text'),
      rank: 3,
      shorter: { head: ' SYM', cells: items.map(({ symbol }) => mark(symbol) + shortName(symbol)), rank: 0 },
    },
    { head: 'LAST', cells: last, align: 'right', rank: 2, shorter: { cells: last.map(withoutLeadingZero), rank: 0 } },
    {
      head: '24h%',
      cells: changes.map((change) => (change === null ? '-' : percentText(change).replace('%', ''))),
      align: 'right',
      tone: (row) => {
        const change = changes[row]
        return change === undefined || change === null ? 'dim' : change.lt(0) ? 'ask' : 'bid'
      },
      rank: 1,
    },
    {
      head: '',
      cells: items.map(({ instrument }) => (instrument === undefined ? ' ' : statusLetter(instrument.status) || ' ')),
      align: 'left',
      tone: 'warn',
      rank: 0,
    },
    { head: 'VOL 24h', cells: items.map(volumeText), align: 'point', tone: 'dim', rank: 4 },
  ]
  const { head, rows } = tableRows(columns, width)
  return [head, ...rows]
}

const meanings = { H: 'halted, auction', F: 'halted, frozen', S: 'suspended', C: 'closed' } as const

/** What the letters stand for, and how the auctions of the symbols that have one stand. */
export function statusLegend(items: readonly TickerItem[]): Row[] {
  const present = items.flatMap(({ instrument }) => (instrument === undefined ? [] : [instrument]))
  const letters = (Object.keys(meanings) as (keyof typeof meanings)[]).filter((letter) =>
    present.some(({ status }) => statusLetter(status) === letter),
  )
  const legend = letters.map((letter): Row => [span(` ${letter}`, 'warn'), span(` = ${meanings[letter]}`, 'label')])
  const auctions = present
    .filter(({ status }) => status === 'halt')
    .flatMap((instrument): Row[] => [
      [span(` ${cellText(instrument.base)}`, 'label'), span(` ${auctionParts(instrument).price}`)],
      [span(`   ${auctionParts(instrument).rest}`)],
    ])
  return [...legend, ...auctions]
}
