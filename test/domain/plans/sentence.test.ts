import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import {
  type PlanSentenceContext,
  planExamples,
  planWords,
  readPlanChange,
  readPlanSentence,
} from '../../../src/domain/plans/sentence.ts'
import { type PlanTerms, planKinds, termsText } from '../../../src/domain/plans/terms.ts'
import { anInstrument } from '../../fakes/instruments.ts'

const d = (text: string | number) => new Decimal(text)
const bitcoin = anInstrument()
const ether = anInstrument({ symbol: 'ETH-EUR', base: 'ETH', counter: 'EUR' })
const pound = anInstrument({ symbol: 'ETH-GBP', base: 'ETH', counter: 'GBP' })
const instruments = new Map([bitcoin, ether].map((each) => [each.symbol, each]))
const context: PlanSentenceContext = {
  ...{ instruments, symbol: 'BTC-USD', bookOf: () => null },
  priceOf: () => d('64001.5'),
  availableOf: (currency) => (currency === 'BTC' ? d('0.39205') : d(7)),
}
const show = { price: (price: Decimal) => price.toFixed(), quantity: (quantity: Decimal) => quantity.toFixed() }
type Read = ReturnType<typeof readPlanSentence>
const textOf = (read: Read): string =>
  read === null
    ? '~'
    : read.ok
      ? `= ${termsText(read.value, show)}`
      : `! ${[read.error.text, ...read.error.instead].join(' | ')}`
/** A sentence as the plan that it asks for, or what is said of it and the lines that are offered. */
const said = (line: string, change: Partial<PlanSentenceContext> = {}): string =>
  textOf(readPlanSentence(line, { ...context, ...change }))
const termsOf = (line: string, change: Partial<PlanSentenceContext> = {}): PlanTerms => {
  const read = readPlanSentence(line, { ...context, ...change })
  if (read?.ok !== true) throw new Error(textOf(read))
  return read.value
}

const oco = '= oco sell 0.1 BTC-USD stop 63000 target 66000'
const bracket = '= bracket buy 0.1 BTC-USD 64000 stop 63000 target 66000'
const trailing = '= trailing sell 0.1 BTC-USD by 500'
const scale = '= scale buy 1 BTC-USD 63000 to 64000 in 10'

test('the sentence that is shown as an example of a kind is whole, and of that kind', () => {
  expect(planKinds.map((kind) => said(planExamples[kind])).toSorted()).toEqual([bracket, oco, scale, trailing])
  expect(planKinds.map((kind) => termsOf(planExamples[kind]).kind)).toEqual(planKinds)
  expect(Object.keys(planWords).map((word) => said(word).slice(0, 1))).toEqual(['!', '!', '!', '!', '!'])
})

describe('a quantity that does not come first', () => {
  const unpriced = { priceOf: () => null }

  test.each([
    ['scale buy 64000 63000 0.5 btc in 5', '64000 BTC or 0.5', 'scale buy 0.5 btc 64000 63000 in 5'],
    ['scale buy btc 64000 63000 0.5 in 5', '64000 BTC or 0.5', 'scale buy btc 0.5 64000 63000 in 5'],
    ['scale buy 63000 64000 btc 0.5 in 5', '63000 BTC or 0.5', 'scale buy 0.5 63000 64000 btc in 5'],
    ['scale sell btc at 25000 70000 1 in 5', '70000 BTC or 1', 'scale sell btc at 25000 1 70000 in 5'],
    [
      'bracket buy 64000 0.1 btc stop 63000 target 66000',
      '64000 BTC or 0.1',
      'bracket buy 0.1 btc 64000 stop 63000 target 66000',
    ],
    [
      'bracket buy 64000 0.1 btc 63000 66000',
      '64000 BTC or 0.1',
      'bracket buy 0.1 btc-usd 64000 stop 63000 target 66000',
    ],
    ['oco sell 63000 66000 0.1 btc', '63000 BTC or 0.1', 'oco sell 0.1 btc-usd stop 63000 target 66000'],
  ])('in %s is asked about, and never the price', (line, which, offer) =>
    expect(said(line)).toBe(`! Which is the quantity, ${which} BTC? | ${offer}`),
  )

  test('of two numbers that may both be it each is offered', () => {
    expect(said('trail sell 500 0.1 btc')).toBe(
      '! Which is the quantity, 500 BTC or 0.1 BTC? | trail sell 0.1 btc-usd by 500 | trail sell 500 btc-usd by 0.1',
    )
    expect(said('oco sell 63000 66000 0.1 btc', unpriced)).toBe(
      '! Which is the quantity, 63000 BTC or 0.1 BTC? | oco sell 0.1 btc-usd stop 63000 target 66000 | ' +
        'oco sell 63000 btc-usd stop 0.1 target 66000',
    )
    // A range far below waits there, and a range to the other number is near: each may be meant.
    const at141 = { priceOf: () => d(141) }
    expect(said('scale buy eth 100 57 71 in 5', at141)).toBe(
      '! Which is the quantity, 100 ETH or 57 ETH? | scale buy eth quantity 100 57 71 in 5 | ' +
        'scale buy eth 57 100 71 in 5',
    )
    expect(said('scale buy eth quantity 100 57 71 in 5', at141)).toBe('= scale buy 100 ETH-EUR 57 to 71 in 5')
    expect(said('scale sell eth 100 57 71 in 5', at141)).toBe(
      '! Which is the quantity, 100 ETH or 57 ETH? | scale sell eth 57 100 71 in 5',
    )
  })

  test('is asked about too where all the numbers are near the market', () => {
    const at142 = { priceOf: () => d(142), symbol: 'ETH-EUR' }
    const which = '! Which is the quantity, 113 ETH or 100 ETH? | '
    const asSaid = 'scale buy eth quantity 113 142 100 in 5'
    expect(said('scale buy eth 113 142 100 in 5', at142)).toBe(
      `${which}${asSaid} | scale buy eth quantity 100 113 142 in 5`,
    )
    expect(said(asSaid, at142)).toBe('= scale buy 113 ETH-EUR 142 to 100 in 5')
    expect(said('scale buy eth quantity 100 113 142 in 5', at142)).toBe('= scale buy 100 ETH-EUR 113 to 142 in 5')
    expect(said('scale buy 113 142 100 eth in 5', at142)).toBe(
      `${which}scale buy quantity 113 142 100 eth in 5 | scale buy 100 eth 113 142 in 5`,
    )
    expect(said('oco sell 130 150 100 eth', at142)).toBe(
      '! Which is the quantity, 130 ETH or 100 ETH? | oco sell 130 eth-eur stop 100 target 150 | ' +
        'oco sell 100 eth-eur stop 130 target 150',
    )
    expect(said('oco sell eth 130 150', at142)).toBe(
      '! Name each price: stop 130 target 150. | oco sell all eth-eur stop 130 target 150',
    )
    // Only with the first one as the quantity is the entry between stop and target.
    const bracketOf = (numbers: string) => said(`bracket buy eth ${numbers} stop 130 target 160`, at142)
    expect(bracketOf('100 142')).toBe('= bracket buy 100 ETH-EUR 142 stop 130 target 160')
    expect(bracketOf('142 100')).toBe(
      '! Which is the quantity, 142 ETH or 100 ETH? Not 142: the entry must be between stop and target: nothing was ' +
        'planned. | bracket buy eth quantity 100 142 stop 130 target 160',
    )
  })

  test('and breaks a rule of the symbol in one reading is told why that one is not offered', () => {
    expect(said('scale buy 20000 30000 0.5 btc in 5')).toBe(
      '! Which is the quantity, 20000 BTC or 0.5 BTC? Not 20000: each order would be above the maximum of 100.0000: ' +
        'use more. | scale buy 0.5 btc 20000 30000 in 5',
    )
    expect(said('scale buy 0.0002 0.0001 0.0003 btc in 5')).toBe(
      '! Which is the quantity, 0.0002 BTC or 0.0003 BTC? Not 0.0003: the quantity 0.0003 is below the minimum ' +
        `0.0010. Not 0.0002: the quantity 0.0002 is below the minimum 0.0010. Say: ${planExamples.scale}.`,
    )
    expect(said('scale buy 63000 64000.3 1 btc in 5')).toContain('Not 1: the last price 64000.3 is off the tick')
  })

  test.each(['64000 to 63000 0.5btc', 'btc 64000 to 63000 0.5', '64000 to 63000 0.5'])(
    'comes behind a range: %s',
    (words) => expect(said(`scale buy ${words} in 5`)).toBe('= scale buy 0.5 BTC-USD 64000 to 63000 in 5'),
  )

  test.each(['64000 to 63000 btc 0.5', 'from 64000 to 63000 btc 0.5', '64000 to 63000 usd 0.5 btc'])(
    'comes behind a range whatever stands between: %s',
    (words) => expect(said(`scale buy ${words} in 5`)).toBe('= scale buy 0.5 BTC-USD 64000 to 63000 in 5'),
  )

  test('stays the first number where all prices are of another market', () => {
    const at142 = { priceOf: () => d(142), symbol: 'ETH-EUR' }
    expect(said('scale buy 20 3000 3151 in 5', at142)).toBe('= scale buy 20 ETH-EUR 3000 to 3151 in 5')
    for (const last of ['20', '0.5'])
      expect(said(`scale buy 3000 3151 ${last} in 5`, at142)).toContain(`| scale buy ${last} 3000 3151 in 5`)
    expect(said('oco sell 10 3000 3300', at142)).toBe(
      '! Name each price: stop 3000 target 3300. | oco sell 10 eth-eur stop 3000 target 3300',
    )
  })

  test('behind a range near it is not taken for an end of it', () => {
    const at142 = { priceOf: () => d(142) }
    expect(said('scale sell eth 150 to 160 100 in 5', at142)).toBe('= scale sell 100 ETH-EUR 150 to 160 in 5')
    expect(said('scale sell eth 100 150 to 160 in 5', at142)).toBe('= scale sell 100 ETH-EUR 150 to 160 in 5')
  })

  test('is none where the first number is one by the market, or by the symbol behind it', () => {
    const near = '= scale buy 0.5 BTC-USD 63000 to 64000 in 5'
    expect(said('scale buy 0.5 63000 64000 btc in 5')).toBe(near)
    expect(said('scale buy 0.5 btc 63000 64000 in 5', unpriced)).toBe(near)
    expect(said('scale buy 0.5 btc 20000 30000 in 5')).toBe('= scale buy 0.5 BTC-USD 20000 to 30000 in 5')
    expect(said('scale buy 0.5 63000 64000 in 5', unpriced)).toBe(near)
  })

  test('whichever order the numbers are typed in, a scale near the market is never of a price', () => {
    const prices = fc.integer({ min: 60_000, max: 68_000 })
    fc.assert(
      fc.property(prices, prices, fc.integer({ min: 1, max: 90 }), fc.nat(2), fc.nat(3), (from, to, lots, at, of) => {
        const numbers = [`${from}`, `${to}`]
        numbers.splice(at, 0, `${lots / 10}`)
        const words = numbers.flatMap((number, place) => (place === of ? [number, 'btc'] : [number]))
        const line = `scale buy ${words.join(' ')} in 2`
        const read = readPlanSentence(line, context)
        expect(read?.ok !== true || read.value.quantity.eq(d(lots).div(10)), line).toBe(true)
      }),
    )
  })
})

test.each(['63-64k', '63 to 64k', 'from 63 to 64k', 'between 63 and 64k'])(
  'the letter of one end of a range may be of both: %s',
  (range) => {
    const written = range.replace(/^(from|between) /, '')
    expect(said(`scale buy 1 btc ${range} in 10`)).toBe(
      `! "${written}" can be read in two ways: write 63k to 64k, or 63 to 64000.`,
    )
    expect(said(`scale buy 1 btc ${range.replace('63', '63k')} in 10`)).toBe(scale)
    expect(said('scale buy 1 btc 63 to 64000 in 10')).toBe('= scale buy 1 BTC-USD 63 to 64000 in 10')
  },
)

test('what begins with another word is no sentence about a plan', () => {
  for (const line of ['', 'buy 0.1 btc', 'constructor', 'toString sell', 'my oco']) expect(said(line)).toBe('~')
})

test.each([
  ['oco sell 0.1 btc stop 63000 target 66000', oco],
  ['OCO Sell 0.1 BTC Stop 63000 Target 66000', oco],
  ['oco short 0.1 btc sl 63000 tp 66000', oco],
  ['oco sell 0.1 btc stop-loss 63k take-profit 66k', oco],
  ['oco sell 0.1 btc stop loss 63k take profit 66k', oco],
  ['oco sell 0.1 btc stop loss at 63,000.00 take profit @66000', oco],
  ['oco sell 0.1 btc stop price 63000 and the target price at 66000', oco],
  ['oco sell quantity 0.1 btc stop $63000 target 66000usd', oco],
  ['oco sell size 0.1 of my btc stop 63000 usd target 66000 usd', oco],
  ['oco sell qty .1 btc stop 63000 target 66000', oco],
  ['oco sell 0.1btc stop 63000 target 66000', oco],
  ['oco 0.1 stop 63000 target 66000', oco],
  ['oco sell sell 0.1 btc btc-usd stop 63000 sl 63k target 66000 near 50 near 50', oco],
  ['oco 0.1 stop 66000 target 63000', '= oco buy 0.1 BTC-USD stop 66000 target 63000'],
  [
    'oco sell 0.1 btc stop 63000 limit 62900 target 66000',
    '= oco sell 0.1 BTC-USD stop 63000 limit 62900 target 66000',
  ],
  ['oco sell all btc stop 63000 target 66000', '= oco sell 0.392 BTC-USD stop 63000 target 66000'],
  ['oco sell everything stop 63000 target 66000', '= oco sell 0.392 BTC-USD stop 63000 target 66000'],
  ['oco sell half stop 63000 target 66000', '= oco sell 0.196 BTC-USD stop 63000 target 66000'],
  ['oco sell half eth stop €630 target €660', '= oco sell 3.5 ETH-EUR stop 630 target 660'],
  ['oco sell 0.1 btc stop 1% target 1%', '= oco sell 0.1 BTC-USD stop 63361 target 64642'],
  ['oco sell 0.1 btc stop -1% stop -1% target +1%', '= oco sell 0.1 BTC-USD stop 63361 target 64642'],
  ['bracket buy 0.1 btc 64000 stop 63000 target 66000', bracket],
  ['a bracket', '~'],
  ['bracket long 0.1 btc entry price 64000 stop 63000 target 66000', bracket],
  ['bracket buy 0.1 btc $64000 stop 63000 target 66000', bracket],
  ['bracket buy 0.1 of the btc @ 64000 stop 63000 target 66000', bracket],
  ['bracket buy @ 64000 0.1 btc stop 63000 target 66000', bracket],
  ['bracket buy at 64000 target 66000 stop 63000 0.1 btc', bracket],
  ['bracket buy 0.1 btc 64000 stop 1.5625% profit 3.125%', bracket],
  ['bracket buy 0.1 btc market stop 63000 target 66000', '= bracket buy 0.1 BTC-USD market stop 63000 target 66000'],
  ['bracket buy 0.1 btc mkt market stop 1% target 1%', '= bracket buy 0.1 BTC-USD market stop 63361 target 64642'],
  ['bracket sell 0.1 64000 stop 1% target 1%', '= bracket sell 0.1 BTC-USD 64000 stop 64640 target 63360'],
  ['bracket sell half btc 64000 stop 66000 target 63000', '= bracket sell 0.196 BTC-USD 64000 stop 66000 target 63000'],
  ['trail sell 0.1 btc by 500', trailing],
  ['trailing sell 0.1 btc by 500', trailing],
  ['trailing stop sell 0.1 btc by 500', trailing],
  ['trailing stop loss sell 0.1 btc by 500', trailing],
  ['trail buy 0.1 btc by 500', '= trailing buy 0.1 BTC-USD by 500'],
  ['trail sell 0.1 btc by 1%', '= trailing sell 0.1 BTC-USD by 640.5'],
  ['trail sell 0.1 btc 1%', '= trailing sell 0.1 BTC-USD by 640.5'],
  ['trail 1% sell 0.1 btc', '= trailing sell 0.1 BTC-USD by 640.5'],
  ['trail sell 0.1 btc 1 % from 63000', '= trailing sell 0.1 BTC-USD by 640.5 from 63000'],
  ['trail sell 0.1 btc by 99.999%', '= trailing sell 0.1 BTC-USD by 64001'],
  ['trail sell 0.1 btc by 500 from 63000', `${trailing} from 63000`],
  ['trail sell 0.1 btc by 500 stop 63000', `${trailing} from 63000`],
  ['trail sell 0.1 btc from by 500', trailing],
  ['scale buy 1 btc 63000 to 64000 in 10', scale],
  ['scale buy 1 btc 63000 - 64000 into 10', scale],
  ['scale buy 1 btc from 63000 to 64000 with 10 orders', scale],
  ['scale buy 1 btc between 63000 and 64000 over 10', scale],
  ['scale buy 1 btc out 63k..64k x 10 slices', scale],
  ['scale buy 63000-64000 1 btc in 10', scale],
  ['scale buy btc 63k–64k 1 in 10', scale],
  ['scale buy 1 btc 63,000.0-64K in 10', scale],
  ['scale buy 1 btc 63000...64000 in 10', scale],
  ['scale buy 1 btc over 10 orders 63000 to 64000 in 10', scale],
  ['scale buy from 63000 to 64000 1 btc in 10', scale],
  ['scale buy between 63000 and 64000 1 btc in 10', scale],
  ['scale buy 1 btc 63000 to 64000 in 10 post', `${scale} post`],
  ['scale buy 1 btc 63000 to 64000 in 10 post-only post', `${scale} post`],
])('%s is understood', (line, plan) => expect(said(line)).toBe(plan))

test.each(['a', 'an', 'the', 'of', 'my', 'at', 'price', 'take', 'loss', 'and', 'between', 'entry', 'to', 'from', '-'])(
  '"%s" between the words says nothing',
  (filler) => {
    expect(said(`oco ${filler} sell ${filler} 0.1 btc stop 63000 target 66000`)).toBe(oco)
    expect(said(`scale buy 1 btc ${filler} 63000 64000 in 10`)).toBe(scale)
  },
)

const exampleOf = (kind: PlanTerms['kind'], missing: string) =>
  `! Incomplete: ${missing} missing. Say: ${planExamples[kind]}.`
test.each([
  ['oco', exampleOf('oco', 'quantity')],
  ['oco sell stop 63000 target 66000', exampleOf('oco', 'quantity')],
  ['oco stop 63000 target 66000', exampleOf('oco', 'quantity')],
  [
    'oco 0.1 btc target 66000',
    '! Buy or sell? A plan says which. | oco sell 0.1 btc target 66000 | oco buy 0.1 btc target 66000',
  ],
  [
    'oco 0.1 btc stop 63000',
    '! Buy or sell? A plan says which. | oco sell 0.1 btc stop 63000 | oco buy 0.1 btc stop 63000',
  ],
  ['oco sell 0.1 btc stop 63000', exampleOf('oco', 'target')],
  ['oco sell 0.1 btc target 66000', exampleOf('oco', 'stop')],
  ['oco sell 0.1 btc 64000 stop 63000 target 66000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell 0.1 btc stop target 66000', '! Incomplete: stop at which price?'],
  ['oco sell 0.1 btc stop loss', '! Incomplete: stop at which price?'],
  ['oco sell 0.1 stop btc-usd', '! Incomplete: stop at which price?'],
  ['trail sell 0.1 btc limit', '! Incomplete: limit at which price?'],
  ['oco sell 0.1 btc stop 63000 tp', '! Incomplete: tp at which price?'],
  ['trail sell 0.1 btc by', '! Incomplete: how much after "by"?'],
  ['oco sell quantity btc stop 63000 target 66000', '! Incomplete: how much after "quantity"?'],
  ['oco sell 0.1 btc stop 63000 target 66000 near', '! Incomplete: how much after "near"?'],
  ['oco sell 0.1 btc stop -500 target 66000', '! stop needs a price: -500 is not one.'],
  ['oco sell 0.1 btc tp +500 stop 63000', '! tp needs a price: +500 is not one.'],
  ['oco sell 0.1 btc tp 0-5 stop 63000', '! The price "0-5" is not a number.'],
  [
    'oco sell 0.1 btc stop -500000000000000000000000000000 target 66000',
    '! stop needs a price: -50000000000000000000000 is not one.',
  ],
  ['oco sell 0.1 btc stop 63000x target 66000', '! The price "63000x" is not a number.'],
  ['oco sell 0.1x btc stop 63000 target 66000', '! The quantity "0.1x" is not a number.'],
  ['oco sell size 0.1x btc stop 63000 target 66000', '! The quantity "0.1x" is not a number.'],
  [
    'bracket buy 1k btc 64000 stop 63000 target 66000',
    '! "1k" can be read in two ways: write 1000 BTC or 1000 USD. | bracket buy 1000 btc 64000 stop 63000 target 66000 | bracket buy 0.0156 btc 64000 stop 63000 target 66000',
  ],
  [
    'trail sell qty 2M btc by 500',
    '! "2M" can be read in two ways: write 2000000 BTC or 2000000 USD. | trail sell qty 2000000 btc by 500',
  ],
  ['scale buy 1k btc', '! "1k" can be read in two ways: write 1000 BTC or 1000 USD.'],
  ['oco sell 0,1 btc stop 63000 target 66000', '! The quantity "0,1" has a decimal comma: write 0.1.'],
  ['oco sell 0.1 btc stop 63,000 target 66000', '! The price "63,000" can be read in two ways: write 63000 or 63.'],
  ['oco sell $5 btc stop 63000 target 66000', '! $5 is an amount of USD, not a quantity: type the quantity in BTC.'],
  [
    'oco sell 5 usd btc stop 63000 target 66000',
    '! 5 usd is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  [
    'scale buy 1000usd btc 63000 to 64000 in 10',
    '! 1000 usd is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  ['trail sell usd 50 btc by 500', '! usd 50 is an amount of USD, not a quantity: type the quantity in BTC.'],
  [
    'oco sell qty 5 usd btc stop 63000 target 66000',
    '! 5 usd is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  ['oco sell $1,000 usd btc stop 63000 target 66000', '! Two currencies are named: leave one out.'],
  ['oco sell $5 $6 btc stop 63000 target 66000', '! $5 is an amount of USD, not a quantity: type the quantity in BTC.'],
  [
    'bracket buy $1,000 btc 64000 stop 63000 target 66000',
    '! $1,000 is an amount of USD, not a quantity: at 64000.00 it is 0.0156 BTC. | ' +
      'bracket buy 0.0156 btc 64000 stop 63000 target 66000',
  ],
  [
    'bracket buy btc of usd 1k @ 64000 usd stop 63000 target 66000',
    '! usd 1k is an amount of USD, not a quantity: at 64000.00 it is 0.0156 BTC. | ' +
      'bracket buy btc of 0.0156 @ 64000 usd stop 63000 target 66000',
  ],
  [
    'bracket buy $1 btc 64000 stop 63000 target 66000',
    '! $1 is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  [
    'bracket buy $1000 btc market stop 63000 target 66000',
    '! $1000 is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  ['oco sell 0.1 btc stop €630 target 66000', '! €630 is an amount of EUR: type the price in USD.'],
  ['oco sell 0.1 eth stop $630 target 66000', '! $630 is an amount of USD: type the price in EUR.'],
  ['oco sell 0.1 btc stop 1.12345% target 66000', '! % works only with by: type the price of the stop.'],
  ['trail sell 0.1 btc stop 1% by 500', '! % works only with by: type the price of the stop.'],
  ['oco sell 0.1 btc stop 63000 target 66000 limit 1%', '! % works only with by: type the price of the limit.'],
  ['oco sell 0.1 btc stop 63000 target 66000 quantity 1%', '! % works only with by: type the quantity itself.'],
  ['oco sell 0.1 doge stop 63000 target 66000', '! Not understood: doge.'],
  ['oco sell -0.1 btc stop 63000 target 66000', '! Amounts must be above zero: -0.1.'],
  ['bracket buy 0.1 btc -64000 stop 63000 target 66000', '! Amounts must be above zero: -64000.'],
  ['scale buy 1 btc .-64000 in 10', '! The price "." is not a number.'],
  ['oco sell 0.1 constructor stop 63000 target 66000', '! Not understood: constructor.'],
  ['oco sell 0.1 onlywordsthatarefartoolongtobequoted', '! Not understood: onlywordsthatarefartoolo.'],
  ['oco sell 0.1 btc stop 63000 target 66000 in 10', '! Not understood: in.'],
  ['oco sell 0.1 btc stop 63000 stop 62000 target 66000', '! Say the stop once: 63000, or 62000?'],
  ['oco sell 0.1 btc stop 63000 target 66000 tp 67000', '! Say the target once: 66000, or 67000?'],
  ['oco sell 0.1 btc stop 63000 target 66000 near 50 near 60', '! Say the near once: 50, or 60?'],
  ['oco sell 0.1 btc stop 63000 target 66000 limit 62000 limit 61000', '! Say the limit once: 62000, or 61000?'],
  ['oco sell buy 0.1 btc stop 63000 target 66000', '! Say the side once: SELL, or BUY?'],
  ['oco sell 0.1 btc eth stop 63000 target 66000', '! Say the symbol once: BTC-USD, or ETH-EUR?'],
  ['oco sell all half btc stop 63000 target 66000', '! Say the quantity once: all, or half?'],
  ['oco sell 0.1 all btc stop 63000 target 66000', '! Say the quantity once: 0.1, or all?'],
  ['oco sell 0.1 btc stop 1% stop 2% target 66000', '! Say the stop once.'],
  ['oco sell 0.1 btc stop 1% stop 63000 target 66000', '! Say the stop once.'],
  ['oco sell 0.1 btc stop 63000 stop 1% target 66000', '! Say the stop once.'],
  ['oco sell 0.1 btc stop 63000 target 1% target 66000', '! Say the target once.'],
  ['oco sell 0.1 btc stop 63000 target 66000 target 1%', '! Say the target once.'],
  ['oco sell 0.1 btc stop 0% target 66000', '! The stop must be more than 0% away, and less than 100%.'],
  ['oco sell 0.1 btc stop 63000 target -1%', '! To sell, the target is above: +1%, or a price.'],
  ['bracket sell 0.1 btc 64000 stop 66000 target +1%', '! To buy, the target is below: -1%, or a price.'],
  ['oco sell 0.1 btc stop 66000 target 63000', '! To sell, the target must be above the stop: nothing was planned.'],
  [
    'oco sell 0.1 btc stop 63000 target 66000 near 5000',
    '! The distance of the swap must be from 0.50 to 750.00, a quarter of the way from stop to target.',
  ],
  ['oco buy all btc stop 66000 target 63000', '! all needs a plan that sells first: type a quantity.'],
  [
    'oco sell 0.00001 btc stop 63000 target 66000',
    '! The quantity 0.00001 is off the lot 0.0001: nothing was planned.',
  ],
  ['oco sell 0.1 btc stop 63000 target 66000 by 5', '! An OCO knows no "distance": leave it out.'],
  ['oco sell 0.1 btc stop 63000 target 66000 step 5', '! An OCO knows no "step": leave it out.'],
  ['oco sell 0.1 btc stop 63000 target 66000 market', '! An OCO knows no "market": leave it out.'],
  ['oco sell 0.1 btc stop 63000 target 66000 post', '! An OCO knows no "post": leave it out.'],
  ['bracket buy 0.1 btc 64000 stop 63000 target 66000 by 5', '! A bracket knows no "distance": leave it out.'],
  ['trail sell 0.1 btc by 500 target 66000', '! A trailing stop knows no "target": leave it out.'],
  ['trail sell 0.1 btc by 500 near 5', '! A trailing stop knows no "near": leave it out.'],
  ['trail sell 0.1 btc by 500 limit 5', '! A trailing stop knows no "limit": leave it out.'],
  ['scale buy 1 btc 63000 to 64000 in 10 stop 62000', '! A scale knows no "stop": leave it out.'],
  ['bracket buy 0.1 btc stop 63000 target 66000', exampleOf('bracket', 'entry price, or market,')],
  ['bracket buy 0.1 btc 64000 market stop 63000 target 66000', '! A price or the market: a bracket has one entry.'],
  ['bracket buy 0.1 btc 64000 64100 stop 63000 target 66000', `! Name each price. Say: ${planExamples.bracket}.`],
  [
    'bracket buy 0.1 btc 62000 stop 63000 target 66000',
    '! The entry must be between stop and target: nothing was planned.',
  ],
  ['trail sell 0.1 btc', exampleOf('trailing', 'distance (by 500, or by 1%)')],
  ['trail sell 0.1 btc 500', `${exampleOf('trailing', 'distance (by 500, or by 1%)')} | trail sell 0.1 btc-usd by 500`],
  // Of two numbers that nothing names either may be the quantity, where the other one can be a distance.
  ['trail sell btc 0.1 500', `${exampleOf('trailing', 'distance (by 500, or by 1%)')} | trail sell 0.1 btc-usd by 500`],
  [
    'trail sell btc 100 500',
    `${exampleOf('trailing', 'distance (by 500, or by 1%)')} | trail sell 100 btc-usd by 500 | trail sell 500 btc-usd by 100`,
  ],
  ['trail sell 100 btc 500', `${exampleOf('trailing', 'distance (by 500, or by 1%)')} | trail sell 100 btc-usd by 500`],
  ['trail sell 0.1 btc 500 400', exampleOf('trailing', 'distance (by 500, or by 1%)')],
  ['trail sell 0.1 btc 1% by 500', '! Say the distance once: 1, or 500?'],
  ['trail sell 0.1 btc 1% by 2%', '! Say the distance once: 1, or 2?'],
  ['trail sell 0.1 btc 100%', '! The distance must be more than 0% and less than 100%.'],
  ['oco sell 0.1 btc 1%', '! Not understood: %.'],
  ['trail sell 0.1 btc 64000 by 500', `! Name each price. Say: ${planExamples.trailing}.`],
  ['trail sell 0.1 btc by 0%', '! The distance must be more than 0% and less than 100%.'],
  ['trail sell 0.1 btc by 100%', '! The distance must be more than 0% and less than 100%.'],
  ['trail sell 0.1 btc by 0.3', '! The distance of a trailing stop must be whole ticks of 0.50.'],
  ['trail sell 0.1 btc by 500 by 600', '! Say the distance once: 500, or 600?'],
  ['trail sell 0.1 btc by 500 step 5 step 6', '! Say the step once: 5, or 6?'],
  ['trail sell 0.1 btc by 500 from 6x', '! The price "6x" is not a number.'],
  ['trail sell 0.1 btc by 500 from 63000 from 64000', '! Say the stop once: 63000, or 64000?'],
  ['scale buy 1 btc in 10', exampleOf('scale', 'first and last price')],
  ['scale buy 1 btc 63000 in 10', exampleOf('scale', 'first and last price')],
  ['scale buy 1 btc 63000 to 64000', exampleOf('scale', 'number of orders')],
  [
    'scale buy 1 btc 63000 to 64000 to 65000 in 10',
    '! A scale goes from one price to another: give exactly two prices.',
  ],
  ['scale buy 1 btc 63000 to 64000 in 2.5', '! Type the number of orders, 2 to 50: 2.5 is not valid.'],
  ['scale buy 1 btc 63000 to 64000 in 12345', '! Type the number of orders, 2 to 50: 12345 is not valid.'],
  ['scale buy 1 btc 63000 to 64000 x1', '! Not understood: x1.'],
  ['scale buy 1 btc 63000 to 64000 in 51', '! A scale has 2 to 50 orders: nothing was planned.'],
  [
    'scale buy 1 btc over 63000.00000000000000000000 to 64000 in 10',
    '! Type the number of orders, 2 to 50: 63000.000000000000000000 is not valid.',
  ],
  ['scale buy 1 btc 63000 to 64000 in 10 x 20', '! Say the number of orders once: 10, or 20?'],
  ['scale buy 1 btc 6,3-64000 in 10', '! The price "6,3" has a decimal comma: write 6.3.'],
  ['scale buy 1 btc 63000-6..4 in 10', '! The price "6..4" is not a number.'],
  ['scale buy 1 btc x63000-64000 in 10', '! Not understood: x63000-64000.'],
  ['scale buy 1 btc 63000-64000x in 10', '! The price "63000-64000x" is not a number.'],
  ['scale buy 1 btc 63000 to 64000 in', exampleOf('scale', 'number of orders')],
  ['scale buy 63000-64000 in 10', `! Incomplete: quantity missing. Say: ${planExamples.scale}.`],
])('%s says what is missing or wrong', (line, text) => expect(said(line)).toBe(text))

test.each([
  ['oco btc 66000 63000', 'stop 63000 target 66000', 'oco sell all btc-usd stop 63000 target 66000'],
  ['oco 0.1 btc 66000 63000', 'stop 63000 target 66000', 'oco sell 0.1 btc-usd stop 63000 target 66000'],
  ['oco buy 0.1 btc 63000 66000', 'stop 66000 target 63000', 'oco buy 0.1 btc-usd stop 66000 target 63000'],
  ['oco sell half btc 63000 66000', 'stop 63000 target 66000', 'oco sell half btc-usd stop 63000 target 66000'],
  [
    'bracket buy 0.1 btc 64000 63000 66000',
    ...['stop 63000 target 66000', 'bracket buy 0.1 btc-usd 64000 stop 63000 target 66000'],
  ],
  [
    'bracket sell 0.1 btc 64000 63000 66000',
    ...['stop 66000 target 63000', 'bracket sell 0.1 btc-usd 64000 stop 66000 target 63000'],
  ],
  [
    'bracket buy 0.1 btc market 63000 66000',
    ...['stop 63000 target 66000', 'bracket buy 0.1 btc-usd market stop 63000 target 66000'],
  ],
])('%s offers the line that names its prices', (line, named, whole) =>
  expect(said(line)).toBe(`! Name each price: ${named}. | ${whole}`),
)

test.each([
  ['oco sell half btc 64000 63000 66000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell 0.1 btc 64000 63000 66000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell half btc 66000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell 0.1 btc 64000 66000 stop 63000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell 0.1 btc 64000 66000 target 63000', `! Name each price. Say: ${planExamples.oco}.`],
  ['oco sell 0.1 btc 64000 66000 stop 1%', `! Name each price. Say: ${planExamples.oco}.`],
  ['bracket buy 0.1 btc 63000 66000', `! Name each price. Say: ${planExamples.bracket}.`],
  ['bracket buy 0.1 btc market 63000', '! A price or the market: a bracket has one entry.'],
  ['bracket buy 0.1 btc 65000 64000 63000 66000', `! Name each price. Say: ${planExamples.bracket}.`],
  [
    'bracket 0.1 btc 64000 63000 66000',
    '! Buy or sell? A plan says which. | bracket sell 0.1 btc 64000 63000 66000 | bracket buy 0.1 btc 64000 63000 66000',
  ],
])('%s offers no prices: which is which nobody can say', (line, text) => expect(said(line)).toBe(text))

test('what the desk does not know yet is waited for, or said', () => {
  const line = 'oco sell all btc stop 63000 target 66000'
  expect(said(line, { instruments: new Map() })).toBe('! The symbols are not loaded yet: wait.')
  expect(said(line, { availableOf: () => null })).toBe('! Your balances are not loaded yet: wait.')
  const blind = { priceOf: () => null }
  expect(said('trail sell 0.1 btc by 1%', blind)).toBe(
    '! No price of BTC-USD is known: say the distance as a price, or wait.',
  )
  expect(said('trail sell 0.1 btc by 500', blind)).toBe(trailing)
  expect(said('oco sell 0.1 btc stop 1% target 66000', blind)).toBe(
    '! No price of BTC-USD is known: say the stop as a price, or wait.',
  )
  expect(said('bracket buy 0.1 btc 64000 stop 1.5625% target 66000', blind)).toBe(bracket)
})

test('where no symbol is on screen it is named, and until then a currency is no quantity', () => {
  const nowhere = { symbol: '' }
  expect(said('oco sell 0.1 btc stop $63000 target 66000', nowhere)).toBe(oco)
  expect(said('oco sell 0.1 stop $63000 target 66000 usd', nowhere)).toBe('! Incomplete: say the symbol.')
  expect(said('oco sell €5 stop 63000 target 66000', nowhere)).toBe(
    '! €5 is an amount of EUR, not a quantity: type digits only.',
  )
  expect(said('oco sell 0.1 eth stop 630 eur target 660 eur')).toBe('= oco sell 0.1 ETH-EUR stop 630 target 660')
  const both = new Map([ether, pound].map((each) => [each.symbol, each]))
  expect(said('oco sell 0.1 eth stop 630 target 660', { instruments: both, symbol: '' })).toBe(
    '! "eth" trades as ETH-EUR, ETH-GBP: say which.',
  )
})

test('the distances of a plan are what is said, else what the desk has for them', () => {
  expect(termsOf('oco sell 0.1 btc stop 63000 target 66000 near 50')).toStrictEqual({
    ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: d('0.1'), stopPrice: d(63_000), stopLimit: null },
    ...{ targetPrice: d(66_000), nearBy: d(50), backBy: d(100) },
  })
  const swap = { swapNearPercent: d('0.5'), swapBackTimes: d(3) }
  expect(termsOf('oco sell 0.1 btc stop 63000 target 66000', { swap })).toMatchObject({
    nearBy: d(330),
    backBy: d(990),
  })
  expect(termsOf('trail sell 0.1 btc by 500')).toMatchObject({ stepBy: d(50), stopPrice: null })
  expect(termsOf('trail sell 0.1 btc by 500 step 20')).toMatchObject({ stepBy: d(20) })
})

const amount = fc.integer({ min: 1, max: 999 })
test('a plan reads back from its own line', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...planKinds),
      fc.constantFrom('buy', 'sell'),
      amount,
      amount,
      (kind, side, lots, way) => {
        const [below, above] = [60_000 - way, 60_000 + way].map(String)
        const isSold = (side === 'sell') === (kind === 'oco')
        const legs = isSold ? `stop ${below} target ${above}` : `stop ${above} target ${below}`
        const head = `${side} ${d(lots).div(10).toFixed()} BTC-USD`
        const rest = {
          oco: legs,
          bracket: `60000 ${legs}`,
          trailing: `by ${way} from ${below}`,
          scale: `${below} to ${above} in 2 post`,
        }
        const line = `${kind} ${head} ${rest[kind]}`
        expect(said(line)).toBe(`= ${line}`)
        const terms = termsOf(line)
        expect(termsOf(termsText(terms, show))).toEqual(terms)
      },
    ),
  )
})

const kept = {
  oco: termsOf('oco sell 0.1 btc stop 63000 limit 62900 target 66000 near 50'),
  bracket: termsOf('bracket buy 0.1 btc 64000 stop 63000 target 66000'),
  trailing: termsOf('trail sell 0.1 btc by 500 step 20 from 63000'),
  scale: termsOf('scale buy 1 btc 63000 to 64000 in 10'),
}
const changed = (kind: keyof typeof kept, line: string, change: Partial<PlanSentenceContext> = {}) =>
  textOf(readPlanChange(line, kept[kind], { ...context, ...change }))

test.each([
  ['oco', 'stop 63500', '= oco sell 0.1 BTC-USD stop 63500 limit 62900 target 66000'],
  ['oco', 'stop to 63500 target to 66500', '= oco sell 0.1 BTC-USD stop 63500 limit 62900 target 66500'],
  ['oco', 'limit 62000', '= oco sell 0.1 BTC-USD stop 63000 limit 62000 target 66000'],
  ['oco', 'near 60', '= oco sell 0.1 BTC-USD stop 63000 limit 62900 target 66000'],
  ['oco', 'quantity 0.2', '= oco sell 0.2 BTC-USD stop 63000 limit 62900 target 66000'],
  ['oco', 'sell btc size 0.2', '= oco sell 0.2 BTC-USD stop 63000 limit 62900 target 66000'],
  ['bracket', '64100', '= bracket buy 0.1 BTC-USD 64100 stop 63000 target 66000'],
  ['bracket', 'entry @ 64100', '= bracket buy 0.1 BTC-USD 64100 stop 63000 target 66000'],
  ['bracket', 'quantity 0.2 64100', '= bracket buy 0.2 BTC-USD 64100 stop 63000 target 66000'],
  ['bracket', '64100 quantity 0.2', '= bracket buy 0.2 BTC-USD 64100 stop 63000 target 66000'],
  ['bracket', '$64100', '= bracket buy 0.1 BTC-USD 64100 stop 63000 target 66000'],
  ['bracket', 'quantity 0.2', '= bracket buy 0.2 BTC-USD 64000 stop 63000 target 66000'],
  ['bracket', 'target 66500', '= bracket buy 0.1 BTC-USD 64000 stop 63000 target 66500'],
  ['trailing', 'by 400', '= trailing sell 0.1 BTC-USD by 400 from 63000'],
  ['trailing', 'by 1%', '= trailing sell 0.1 BTC-USD by 640.5 from 63000'],
  ['trailing', 'from 64000', '= trailing sell 0.1 BTC-USD by 500 from 64000'],
  ['trailing', 'qty 0.2', '= trailing sell 0.2 BTC-USD by 500 from 63000'],
  ['trailing', 'step 30', '= trailing sell 0.1 BTC-USD by 500 from 63000'],
  ['oco', '', '! Say what changes: stop 63500, target 66500, by 400, or quantity 0.2.'],
  ['oco', '0.2', '! Name what changes: stop 63500, target 66500.'],
  ['trailing', '0.2', '! Name what changes: stop 63500, target 66500.'],
  ['bracket', '64100 64200 64300', '! Say the entry once: 64100, or 64200, or 64300?'],
  ['bracket', '64100 64200', '! Say the entry once: 64100, or 64200?'],
  ['bracket', 'quantity 0.2 64100 64200', '! Say the entry once: 64100, or 64200?'],
  ['bracket', 'market', '! Type the new price, e.g. stop 63500.'],
  ['bracket', 'stop 1%', '! Type the new price, e.g. stop 63500.'],
  ['oco', 'quantity 50 usd stop 63500', '! 50 usd is an amount of USD, not a quantity: type the quantity in BTC.'],
  ['bracket', 'qty $50 64100', '! $50 is an amount of USD, not a quantity: type the quantity in BTC.'],
  ['oco', 'half', '! Type the new quantity, e.g. quantity 0.2.'],
  ['oco', 'all stop 63500', '! Type the new quantity, e.g. quantity 0.2.'],
  ['oco', 'buy stop 63500', '! A plan keeps its kind, symbol and side: cancel it and make another.'],
  ['oco', 'eth stop 63500', '! A plan keeps its kind, symbol and side: cancel it and make another.'],
  ['oco', 'stop 67000', '! To sell, the target must be above the stop: nothing was changed.'],
  [
    'oco',
    'near 5000',
    '! The distance of the swap must be from 0.50 to 750.00, a quarter of the way from stop to target.',
  ],
  ['oco', 'quantity 0.00001', '! The quantity 0.00001 is off the lot 0.0001: nothing was changed.'],
  ['oco', 'stop 6x', '! The price "6x" is not a number.'],
  ['bracket', '62000', '! The entry must be between stop and target: nothing was changed.'],
  ['bracket', 'stop 66000 target 63000', '! To sell, the target must be above the stop: nothing was changed.'],
  ['trailing', 'by 0.3', '! The distance of a trailing stop must be whole ticks of 0.50.'],
  ['trailing', 'by 0%', '! The distance must be more than 0% and less than 100%.'],
  ['trailing', 'step 501', '! The step of a trailing stop must be from a tick to its distance.'],
  ['scale', 'quantity 0.2', '! A scale cannot be changed: cancel it and make another.'],
] as const)('a plan of kind %s changed by "%s"', (kind, line, text) => expect(changed(kind, line)).toBe(text))

test('what is not named of a plan stays, and distances that fit no more take their defaults', () => {
  const of = (kind: keyof typeof kept, line: string, change: Partial<PlanSentenceContext> = {}) => {
    const read = readPlanChange(line, kept[kind], { ...context, ...change })
    return read.ok ? read.value : textOf(read)
  }
  expect(of('oco', 'near 60')).toStrictEqual({ ...kept.oco, nearBy: d(60), backBy: d(120) })
  expect(of('oco', 'stop 63500')).toEqual({ ...kept.oco, stopPrice: d(63_500) })
  // Of 100 from stop to target a quarter is 25: the 50 that it had are too many.
  expect(of('oco', 'stop 65900')).toEqual({ ...kept.oco, stopPrice: d(65_900), nearBy: d(25), backBy: d(50) })
  expect(of('bracket', '64100')).toEqual({ ...kept.bracket, entryPrice: d(64_100) })
  expect(of('trailing', 'quantity 0.2')).toEqual({ ...kept.trailing, quantity: d('0.2') })
  expect(of('trailing', 'by 400')).toEqual({ ...kept.trailing, trailBy: d(400), stepBy: d(40) })
  expect(of('trailing', 'by 400 step 30')).toEqual({ ...kept.trailing, trailBy: d(400), stepBy: d(30) })
  const swap = { swapBackTimes: d(3) }
  expect(of('oco', 'near 60', { swap })).toMatchObject({ nearBy: d(60), backBy: d(180) })
  expect(of('oco', 'stop 65900', { swap })).toMatchObject({ nearBy: d(25), backBy: d(75) })
})

test('a selling bracket changes the other way round, and its symbol is its own whatever is on screen', () => {
  const terms = termsOf('bracket sell 0.1 btc 64000 stop 66000 target 63000')
  const onScreen = { ...context, symbol: 'ETH-EUR' }
  expect(textOf(readPlanChange('stop $66500', terms, onScreen))).toBe(
    '= bracket sell 0.1 BTC-USD 64000 stop 66500 target 63000',
  )
  const gone = { ...context, instruments: new Map([[ether.symbol, ether]]) }
  expect(textOf(readPlanChange('stop 66500', terms, gone))).toBe('! The rules of BTC-USD are not loaded: wait.')
})
