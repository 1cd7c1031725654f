import { doubled } from '../../../base/backoff.ts'
import { hourMs } from '../../../base/text/time-text.ts'

/** Time limit in ms for an attempt as a whole: address lookup, handshakes, and the answer to its last byte. */
export const attemptLimitMs = 5_000
/** An event is given up this many ms after its creation. */
export const windowMs = 72 * hourMs
const firstPauseMs = 10_000
const longestPauseMs = 6 * hourMs
/** Pauses vary by up to this share, so that deliveries that failed together are not retried together. */
const spread = 0.2

/**
 * The pause after that many consecutive failures (1 or more): 10 s, doubled each time, ±20%, at most 6 h. `chance` is
 * from 0 up to 1.
 */
export function pauseMs(failureCount: number, chance: number): number {
  const plainMs = doubled(firstPauseMs, failureCount - 1, longestPauseMs)
  const minMs = plainMs * (1 - spread)
  const maxMs = Math.min(plainMs * (1 + spread), longestPauseMs)
  return Math.floor(minMs + chance * (maxMs - minMs))
}

/** A delivery that has failed so far. */
type Failed = {
  /** When its event was created. */
  madeAtMs: number
  failedAtMs: number
  failureCount: number
  chance: number
}

/**
 * When it is due next: for an attempt, or at the end of the window to be given up. The last attempt still has its full
 * time before the window ends.
 */
export function nextDueMs({ madeAtMs, failedAtMs, failureCount, chance }: Failed): number {
  const endMs = madeAtMs + windowMs
  const lastAttemptMs = endMs - attemptLimitMs
  const dueMs = failedAtMs + pauseMs(failureCount, chance)
  if (dueMs <= lastAttemptMs) return dueMs
  return lastAttemptMs - failedAtMs >= firstPauseMs ? lastAttemptMs : endMs
}

/** What to do about a delivery that is due at this moment. */
export const whenDue = (madeAtMs: number, nowMs: number): 'attempt' | 'giveUp' =>
  nowMs < madeAtMs + windowMs ? 'attempt' : 'giveUp'

type Entry = { id: number; dueMs: number }

/** Ids by due time: each at most once, earliest first, ties by id. */
export class DueQueue {
  /** A binary heap; entries that `dueOf` does not confirm were moved or removed. */
  private heap: Entry[] = []
  private readonly dueOf = new Map<number, number>()

  /** The number of ids in the queue. */
  get size(): number {
    return this.dueOf.size
  }

  /** Adds an id, or moves it to another time. */
  set(id: number, dueMs: number): void {
    if (this.dueOf.get(id) === dueMs) return
    this.dueOf.set(id, dueMs)
    this.rise(this.heap.push({ id, dueMs }) - 1)
  }

  delete(id: number): void {
    this.dueOf.delete(id)
    if (this.dueOf.size === 0) this.heap = []
  }

  clear(): void {
    this.dueOf.clear()
    this.heap = []
  }

  /** When the first one is due; undefined if empty. */
  nextMs(): number | undefined {
    return this.first()?.dueMs
  }

  /** Removes and returns the first one due by `nowMs`. */
  take(nowMs: number): number | undefined {
    const first = this.first()
    if (first === undefined || first.dueMs > nowMs) return undefined
    this.removeTop()
    this.dueOf.delete(first.id)
    return first.id
  }

  private first(): Entry | undefined {
    for (let top = this.heap[0]; top !== undefined; top = this.heap[0]) {
      if (this.dueOf.get(top.id) === top.dueMs) return top
      this.removeTop()
    }
    return undefined
  }

  private removeTop(): void {
    const last = this.heap.pop()
    if (last === undefined || this.heap.length === 0) return
    this.heap[0] = last
    this.sink()
  }

  private isBefore(left: number, right: number): boolean {
    const [a, b] = [this.heap[left], this.heap[right]]
    if (a === undefined || b === undefined) return a !== undefined
    return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.id < b.id)
  }

  private swap(left: number, right: number): void {
    const [a, b] = [this.heap[left], this.heap[right]]
    if (a === undefined || b === undefined) return
    this.heap[left] = b
    this.heap[right] = a
  }

  private rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.isBefore(at, parent)) return
      this.swap(at, parent)
      at = parent
    }
  }

  private sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      const child = this.isBefore(left + 1, left) ? left + 1 : left
      if (!this.isBefore(child, at)) return
      this.swap(at, child)
      at = child
    }
  }
}

/** Maximum concurrent attempts of one kind per endpoint. */
const laneWidth = { first: 256, again: 64 } as const
export type Lane = keyof typeof laneWidth

/**
 * Runs work per endpoint concurrently up to a width: first attempts and retries have separate lanes, so that neither
 * other endpoints nor earlier failures delay a new event.
 */
export class Lanes {
  private readonly lanes = new Map<string, { running: number; waiting: Array<() => Promise<void>> }>()
  private readonly running = new Set<Promise<void>>()

  /** `work` must not reject. */
  run(endpointId: number, kind: Lane, work: () => Promise<void>): void {
    const key = `${kind} ${endpointId}`
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] }
    this.lanes.set(key, lane)
    lane.waiting.push(work)
    this.fill(key, laneWidth[kind])
  }

  /** Drops work that has not started. */
  forgetWaiting(): void {
    for (const lane of this.lanes.values()) lane.waiting = []
  }

  /** Resolves when no work is in progress. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running)
  }

  private fill(key: string, width: number): void {
    const lane = this.lanes.get(key)
    while (lane !== undefined && lane.running < width) {
      const work = lane.waiting.shift()
      if (work === undefined) break
      lane.running += 1
      const run = work().finally(() => {
        lane.running -= 1
        this.running.delete(run)
        this.fill(key, width)
      })
      this.running.add(run)
    }
    if (lane !== undefined && lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(key)
  }
}
