import { expect, test } from 'vitest'
import { csvCell, csvLine } from '../../../src/base/text/csv.ts'

test.each([
  '=HYPERLINK("http://x")',
  '+1+2',
  '-cmd',
  '@SUM(A1)',
  ' =1',
  '\t=1',
  '\r=1',
  '\n=1',
  '\u00a0=1',
  '\u2003=1',
  '\u0000=1',
  '\u200b=1',
  '\ufeff=1',
  '\u202e=1',
  // Full-width, small, raised and lowered forms, and the sign for minus.
  '＝1',
  '＋1',
  '－cmd',
  '＠SUM(A1)',
  '﹢1',
  '﹣cmd',
  '﹦1',
  '﹫SUM(A1)',
  '⁺1',
  '₌1',
  '−cmd',
  '　＝1',
])('what a spreadsheet would take for a formula is made safe: %j', (text) => {
  expect(csvCell(text)).toMatch(/^'/)
})

test.each(['-5.4044', '+3', '0.1', 'BTC-USD', '', '64209.50', '9223372036854775807', 'a=b', "'quoted"])(
  'a number, and what is no formula, stays as it is: %j',
  (text) => {
    expect(csvCell(text)).toBe(text)
  },
)

test('nothing in a cell steers a terminal or begins a row of its own', () => {
  expect(csvCell('a\u001b[31mb\r\nc')).toBe('a[31mb c')
})

test('a line quotes what would be taken for more than one cell', () => {
  expect(csvLine(['1', 'a "b", c', '', '=x,y', 'plain'])).toBe(`1,"a ""b"", c",,"'=x,y",plain`)
})
