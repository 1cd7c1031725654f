import { expect, test } from 'vitest'
import { createKeyReader, patienceMs } from '../../../src/ui/terminal/key-reader.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function reading() {
  const clock = new FakeClock()
  const keys: string[] = []
  const reader = createKeyReader((event) => keys.push(event.kind === 'key' ? event.key : `paste ${event.text}`), clock)
  return { clock, keys, reader }
}

test('a lone Esc is Esc after a moment, and not before', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b')
  await clock.advance(patienceMs.escape - 1)
  expect(keys).toEqual([])
  await clock.advance(1)
  expect(keys).toEqual(['esc'])
  expect(clock.sleeperCount).toBe(0)
})

test('an arrow key whose rest comes late is still an arrow key', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[')
  await clock.advance(patienceMs.sequence - 1)
  reader.take('A')
  await clock.advance(10_000)
  expect(keys).toEqual(['up'])
})

test('half a sequence that nothing follows is dropped and does not swallow the next key', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[1;')
  await clock.advance(patienceMs.sequence)
  reader.take('x')
  expect(keys).toEqual(['x'])
})

test('a paste without an end does not lock the keys out', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[200~0.05')
  await clock.advance(patienceMs.paste)
  reader.take('K')
  expect(keys).toEqual(['paste 0.05', 'K'])
})

test('after the reader has stopped nothing waits and nothing is handed on', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b')
  reader.stop()
  await clock.advance(1_000)
  expect(keys).toEqual([])
  expect(clock.sleeperCount).toBe(0)
})
