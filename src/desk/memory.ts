import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Clock } from '../base/clock.ts'
import { startedAfterMs } from '../base/node-runtime.ts'

/** What of the engine's heap can be seen and set while the program runs. */
export type Heap = {
  /** Bytes that the engine has set aside for new objects. */
  youngBytes(): number
  /** By how much that room may grow at a time: 1 is not at all, 2 is as usual. */
  growYoungBy(factor: 1 | 2): void
  /** How much the old objects may become more, in percent, until the heap is tidied. */
  growOldBy(percent: number): void
  /** How often a function is called until the engine spends its best compiler on it. */
  optimizeAfter(calls: number): void
  /** Calls back after each collection. */
  onCollected(listener: () => void): void
}

const mebibyte = 1_048_576
/**
 * Room for some seconds of frames and answers in a quiet market. Left alone it becomes 128 MiB within minutes, nearly
 * all of it garbage.
 */
const youngMaxBytes = 4 * mebibyte
/**
 * In a market that brings ten answers a second that room is full six times in a second, and what is shown for half a
 * second only is taken for old: the whole heap is tidied every ten seconds, for half as much processor time again.
 * There it may have more; in a quiet market the engine gives it back.
 */
const youngMaxBusyBytes = 16 * mebibyte
/** Collections within `busyWithinMs` that make a busy market. */
const busyCollections = 8
const busyWithinMs = 2_500
/**
 * Left alone, two to three times what is in use. Tidying takes 6 ms in which no key is answered: at a third of this
 * bound it came a few times a minute, and nothing was saved. The thread of a practice exchange is held by it too.
 */
const oldGrowthPercent = 30

/**
 * As usual it is a tenth of that: in a quiet desk the best compiler is then at work for minutes, for functions that are
 * called once in a frame, and takes a twentieth of the processor time. What a full market calls gets there in seconds
 * all the same.
 */
const optimizedAfterCalls = 30_000

/**
 * Keeps a desk that runs for days small, from when it has started until `signal`: it lives on a machine with others,
 * and in a terminal nobody looks for a quarter of a gigabyte. The engine's own bounds are for servers that have the
 * machine to themselves, and are set before a program starts; how fast it grows is decided at each collection, so that
 * is what is set here. Not sooner: once anything is set the engine compiles Node's own files anew, in each thread that
 * begins, and what it has for them is of no use to it. A practice exchange would be there 40 ms later. What a start
 * takes beyond the bounds goes back when the heap is tidied (`tidyNowAndThen`). Costs about a tenth of the processor
 * time more.
 */
export async function keepHeapSmall(clock: Clock, signal: AbortSignal, heap: Heap = engineHeap): Promise<void> {
  await clock.sleep(startedAfterMs, signal)
  if (signal.aborted) return
  heap.growOldBy(oldGrowthPercent)
  heap.optimizeAfter(optimizedAfterCalls)
  let isGrowing = true
  const collectedAtMs: number[] = []
  const look = () => {
    const nowMs = clock.now()
    collectedAtMs.push(nowMs)
    const firstMs = collectedAtMs.length < busyCollections ? Number.NEGATIVE_INFINITY : (collectedAtMs.shift() ?? nowMs)
    const maxBytes = nowMs - firstMs <= busyWithinMs ? youngMaxBusyBytes : youngMaxBytes
    // In quiet hours the engine gives room back, which it may take again after them.
    const mayGrow = heap.youngBytes() < maxBytes
    if (mayGrow === isGrowing) return
    isGrowing = mayGrow
    heap.growYoungBy(mayGrow ? 2 : 1)
  }
  heap.onCollected(look)
  look()
}

const engineHeap: Heap = {
  youngBytes: () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0,
  growYoungBy: (factor) => setFlagsFromString(`--semi-space-growth-factor=${factor}`),
  growOldBy: (percent) => setFlagsFromString(`--heap-growing-percent=${percent}`),
  optimizeAfter: (calls) => setFlagsFromString(`--invocation-count-for-turbofan=${calls}`),
  onCollected: (listener) => new PerformanceObserver(listener).observe({ entryTypes: ['gc'] }),
}
