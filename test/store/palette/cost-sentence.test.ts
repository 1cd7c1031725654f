import { expect, test } from 'vitest'
import { readSentence, sentenceOffers } from '../../../src/store/palette/sentences.ts'
import { aDesk } from '../desk.ts'

test.each([
  ['cost btc 0.5 @ 60000', '2023-11-14T22:13:20.000Z', 'held now.'],
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
  ['cost btc 0.5', 'Incomplete: price missing.'],
  ['cost btc 0.5 @', 'The price is missing.'],
  ['cost btc 0 @ 60000', 'The quantity must be above zero.'],
  ['cost btc -1 @ 60000', 'The quantity must be above zero.'],
  ['cost btc 1 @ -60000', 'The price must not be below zero.'],
  ['cost btc 0,5 @ 60000', 'The quantity "0,5" can be read in two ways'],
  ['cost btc 0.5 @ 60,000', 'The price "60,000" can be read in two ways'],
  ['cost btc 0.5 @ €60000', 'is an amount of EUR'],
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
  expect(sentenceOffers('cost ', store.getState(), 5)).toEqual(['cost btc ', 'cost eth '])
})
