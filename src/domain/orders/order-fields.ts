import { err, ok, type Result } from '../../base/result.ts'
import { dayMs, isoDayStartMs } from '../../base/time-text.ts'
import { isStopType, type OrderType, type TimeInForce } from './order.ts'

type Times = readonly [TimeInForce, ...TimeInForce[]]

const timesBy: Readonly<Record<OrderType, Times>> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK', 'GTD'],
  STOP: ['GTC', 'GTD'],
  STOPLIMIT: ['GTC', 'GTD'],
}

/** The times in force a type takes, the service's default first. */
export const timesInForceOf = (type: OrderType): Times => timesBy[type]

/** What fields that do not go together are told. */
export const fieldWords = {
  times: (type: OrderType) => `a ${type} order takes ${timesInForceOf(type).join(', ')}`,
  minimum: 'a minimum fill goes with IOC only',
  postOnly: 'post-only needs LIMIT with GTC or GTD',
  day: 'the expiry date is not a valid date (YYYYMMDD)',
} as const

export const needsLimitPrice = (type: OrderType): boolean => type === 'LIMIT' || type === 'STOPLIMIT'
export const needsStopPrice = isStopType

/** An expiry day goes with GTD, which needs one. */
export const takesExpiry = (timeInForce: TimeInForce | null): boolean => timeInForce === 'GTD'

/** A least quantity to be filled at once goes with IOC. */
export const takesMinimum = (timeInForce: TimeInForce | null): boolean => timeInForce === 'IOC'

/** True for limit orders that can rest in the book. No time in force is the service's default for the type. */
export const canRest = (type: OrderType, timeInForce: TimeInForce | null): boolean =>
  type === 'LIMIT' && (timeInForce === null || timeInForce === 'GTC' || timeInForce === 'GTD')

/** Post-only goes with limit orders that can rest. */
export const takesPostOnly = canRest

/** The UTC day of a moment, as `YYYYMMDD`. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')

/** The first millisecond of a day written as `YYYYMMDD`; null when the calendar has no such day. */
export function dayStartMs(day: string): number | null {
  const [, year, month, date] = /^([1-9]\d{3})(\d{2})(\d{2})$/.exec(day) ?? []
  return isoDayStartMs(`${year}-${month}-${date}`)
}

/** Whole days from the UTC day of `nowMs` to a day: 0 is today, below 0 it is over. */
export const daysUntil = (startMs: number, nowMs: number): number =>
  Math.floor(startMs / dayMs) - Math.floor(nowMs / dayMs)

/** A day as people write it, `20261231`, `2026-12-31` or `2026/12/31`, as the service takes it: `20261231`. */
export function readDay(text: string): Result<string> {
  const plain = /^\d{4}([-/.])\d{2}\1\d{2}$/.test(text.trim()) ? text.replace(/\D/g, '') : text.trim()
  if (dayStartMs(plain) !== null) return ok(plain)
  return err(fieldWords.day)
}

/** The day `count` days after the one that is typed, never before today; today when none is typed. */
export function nudgeDay(text: string, count: number, nowMs: number): string {
  const read = readDay(text)
  const startMs = read.ok ? dayStartMs(read.value) : null
  if (startMs === null) return dayOf(nowMs)
  const moved = dayOf(Math.max(startMs + count * dayMs, nowMs))
  // Past the year 9999 a day no longer has eight digits.
  return dayStartMs(moved) === null ? dayOf(startMs) : moved
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** A day in words, `Thu 31 Dec 2026`; the text itself when it is no day. */
export function dayText(day: string): string {
  const startMs = dayStartMs(day)
  if (startMs === null) return day
  const date = new Date(startMs)
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
