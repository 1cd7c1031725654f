import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import type { Clock } from '../../base/clock.ts'
import { startedAfterMs } from '../../base/process/node-runtime.ts'

/** The engine's heap, as far as it can be read and set at run time. */
export type Heap = {
  /** Size of the young generation in bytes. */
  youngBytes(): number
  /** Its maximum growth per step: 1 for none, 2 is the default. */
  growYoungBy(factor: 1 | 2): void
  /** Growth of the old generation in percent that starts a full collection. */
  growOldBy(percent: number): void
  /** Number of calls after which a function gets the optimizing compiler. */
  optimizeAfter(calls: number): void
  /** Calls the listener after each collection. */
  onCollected(listener: () => void): void
}

const mebibyte = 1_048_576
/**
 * Space for some seconds of frames and answers in a quiet market. By default it grows to 128 MiB within minutes, nearly
 * all of it garbage.
 */
const youngMaxBytes = 4 * mebibyte
/**
 * At ten answers a second the smaller space fills six times a second, and objects shown for half a second are moved to
 * the old generation: a full collection every ten seconds, for half as much processor time again. A busy market may use
 * more; in a quiet one the engine shrinks it.
 */
const youngMaxBusyBytes = 16 * mebibyte
/** Collections within `busyWithinMs` that make a busy market. */
const busyCollections = 8
const busyWithinMs = 2_500
/**
 * The default is two to three times the heap in use. A full collection blocks keys for 6 ms: at a third of this bound
 * it ran a few times a minute and saved nothing. The bound applies to a practice exchange's thread too.
 */
const oldGrowthPercent = 30

/**
 * The default is a tenth of that: in a quiet desk the optimizing compiler then runs for minutes, for functions called
 * once a frame, and takes a twentieth of the processor time. The functions of a full market reach this count in seconds
 * anyway.
 */
const optimizedAfterCalls = 30_000

/**
 * Keeps the memory of a desk that runs for days small, from after its start until `signal`: it shares its machine, and
 * no one expects a quarter of a gigabyte of a terminal program. The engine's own bounds suit servers with a machine to
 * themselves, and are fixed before a program starts; growth is decided at each collection, so that is set here. Not
 * sooner: after any flag the engine recompiles Node's own files in each new thread, because its cached code no longer
 * fits, and a practice exchange would start 40 ms later. The next tidying (`tidyNowAndThen`) releases the start's
 * memory above the bounds. Costs about a tenth more processor time.
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
    // In quiet hours the engine shrinks the space, which may grow again afterwards.
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
