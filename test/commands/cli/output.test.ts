import { expect, test } from 'vitest'
import { tableLines, text, writePieces } from '../../../src/commands/cli/output.ts'
import { outputTo } from '../../fakes/output.ts'

test('once the reader has left no further piece is made', async () => {
  const taken: string[] = []
  const fake = outputTo((text) => taken.push(text))
  let made = 0
  function* pieces() {
    for (; made < 100; made += 1) {
      if (made === 3) fake.breakWith('EPIPE')
      yield 'x'.repeat(100_000)
    }
  }
  await writePieces(pieces(), { output: fake.output, signal: new AbortController().signal })
  expect([taken.length, made]).toEqual([3, 4])
  expect(await fake.output.written()).toBeNull()
})

test('a column without a heading is not named among those that have no room', () => {
  const columns = [text('id', 'ID'), text('name', 'NAME', 1), text('paid', 'IN', 2), text('currency', '', 2)]
  const rows = [{ id: 'a', name: 'b'.repeat(30), paid: '12.50', currency: 'EUR' }]
  expect(tableLines(rows, columns, 12).slice(2).join(' ')).toBe(
    'No room for NAME, IN: a wider terminal, --csv and --json show them.',
  )
})
