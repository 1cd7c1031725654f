import { expect, test } from 'vitest'
import { readSentence, sentenceOffers } from '../../../src/store/sentences/sentences.ts'
import { aDesk } from '../desk.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

test.each([
  ['statement 2023-11-01 2023-11-12', 'csv'],
  ['statement 20231101 2023-11-12', 'csv'],
  ['STATEMENT 2023-11-01 2023-11-12 json', 'json'],
])('%s asks for the file', (line, form) => {
  const desk = aDesk('MONITOR')
  const reading = readSentence(line, desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  expect(reading.lines[0]).toContain('from 2023-11-01 to 2023-11-12 (UTC)')
  expect(reading.enter).toContain(form.toUpperCase())
  reading.run(desk.commands, () => undefined)
  expect(desk.sent).toEqual([`statement ${day('2023-11-01')} ${day('2023-11-13') - 1} ${form}`])
  expect(desk.store.getState().notice?.text).toContain('Making the statement')
})

test.each([
  ['statement 2023-11-01 2023-11-12 pdf', 'Say the first and the last day'],
  ['statement 2023-11-01 22/11/2023', '22/11/2023 must be a UTC time'],
  ['statement 1700000000', '1700000000 is a bare number'],
  ['statement 2023-11-12 2023-11-01', '2023-11-12 is after 2023-11-01'],
  ['statement 2026-11-01', '2026-11-01 is in the future'],
])('%s says what is missing', (line, reason) => {
  const reading = readSentence(line, aDesk().store.getState())
  expect(reading).toMatchObject({ kind: 'wrong', lines: [expect.stringContaining(reason)] })
})

test.each([
  ['statement', 'from the first entry to now', /^statement 0 now csv$/],
  ['statement json', 'from the first entry to now', /^statement 0 now json$/],
  ['statement today', 'from 2023-11-14 to 2023-11-14 (UTC), so far', /^statement 1699920000000 1700006399999 csv$/],
  ['statement yesterday', 'from 2023-11-13 to 2023-11-13 (UTC)', /^statement 1699833600000 1699919999999 csv$/],
  ['statement 7d', 'to now (UTC)', /^statement \d+ now csv$/],
])('%s says what it was understood as', (line, said, sent) => {
  const desk = aDesk()
  const reading = readSentence(line, desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  expect(reading.lines[0]).toContain(said)
  reading.run(desk.commands, () => undefined)
  expect(desk.sent).toEqual([expect.stringMatching(sent)])
})

test('pnl shows the positions', () => {
  const desk = aDesk()
  const reading = readSentence('pnl', desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  reading.run(desk.commands, () => undefined)
  expect(desk.store.getState().focus).toBe('positions')
})

test('the days at hand are offered', () => {
  const { store } = aDesk()
  expect(sentenceOffers('statement ', store.getState(), 5)).toEqual(['statement 2023-11-01 ', 'statement 2023-11-14 '])
  expect(sentenceOffers('statement 2023-11-01 ', store.getState(), 5)).toEqual(['statement 2023-11-01 2023-11-14 '])
})
