import { expect, test } from 'vitest'
import { writePieces } from '../../../src/commands/cli/output.ts'
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
