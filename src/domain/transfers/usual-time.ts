/**
 * A transfer that ended well: its currency, and the whole milliseconds from its own time to the end as this desk saw
 * it.
 */
export type TookTime = { currency: string; tookMs: number }

/** How long such transfers took: the one in the middle, the longest, and how many there are; whole milliseconds. */
export type UsualTime = { medianMs: number; longestMs: number; count: number }

/**
 * What transfers of this currency took before; null without any. Of an even count the median lies in the middle between
 * the two middle ones, rounded down to the millisecond. Other currencies say nothing: their networks have another pace.
 */
export function usualTime(ended: readonly TookTime[], currency: string): UsualTime | null {
  const times = ended
    .filter((each) => each.currency === currency)
    .map(({ tookMs }) => tookMs)
    .toSorted((left, right) => left - right)
  const longestMs = times.at(-1)
  const upper = times[times.length >> 1]
  const lower = times[(times.length - 1) >> 1]
  if (longestMs === undefined || upper === undefined || lower === undefined) return null
  return { medianMs: Math.floor((lower + upper) / 2), longestMs, count: times.length }
}
