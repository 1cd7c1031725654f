import { Decimal } from '../../src/domain/money.ts'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import type { WithdrawalRequest } from '../../src/domain/transfers/transfer.ts'

/**
 * What a drill is to do. `writes` counts submits and cancels: each order is placed once and cancelled once; some are
 * moved to another price in between, which is a cancel and a submit of its own.
 */
export type DrillOptions = { writes: number; withdrawals: number; kills: number; seed: number }

export const drillSymbol = 'BTC-USD'
export const drillCurrency = 'BTC'

/** Each item has a price of its own, so that one that was placed twice can be told from two that were placed once. */
export const priceOf = (item: number): Decimal => new Decimal(10_000).plus(new Decimal('0.5').times(item))
/** Where an item that is moved goes to: a price of its own as well. */
export const movedPriceOf = (item: number): Decimal => priceOf(item).plus(20_000)
export const isMoved = (item: number): boolean => item % 3 === 1

export const amountOf = (item: number): Decimal => new Decimal('0.0001').plus(new Decimal('0.000001').times(item))

export const draftOf = (item: number): OrderDraft => ({
  symbol: drillSymbol,
  side: 'BUY',
  type: 'LIMIT',
  orderQuantity: new Decimal('0.0001'),
  limitPrice: priceOf(item),
  stopPrice: null,
  timeInForce: 'GTC',
  expireDate: null,
  minQuantity: null,
  postOnly: false,
})

export const requestOf = (item: number, beneficiary: string): WithdrawalRequest => ({
  currency: drillCurrency,
  beneficiary,
  amount: amountOf(item),
})

/** A desk in a hurry: the same rules with shorter times, for a venue on this machine. */
export const hurriedLimits = { connectMs: 500, queueMs: 1_000, headersMs: 400, bodyMs: 400, totalMs: 1_000 }
export const hurriedRate = { perSecond: 5_000, burst: 5_000, pollShare: 0.9 }
export const hurriedPace = {
  quietMs: 2_500,
  secondLookAfterMs: 400,
  seekingMs: 150,
  askedMs: 400,
  idleMs: 500,
  backOffMaxMs: 600,
}

/**
 * What goes wrong at the exchange, as its administration takes it: lost, reset, stalled, failed after acceptance,
 * garbled.
 */
export const faults: ReadonlyArray<readonly [verb: string, values: object]> = [
  ...['POST /orders', 'POST /withdrawals', 'DELETE /orders*'].flatMap((path) => [
    ['drop', { path, when: 'before', rate: '0.04' }] as const,
    ['drop', { path, when: 'after', rate: '0.06' }] as const,
    ['status', { path, status: 500, when: 'after', rate: '0.05' }] as const,
    ['status', { path, status: 503, when: 'before', rate: '0.03' }] as const,
    ['stall', { path, when: 'before', rate: '0.02' }] as const,
    ['stall', { path, when: 'after', rate: '0.02' }] as const,
    ['malformed', { path, form: 'garbled', rate: '0.03' }] as const,
    ['malformed', { path, form: 'truncated', rate: '0.03' }] as const,
    ['latency', { path, ms: 300, rate: '0.05' }] as const,
  ]),
  ['drop', { path: 'GET *', when: 'before', rate: '0.03' }],
  ['status', { path: 'GET *', status: 503, when: 'before', rate: '0.02' }],
  ['malformed', { path: 'GET *', form: 'truncated', rate: '0.02' }],
]
