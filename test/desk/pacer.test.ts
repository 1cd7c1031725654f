import { expect, test } from 'vitest'
import { createFirstLook, createPacer } from '../../src/desk/polling.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

test('gathers what arrives, commits ten times a second at most, and ticks when nothing arrives', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const commits: string[] = []
  const pacer = createPacer<string>({
    clock,
    signal: stop.signal,
    commit: (events) => commits.push(events.join(' ')),
    tick: (nowMs) => `t${nowMs}`,
    periodMs: 100,
    tickMs: 500,
  })
  const done = pacer.run()
  pacer.add('a')
  pacer.add('b')
  await clock.advance(100)
  pacer.add('c')
  pacer.flush()
  await clock.advance(600)
  stop.abort()
  await done
  expect(commits).toEqual(['t0', 't100 a b', 't100 c', 't600'])
})

test('the answer that makes the first ladder is not gathered, whichever comes last, and later ones are', () => {
  for (const [first, last] of [
    ['instruments', 'book'],
    ['book', 'instruments'],
  ] as const) {
    const isFirstLook = createFirstLook()
    const types = ['tickers', first, first, last, last, first] as const
    expect(types.map((type) => isFirstLook({ type }))).toEqual([false, false, false, true, false, false])
  }
})
