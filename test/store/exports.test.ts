import { expect, test } from 'vitest'
import { statementAnswered } from '../../src/store/exports.ts'

test('the notice says where the statement is', () => {
  expect(statementAnswered({ ok: true, value: { path: '/x/statement.csv', lineCount: 1, missing: [] } }, 5)).toEqual([
    { type: 'noted', level: 'good', text: 'Statement, 1 line in /x/statement.csv', atMs: 5, path: '/x/statement.csv' },
  ])
})

test('what does not agree goes to the log, and the notice points there', () => {
  const missing = ['The balance of BTC and the lines do not agree.']
  const events = statementAnswered({ ok: true, value: { path: '/x/s.csv', lineCount: 7, missing } }, 5)
  expect(events.map((event) => (event.type === 'noted' ? [event.level, event.text] : []))).toEqual([
    ['warn', missing[0]],
    ['warn', 'Statement, 7 lines in /x/s.csv; not all of it agrees with the balances, see the log'],
  ])
})

test('why there is none is said', () => {
  expect(statementAnswered({ ok: false, error: 'No.' }, 5)).toEqual([
    { type: 'noted', level: 'bad', text: 'No.', atMs: 5 },
  ])
})
