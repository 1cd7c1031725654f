import { expect, test } from 'vitest'
import { createDeskPacer, createFirstLook, createPacer } from '../../src/desk/polling.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskState } from '../fakes/desk-state.ts'
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

test('while nothing is due it sleeps, and what comes then is gathered for a moment and committed', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  let wokenCount = 0
  const sleep = async (...given: Parameters<typeof clock.sleep>) => {
    await clock.sleep(...given)
    wokenCount += 1
  }
  const commits: string[] = []
  const pacer = createPacer<string>({
    clock: { now: () => clock.now(), sleep },
    signal: stop.signal,
    commit: (events) => commits.push(events.join(' ')),
    tick: (nowMs) => `t${nowMs}`,
    periodMs: 100,
    tickMs: 10_000,
  })
  const done = pacer.run()
  await clock.advance(5_000)
  expect(wokenCount).toBe(0)
  pacer.add('a')
  await clock.advance(49)
  pacer.add('b')
  await clock.advance(1)
  pacer.add('c')
  await clock.advance(60)
  // What the user waits for goes at once, and what comes after it begins a period of its own.
  pacer.flush()
  pacer.add('d')
  await clock.advance(99)
  expect(commits).toEqual(['t0', 't5050 a b', 't5110 c'])
  await clock.advance(1)
  expect(commits.at(-1)).toBe('t5210 d')
  await clock.advance(9_999)
  expect(commits.length).toBe(4)
  await clock.advance(1)
  expect(commits.at(-1)).toBe('t15210')
  expect(wokenCount).toBeLessThan(8)
  pacer.add('e')
  stop.abort()
  await done
  await clock.advance(1_000)
  expect(commits.length).toBe(5)
})

test('news is committed at once where the last commit was long enough ago, twenty times a second at most', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const commits: number[] = []
  const pacer = createPacer<string>({
    clock,
    signal: stop.signal,
    commit: () => commits.push(clock.now()),
    tick: () => 't',
    periodMs: 100,
    newsPeriodMs: 50,
    tickMs: 500,
  })
  const done = pacer.run()
  await clock.advance(60)
  pacer.add('a')
  pacer.hurry()
  expect(commits).toEqual([0, 60])
  for (let beats = 0; beats < 200; beats += 1) {
    await clock.advance(5)
    pacer.add('b')
    pacer.hurry()
  }
  // Nothing is left to tell.
  await clock.advance(60)
  const count = commits.length
  await clock.advance(400)
  expect(commits.length).toBe(count)
  stop.abort()
  await done
  const gaps = commits.slice(1).map((atMs, index) => atMs - (commits[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(50)
  expect(commits.length).toBeGreaterThan(15)
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

test('where motion is reduced the picture changes twice a second at most, whatever comes', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const state = deskState()
  const store = createDeskStore({ ...state, looks: { ...state.looks, isMotionReduced: true } })
  const changes: number[] = []
  store.subscribe(() => changes.push(clock.now()))
  const calls = () => ({ perSecond: 0, perSecondMax: 10, pausedMs: 0, retryCount: 0 })
  const pacer = createDeskPacer(store, { clock, signal: stop.signal, calls })
  const done = pacer.run()
  for (let beats = 0; beats < 100; beats += 1) {
    await clock.advance(50)
    pacer.add({ type: 'noted', level: 'info', text: `${beats}`, atMs: clock.now() })
    pacer.hurry()
  }
  stop.abort()
  await done
  expect(changes.length).toBeGreaterThan(5)
  const gaps = changes.slice(1).map((atMs, at) => atMs - (changes[at] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500)
})
