import { formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { formatGrouped } from '../../../domain/money.ts'
import type { OrderDraft } from '../../../domain/orders/order.ts'
import type { Venue } from '../../../store/desk.ts'

/** Exactly what will be sent and where to: `BUY 0.0500 BTC-USD LIMIT 64,209.50 GTC on PRACTICE`. */
export function orderSentence(draft: OrderDraft, instrument: Instrument, venue: Venue): string {
  const price = (value: OrderDraft['limitPrice'], before: string) =>
    value === null ? [] : [before + formatGrouped(value, Math.max(instrument.priceScale, value.decimalPlaces()))]
  const date = draft.expireDate
  const parts = [
    draft.side,
    formatQuantity(draft.orderQuantity, instrument),
    draft.symbol,
    draft.type,
    ...price(draft.stopPrice, 'stop '),
    ...price(draft.limitPrice, ''),
    draft.timeInForce ?? '',
    date === null ? '' : `until ${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
    draft.minQuantity === null ? '' : `at least ${formatQuantity(draft.minQuantity, instrument)}`,
    draft.postOnly ? 'post only' : '',
    'on',
    venue.kind === 'practice' ? 'PRACTICE' : 'LIVE',
    venue.kind === 'live' ? venue.profileName : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}
