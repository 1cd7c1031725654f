import { formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import type { OrderDraft } from '../../../domain/orders/order.ts'
import { dayText } from '../../../domain/orders/order-fields.ts'
import type { Venue } from '../../../store/desk.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import { valueRows } from './value-rows.ts'

/** Where the order goes, in capitals: `PRACTICE`, `LIVE main`. */
export const venueName = ({ kind, profileName }: Venue): string =>
  kind === 'practice' ? 'PRACTICE' : `LIVE ${cellText(profileName)}`

/** How long an order lives, the longest way to say it first. */
function lifeTexts({ timeInForce, expireDate }: OrderDraft): string[] {
  switch (timeInForce) {
    case 'GTD': {
      const day = dayText(expireDate ?? '')
      return [`GTD: until the end of ${day}, UTC`, `GTD: to ${day}, UTC`, `GTD to ${day.slice(4)}`]
    }
    case 'IOC':
      return ['IOC: what does not fill at once is cancelled', 'IOC: the rest is cancelled', 'IOC: now, rest off']
    case 'FOK':
      return ['FOK: all of it at once, or nothing', 'FOK: all or nothing']
    default:
      return ['GTC: until it is filled or cancelled', 'GTC: till cancelled']
  }
}

/**
 * Every field that will be sent, in words: what in the first line, then a line for each field the order has. The id
 * comes last, for a place with few lines goes without it.
 */
export function reviewRows(draft: OrderDraft, instrument: Instrument, venue: Venue, width: number): Row[] {
  const isBuy = draft.side === 'BUY'
  const quantity = (value: Decimal) => formatQuantity(value, instrument)
  const price = (value: Decimal) => formatGrouped(value, Math.max(instrument.priceScale, value.decimalPlaces()))
  const counter = cellText(instrument.counter)
  const headline = cellText(`${draft.side} ${quantity(draft.orderQuantity)} ${draft.symbol} ${draft.type}`)
  const { stopPrice, limitPrice, minQuantity } = draft
  const bound = isBuy ? 'or lower' : 'or higher'
  const reached = isBuy ? 'or higher' : 'or lower'
  const limit =
    limitPrice === null
      ? valueRows('price', [`whatever the book ${isBuy ? 'asks for it' : 'pays for it'}`, 'the market'], width)
      : valueRows('limit', [`${price(limitPrice)} ${counter} ${bound}`, `${price(limitPrice)} ${bound}`], width)
  const stop =
    stopPrice === null
      ? []
      : valueRows(
          'stop',
          [
            `waits until the last trade is ${price(stopPrice)} ${reached}`,
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
    ...stop,
    ...limit,
    ...valueRows('lives', lifeTexts(draft), width),
    ...least,
    ...(draft.postOnly
      ? valueRows('post', ['only: rejected rather than matched at once', 'only, or rejected'], width)
      : []),
    ...(venue.kind === 'live' ? valueRows('on', [venueName(venue)], width, 'live') : []),
  ]
}

/** The order's own id: the desk makes it the moment it is written down to be sent. */
export const idRows = (clientOrderId: string | null, width: number): Row[] =>
  valueRows('id', clientOrderId === null ? ['made when it is sent'] : [cellText(clientOrderId)], width)
