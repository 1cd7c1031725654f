import { expect, test } from 'vitest'
import { type AlertFact, evaluateAlerts } from '../../../src/domain/alerts/news.ts'
import { allStanding, type Standing } from '../../../src/domain/alerts/watch.ts'
import { amount } from '../../fakes/amounts.ts'
import { orderFrom } from '../../fakes/desk-state.ts'
import { aFill } from './fixtures.ts'

const texts = (facts: readonly AlertFact[], standing: Standing = allStanding) =>
  evaluateAlerts({ watches: [], standing }, facts, 0, null).fired.map(({ level, text }) => `${level}: ${text}`)

const samples = {
  fill: { kind: 'fills', fills: [aFill()] },
  orderEnded: { kind: 'orderEnded', order: orderFrom({ status: 'EXPIRED' }), isAsked: false },
  staleFeed: { kind: 'staleFeed', feed: 'book', waitedMs: 6_400 },
  transfer: {
    kind: 'transfer',
    change: {
      kind: 'withdrawal',
      origin: 'here',
      id: 'w-771',
      currency: 'BTC',
      amount: amount('0.05'),
      before: 'PENDING',
      after: 'COMPLETED',
    },
  },
  gatewayFailed: {
    kind: 'gatewayOrder',
    change: { orderId: 'ord_19', before: 'PENDING', after: 'FAILED', reason: 'card declined' },
  },
} as const satisfies Record<keyof Standing, AlertFact>

test.each(Object.entries(samples))('%s is told of unless its rule is off', (rule, fact) => {
  expect(texts([fact])).toHaveLength(1)
  expect(texts([fact], { ...allStanding, [rule]: false })).toEqual([])
})

test('each kind has its sentence', () => {
  expect(texts(Object.values(samples))).toEqual([
    'good: Fill SELL 0.03 BTC-USD @ 64,212.5, order 9912017.',
    'warn: Order 9912041 BUY BTC-USD is EXPIRED.',
    'bad: The book feed is stale: no answer for 6 s.',
    'good: Withdrawal w-771 of 0.05 BTC is COMPLETED (was PENDING).',
    'bad: Gateway order ord_19 FAILED: card declined.',
  ])
})

test('many executions of one order are one alert, with the average of their prices', () => {
  const fills = [
    aFill({ execId: '1', price: amount('100'), quantity: amount('1') }),
    aFill({ execId: '2', price: amount('103'), quantity: amount('2') }),
    aFill({ execId: '3', orderId: '5', quantity: amount('0.1') }),
  ]
  expect(texts([{ kind: 'fills', fills }])).toEqual([
    'good: Fill SELL 3 BTC-USD @ 102 in 2 parts, order 9912017.',
    'good: Fill SELL 0.1 BTC-USD @ 64,212.5, order 5.',
  ])
})

test('an end says how: filled is good, rejected bad with the reason, a cancel of one’s own is no news', () => {
  const ended = (more: Parameters<typeof orderFrom>[0], isAsked = false): AlertFact => ({
    kind: 'orderEnded',
    order: orderFrom(more),
    isAsked,
  })
  expect(texts([ended({ status: 'FILLED', cumQuantity: amount('0.05') })])).toEqual([
    'good: Order 9912041 BUY BTC-USD is FILLED, filled 0.05.',
  ])
  expect(texts([ended({ status: 'REJECTED', orderId: null, text: 'Insufficient Balance' })])).toEqual([
    'bad: Order a81fK2x09Qz1 BUY BTC-USD is REJECTED: Insufficient Balance.',
  ])
  expect(texts([ended({ status: 'CANCELED' })])).toHaveLength(1)
  expect(texts([ended({ status: 'CANCELED' }, true)])).toEqual([])
  expect(texts([ended({ status: 'FILLED' }, true)])).toHaveLength(1)
})

test('transfers are told of when their state changes, a request of one’s own is not', () => {
  const deposit = { kind: 'deposit', id: 'd-90', currency: 'BTC', amount: amount('0.1') } as const
  const withdrawal = { kind: 'withdrawal', origin: 'here', id: 'w-1', currency: 'USD', amount: amount('900') } as const
  const of = (change: Extract<AlertFact, { kind: 'transfer' }>['change']) => texts([{ kind: 'transfer', change }])
  expect(of({ ...deposit, before: null, after: 'UNCONFIRMED' })).toEqual([
    'info: Deposit d-90 of 0.1 BTC is UNCONFIRMED.',
  ])
  expect(of({ ...deposit, before: 'UNCONFIRMED', after: 'UNCONFIRMED' })).toEqual([])
  expect(of({ ...withdrawal, before: null, after: 'PENDING' })).toEqual([])
  expect(of({ ...withdrawal, before: null, after: 'FAILED' })).toEqual(['bad: Withdrawal w-1 of 900 USD is FAILED.'])
  expect(of({ ...withdrawal, before: 'PENDING', after: 'REFUNDED' })).toEqual([
    'bad: Withdrawal w-1 of 900 USD is REFUNDED (was PENDING).',
  ])
  expect(of({ ...withdrawal, origin: 'elsewhere', before: null, after: 'PENDING' })).toEqual([
    'bad: Withdrawal w-1 of 900 USD is PENDING, and was not sent from this desk.',
  ])
  expect(of({ ...withdrawal, origin: 'givenUp', before: null, after: 'PENDING' })).toEqual([
    'bad: Withdrawal w-1 of 900 USD is PENDING, and may be the one resolved as not placed: do not resubmit.',
  ])
})

test('a gateway order is told of when it fails, once, and its reason steers no terminal', () => {
  const of = (before: 'PENDING' | 'FAILED' | null, after: 'COMPLETED' | 'FAILED', reason: string | null = null) =>
    texts([{ kind: 'gatewayOrder', change: { orderId: 'ord_1', before, after, reason } }])
  expect(of('PENDING', 'COMPLETED')).toEqual([])
  expect(of('FAILED', 'FAILED')).toEqual([])
  expect(of(null, 'FAILED', 'no\u001b]0;x\u0007 funds\n')).toEqual(['bad: Gateway order ord_1 FAILED: no]0;x funds .'])
})
