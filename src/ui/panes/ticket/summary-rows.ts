import type { Balance } from '../../../domain/balance.ts'
import { type Book, midPrice } from '../../../domain/book.ts'
import { formatQuantity, type Instrument } from '../../../domain/instrument.ts'
import { Decimal, formatGrouped } from '../../../domain/money.ts'
import type { OrderDraft } from '../../../domain/order.ts'
import type { TicketSummary } from '../../../domain/ticket.ts'
import { percentText } from '../../text/amounts.ts'
import { cellText, left } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { currencyText } from '../balances/balances-rows.ts'
import { labelWidth } from './field-rows.ts'

export type SummaryView = {
  draft: OrderDraft
  summary: TicketSummary
  instrument: Instrument
  book: Book | null
  balances: readonly Balance[]
  scales: ReadonlyMap<string, number>
  /** Cells inside the pane: where there are many, the words are longer. */
  width: number
}

/** A line with a name and a value, as all of the ticket's lines are laid out. */
export const valueRow = (label: string, value: string): Row => [
  span(' '),
  span(left(label, labelWidth), 'label'),
  span(value),
]

/** An amount that is above zero never reads as zero. */
function smallText(value: Decimal, decimals: number): string {
  const text = formatGrouped(value, decimals)
  return value.gt(0) && !/[1-9]/.test(text) ? `<${new Decimal(10).pow(-decimals).toFixed()}` : text
}

function fillsText({ draft, summary, instrument }: SummaryView): string {
  const quantity = (value: Decimal) => (value.isZero() ? '0' : formatQuantity(value, instrument))
  const { fillsNow, averagePrice, rests } = summary
  if (draft.stopPrice !== null) return 'when the stop triggers'
  const average = averagePrice === null ? '' : ` at ${formatGrouped(averagePrice, instrument.priceScale)}`
  const rest = rests.gt(0) ? `, ${quantity(rests)} rests` : ''
  return `${quantity(fillsNow)} now${average}${rest}`
}

function distanceText({ draft, book }: SummaryView): string | null {
  const mid = book === null ? null : midPrice(book)
  if (draft.limitPrice === null || mid === null || mid.isZero()) return null
  return `${percentText(draft.limitPrice.minus(mid).div(mid), 3)} from mid`
}

const shareText = (share: Decimal): string => (share.gt(1) ? '>100%' : percentText(share).replace('+', ''))

/** Cost, fee, what fills and what rests, what is available: the most needed first. */
export function summaryRows(view: SummaryView): Row[] {
  const { draft, summary, instrument, balances, scales, width } = view
  const isLong = width >= 36
  const counter = cellText(instrument.counter)
  const spent = draft.side === 'BUY' ? instrument.counter : instrument.base
  const available = balances.find(({ currency }) => currency === spent)?.available ?? new Decimal(0)
  const need = draft.side === 'BUY' ? summary.notional : draft.orderQuantity
  const share = available.gt(0) ? `  ${shareText(need.div(available))} of avail` : ''
  const fee = (value: Decimal) => smallText(value, instrument.counterScale)
  const distance = distanceText(view)
  const rows = [
    valueRow(
      draft.side === 'BUY' ? 'cost' : 'value',
      `${formatGrouped(summary.notional, instrument.counterScale)} ${counter}${isLong && draft.side === 'BUY' ? share : ''}`,
    ),
    valueRow(
      'fee',
      `${fee(summary.makerFee)} ${isLong ? 'maker' : 'mk'} / ${fee(summary.takerFee)} ${isLong ? 'taker' : 'tk'}`,
    ),
    valueRow('fills', fillsText(view)),
    valueRow(
      'avail',
      `${currencyText(available, spent, scales)} ${cellText(spent)}${isLong && draft.side === 'SELL' ? share : ''}`,
    ),
  ]
  return distance === null ? rows : [...rows, valueRow('dist', distance)]
}
