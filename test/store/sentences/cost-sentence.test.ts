import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { aPosition, reckonedPositions } from '../../fakes/worth.ts'
import { aDesk, startMs } from '../desk.ts'

test.each([
  ['cost btc 0.5 @ 60000', '2023-11-14T22:13:20.000Z', 'held now.'],
  ['cost 0.5 btc at 60000 usd', '2023-11-14T22:13:20.000Z', 'held now.'],
  ['cost btc 0.5 @ 60k usd 2023-11-01', '2023-11-01T23:59:59.999Z', 'held at the end of 2023-11-01 (UTC).'],
  ['COST 0.5 BTC @60k', '2023-11-14T22:13:20.000Z', 'held now.'],
  ['cost btc 0.5 at $60,000.00 2023-11-01', '2023-11-01T23:59:59.999Z', 'held at the end of 2023-11-01 (UTC).'],
  ['cost btc 0.5 @ 60000 yesterday', '2023-11-13T23:59:59.999Z', 'held at the end of 2023-11-13 (UTC).'],
])('%s is said word by word, and kept', (line, at, when) => {
  const desk = aDesk('MONITOR')
  const reading = readSentence(line, desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error(JSON.stringify(reading))
  expect(reading.lines).toEqual([
    '0.5 BTC at 60,000 USD each, 30,000.00 USD in all.',
    `Counts for the oldest BTC of unknown cost ${when}`,
  ])
  expect(reading.enter).toContain('nothing is sent')
  reading.run(desk.commands, () => undefined)
  expect(desk.sent).toEqual([`cost 0.5 BTC at 60000, ${at}`])
})

test.each([
  ['cost', 'Incomplete.'],
  ['cost btc forget', 'No cost of BTC is stated.'],
  ['cost btc 0.5 @ 60000 instead', 'No cost of 0.5 BTC is stated.'],
  ['cost btc 0.5 @ 60000 2023-11-01 instead', 'No cost of 0.5 BTC is stated for 2023-11-01.'],
  ['cost btc 0.5', 'Incomplete: what did 1 BTC cost in USD? Say: cost btc 0.5 @ PRICE.'],
  ['cost btc 0.5 @', 'The price is missing.'],
  ['cost btc 0 @ 60000', 'The quantity must be above zero.'],
  ['cost btc -1 @ 60000', 'The quantity must be above zero.'],
  ['cost btc 1 @ -60000', 'The price must not be below zero.'],
  ['cost btc 0,5 @ 60000', 'The quantity "0,5" has a decimal comma: write 0.5'],
  ['cost btc 0.5 @ 60,000', 'The price "60,000" can be read in two ways'],
  ['cost btc 0.5 @ €60000', 'is an amount of EUR'],
  ['cost btc 0.5 @ 1 btc', '1 BTC is an amount of BTC: type the price in USD.'],
  ['cost usd 5 @ 1', 'USD has no cost: it is worth 1 of itself.'],
  ['cost doge 5 @ 1', 'Unknown currency DOGE. Currencies: BTC'],
  ['cost btc 0.5 @ 60000 22/11/2023', '22/11/2023 must be a UTC time'],
  ['cost btc 0.5 @ 60000 2023-11-15', '2023-11-15 is not over yet'],
  ['cost btc 0.5 @ 60000 2023-11-01 too', 'Not understood: too.'],
])('%s says what is wrong', (line, reason) => {
  const reading = readSentence(line, aDesk().store.getState())
  expect(reading).toMatchObject({ kind: 'wrong', lines: expect.arrayContaining([expect.stringContaining(reason)]) })
})

test.each([
  ['cost btc 0.5 60000', 'cost btc 0.5 @ 60000'],
  ['csot btc 0.5 @ 60000', 'cost btc 0.5 @ 60000'],
])('%s: the line that was meant is offered', (line, meant) => {
  expect(readSentence(line, aDesk().store.getState())).toMatchObject({ kind: 'wrong', instead: [meant] })
})

test('what is held and traded is offered', () => {
  const { store } = aDesk()
  expect(sentenceOffers('cost btc ', store.getState(), 5)).toEqual(['cost btc forget '])
  expect(sentenceOffers('cost ', store.getState(), 5)).toEqual(['cost btc ', 'cost eth '])
})

const aCost = (quantity: string, usdEach: string, day = '2023-11-01') => ({
  currency: 'BTC',
  quantity: new Decimal(quantity),
  usdEach: new Decimal(usdEach),
  atMs: Date.parse(`${day}T12:00:00Z`),
})

/** A desk with stated costs, and so much BTC held at unknown cost; null: not reckoned yet. */
function statedDesk(costs: readonly ReturnType<typeof aCost>[], unknown: string | null) {
  const desk = aDesk()
  desk.store.dispatch({ type: 'costsRead', costs })
  if (unknown !== null) {
    const positions = [aPosition('BTC', '1', '0', { quantityOfUnknownCost: new Decimal(unknown) })]
    desk.store.dispatch({ type: 'positionsReckoned', reckoned: { ...reckonedPositions, positions }, atMs: startMs })
  }
  const read = (line: string) => readSentence(line, desk.store.getState())
  return {
    read,
    says: (line: string) => {
      const reading = read(line)
      const instead =
        reading?.kind === 'wrong' && (reading.instead ?? []).length > 0 ? ['->', ...(reading.instead ?? [])] : []
      return [...(reading?.lines ?? []), ...instead]
    },
    does(line: string) {
      const reading = read(line)
      if (reading?.kind !== 'understood') throw new Error(JSON.stringify(reading))
      reading.run(desk.commands, () => undefined)
      return desk.sent
    },
  }
}

const half = '0.5 BTC at 60,000 USD each, for what was held on 2023-11-01 (UTC)'

test('cost btc lists what is stated and what nobody knows, and changes nothing', () => {
  expect(statedDesk([], null).says('cost btc')).toEqual([
    'How much BTC is held at unknown cost is not computed yet.',
    'No cost is stated.',
  ])
  const { says, does } = statedDesk([aCost('0.5', '60000'), aCost('0.2', '50000')], '0.25')
  expect(says('cost btc')).toEqual([
    '0.25 BTC is held at unknown cost: cost btc 0.25 @ PRICE states it.',
    `1: ${half}.`,
    '2: 0.2 BTC at 50,000 USD each, for what was held on 2023-11-01 (UTC).',
    'To take one back: cost btc forget NUMBER',
  ])
  expect(says('cost')).toContain('Held at unknown cost: 0.25 BTC.')
  expect(does('cost btc')).toEqual([])
})

test('a stated cost is taken back, the only one, by its number, or all of them', () => {
  const one = statedDesk([aCost('0.5', '60000')], '0')
  expect(one.says('cost btc forget')).toEqual([`Remove: ${half}.`, 'What it counted for is of unknown cost again.'])
  expect(one.does('cost btc forget')).toEqual(['forget cost 0.5 BTC at 60000, 2023-11-01T12:00:00.000Z'])
  const two = () => statedDesk([aCost('0.5', '60000'), aCost('0.2', '50000')], '0')
  expect(two().says('cost btc forget').slice(-4)).toEqual([
    '->',
    'cost btc forget 1',
    'cost btc forget 2',
    'cost btc forget all',
  ])
  expect(two().does('cost btc forget 2')).toEqual(['forget cost 0.2 BTC at 50000, 2023-11-01T12:00:00.000Z'])
  expect(two().does('cost btc forget all')).toHaveLength(2)
  expect(two().says('cost btc forget 3')).toEqual(['There is no cost 3 of BTC: 2 are stated.'])
})

test('stated again for the same quantity it is corrected, and counts for the moment of before', () => {
  const { says, does } = statedDesk([aCost('0.5', '60000'), aCost('0.2', '50000')], '0.1')
  expect(says('cost btc 0.5 @ 61000')).toEqual([
    '0.5 BTC at 61,000 USD each, 30,500.00 USD in all.',
    `In place of ${half}.`,
  ])
  expect(does('cost btc 0.5 @ 61000')).toEqual([
    'forget cost 0.5 BTC at 60000, 2023-11-01T12:00:00.000Z',
    'cost 0.5 BTC at 61000, 2023-11-01T12:00:00.000Z',
  ])
  expect(says('cost btc 0.5 @ 60000')).toEqual([`Stated already: ${half}.`])
  expect(says('cost btc 0.3 @ 60000')[1]).toBe('Counts for the oldest BTC of unknown cost held now.')
})

test.each(['0.5', null])('with as much at unknown cost (%s) it is asked whether it corrects or adds', (unknown) => {
  const { says, does } = statedDesk([aCost('0.5', '60000')], unknown)
  expect(says('cost btc 0.5 @ 61000')).toEqual([
    `Stated before: ${half}. In its place, or for other units?`,
    ...['->', 'cost btc 0.5 @ 61000 instead', 'cost btc 0.5 @ 61000 also'],
  ])
  expect(says('cost btc 0.5 @ 61000 instead')[1]).toBe(`In place of ${half}.`)
  expect(does('cost btc 0.5 @ 61000 also')).toEqual(['cost 0.5 BTC at 61000, 2023-11-14T22:13:20.000Z'])
  // Another day is another statement.
  expect(says('cost btc 0.5 @ 61000 2023-11-02')[1]).toContain('held at the end of 2023-11-02 (UTC).')
})

test('of several for the same quantity the person says which', () => {
  const days = statedDesk([aCost('0.5', '60000'), aCost('0.5', '50000', '2023-11-03')], '0')
  expect(days.says('cost btc 0.5 @ 61000')).toEqual([
    '2 costs are stated for 0.5 BTC. In the place of which one?',
    ...['->', 'cost btc 0.5 @ 61000 2023-11-01 instead', 'cost btc 0.5 @ 61000 2023-11-03 instead'],
    ...['cost btc 0.5 @ 61000 also', 'cost btc forget'],
  ])
  expect(days.does('cost btc 0.5 @ 61000 2023-11-03 instead')[0]).toContain('forget cost 0.5 BTC at 50000')
})

test('a price beyond half or twice what a unit is worth now is asked about: 60.000 for 60,000 is taken as nothing', () => {
  const desk = statedDesk([], '0.5')
  expect(desk.says('cost btc 0.5 @ 60.000 2023-11-01')).toEqual([
    '60 USD for 1 BTC is less than half of what it is worth now, 64,210.50.',
    ...['->', 'cost btc 0.5 @ 60000 2023-11-01', 'cost btc 0.5 @ 60 2023-11-01 exactly'],
  ])
  // A thousand times it would be no better.
  expect(desk.says('cost btc 0.5 @ 6.000').slice(-1)).toEqual(['cost btc 0.5 @ 6 exactly'])
  expect(desk.says('cost btc 0.5 @ 300 also').slice(-2)).toEqual(['->', 'cost btc 0.5 @ 300 also exactly'])
  expect(desk.says('cost btc 0.5 @ 129000')[0]).toBe(
    '129,000 USD for 1 BTC is more than twice what it is worth now, 64,210.50.',
  )
  for (const near of ['33000', '128000', '0']) expect(desk.says(`cost btc 0.5 @ ${near}`)[1]).toContain('Counts for')
  expect(desk.does('cost btc 0.5 @ 300 2023-11-01 exactly')).toEqual(['cost 0.5 BTC at 300, 2023-11-01T23:59:59.999Z'])
})

test('what is asked next of a far price keeps the word that it is meant', () => {
  const desk = statedDesk([aCost('0.5', '60000')], '0.5')
  expect(desk.says('cost btc 0.5 @ 300 exactly').slice(-2)).toEqual([
    'cost btc 0.5 @ 300 exactly instead',
    'cost btc 0.5 @ 300 exactly also',
  ])
  expect(desk.says('cost btc 0.5 @ 300 exactly instead')[1]).toBe(`In place of ${half}.`)
})
