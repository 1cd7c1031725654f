const windowMs = 5_000

/** Counts calls. `perSecond` is their mean over the last five seconds. */
export function createRateMeter(): { count(nowMs: number): void; perSecond(nowMs: number): number } {
  let times: number[] = []
  const forget = (nowMs: number) => {
    // A time after now is from before the clock was put back.
    times = times.filter((atMs) => nowMs - atMs < windowMs && atMs <= nowMs)
  }
  return {
    count(nowMs) {
      forget(nowMs)
      times.push(nowMs)
    },
    perSecond(nowMs) {
      forget(nowMs)
      return times.length / (windowMs / 1_000)
    },
  }
}
