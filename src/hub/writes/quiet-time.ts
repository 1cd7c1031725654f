import { type Clock, calledOff } from '../../base/clock.ts'

/** After the last write that ended: whoever writes several in a row is not held up between two of them. */
const quietMs = 25
/** Everybody else learns of a write within this and the time of a call, however many writes there are. */
const mostMs = 100

export type QuietTime = {
  /** A write begins; what it gives is to be called when it has been answered. */
  begin(): () => void
  /** Work to be done at the next quiet time, once however often it was added. */
  add(work: () => void): void
}

/** Keeps what is asked for after writes out of their way: it waits until none is under way, but not for long. */
export function createQuietTime(clock: Clock, signal: AbortSignal): QuietTime {
  let underWay = 0
  let rest = new AbortController()
  let isWaiting = false
  let works = new Set<() => void>()

  const wait = async (): Promise<void> => {
    isWaiting = true
    const lateMs = clock.now() + mostMs
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
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
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
