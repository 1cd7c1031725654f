import { expect, test } from 'vitest'
import { type AlertFact, evaluateAlerts } from '../../../src/domain/alerts/news.ts'
import { allStanding, type Watch } from '../../../src/domain/alerts/watch.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { type Delivery, deliveryJson, deliveryText, newsOfAlert } from '../../../src/domain/notify/message.ts'
import { aFill } from '../alerts/fixtures.ts'

const sender = { profileName: 'main', venueKind: 'live' } as const
const atMs = Date.UTC(2026, 10, 20, 14, 0, 5)
const fill = { kind: 'fill', level: 'good', text: 'Fill BUY 0.5 BTC-USD, order 7.', atMs } as const
const stale = {
  kind: 'stale',
  level: 'bad',
  text: 'The book feed is stale: no answer for 9 s.',
  atMs: atMs + 1_000,
} as const
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  id: 'msg_1',
  messages: [fill],
  droppedCount: 0,
  ...more,
})

test('one message is one line, several are a head and a line each', () => {
  expect(deliveryText(delivery(), sender)).toBe('pitdesk LIVE main: Fill BUY 0.5 BTC-USD, order 7.\n')
  expect(deliveryText(delivery({ messages: [fill, stale], droppedCount: 2 }), sender).split('\n')).toEqual([
    'pitdesk LIVE main: 2 messages',
    '2 earlier messages were dropped: too many waited.',
    '14:00:05Z Fill BUY 0.5 BTC-USD, order 7.',
    '14:00:06Z The book feed is stale: no answer for 9 s.',
    '',
  ])
})

test('as JSON it says what it is, whose it is, and each message by itself', () => {
  expect(JSON.parse(deliveryJson(delivery(), sender))).toEqual({
    type: 'pitdesk.fill',
    timestamp: '2026-11-20T14:00:05.000Z',
    text: 'pitdesk LIVE main: Fill BUY 0.5 BTC-USD, order 7.',
    data: {
      id: 'msg_1',
      profile: 'main',
      venue: 'live',
      dropped: 0,
      messages: [
        { kind: 'fill', level: 'good', text: 'Fill BUY 0.5 BTC-USD, order 7.', at: '2026-11-20T14:00:05.000Z' },
      ],
    },
  })
  expect(JSON.parse(deliveryJson(delivery({ messages: [fill, stale] }), sender)).type).toBe('pitdesk.digest')
  expect(JSON.parse(deliveryJson(delivery({ messages: [fill, fill] }), sender)).type).toBe('pitdesk.fill')
})

const amount = /\d[\d,]*\.\d|\b(31337|4242|777)\b/

test('without amounts no kind of alert tells one', () => {
  const watch: Watch = {
    ...{ id: 3, symbol: 'BTC-USD', price: 'last', comparison: '>', level: new Decimal('31337.5'), priceScale: 2 },
    ...{ isAtOnce: true, repeats: false, state: { kind: 'near' } },
  }
  const order = { orderId: 'o9', clientOrderId: 'c9', side: 'BUY', symbol: 'BTC-USD', status: 'CANCELED' } as const
  const transfer = { id: 't9', currency: 'BTC', amount: new Decimal('4242.75') }
  const facts: AlertFact[] = [
    { kind: 'quote', quote: { symbol: 'BTC-USD', prices: { last: new Decimal('31338.25') } } },
    { kind: 'fills', fills: [aFill({ quantity: new Decimal('4242.5'), price: new Decimal('31337.5') })] },
    {
      kind: 'orderEnded',
      isAsked: false,
      order: { ...order, cumQuantity: new Decimal('4242.5'), text: 'would exceed 777 USD' },
    },
    {
      kind: 'transfer',
      change: { ...transfer, kind: 'withdrawal', before: 'PENDING', after: 'COMPLETED', origin: 'here' },
    },
    { kind: 'gatewayOrder', change: { orderId: 'g9', before: null, after: 'FAILED', reason: 'card declined for 777' } },
  ]
  const { fired } = evaluateAlerts({ watches: [watch], standing: allStanding }, facts, 7, null)
  const news = fired.map((each, index) => newsOfAlert({ ...each, seq: index, atMs, isQuiet: false }))
  expect(news.map(({ kind }) => kind)).toEqual(['alert', 'fill', 'end', 'transfer', 'gateway'])
  for (const { text, bareText } of news) {
    expect(text).toMatch(amount)
    expect(bareText).not.toMatch(amount)
  }
  expect(news.map(({ bareText }) => bareText)).toEqual([
    'BTC-USD last is above its level (alert 3).',
    expect.stringMatching(/^Fill \w+ BTC-USD, order \S+\.$/),
    'Order o9 BUY BTC-USD is CANCELED, partly filled.',
    'Withdrawal t9 in BTC is COMPLETED (was PENDING).',
    'Gateway order g9 FAILED.',
  ])
})

test('a price that crosses, a feed that is stale, a plan and what becomes of money are messages of kinds of their own', () => {
  const kinds = (
    ['watch', 'fill', 'orderEnded', 'staleFeed', 'transfer', 'gatewayFailed', 'plan', 'falseRefusal'] as const
  ).map((kind) => newsOfAlert({ kind, level: 'info', text: 'Text.', seq: 1, atMs, isQuiet: false }).kind)
  expect(kinds).toEqual(['alert', 'fill', 'end', 'stale', 'transfer', 'gateway', 'plan', 'refusal'])
})
