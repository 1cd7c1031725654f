import { expect, test } from 'vitest'
import { readSentence, sentenceOffers } from '../../../src/store/palette/sentences.ts'
import { aDesk } from '../desk.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)

test.each([
  ['statement 2026-11-01 2026-11-20', 'csv'],
  ['STATEMENT 2026-11-01 2026-11-20 json', 'json'],
])('%s asks for the file', (line, form) => {
  const desk = aDesk('MONITOR')
  const reading = readSentence(line, desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  expect(reading.lines[0]).toContain('from 2026-11-01 to 2026-11-20 (UTC)')
  expect(reading.enter).toContain(form.toUpperCase())
  reading.run(desk.commands, () => undefined)
  expect(desk.sent).toEqual([`statement ${day('2026-11-01')} ${day('2026-11-21') - 1} ${form}`])
  expect(desk.store.getState().notice?.text).toContain('Making the statement')
})

test.each([
  ['statement', 'Say the first and the last day'],
  ['statement 2026-11-01', 'Say the first and the last day'],
  ['statement 2026-11-01 2026-11-20 pdf', 'Say the first and the last day'],
  ['statement 2026-11-01 yesterday', 'yesterday is not a date'],
  ['statement 2026-11-20 2026-11-01', '2026-11-20 is after 2026-11-01'],
])('%s says what is missing', (line, reason) => {
  const reading = readSentence(line, aDesk().store.getState())
  expect(reading).toMatchObject({ kind: 'wrong', lines: [expect.stringContaining(reason)] })
})

test('the days at hand are offered', () => {
  const { store } = aDesk()
  expect(sentenceOffers('statement ', store.getState(), 5)).toEqual(['statement 2023-11-01 ', 'statement 2023-11-14 '])
  expect(sentenceOffers('statement 2023-11-01 ', store.getState(), 5)).toEqual(['statement 2023-11-01 2023-11-14 '])
})
