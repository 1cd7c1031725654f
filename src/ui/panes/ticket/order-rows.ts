import { sharedDecimals } from '../../../domain/balance.ts'
import {
  averageScale,
  exactPriceScale,
  formatQuantity,
  type Instrument,
  isHalted,
} from '../../../domain/market/instrument.ts'
import { Decimal, formatGrouped, formatHeld } from '../../../domain/money.ts'
import { type DraftedOrder, endsAtMs } from '../../../domain/orders/drafted-order.ts'
import type { OrderDraft } from '../../../domain/orders/order.ts'
import { dayText } from '../../../domain/orders/order-fields.ts'
import { readSizeText, type Size, sizeName } from '../../../domain/orders/sizing.ts'
import type { StopOutlook, TicketSummary } from '../../../domain/orders/ticket-summary.ts'
import type { Venue } from '../../../store/mode.ts'
import { percentText, portionText } from '../../text/amounts.ts'
import { cellText, cutWords, wrapWords } from '../../text/cells.ts'
import { untilText } from '../../text/moment.ts'
import { own } from '../../text/privacy.ts'
import { type Row, span } from '../../text/row.ts'
import { venueName } from '../../text/trade-words.ts'
import { labelWidth, valueRows } from './ticket-layout.ts'

/** The order's time in force, longest wording first. */
function lifeTexts({ timeInForce, expireDate }: OrderDraft): string[] {
  switch (timeInForce) {
    case 'GTD': {
      const day = dayText(expireDate ?? '')
      return [`GTD: until the end of ${day}, UTC`, `GTD: to ${day}, UTC`, `GTD to ${day.slice(4)}`]
    }
    case 'IOC':
      return ['IOC: what does not fill at once is canceled', 'IOC: the rest is canceled', 'IOC, rest canceled']
    case 'FOK':
      return ['FOK: all of it at once, or nothing', 'FOK: all or nothing']
    default:
      return ['GTC: until filled or canceled', 'GTC: till canceled']
  }
}

/** `sizeText`: what the quantity was computed from. `isDense`: for a place with few lines. */
type ReviewLook = { sizeText?: string | null; isDense?: boolean }

/**
 * Every field that will be sent, in words: the order itself in the first line, then a line per further field. The id
 * comes last, because a place with few lines omits it.
 */
export function reviewRows(
  draft: OrderDraft,
  instrument: Instrument,
  venue: Venue,
  width: number,
  { sizeText = null, isDense = false }: ReviewLook = {},
): Row[] {
  const isBuy = draft.side === 'BUY'
  const quantity = (value: Decimal) => formatQuantity(value, instrument)
  const price = (value: Decimal) => formatGrouped(value, exactPriceScale(value, instrument))
  const counter = cellText(instrument.counter)
  const order = cellText(`${draft.side} ${quantity(draft.orderQuantity)} ${draft.symbol} ${draft.type}`)
  // GTC needs no explanation, and the summary covers what an IOC does not fill.
  const isTifBeside =
    isDense && (draft.timeInForce === 'GTC' || draft.timeInForce === 'IOC') && order.length + 6 <= width
  const headline = isTifBeside ? `${order} ${draft.timeInForce}` : order
  const { stopPrice, limitPrice, minQuantity } = draft
  const bound = isBuy ? 'or lower' : 'or higher'
  const reached = isBuy ? 'or higher' : 'or lower'
  const limit =
    limitPrice === null
      ? valueRows('price', [`best ${isBuy ? 'asks' : 'bids'} of the book`, 'the market'], width)
      : valueRows('limit', [`${price(limitPrice)} ${counter} ${bound}`, `${price(limitPrice)} ${bound}`], width)
  const stop =
    stopPrice === null
      ? []
      : valueRows(
          'stop',
          [
            `pending until the last trade is ${price(stopPrice)} ${reached}`,
            `last ${isBuy ? '>=' : '<='} ${price(stopPrice)}`,
          ],
          width,
        )
  const least =
    minQuantity === null
      ? []
      : valueRows(
          'least',
          [`${quantity(minQuantity)} at once, or nothing`, `${quantity(minQuantity)} or nothing`],
          width,
        )
  return [
    ...wrapWords(headline, width - 2).map((line): Row => [span(` ${line}`, isBuy ? 'bid' : 'ask')]),
    ...(sizeText === null ? [] : sizeRows(sizeText, draft.orderQuantity, instrument, width)),
    ...stop,
    ...limit,
    ...(isTifBeside ? [] : valueRows('tif', lifeTexts(draft), width)),
    ...least,
    ...(draft.postOnly
      ? valueRows('post', ['only: rejected rather than matched at once', 'only, or rejected'], width)
      : []),
    // A short venue name is already in the frame.
    ...(venue.kind === 'live' && !(isDense && venueName(venue).length <= width - 20)
      ? valueRows('on', [venueName(venue)], width, 'live')
      : []),
  ]
}

/** What a size by risk leaves to the user: the stop it is computed from is not placed as an order. */
export function riskRows(size: Size, { priceScale }: Pick<Instrument, 'priceScale'>, width: number): Row[] {
  if (size.kind !== 'risk') return []
  const at = formatGrouped(size.stopPrice, size.stopPrice.isInteger() ? 0 : priceScale)
  const texts = [`sized for a stop at ${at}; no stop is placed`, `for a stop at ${at}; no stop is placed`]
  return valueRows('', texts, width, 'warn')
}

/** How a size converts: `$1,000 = 0.0155 BTC`, plus what a size by risk leaves to the user. */
function sizeRows(sizeText: string, quantity: Decimal, instrument: Instrument, width: number): Row[] {
  const size = readSizeText(sizeText, instrument)
  if (!size.ok || size.value.kind === 'base') return []
  const name = cellText(sizeName(size.value, instrument))
  const amount = formatQuantity(quantity, instrument)
  const texts = [`${name} = ${amount} ${cellText(instrument.base)}`, `${name} = ${amount}`, `= ${amount}`]
  return [...valueRows('size', texts, width), ...riskRows(size.value, instrument, width)]
}

/** The client order id, which the desk assigns when it journals the order to be sent. */
export const idRows = (clientOrderId: string | null, width: number): Row[] =>
  valueRows('id', clientOrderId === null ? ['assigned when sent'] : [cellText(clientOrderId)], width)

type SummaryView = {
  draft: OrderDraft
  summary: TicketSummary
  instrument: Instrument
  scales: ReadonlyMap<string, number>
  /** Cells inside the pane: the more there are, the longer the words. */
  width: number
  isPrivate: boolean
}

/** Formats an amount so that one above zero never reads as zero. */
function smallText(value: Decimal, decimals: number): string {
  const text = formatGrouped(value, decimals)
  return value.gt(0) && !/[1-9]/.test(text) ? `<${new Decimal(10).pow(-decimals).toFixed()}` : text
}

const shareText = (share: Decimal): string => (share.gt(1) ? '>100%' : portionText(share))

/** The order's notional, and its share of the available balance. */
function costRows({ draft, summary, instrument, width, isPrivate }: SummaryView): Row[] {
  const { share: fraction, spends } = summary
  const value = `${formatGrouped(summary.notional, instrument.counterScale)} ${cellText(instrument.counter)}`
  // In privacy mode, the share beside the cost would reveal the available balance.
  const share = fraction === null || isPrivate ? '' : shareText(fraction)
  const texts =
    share === '' ? [value] : [`${value}  ${share} of avail ${cellText(spends.currency)}`, `${value} ${share}`, value]
  const { most } = summary
  const bound = most === null ? '' : `${formatGrouped(most, instrument.counterScale)} ${cellText(instrument.counter)}`
  return [
    ...valueRows(draft.side === 'BUY' ? 'cost' : 'value', texts, width),
    ...(most === null
      ? []
      : valueRows('most', [`${bound} with fee, at the limit`, `${bound} at the limit`, bound], width)),
  ]
}

/** What fills at once, at which average price and how many levels deep, and what would rest. */
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
    ? `${quantity(rests)} ${isHalted(instrument) ? 'in the auction' : 'rests'}`
    : lost.gt(0) && fillsNow.gt(0)
      ? `${quantity(lost)} canceled`
      : ''
  const room = width - 8
  const together = rest === '' ? `${now}${levels}` : `${now}${levels}, ${rest}`
  if (together.length <= room || rest === '') return valueRows('fills', [together, now, nowShort], width)
  if (`${now}, ${rest}`.length <= room) return valueRows('fills', [`${now}, ${rest}`], width)
  return [...valueRows('fills', [`${now}${levels}`, now, nowShort], width), ...valueRows('then', [rest], width)]
}

/** What stays available, where that is known. Never negative: the check of funds blocks that. */
function leftRows({ summary, scales, width, isPrivate }: SummaryView): Row[] {
  const { amount, available, currency } = summary.spends
  if (available === null) return []
  const name = cellText(currency)
  const after = available.minus(amount)
  const decimals = sharedDecimals([after, available], scales.get(currency))
  const text = (value: Decimal) => own(formatGrouped(value, decimals), isPrivate)
  if (after.lt(0)) return valueRows('short', [`${text(after.neg())} ${name}`], width, 'bad')
  const held = (value: Decimal) => own(formatHeld(value, decimals), isPrivate)
  return valueRows('left', [`${held(after)} of ${held(available)} ${name}`, `${held(after)} ${name}`], width)
}

function feeRows({ summary, instrument, width }: SummaryView): Row[] {
  const maker = smallText(summary.makerFee, instrument.counterScale)
  const taker = smallText(summary.takerFee, instrument.counterScale)
  if (summary.isTaker) return valueRows('fee', [`${taker} taker`], width)
  return valueRows('fee', [`${maker} maker / ${taker} taker`, `${maker} mk / ${taker} tk`], width)
}

/** What triggers a stop, how far the market is from its trigger, and what the stop may cost or yield. */
function stopRows(stop: StopOutlook, { draft, instrument, width }: SummaryView): Row[] {
  const isBuy = draft.side === 'BUY'
  const price =
    draft.stopPrice === null ? '' : formatGrouped(draft.stopPrice, exactPriceScale(draft.stopPrice, instrument))
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

/** Cost, fills and resting quantity or stop trigger, remaining balance, fee, distance: most important first. */
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

/** Below this width a reason gets one line: it must not push out fields and checks. */
const reasonRoomyWidth = 34

/**
 * Who made the draft of an order, and until when it can be sent. The reason is the maker's own unchecked text: stripped
 * of characters that could move or hide anything, and marked as theirs. Beside the fields of a ticket it is cut short
 * so that it pushes no check off the screen; in a review, `isWhole`, it is shown in full. `nowMs` is wall-clock time.
 */
export function draftRows(
  drafted: DraftedOrder | undefined,
  width: number,
  { nowMs, isWhole = false }: { nowMs: number; isWhole?: boolean },
): Row[] {
  if (drafted === undefined) return []
  const { draftId, by, reason } = drafted
  const until = untilText(endsAtMs(drafted), nowMs)
  const room = Math.max(1, width - 1 - labelWidth)
  // Word-wrapped lines are not full, hence less than twice the width.
  const most = isWhole ? Number.POSITIVE_INFINITY : width < reasonRoomyWidth ? room : room * 2 - 12
  return [
    ...valueRows('draft', [`${draftId} until ${until}`, ...(isWhole ? [] : [draftId])], width, 'own'),
    ...valueRows('by', [isWhole ? cellText(by) : cutWords(cellText(by), room)], width, 'warn'),
    ...(reason === null ? [] : valueRows('says', [cutWords(`unchecked: ${cellText(reason)}`, most)], width, 'dim')),
  ]
}
