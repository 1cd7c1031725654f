import { memoizeLast } from '../../base/memoize.ts'
import {
  averageScale,
  exactPriceScale,
  formatPrice,
  formatQuantity,
  type Instrument,
} from '../../domain/market/instrument.ts'
import { formatGrouped } from '../../domain/money.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { Venue } from '../../store/mode.ts'
import { cellText } from './cells.ts'

/** Exactly what will be sent, and where: `BUY 0.0500 BTC-USD LIMIT 64,209.50 GTC on PRACTICE`. */
export function orderSentence(draft: OrderDraft, instrument: Instrument, venue: Venue): string {
  const price = (value: OrderDraft['limitPrice'], before: string) =>
    value === null ? [] : [before + formatGrouped(value, exactPriceScale(value, instrument))]
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

/** The order's destination, in capitals: `PRACTICE`, `LIVE main`. */
export const venueName = ({ kind, profileName }: Venue): string =>
  kind === 'practice' ? 'PRACTICE' : `LIVE ${cellText(profileName)}`

/** Each currency's decimals, as the symbols define them; memoized by the symbols. */
export const currencyScales = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null): ReadonlyMap<string, number> => {
    const scales = new Map<string, number>()
    for (const { base, counter, baseScale, counterScale } of instruments?.values() ?? []) {
      scales.set(base, baseScale)
      scales.set(counter, counterScale)
    }
    return scales
  },
)

/**
 * Decimals of each currency's average cost, which is in USD: those of its symbol that is traded for USD, else the
 * finest. Prices in a currency of small units have too few for it.
 */
export const averageCostScales = memoizeLast((instruments: ReadonlyMap<string, Instrument> | null) => {
  const rules = [...(instruments?.values() ?? [])].toSorted(
    (left, right) =>
      Number(left.counter === 'USD') - Number(right.counter === 'USD') || averageScale(left) - averageScale(right),
  )
  return new Map([['USD', 2], ...rules.map((each) => [each.base, averageScale(each)] as const)])
})

/** `14:30` for the exchange's `1430`; empty if it is not such a time. */
export const auctionTime = (time: string | null): string =>
  time === null || !/^\d{4}$/.test(time) ? '' : `${time.slice(0, 2)}:${time.slice(2)}`

/**
 * The state of a halted symbol's auction: its price, then the unmatched quantity with its side, and the opening time.
 */
export function auctionParts(instrument: Instrument): { price: string; rest: string } {
  const { price, imbalance, time } = instrument.auction
  const left =
    imbalance === null || imbalance.isZero()
      ? ''
      : `imb ${imbalance.gt(0) ? '+' : ''}${formatGrouped(imbalance, imbalance.decimalPlaces())}`
  const opens = auctionTime(time)
  return {
    price: price === null ? 'no price yet' : formatPrice(price, instrument),
    rest: [left, opens === '' ? '' : `at ${opens}Z`].filter((part) => part !== '').join(' '),
  }
}

/** `4,200 of buys left over`: the unmatched side at the auction price; `nothing left over` if there is none. */
function leftOver(instrument: Instrument, unit: string): string {
  const { imbalance } = instrument.auction
  if (imbalance === null || imbalance.isZero()) return 'nothing left over'
  const quantity = formatGrouped(imbalance.abs(), instrument.quantityScale)
  return `${quantity}${unit} of ${imbalance.gt(0) ? 'buys' : 'sells'} left over`
}

/** The auction in words, longest form first: price, size, and the unmatched quantity. */
export function auctionForms(instrument: Instrument): string[] {
  const { price, quantity, imbalance } = instrument.auction
  if (price === null) return ['auction: no orders meet yet, so there is no price', 'auction: no price yet']
  const at = formatGrouped(price, instrument.priceScale)
  const size = quantity === null ? '' : formatQuantity(quantity, instrument)
  const base = ` ${cellText(instrument.base)}`
  const over = leftOver(instrument, '')
  const short =
    imbalance === null || imbalance.isZero()
      ? ''
      : `, ${formatGrouped(imbalance.abs(), instrument.quantityScale)} ${imbalance.gt(0) ? 'buys' : 'sells'} over`
  return [
    `auction: would open at ${at} for ${size}${base}, ${leftOver(instrument, base)}`,
    `auction at ${at}, size ${size}, ${over}`,
    `auction ${at} x ${size}, ${over}`,
    `auction ${at} x ${size}${short}`,
    `${at} x ${size}${short}`,
    `auction ${at}`,
  ]
}
