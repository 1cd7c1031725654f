import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Heap, keepHeapSmall } from '../../../src/desk/screen/memory.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const mebibyte = 1_048_576

/** A heap whose collections are called by hand. */
function fakeHeap() {
  const set: string[] = []
  const listeners: (() => void)[] = []
  let mebibytes = 1
  const heap: Heap = {
    youngBytes: () => mebibytes * mebibyte,
    growYoungBy: (factor) => set.push(`young x${factor}`),
    growOldBy: (percent) => set.push(`old +${percent}%`),
    optimizeAfter: (calls) => set.push(`best after ${calls}`),
    onCollected: (listener) => listeners.push(listener),
  }
  const collect = (size: number) => {
    mebibytes = size
    for (const listener of listeners) listener()
  }
  return { heap, set, collect }
}

/** The same, of a desk that has started. */
async function keptSmall() {
  const { heap, set, collect } = fakeHeap()
  const clock = new FakeClock()
  const kept = keepHeapSmall(clock, new AbortController().signal, heap)
  await clock.advance(5_000)
  await kept
  return { set, collect, clock }
}

test('nothing is set while a desk starts, nor when it ends before it has', async () => {
  const { heap, set } = fakeHeap()
  const clock = new FakeClock()
  const ended = new AbortController()
  const kept = keepHeapSmall(clock, ended.signal, heap)
  await clock.advance(4_999)
  ended.abort()
  await kept
  await clock.advance(60_000)
  expect(set).toEqual([])
  expect(clock.sleeperCount).toBe(0)
})

test('the room for new objects grows to its bound, and again after it was given back', async () => {
  const { set, collect } = await keptSmall()
  expect(set).toEqual(['old +30%', 'best after 30000'])
  for (const size of [1, 2]) collect(size)
  expect(set).toEqual(['old +30%', 'best after 30000'])
  collect(4)
  collect(4)
  expect(set).toEqual(['old +30%', 'best after 30000', 'young x1'])
  collect(1)
  collect(2)
  expect(set).toEqual(['old +30%', 'best after 30000', 'young x1', 'young x2'])
})

test('where the room is full again and again within seconds there may be more of it, up to a bound', async () => {
  const { set, collect, clock } = await keptSmall()
  const collectEvery = async (ms: number, times: number, size: number) => {
    for (let time = 0; time < times; time += 1) {
      await clock.advance(ms)
      collect(size)
    }
  }
  await collectEvery(400, 20, 4)
  expect(set.slice(2)).toEqual(['young x1'])
  await collectEvery(300, 20, 4)
  expect(set.slice(2)).toEqual(['young x1', 'young x2'])
  await collectEvery(300, 1, 16)
  expect(set.slice(2)).toEqual(['young x1', 'young x2', 'young x1'])
  // Given back in a quiet hour: it is the usual bound again.
  await collectEvery(1_000, 20, 8)
  expect(set.slice(2)).toEqual(['young x1', 'young x2', 'young x1'])
})

/** The most MiB that the engine set aside for new objects in a process that makes many, and what it said about it. */
async function youngMaxMebibytes(...args: readonly string[]): Promise<number> {
  const child = fileURLToPath(new URL('./heap-child.ts', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [child, ...args])
  // The engine throws at no flag that it does not know: it says so here.
  expect(stderr).toBe('')
  return Number(stdout)
}

test('the engine takes what it is told: without, the room for new objects becomes larger', async () => {
  const usual = await youngMaxMebibytes()
  const small = await youngMaxMebibytes('small')
  expect(small).toBeGreaterThanOrEqual(4)
  // How far beyond its bound it is by the time that this is told depends on the engine's own threads.
  expect(usual).toBeGreaterThan(small)
})
