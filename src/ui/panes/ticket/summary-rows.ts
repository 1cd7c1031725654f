import { averageScale, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal, formatGrouped } from '../../../domain/money.ts'
import type { OrderDraft } from '../../../domain/orders/order.ts'
import type { StopOutlook, TicketSummary } from '../../../domain/orders/ticket-summary.ts'
import { percentText } from '../../text/amounts.ts'
import { cellText } from '../../text/cells.ts'
import type { Row } from '../../text/row.ts'
import { currencyText } from '../balances/balances-rows.ts'
import { valueRows } from './value-rows.ts'

export type SummaryView = {
  draft: OrderDraft
  summary: TicketSummary
  instrument: Instrument
  scales: ReadonlyMap<string, number>
  /** Cells inside the pane: where there are many, the words are longer. */
  width: number
}

/** An amount that is above zero never reads as zero. */
function smallText(value: Decimal, decimals: number): string {
  const text = formatGrouped(value, decimals)
  return value.gt(0) && !/[1-9]/.test(text) ? `<${new Decimal(10).pow(-decimals).toFixed()}` : text
}

const shareText = (share: Decimal): string => (share.gt(1) ? '>100%' : percentText(share).replace('+', ''))

/** What the order is worth, and which share of what is available it takes. */
function costRows({ draft, summary, instrument, width }: SummaryView): Row[] {
  const { share: fraction, spends } = summary
  const value = `${formatGrouped(summary.notional, instrument.counterScale)} ${cellText(instrument.counter)}`
  const share = fraction === null ? '' : shareText(fraction)
  const texts =
    share === '' ? [value] : [`${value}  ${share} of avail ${cellText(spends.currency)}`, `${value} ${share}`, value]
  return valueRows(draft.side === 'BUY' ? 'cost' : 'value', texts, width)
}

/** What meets the book at once, at which average and how deep, and what would wait in it. */
function fillRows({ draft, summary, instrument, width }: SummaryView): Row[] {
  const { fillsNow, averagePrice, levelCount, rests, stop } = summary
  if (stop !== null && !stop.isReached) return []
  const quantity = (value: Decimal) => (value.isZero() ? '0' : formatQuantity(value, instrument))
  const average = averagePrice === null ? null : formatGrouped(averagePrice, averageScale(instrument))
  const levels = levelCount > 1 ? `, ${levelCount} levels` : ''
  const now = average === null ? '0 now' : `${quantity(fillsNow)} now at ${average}`
  const nowShort = average === null ? '0 now' : `${quantity(fillsNow)} @ ${average}`
  const lost = draft.orderQuantity.minus(fillsNow).minus(rests)
  const rest = rests.gt(0)
    ? `${quantity(rests)} rests`
    : lost.gt(0) && fillsNow.gt(0)
      ? `${quantity(lost)} cancelled`
      : ''
  const room = width - 8
  const together = rest === '' ? `${now}${levels}` : `${now}${levels}, ${rest}`
  if (together.length <= room || rest === '') return valueRows('fills', [together, now, nowShort], width)
  if (`${now}, ${rest}`.length <= room) return valueRows('fills', [`${now}, ${rest}`], width)
  return [...valueRows('fills', [`${now}${levels}`, now, nowShort], width), ...valueRows('then', [rest], width)]
}

/** What stays available: never less than nothing, which the funds' own check blocks. */
function leftRows({ summary, scales, width }: SummaryView): Row[] {
  const { amount, available, currency } = summary.spends
  const text = (value: Decimal) => currencyText(value, currency, scales)
  const name = cellText(currency)
  const after = available.minus(amount)
  if (after.lt(0)) return valueRows('short', [`${text(after.neg())} ${name}`], width, 'bad')
  return valueRows('left', [`${text(after)} of ${text(available)} ${name}`, `${text(after)} ${name}`], width)
}

function feeRows({ summary, instrument, width }: SummaryView): Row[] {
  const maker = smallText(summary.makerFee, instrument.counterScale)
  const taker = smallText(summary.takerFee, instrument.counterScale)
  return valueRows('fee', [`${maker} maker / ${taker} taker`, `${maker} mk / ${taker} tk`], width)
}

/** What sets a stop off, how far the market is from that, and what it may come to. */
function stopRows(stop: StopOutlook, { draft, instrument, width }: SummaryView): Row[] {
  const isBuy = draft.side === 'BUY'
  const price = draft.stopPrice === null ? '' : formatGrouped(draft.stopPrice, instrument.priceScale)
  const reached = isBuy ? 'or higher' : 'or lower'
  const away = stop.distance === null ? '' : percentText(stop.distance, 2)
  const sign = isBuy ? '>=' : '<='
  const when = stop.isReached
    ? ['at once: the last trade is there', 'at once: reached']
    : away === ''
      ? [`the last trade is ${price} ${reached}`, `last ${sign} ${price}`]
      : [
          `the last trade is ${price} ${reached}, ${away} from here`,
          `last ${sign} ${price} (${away})`,
          `${sign}${price} (${away})`,
          `${sign}${price} ${away}`,
        ]
  const amount = `${formatGrouped(stop.amount, instrument.counterScale)} ${cellText(instrument.counter)}`
  const bound = stop.isBound ? (isBuy ? 'at most' : 'at least') : 'about'
  const long = `${isBuy ? 'costs' : 'brings'} ${bound} ${amount} with fee`
  const short = `${stop.isBound ? (isBuy ? '<=' : '>=') : '~'}${amount}`
  return [...valueRows('when', when, width), ...valueRows('then', [long, short], width)]
}

function distanceRows({ draft, summary, width }: SummaryView): Row[] {
  if (summary.fromMid === null) return []
  const what = draft.limitPrice === null ? 'average' : 'limit'
  const text = `${percentText(summary.fromMid, 3)} from mid`
  return valueRows('dist', [`${text} (${what})`, text], width)
}

/** Cost, what fills and rests or sets the stop off, what stays available, fee, distance: the most needed first. */
export function summaryRows(view: SummaryView): Row[] {
  const { stop } = view.summary
  return [
    ...costRows(view),
    ...(stop === null ? [] : stopRows(stop, view)),
    ...fillRows(view),
    ...leftRows(view),
    ...feeRows(view),
    ...distanceRows(view),
  ]
}
