import { expect, test } from 'vitest'
import { completeSentence, readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { planAfter, protectedPlan, somePlans, tenthTrailing } from '../../fakes/plans.ts'
import { saidOf } from './said.ts'

const state = { ...deskState(), plans: somePlans() }

/** What the palette makes of a line, by its first words and its outcome: `=`, `?` with what is offered, or `!`. */
function said(line: string): string {
  const reading = readSentence(line, state)
  if (reading === null) return '~'
  if (reading.kind === 'understood') return `= ${reading.lines.slice(0, 2).join(' | ')}`
  const instead = reading.instead ?? []
  return `${instead.length === 0 ? '!' : '?'} ${[...reading.lines, ...instead].join(' | ')}`
}

const entry = '= Entry now: BUY 0.1000 BTC-USD at 64,000.00. What fills of it is protected:'
const stop = 'SELL stop at 63,000.00 rests at the exchange: any price once it triggers.'

test.each([
  ['bracket buy 0.1 btc 64000 stop 63000 target 66000', `${entry} | ${stop}`],
  ['Bracket BUY .1 BTC @ 64k stop 63k target 66k', `${entry} | ${stop}`],
  ['bracket long 0.1btc at 64000 sl 63000 tp 66000', `${entry} | ${stop}`],
  ['bracket buy 0.1 btc 64000 stop at 63000 take profit at 66000', `${entry} | ${stop}`],
  ['bracket buy 0.1 btc market stop 63000 target 66000', '= Entry now: BUY 0.1000 BTC-USD at the market.'],
  ['bracket buy 0.1 btc 64000 stop 63000 limit 62900 target 66000', 'limit 62,900.00 once it triggers'],
  ['oco sell 0.1 btc stop 63000 target 66000', `= Protects 0.1000 BTC-USD: | ${stop}`],
  ['oco 0.1 btc stop 63000 target 66000', `= Protects 0.1000 BTC-USD: | ${stop}`],
  ['bracket buy 0.1 btc 64000 stop 1.5625% target +3.125%', `${entry} | ${stop}`],
  ['bracket buy 0.1 btc 64000 sl -1.5625% tp 66000', `${entry} | ${stop}`],
  ['bracket sell 0.1 btc 64000 stop +1% target -2%', 'BUY stop at 64,640.00 rests'],
  ['trail sell 0.1 btc by 500', '= SELL stop for 0.1000 BTC-USD rests 500.00 behind the price. | It follows by 50.00'],
  ['trailing stop sell 0.1 btc by 1%', 'behind the price. | It follows by'],
  ['scale buy 1 btc 63000 to 64000 in 10', '= 10 limit orders, BUY 1.0000 BTC-USD in all: | 0.1000 at 63,000.00'],
  ['scale buy 1 btc 63000-64000 x 10 orders', '= 10 limit orders, BUY 1.0000 BTC-USD in all: | 0.1000 at 63,000.00'],
  ['trail sell half btc by 500', '= SELL stop for 0.1960 BTC-USD rests 500.00 behind the price.'],
  ['oco sell sell 0.1 btc btc stop 63000 stop 63k target 66000', `= Protects 0.1000 BTC-USD: | ${stop}`],
  ['plans', '= 2 plans are open; this desk carries them out. | p1: oco sell 0.0500 BTC-USD stop 63,000.00'],
  ['cancel plan p1', '| Ends the plan and cancels its orders.'],
  ['cancel p1', '| Ends the plan and cancels its orders.'],
  ['cancel plan p1 leave', '| Ends the plan. Its orders stay at the exchange'],
  ['resume p2', '= p2: oco sell 0.0500 BTC-USD'],
  ['edit plan p1 stop 63500', '= Protects 0.0500 BTC-USD: | SELL stop at 63,500.00'],
  ['edit p1 quantity 0.02', '= Protects 0.0200 BTC-USD:'],
])('%s is understood', (line, words) => expect(said(line)).toContain(words))

test.each([
  ['bracket', '! Incomplete: quantity missing'],
  ['bracket 0.1 btc 64000 stop 63000 target 66000', '? Buy or sell?'],
  ['bracket buy 0.1 btc stop 63000 target 66000', '! Incomplete: entry price, or market, missing'],
  ['bracket buy 0.1 btc 64000 target 66000', '! Incomplete: stop missing'],
  ['bracket buy 0.1 btc 64000 stop 65000 target 66000', '! The entry must be between stop and target'],
  ['bracket buy 0.1 btc 64000 stop 66000 target 63000', '! To sell, the target must be above the stop'],
  ['bracket buy 0.1 btc 64000.3 stop 63000 target 66000', '! The entry price 64000.3 is off the tick'],
  ['bracket buy 0,1 btc 64000 stop 63000 target 66000', 'has a decimal comma: write 0.1'],
  ['bracket buy 0.1 doge 64000 stop 63000 target 66000', '! Not understood: doge.'],
  ['oco btc 66000 63000', '? Name each price: stop 63000 target 66000. | oco sell all btc-usd stop 63000 target 66000'],
  ['oco sell 0.1 btc 63000 66000', '| oco sell 0.1 btc-usd stop 63000 target 66000'],
  ['oco buy 0.1 btc 63000 66000', '| oco buy 0.1 btc-usd stop 66000 target 63000'],
  ['bracket buy 0.1 btc 64000 63000 66000', '| bracket buy 0.1 btc-usd 64000 stop 63000 target 66000'],
  ['bracket buy 0.1 btc market 63000 66000', '| bracket buy 0.1 btc-usd market stop 63000 target 66000'],
  ['trail 0.1 btc by 500', '? Buy or sell?'],
  ['trail sell 0.1 btc', '! Incomplete: distance'],
  ['trail buy half btc by 500', '! half needs a plan that sells first: type a quantity.'],
  ['trail sell 0.1 btc by 200%', '! The distance must be more than 0%'],
  ['scale buy 1 btc 63000 to 64000', '! Incomplete: number of orders missing'],
  ['scale buy 1 btc 63000 to 64000 in 1000', '! A scale has 2 to 50 orders'],
  ['oco sell 0.1 btc stop 63000 stop 62000 target 66000', '! Say the stop once: 63000, or 62000?'],
  ['oco sell 0.1 btc stop 63000 sl 62000 target 66000', '! Say the stop once: 63000, or 62000?'],
  ['oco sell 0.1 btc stop 63000 target 66000 tp 70000', '! Say the target once'],
  ['oco sell 0.1 btc buy stop 63000 target 66000', '! Say the side once: SELL, or BUY?'],
  ['oco sell 0.1 btc stop 63000 target 66000 eth', '! Say the symbol once: BTC-USD, or ETH-USD?'],
  ['oco sell 0.1 btc quantity 0.2 stop 63000 target 66000', '! Say the quantity once: 0.1, or 0.2?'],
  ['oco sell 0.1 btc stop +1% target +2%', '! To sell, the stop is below: -1%, or a price.'],
  ['oco buy 0.1 btc stop 1% target +2%', '! To buy, the target is below: -2%, or a price.'],
  ['oco sell 0.1 btc stop 1% sl 2% target 66000', '! Say the stop once.'],
  ['oco sell 0.1 btc stop 63000 sl 2% target 66000', '! Say the stop once.'],
  ['oco sell 0.1 btc stop 0% target 66000', '! The stop must be more than 0% away, and less than 100%.'],
  ['oco sell 0.1 btc stop 120% target 66000', '! The stop must be more than 0% away, and less than 100%.'],
  ['oco sell 0.1 btc stop -500 target 66000', '! stop needs a price: -500 is not one.'],
  ['oco sell 0.1 btc stop 63000 target 66000 post', '! An OCO knows no "post": leave it out.'],
  ['trail sell 0.1 0.2 btc by 1%', '! Name each price.'],
  ['trail sell 0.1 btc by 500 limit 100', '! A trailing stop knows no "limit": leave it out.'],
  ['scale buy 1 btc 63000 to 64000 to 65000 in 10', '! A scale goes from one price to another'],
  ['scale buy 1 btc 63000 to 64000 in 10 in 20', '! Say the number of orders once: 10, or 20?'],
  ['edit plan p1 stop 63500 stop 63400', '! Say the stop once: 63500, or 63400?'],
  ['cancel plan', '? Which plan? | Open: p1, p2. | cancel plan p1'],
  ['cancel plan p9', '! There is no plan p9. Open: p1, p2.'],
  ['cancel plan p1 now', '! Say: cancel plan p1'],
  ['resume', '? Which plan?'],
  ['resume p1', '! Plan p1 is running already: nothing to resume.'],
  ['edit plan p1', '! Say what changes'],
  ['edit plan p1 buy', '! A plan keeps its kind, symbol and side'],
])('%s says what is missing or wrong', (line, words) => expect(said(line)).toContain(words))

test('an edit is asked about by the symbol of its plan, whichever is on screen, and by its distance', () => {
  const trailing = { ...protectedPlan('p3'), plan: planAfter('p3', tenthTrailing) }
  const shown = { ...state, symbol: 'SOL-USD', plans: somePlans(protectedPlan(), trailing) }
  expect(saidOf('edit plan p1 stop 63.500', shown)).toBe(
    '? "63.500" can be read in two ways: write 63500 or 63.5. -> edit plan p1 stop 63.5 / edit plan p1 stop 63500',
  )
  expect(saidOf('edit plan p3 by 1', shown)).toBe(
    '? "by 1" may be 1% of the price, or 1 USD behind it: which? -> edit plan p3 by 1% / edit plan p3 by 1 usd',
  )
  for (const line of ['edit plan p1 stop 63500', 'edit plan p3 by 400', 'edit plan p3 by 1%', 'edit plan p3 by 1 usd'])
    expect(saidOf(line, shown)).toMatch(/^=/)
})

test('cancel alone offers to end a plan too, and Tab and the list know the plans that are open', () => {
  expect(said('cancel')).toMatch(/cancel all \| cancel plan$/)
  expect(sentenceOffers('cancel ', state, 20)).toContain('cancel plan ')
  expect(sentenceOffers('cancel plan ', state, 20)).toEqual(['cancel plan p1 ', 'cancel plan p2 '])
  expect(completeSentence('cancel plan ', state)).toBe('cancel plan p')
  expect(completeSentence('cancel pl', state)).toBe('cancel plan ')
})

test('of a plan the words are on offer that may follow: a symbol once, and none where a number belongs', () => {
  const offered = (line: string) => sentenceOffers(line, state, 5).map((each) => each.slice(line.lastIndexOf(' ') + 1))
  expect(offered('bracket ')).toEqual(['buy ', 'sell ', 'btc-usd ', 'eth-usd ', 'sol-usd '])
  expect(offered('oco sell 0.1 btc ')).toEqual(['stop ', 'target ', 'limit ', 'near '])
  expect(offered('oco sell 0.1 btc stop ')).toEqual([])
  expect(offered('oco sell 0.1 btc stop 63000 ')).toEqual(['target ', 'limit ', 'near '])
  expect(offered('bracket buy 0.1 btc @ ')).toEqual([])
  expect(offered('trail sell 0.1 btc ')).toEqual(['by ', 'step ', 'from '])
  expect(offered('scale buy 1 btc from 63000 ')).toEqual(['to ', 'in ', 'post '])
  expect(completeSentence('oco sell 0.1 btc stop 63000 ta', state)).toBe('oco sell 0.1 btc stop 63000 target ')
})

test('what is understood says where a plan exists, what it cannot do, and what it costs at worst', () => {
  const reading = readSentence('bracket buy 0.1 btc 64000 stop 63000 target 66000', state)
  if (reading?.kind !== 'understood') throw new Error(JSON.stringify(reading))
  const text = reading.lines.join('\n')
  expect(text).toContain('THE PLAN EXISTS ON THIS SIDE ONLY')
  expect(text).toContain('Worst at the stop: 100.00 USD lost of 6,400.00 USD')
  expect(text).toContain('a price through the target is missed')
  expect(text).toContain(
    "Between a cancel and the new order's answer nothing rests (none here yet; in a drill median 64 ms, longest 463 ms, of 93).",
  )
  expect(reading.enter).toContain('nothing is sent')
})

test('a share of the price is whole ticks', () => {
  const reading = readSentence('trail sell 0.1 btc by 1%', state)
  if (reading?.kind !== 'understood') throw new Error(JSON.stringify(reading))
  expect(reading.lines[0]).toMatch(/rests 64\d\.[05]0 behind/)
})

test.each(['MONITOR', 'HALTED'] as const)('%s makes no plan', (kind) => {
  const reading = readSentence('trail sell 0.1 btc by 500', { ...state, mode: { kind } })
  expect(reading).toMatchObject({ kind: 'wrong', lines: [expect.stringContaining(kind)] })
})

test('the plans of a HALTED desk are not said to be carried out', () => {
  const reading = readSentence('plans', { ...state, mode: { kind: 'HALTED' } })
  expect(reading?.kind === 'understood' ? reading.lines[0] : reading).toBe(
    '2 plans are open; this desk is HALTED, and they may only cancel.',
  )
})

test('a line of very many numbers is no plan: they are not compared with each other, which took seconds', () => {
  const line = `oco sell ${'64000 '.repeat(12)}0.1 btc`
  const reading = readSentence(line, deskState())
  expect(reading?.lines).toEqual(['Name each price. Say: oco sell 0.1 btc stop 63000 target 66000.'])
})
