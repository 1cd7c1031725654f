import fc from 'fast-check'
import { plainText } from '../../src/base/text/plain-text.ts'
import { symbolStatuses } from '../../src/domain/market/instrument.ts'
import { Decimal, fromScaled } from '../../src/domain/money.ts'
import { orderStatuses, orderTypes, timesInForce } from '../../src/domain/orders/order.ts'
import { sides } from '../../src/domain/side.ts'
import { depositStates, withdrawalStatuses } from '../../src/domain/transfers/transfer.ts'

const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 25 }))
  .map(([units, scale]) => fromScaled(units, scale))
const amount = fc.oneof(
  positive,
  positive.map((value) => value.negated()),
  fc.constant(new Decimal(0)),
)
const notNegative = fc.oneof(positive, fc.constant(new Decimal(0)))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const id = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)
const timestampMs = fc.integer({ min: 1, max: 8_640_000_000_000_000 })
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(plainText)
const name = word.filter((text) => text.trim() !== '')
const clientOrderId = fc.stringMatching(/^[A-Za-z0-9]{1,20}$/)
const pick = <T>(words: readonly T[]) => fc.constantFrom(...words)

export const wireMode = pick(['numbers', 'strings', 'mixed'] as const)

export const order = fc.record({
  orderId: maybe(id),
  clientOrderId: word,
  symbol: word,
  side: pick(sides),
  type: pick(orderTypes),
  status: pick(orderStatuses),
  limitPrice: maybe(positive),
  leavesQuantity: notNegative,
  cumQuantity: notNegative,
  averagePrice: maybe(positive),
  lastQuantity: maybe(positive),
  lastPrice: maybe(positive),
  text: maybe(name),
  timestampMs: maybe(timestampMs),
})

export const newOrder = fc.record({
  clientOrderId,
  symbol: word,
  side: pick(sides),
  type: pick(orderTypes),
  orderQuantity: amount,
  limitPrice: maybe(amount),
  stopPrice: maybe(amount),
  timeInForce: maybe(pick(timesInForce)),
  expireDate: maybe(pick(['20261231', '20280229'])),
  minQuantity: maybe(amount),
  postOnly: fc.boolean(),
})

export const fill = fc.record({
  orderId: id,
  tradeId: id,
  execId: id,
  symbol: word,
  side: pick(sides),
  price: positive,
  quantity: positive,
  fee: amount,
  timestampMs,
})

const byPrice = (left: { price: Decimal }, right: { price: Decimal }) => left.price.cmp(right.price)
const level = fc.record({
  price: positive,
  quantity: positive,
  orderCount: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
})
const queueOrder = fc.record({ price: positive, quantity: positive, orderId: id })
const bookOf = <T extends { price: Decimal }>(entry: fc.Arbitrary<T>) =>
  fc.record({
    symbol: name,
    bids: fc.array(entry).map((entries) => entries.sort(byPrice).reverse()),
    asks: fc.array(entry).map((entries) => entries.sort(byPrice)),
  })
export const book = bookOf(level)
export const orderByOrderBook = bookOf(queueOrder)

/** None is below zero, and a last price of zero reads as none. */
const figure = amount.map((value) => value.abs())
export const ticker = fc.record({
  symbol: name,
  lastPrice: maybe(figure.filter((value) => !value.isZero())),
  price24h: maybe(figure),
  volume24h: maybe(figure),
})

const scaledSize = fc
  .tuple(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => ({ size: fromScaled(units, scale), scale }))
const size = scaledSize.map((scaled) => scaled.size)
export const instrument = fc
  .record({
    tick: scaledSize,
    lot: scaledSize,
    symbol: fc.stringMatching(/^[A-Z]{1,6}-[A-Z]{1,6}$/),
    id: maybe(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
    baseScale: fc.integer({ min: 0, max: 18 }),
    counterScale: fc.integer({ min: 0, max: 18 }),
    minQuantity: fc.oneof(size, fc.constant(new Decimal(0))),
    maxQuantity: maybe(size),
    status: pick(symbolStatuses),
    auction: fc.record({
      price: maybe(positive),
      quantity: maybe(amount),
      time: maybe(pick(['0000', '0930', '2359'])),
      imbalance: maybe(amount),
    }),
  })
  .map(({ tick, lot, id, ...rules }) => ({
    ...rules,
    ...(id === null ? {} : { id }),
    // A symbol is BASE-COUNTER.
    base: rules.symbol.split('-')[0] ?? '',
    counter: rules.symbol.split('-')[1] ?? '',
    tickSize: tick.size,
    priceScale: tick.scale,
    lotSize: lot.size,
    quantityScale: lot.scale,
  }))

/** A balance with as much available as there is, or nothing: a debt has none. */
export const balance = fc
  .record({
    currency: word,
    balance: amount,
    balanceLocal: amount,
    availableLocal: amount,
    rate: amount,
    isHeld: fc.boolean(),
  })
  .map(({ isHeld, ...told }) => ({ ...told, available: isHeld ? new Decimal(0) : told.balance }))

/** A rate of fees: from a rebate of 1% to less than the whole. */
const fraction = fc
  .bigInt({ min: -(10n ** 23n), max: 10n ** 25n - 1n })
  .map((units) => (units < 0n ? fromScaled(-units, 25).negated() : fromScaled(units, 25)))

export const fees = fc.record({ makerRate: fraction, takerRate: fraction, volumeUsd: amount })

export const deposit = fc.record({
  depositId: word,
  amount: positive,
  currency: word,
  address: word,
  txHash: maybe(name),
  state: pick(depositStates),
  timestampMs: maybe(timestampMs),
})

export const withdrawal = fc.record({
  withdrawalId: maybe(name),
  amount: positive,
  fee: maybe(notNegative),
  currency: word,
  beneficiary: word,
  state: maybe(pick(withdrawalStatuses)),
  timestampMs: maybe(timestampMs),
})

export const withdrawalRequest = fc.record({
  currency: word,
  beneficiary: word,
  amount: fc.oneof(amount, fc.constant('max' as const)),
})
