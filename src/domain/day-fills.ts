import { type Fill, fillNotional } from './fill.ts'
import { type Decimal, zero } from './money.ts'

const dayMs = 86_400_000

/** What was filled on one UTC day, each execution once: symbol → notional in its counter currency. */
export type DayFills = {
  dayStartMs: number
  execIds: ReadonlySet<string>
  notional: ReadonlyMap<string, Decimal>
}

/** The first millisecond of the UTC day that `atMs` is in. */
export const utcDayStart = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs

export const emptyDay = (nowMs: number): DayFills => ({
  dayStartMs: utcDayStart(nowMs),
  execIds: new Set(),
  notional: new Map(),
})

/** The record as it counts at `nowMs`: a new UTC day begins with nothing. */
export const dayAt = (day: DayFills, nowMs: number): DayFills =>
  day.dayStartMs === utcDayStart(nowMs) ? day : emptyDay(nowMs)

/** Adds fills of the day that `nowMs` is in. Fills of other days, and those it knows, change nothing. */
export function withDayFills(before: DayFills, fills: readonly Fill[], nowMs: number): DayFills {
  const day = dayAt(before, nowMs)
  const news = fills.filter((fill) => utcDayStart(fill.timestampMs) === day.dayStartMs && !day.execIds.has(fill.execId))
  if (news.length === 0) return day
  const execIds = new Set(day.execIds)
  const notional = new Map(day.notional)
  for (const fill of news) {
    if (execIds.has(fill.execId)) continue
    execIds.add(fill.execId)
    notional.set(fill.symbol, (notional.get(fill.symbol) ?? zero).plus(fillNotional(fill)))
  }
  return { ...day, execIds, notional }
}
