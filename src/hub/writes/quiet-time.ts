import { type Clock, calledOff } from '../../base/clock.ts'

/** Pause after the last write, so that consecutive writes are not delayed between each other. */
const quietMs = 25
/** Maximum delay, however many writes there are. */
const maxMs = 100

export type QuietTime = {
  /** Call when a write begins, and its result once, when the write was answered. */
  begin(): () => void
  /** Schedules work for the next quiet time, once however often it is added. */
  add(work: () => void): void
}

/** Delays reads that follow writes until no write is in flight, for a limited time. */
export function createQuietTime(clock: Clock, signal: AbortSignal): QuietTime {
  let underWay = 0
  let rest = new AbortController()
  let isWaiting = false
  let works = new Set<() => void>()

  const wait = async (): Promise<void> => {
    isWaiting = true
    const lateMs = clock.now() + maxMs
    while (!signal.aborted) {
      rest = new AbortController()
      const leftMs = lateMs - clock.now()
      if (leftMs <= 0) break
      const pauseMs = underWay > 0 ? leftMs : Math.min(quietMs, leftMs)
      await clock.sleep(pauseMs, AbortSignal.any([rest.signal, signal]))
      if (!rest.signal.aborted && underWay === 0) break
    }
    isWaiting = false
    const due = works
    works = new Set()
    if (!signal.aborted) for (const work of due) work()
  }

  return {
    begin() {
      underWay += 1
      return () => {
        underWay -= 1
        rest.abort(calledOff)
      }
    },
    add(work) {
      works.add(work)
      if (!isWaiting) void wait()
    },
  }
}
