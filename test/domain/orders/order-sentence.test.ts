import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { type OrderType, orderTypes, type TimeInForce } from '../../../src/domain/orders/order.ts'
import { timesInForceOf } from '../../../src/domain/orders/order-fields.ts'
import { completeOrderSentence, explainIntent, readOrderSentence } from '../../../src/domain/orders/sentence.ts'
import type { OrderIntent } from '../../../src/domain/orders/sentence-clauses.ts'
import type { SentenceContext } from '../../../src/domain/orders/sentence-words.ts'
import type { Size } from '../../../src/domain/orders/sizing.ts'
import { sides } from '../../../src/domain/side.ts'
import { aBook } from '../../fakes/books.ts'
import { anInstrument } from '../../fakes/instruments.ts'

function sizeText(size: Size): string {
  if (size.kind === 'share') return `${size.percent.toFixed()}%`
  if (size.kind === 'counter') return `$${size.amount.toFixed()}`
  return size.kind === 'risk'
    ? `risk $${size.amount.toFixed()} stop ${size.stopPrice.toFixed()}`
    : size.quantity.toFixed()
}

/** The sentence that is read as this intent again: `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post`. */
function writeOrderSentence(intent: OrderIntent): string {
  if (intent.kind === 'cancelOrder') return `cancel ${intent.orderId}`
  if (intent.kind === 'cancelAll')
    return intent.symbol === null ? 'cancel all' : `cancel all ${intent.symbol}`.toLowerCase()
  if (intent.kind === 'cancelSome') {
    const { side, isLast, isStops, above, below, symbol } = intent
    const words = [
      ...(isLast ? ['last'] : []),
      ...(side === null ? [] : [`${side}s`]),
      ...(isStops ? ['stops'] : []),
      ...(above === null ? [] : ['above', above.toFixed()]),
      ...(below === null ? [] : ['below', below.toFixed()]),
    ]
    return `cancel ${words.join(' ')} ${symbol ?? 'everywhere'}`.toLowerCase()
  }
  const { form, size } = intent
  const isTimed = form.timeInForce === 'GTD'
  const words = [
    form.side,
    size === null ? form.quantityText : sizeText(size),
    form.symbol,
    form.stopText === '' ? '' : `stop ${form.stopText}`,
    form.priceText === '' ? '' : `@ ${form.priceText}`,
    form.type === 'MARKET' ? 'market' : '',
    isTimed ? `gtd ${form.expireText}` : form.timeInForce,
    form.minimumText === '' ? '' : `min ${form.minimumText}`,
    form.postOnly ? 'post' : '',
  ]
  return words
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase()
}

const context: SentenceContext = {
  instruments: new Map(
    [
      anInstrument(),
      anInstrument({ symbol: 'ETH-USD', base: 'ETH' }),
      anInstrument({ symbol: 'ETH-EUR', base: 'ETH', counter: 'EUR' }),
      anInstrument({ symbol: 'SOL-USD', base: 'SOL' }),
    ].map((each) => [each.symbol, each]),
  ),
  symbol: 'BTC-USD',
  bookOf: (symbol) => (symbol === 'BTC-USD' ? aBook([['64210.00', '0.12']], [['64211.00', '0.7']]) : null),
}

const read = (text: string, more: Partial<SentenceContext> = {}) => readOrderSentence(text, { ...context, ...more })

function intent(text: string, more: Partial<SentenceContext> = {}): OrderIntent {
  const result = read(text, more)
  if (!result.ok) throw new Error(`${text}: ${result.error.text}`)
  return result.value
}

function orderOf(text: string, more: Partial<SentenceContext> = {}) {
  const understood = intent(text, more)
  if (understood.kind !== 'order') throw new Error(`${text} is no order`)
  const { form, size } = understood
  return { ...form, share: size?.kind === 'share' ? size.percent.toString() : null }
}

function problem(text: string) {
  const result = read(text)
  if (result.ok) throw new Error(`${text} was understood`)
  const { at, length } = result.error
  return { ...result.error, pointsAt: text.slice(at, at + length) }
}

describe('orders', () => {
  test('a limit order to a day, post only', () => {
    expect(orderOf('buy 0.05 btc-usd @ 64209.5 gtd 20261231 post')).toEqual({
      symbol: 'BTC-USD',
      side: 'BUY',
      type: 'LIMIT',
      quantityText: '0.05',
      priceText: '64209.5',
      stopText: '',
      timeInForce: 'GTD',
      expireText: '20261231',
      minimumText: '',
      postOnly: true,
      ...{ isProtected: false, lossText: '', targetText: '' },
      share: null,
    })
  })

  test('a share of what is available at the market', () => {
    const order = { symbol: 'ETH-USD', side: 'SELL', type: 'MARKET', timeInForce: 'IOC', quantityText: '', share: '25' }
    expect(orderOf('sell 25% eth-usd market ioc')).toMatchObject(order)
    expect(orderOf('SELL 25 % ETH/USD MKT')).toMatchObject(order)
  })

  test.each([
    ['buy 0.1 btc stop 65000', { type: 'STOP', stopText: '65000', priceText: '', timeInForce: 'GTC' }],
    ['buy 0.1 btc stop 65000 limit 65100', { type: 'STOPLIMIT', stopText: '65000', priceText: '65100' }],
    ['buy 0.1 btc limit 65,100.50 ioc min 0.05', { timeInForce: 'IOC', priceText: '65100.5', minimumText: '0.05' }],
    ['b .5 @64000 fok', { side: 'BUY', quantityText: '0.5', priceText: '64000', timeInForce: 'FOK' }],
    ['sell sol 3 at $142.33 usd until 2026-12-31', { symbol: 'SOL-USD', priceText: '142.33', expireText: '20261231' }],
    ['sell 3 @ 142 post-only btcusd', { symbol: 'BTC-USD', postOnly: true }],
  ])('%s', (text, fields) => expect(orderOf(text)).toMatchObject(fields))

  describe('a quantity that is near the market, with its symbol behind it', () => {
    const inSol = { bookOf: () => aBook([['142.30', '3']], [['142.40', '3']], 'SOL-USD') }

    test.each([
      ['sell 100 sol 355', '100', '355'],
      ['sell 150sol 1200 post', '150', '1200'],
      ['buy 100 sol 63.9', '100', '63.9'],
      ['buy 200 sol-usd 20', '200', '20'],
    ])('%s is the order that it says: it waits for a price far off', (text, quantityText, priceText) =>
      expect(orderOf(text, inSol)).toMatchObject({ symbol: 'SOL-USD', quantityText, priceText }),
    )

    test.each([
      ['sell 150 sol 20', ['20 sol @ 150', '150 sol @ 20']],
      ['buy 150 sol 355', ['355 sol @ 150', '150 sol @ 355']],
      ['buy 142 sol 0.5', ['0.5 sol @ 142', '142 sol @ 0.5']],
    ])('%s may be the other way round: it would trade at once, or never', (text, instead) =>
      expect(read(text, inSol)).toMatchObject({ ok: false, error: { instead } }),
    )
  })

  test.each([
    ['$5', { kind: 'counter', amount: new Decimal(5) }],
    ['$ 5', { kind: 'counter', amount: new Decimal(5) }],
    ['5$', { kind: 'counter', amount: new Decimal(5) }],
    ['5usd', { kind: 'counter', amount: new Decimal(5) }],
    ['usd 5', { kind: 'counter', amount: new Decimal(5) }],
    ['1k usd of', { kind: 'counter', amount: new Decimal(1_000) }],
    ['half of my', { kind: 'share', percent: new Decimal(50) }],
    ['all', { kind: 'share', percent: new Decimal(100) }],
    ['risk $200 stop 63k', { kind: 'risk', amount: new Decimal(200), stopPrice: new Decimal(63_000) }],
  ])('a size may be said as %s', (text, size) => {
    expect(intent(`sell ${text} sol market`)).toMatchObject({ size, form: { quantityText: '', symbol: 'SOL-USD' } })
  })

  test.each([
    ['@ bid', '64210.00', '(the bid 64210.00)'],
    ['@ask-2t', '64210.00', '(the ask 64211.00 less 2 ticks)'],
    ['at ask - 2 ticks', '64210.00', '(the ask 64211.00 less 2 ticks)'],
    ['@ bid +1t', '64210.50', '(the bid 64210.00 plus 1 tick)'],
    ['@ mid', '64210.50', '(the mid 64210.50)'],
    ['64k', '64000', 'limit price 64000'],
    ['64000', '64000', 'limit price 64000'],
    ['', '64210.00', ''],
  ])('a price may be said as %j, or not at all', (text, price, meaning) => {
    const understood = intent(`buy .1 btc ${text}`)
    expect(understood).toMatchObject({ form: { priceText: price, quantityText: '0.1' }, isJoining: text === '' })
    expect(understood.parts.at(-1)?.meaning).toContain(meaning)
  })

  test('without a symbol the present one is meant, and a base alone where that is clear', () => {
    expect(orderOf('buy 1 @ 5').symbol).toBe('BTC-USD')
    expect(orderOf('buy 1 eth @ 5', { symbol: 'ETH-EUR' }).symbol).toBe('ETH-EUR')
    // The usual counter where the symbol on screen does not decide.
    expect(orderOf('buy 1 eth @ 5').symbol).toBe('ETH-USD')
  })

  test('each part says what it was taken for, and where', () => {
    const text = 'buy 25% btc @ 64209.5 usd gtd 20261231 post'
    expect(intent(text).parts.map(({ at, length, meaning }) => [text.slice(at, at + length), meaning])).toEqual([
      ['buy', 'BUY'],
      ['25%', '25% of the available balance'],
      ['btc', 'BTC-USD'],
      ['@ 64209.5 usd', 'limit price 64209.5'],
      ['gtd 20261231', 'GTD, until the end of Thu 31 Dec 2026 UTC'],
      ['post', 'post only'],
    ])
  })
})

test('cancels', () => {
  expect(intent('cxl all')).toMatchObject({ kind: 'cancelAll', symbol: null })
  const bounds = { isStops: false, above: null, below: null }
  const some = { kind: 'cancelSome', side: 'BUY', isLast: false, ...bounds, symbol: 'BTC-USD', isShown: true }
  expect(intent('cancel my buys')).toMatchObject(some)
  expect(intent('cancel buys btc')).toMatchObject({ ...some, isShown: false })
  expect(intent('cancel all sell orders in sol')).toMatchObject({
    ...some,
    side: 'SELL',
    symbol: 'SOL-USD',
    isShown: false,
  })
  expect(intent('cancel sol sells')).toMatchObject({ ...some, side: 'SELL', symbol: 'SOL-USD', isShown: false })
  expect(intent('cancel last btc')).toMatchObject({ ...some, side: null, isLast: true, isShown: false })
  for (const line of [
    'cancel buys all',
    'cancel buys everywhere',
    'cancel all buys everywhere',
    'cancel buys of every symbol',
  ])
    expect(intent(line), line).toMatchObject({ ...some, symbol: null, isShown: false })
  expect(intent('cancel all')).toMatchObject({ kind: 'cancelAll', symbol: null })
  expect(intent('Cancel ALL sol')).toMatchObject({ kind: 'cancelAll', symbol: 'SOL-USD' })
  expect(intent('cancel 9223372036854775807')).toMatchObject({ kind: 'cancelOrder', orderId: '9223372036854775807' })
})

test.each([
  ['', '', 'an order begins with buy, sell or cancel'],
  ['buy', '', 'how much? an amount, or a share such as 25%'],
  ['buy 0.1 btc @', '', 'the price comes next'],
  ['buy 0.1 btc ioc', '', 'at which price? @ PRICE, stop PRICE, or market'],
  ['buy 0.1 @ 5 gtd', '', 'gtd needs the last day, as 20261231'],
  ['cancel', '', 'cancel what? all, all of a symbol, or an order id'],
])('%s is unfinished', (text, pointsAt, sentence) => {
  expect(problem(text)).toMatchObject({ kind: 'unfinished', at: text.length, pointsAt, text: sentence })
})

test.each([
  ['by 1 btc', 'by', 'an order begins with buy, sell or cancel, did you mean "buy"?'],
  ['buy 0,05 btc @ 5', '0,05', '"0,05" has a decimal comma: write 0.05'],
  ['buy 1,000 btc @ 5', '1,000', '"1,000" can be read in two ways: write 1000 or 1'],
  ['buy 1 btc @ 64,209', '64,209', '"64,209" can be read in two ways: write 64209 or 64.209'],
  ['buy £100 eth-eur @ 5', '£100', '£100 is an amount of GBP, not a quantity: type the quantity in ETH or EUR'],
  ['buy 1 @ 5 ioc min $1', '$1', '$1 is an amount of USD, not a quantity: type the quantity in BTC'],
  ['buy 1 eth-eur @ $5', '$5', 'prices of ETH-EUR are in EUR'],
  ['buy 1 sol @ €5', '€5', 'prices of SOL-USD are in USD'],
  ['buy 1 btc stop 5 eur limit 6 usd', 'eur', 'prices of BTC-USD are in USD'],
  ['buy 0 btc @ 5', '0', 'the quantity must be above zero'],
  ['buy 101% btc @ 5', '101%', 'at most 100% of the available balance'],
  ['buy 1 64000', '64000', 'the quantity was said before: is "64000" the price?'],
  ['buy 0.1 btc $6400', '$6400', 'the quantity was said before: is "$6400" the price?'],
  ['buy 1k btc', '1k', '"1k" can be read in two ways: write 1000 BTC or 1000 USD'],
  ['buy 1 btc @ ask-2', 'ask-2', 'say how many ticks, as ask-2t, or type the price'],
  ['buy 1 sol @ bid', 'bid', 'no bid of SOL-USD to go by: show it first, or type the price'],
  ['buy 1 btc @ 5 market', '@', 'a market order has no limit price: leave one out'],
  ['buy 1 market stop 5', 'market', 'a stop becomes a market order by itself: leave out market'],
  ['buy 1 btc @ 5 ioc gtc', 'gtc', 'the time in force was said before: leave one out'],
  ['buy 1 stop 5 ioc', 'ioc', 'a STOP order takes GTC, GTD'],
  ['buy 1 market gtc', 'gtc', 'a MARKET order takes IOC, FOK'],
  ['buy 1 @ 5 gtd 20260230', '20260230', '"20260230" is not a valid date: write it as 20261231'],
  ['buy 1 @ 5 min 0.5', 'min', 'a minimum fill goes with IOC only, which a LIMIT order can be: say ioc'],
  [
    'buy 0.1 btc stop 65000 limit 65100 min 0.05',
    'min',
    'a minimum fill goes with IOC only, which a STOPLIMIT order cannot be',
  ],
  ['buy 1 @ 5 ioc post', 'post', 'post-only needs LIMIT with GTC or GTD'],
  ['buy 1 sol @ 5 eur', 'eur', 'prices of SOL-USD are in USD'],
  ['buy 1 btc-usf @ 5', 'btc-usf', '"btc-usf" is not understood here, did you mean "btc-usd"?'],
  ['cancel all btc later', 'later', '"later" is not understood here'],
  ['cancel all btc sol', 'sol', 'nothing comes after that: leave out "sol"'],
  ['cancel 12 buys', 'buys', 'nothing comes after that: leave out "buys"'],
  ['cancel buys btc everywhere', 'everywhere', 'nothing comes after that: leave out "everywhere"'],
  ['cancel all buys', 'all buys', '"all buys" can mean those of BTC-USD, or of every symbol'],
  ['cancel all my last', 'all my last', '"all last" can mean those of BTC-USD, or of every symbol'],
  ['cancel everywhere', 'everywhere', 'to cancel every order of every symbol say: cancel all'],
  ['cancel btc', 'btc', 'to cancel every order of BTC-USD say: cancel all btc-usd'],
  ['cancel 007', '007', '"007" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id'],
  ['cancel my 15116,15117', '15116,15117', 'a cancel is of one order by its id: which?'],
  ['cancel 15116, 15117 ok', '15116, 15117', 'a cancel is of one order by its id: which?'],
  ['cancel 0,5', '0,5', '"0,5" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id'],
  ['cancel buys above 64,000', '64,000', 'the price "64,000" can be read in two ways: write 64000 or 64'],
])('%s is wrong at %s', (text, pointsAt, sentence) => {
  expect(problem(text)).toMatchObject({ kind: 'wrong', pointsAt, text: sentence })
})

test.each([
  ['', ['buy', 'sell', 'cancel']],
  ['s', ['sell']],
  ['buy ', ['25%', '50%', '75%', '100%', 'half', 'all', 'risk']],
  ['buy 1 e', ['eth-usd', 'eth-eur']],
  ['buy 1 btc ', ['@', 'market', 'stop']],
  ['buy 1 btc @ 5 ', ['stop', 'gtc', 'ioc', 'fok', 'gtd', 'post']],
  ['buy 1 btc @ 5 io', ['ioc']],
  ['buy 1 btc market ', ['ioc', 'fok', 'min']],
  ['cancel ', ['all', 'buys', 'sells', 'last']],
  ['cancel all s', ['sol-usd']],
  ['cancel buys e', ['everywhere', 'eth-usd', 'eth-eur']],
  ['nonsense ', []],
])('after %j may come %j', (text, words) => {
  expect(completeOrderSentence(text, context).map(({ word }) => word)).toEqual(words)
})

test('a completion goes where the half-typed word begins', () => {
  expect(completeOrderSentence('buy 1 eth', context)).toEqual([
    { word: 'eth-usd', from: 6 },
    { word: 'eth-eur', from: 6 },
  ])
})

test('an intent is explained in words before anything is sent', () => {
  expect(explainIntent(intent('sell 50% sol stop 140 limit 139.5 gtd 20261231'))).toBe(
    'Sell 50% of the available balance: SOL-USD with a limit price of 139.5, once the last trade reaches 140, until the end of Thu 31 Dec 2026 UTC',
  )
  expect(explainIntent(intent('buy 1 market min 0.5'))).toBe(
    'Buy 1 BTC-USD at the market, what does not fill at once is canceled, at least 0.5 at once',
  )
  expect(explainIntent(intent('cancel all'))).toBe('Cancel every order of every symbol')
})

const amountText = fc
  .tuple(fc.integer({ min: 1, max: 2_000_000_000 }), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => new Decimal(units).div(new Decimal(10).pow(scale)).toFixed())

const anyOrder: fc.Arbitrary<OrderIntent> = fc
  .record({
    side: fc.constantFrom(...sides),
    type: fc.constantFrom(...orderTypes),
    symbol: fc.constantFrom(...context.instruments.keys()),
    quantity: amountText,
    price: amountText,
    stop: amountText,
    minimum: amountText,
    day: fc.integer({ min: 0, max: 50_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
    timeAt: fc.nat(3),
    hasMinimum: fc.boolean(),
    isPostOnly: fc.boolean(),
    share: fc.option(fc.integer({ min: 1, max: 100 })),
  })
  .map((given) => {
    const type: OrderType = given.type
    const times = timesInForceOf(type)
    const timeInForce: TimeInForce = times[given.timeAt % times.length] ?? 'GTC'
    const canRest = timeInForce === 'GTC' || timeInForce === 'GTD'
    const form = {
      symbol: given.symbol,
      side: given.side,
      type,
      quantityText: given.share === null ? given.quantity : '',
      priceText: type === 'LIMIT' || type === 'STOPLIMIT' ? given.price : '',
      stopText: type === 'STOP' || type === 'STOPLIMIT' ? given.stop : '',
      timeInForce,
      expireText: timeInForce === 'GTD' ? given.day.replaceAll('-', '') : '',
      minimumText: timeInForce === 'IOC' && given.hasMinimum ? given.minimum : '',
      postOnly: type === 'LIMIT' && canRest && given.isPostOnly,
      ...{ isProtected: false, lossText: '', targetText: '' },
    }
    const size = given.share === null ? null : ({ kind: 'share', percent: new Decimal(given.share) } as const)
    return { kind: 'order', form, size, isJoining: false, parts: [] }
  })

const anyIntent: fc.Arbitrary<OrderIntent> = fc.oneof(
  anyOrder,
  fc
    .option(fc.constantFrom(...context.instruments.keys()))
    .map((symbol) => ({ kind: 'cancelAll' as const, symbol, parts: [] })),
  fc
    .tuple(
      fc.option(fc.constantFrom(...sides)),
      fc.option(fc.constantFrom(...context.instruments.keys())),
      fc.boolean(),
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 99_999 }).map((price) => new Decimal(price))),
      fc.option(fc.integer({ min: 1, max: 99_999 }).map((price) => new Decimal(price).div(8))),
    )
    .map(([side, symbol, isLast, isStops, above, below]) => {
      const isNarrow = side !== null || isStops || above !== null || below !== null
      const some = { side, symbol, isLast: isLast || !isNarrow, isStops, above, below, isShown: false }
      return { kind: 'cancelSome' as const, ...some, parts: [] }
    }),
  fc.bigInt(1n, 2n ** 63n - 1n).map((id) => ({ kind: 'cancelOrder' as const, orderId: id.toString(), parts: [] })),
)

test('what is written is read as the same intent', () => {
  fc.assert(
    fc.property(anyIntent, (written) => {
      expect({ ...intent(writeOrderSentence(written)), parts: [] }).toEqual(written)
      expect(explainIntent(written)).not.toBe('')
    }),
  )
})

const word = fc.constantFrom(
  ...['buy', 'sell', 'cancel', 'all', '@', '%', 'limit', 'stop', 'min', 'gtd', 'until', 'ioc', 'post', 'market', 'btc'],
  ...[
    'half',
    'of',
    'my',
    'risk',
    'bid',
    'ask-2t',
    'mid',
    '+',
    '2t',
    '1k',
    '$1000',
    'usd',
    '0.1btc',
    'last',
    'buys',
    'for',
  ],
  ...['eth', 'eth-usd', '0.05', '25', '-1', '1e9', '0,05', '64,209.50', '$', '20261231', '__proto__', 'constructor'],
)
const anyText = fc.oneof(
  anyIntent.map(writeOrderSentence),
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 250 }),
)

test('no text makes it throw; a problem always points into the text and says why', () => {
  const ends = { read: 0, wrong: 0, completed: 0 }
  fc.assert(
    fc.property(anyText, (text) => {
      const result = read(text)
      const completed = completeOrderSentence(text, context)
      for (const { from } of completed) expect(from).toBeLessThanOrEqual(text.length)
      ends[result.ok ? 'read' : 'wrong'] += 1
      if (completed.length > 0) ends.completed += 1
      if (result.ok) {
        for (const part of result.value.parts) expect(part.at + part.length).toBeLessThanOrEqual(text.length)
        return
      }
      const { at, length, text: sentence } = result.error
      expect(sentence).not.toBe('')
      expect(sentence).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at + length).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: 500 },
  )
  expect(Math.min(...Object.values(ends)), JSON.stringify(ends)).toBeGreaterThan(10)
})
