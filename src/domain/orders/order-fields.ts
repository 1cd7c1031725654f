import { err, ok, type Result } from '../../base/result.ts'
import { dayMs, isoDayStartMs } from '../../base/text/time-text.ts'
import { isStopType, type OrderDraft, type OrderType, type TimeInForce } from './order.ts'

type Times = readonly [TimeInForce, ...TimeInForce[]]

const timesBy: Readonly<Record<OrderType, Times>> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK', 'GTD'],
  STOP: ['GTC', 'GTD'],
  STOPLIMIT: ['GTC', 'GTD'],
}

/** The times in force of an order type, the service's default first. */
export const timesInForceOf = (type: OrderType): Times => timesBy[type]

/** Messages about fields that do not go together. */
export const fieldWords = {
  times: (type: OrderType) => `a ${type} order takes ${timesInForceOf(type).join(', ')}`,
  minimum: 'a minimum fill goes with IOC only',
  postOnly: 'post-only needs LIMIT with GTC or GTD',
  day: 'the expiry date is not a valid date (YYYYMMDD)',
} as const

export const needsLimitPrice = (type: OrderType): boolean => type === 'LIMIT' || type === 'STOPLIMIT'
export const needsStopPrice = isStopType

/** True for GTD, the only one with an expiry day, which it requires. */
export const takesExpiry = (timeInForce: TimeInForce | null): boolean => timeInForce === 'GTD'

/** True for IOC, the only one with a minimum quantity. */
export const takesMinimum = (timeInForce: TimeInForce | null): boolean => timeInForce === 'IOC'

/** True for limit orders that can rest in the book. Null is the service's default time in force for the type. */
export const canRest = (type: OrderType, timeInForce: TimeInForce | null): boolean =>
  type === 'LIMIT' && (timeInForce === null || timeInForce === 'GTC' || timeInForce === 'GTD')

/** Post-only requires a limit order that can rest. */
export const takesPostOnly = canRest

/** The UTC day of a moment, as `YYYYMMDD`. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')

/** The first ms of a day written as `YYYYMMDD`; null when the calendar has no such day. */
export function dayStartMs(day: string): number | null {
  const [, year, month, date] = /^([1-9]\d{3})(\d{2})(\d{2})$/.exec(day) ?? []
  return isoDayStartMs(`${year}-${month}-${date}`)
}

/** Days from the UTC day of `nowMs` to a day: 0 is today, below 0 is past. */
export const daysUntil = (startMs: number, nowMs: number): number =>
  Math.floor(startMs / dayMs) - Math.floor(nowMs / dayMs)

/** Reads a day as people write it, `20261231`, `2026-12-31` or `2026/12/31`, in the service's form: `20261231`. */
export function readDay(text: string): Result<string> {
  const plain = /^\d{4}([-/.])\d{2}\1\d{2}$/.test(text.trim()) ? text.replace(/\D/g, '') : text.trim()
  if (dayStartMs(plain) !== null) return ok(plain)
  return err(fieldWords.day)
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
/** Days by name, counted from today. */
const dayWords: Readonly<Record<string, number>> = { day: 0, today: 0, eod: 0, tomorrow: 1, tmrw: 1 }
/** `friday` and `fri`. */
const weekdayName = /^(sun|mon|tue|wed|thu|fri|sat)(day|sday|nesday|rsday|urday)?$/
/** `17:00`, `1h`, `30min`: within a day, which the last day of an order cannot be. */
const timeOfDay = /^(\d{1,2}:\d{2}.*|\d{1,4}(h|hr|hrs|hours?|m|min|mins|minutes?))$/
const asDate = 'write it as 20261231'

/** How many days from today on a word means; an error where it is none, or may be today as well as a week later. */
function daysMeant(word: string, todayMs: number): Result<number> {
  if (Object.hasOwn(dayWords, word)) return ok(dayWords[word] ?? 0)
  const [, count] = /^(\d{1,3})d(?:ays?)?$/.exec(word) ?? []
  if (count !== undefined) return ok(Number.parseInt(count, 10))
  const [, name] = weekdayName.exec(word) ?? []
  const at = weekdays.findIndex((day) => day.toLowerCase() === name)
  if (at === -1) return err(`is not a valid date: ${asDate}`)
  const ahead = (at - new Date(todayMs).getUTCDay() + 7) % 7
  return ahead === 0 ? err(`is today, or in a week: ${asDate}`) : ok(ahead)
}

/** `1/12/2026`, `01-12-2026`: whether day or month comes first is told by one above twelve alone. */
const dayOrMonthFirst = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})$/

/** The one day that such a date can be; an error where it can be two, or none. Null for all else. */
function readSlashed(typed: string): Result<string> | null {
  const match = dayOrMonthFirst.exec(typed)
  if (match === null) return null
  const [first, second] = [match[1], match[3]].map((part) => (part ?? '').padStart(2, '0'))
  const days = [`${match[4]}${second}${first}`, `${match[4]}${first}${second}`].filter(
    (day) => dayStartMs(day) !== null,
  )
  const [day, other] = [...new Set(days)]
  if (day === undefined) return err(`is not a valid date: ${asDate}`)
  return other === undefined ? ok(day) : err(`is ${dayText(day)} or ${dayText(other)}: write it as ${day} or ${other}`)
}

/**
 * Reads the last day of an order as people say it: a date, `31.12.2026`, and where `today` is known `tomorrow`,
 * `friday`, `7d`. The error goes on behind the quoted word.
 */
export function readLastDay(text: string, today: string | undefined): Result<string> {
  const typed = text.trim().toLowerCase()
  const [, date, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(typed) ?? []
  const read = readDay(date === undefined ? typed : `${year}-${month?.padStart(2, '0')}-${date.padStart(2, '0')}`)
  const slashed = read.ok ? read : readSlashed(typed)
  if (slashed !== null) return slashed
  if (timeOfDay.test(typed)) return err(`is a time, and an order ends with a UTC day: ${asDate}`)
  const todayMs = today === undefined ? null : dayStartMs(today)
  if (todayMs === null) return err(`is not a valid date: ${asDate}`)
  const ahead = daysMeant(typed, todayMs)
  return ahead.ok ? ok(dayOf(todayMs + ahead.value * dayMs)) : ahead
}

/** The day `count` days after the typed one, never before today; today when none is typed. */
export function nudgeDay(text: string, count: number, nowMs: number): string {
  const read = readDay(text)
  const startMs = read.ok ? dayStartMs(read.value) : null
  if (startMs === null) return dayOf(nowMs)
  const moved = dayOf(Math.max(startMs + count * dayMs, nowMs))
  // After the year 9999 a day no longer has eight digits.
  return dayStartMs(moved) === null ? dayOf(startMs) : moved
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** A day in words, `Thu 31 Dec 2026`; the text itself when it is not a day. */
export function dayText(day: string): string {
  const startMs = dayStartMs(day)
  if (startMs === null) return day
  const date = new Date(startMs)
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

function priceComplaint({ type, limitPrice, stopPrice }: OrderDraft): string | null {
  const wrong = [
    { needs: needsLimitPrice(type), has: limitPrice !== null, name: 'limit price' },
    { needs: needsStopPrice(type), has: stopPrice !== null, name: 'stop price' },
  ].find(({ needs, has }) => needs !== has)
  return wrong === undefined ? null : `a ${type} order ${wrong.needs ? 'needs a' : 'takes no'} ${wrong.name}`
}

function expiryComplaint({ timeInForce, expireDate }: OrderDraft): string | null {
  if (!takesExpiry(timeInForce)) return expireDate === null ? null : 'an expiry date goes with GTD only'
  if (expireDate === null) return 'GTD needs an expiry date, as YYYYMMDD'
  return dayStartMs(expireDate) === null ? fieldWords.day : null
}

function minimumFillComplaint({ timeInForce, minQuantity, orderQuantity }: OrderDraft): string | null {
  if (minQuantity === null) return null
  if (!takesMinimum(timeInForce)) return fieldWords.minimum
  return minQuantity.lte(0) || minQuantity.gt(orderQuantity)
    ? `the minimum fill must be above zero and at most the quantity ${orderQuantity}`
    : null
}

const postOnlyComplaint = ({ postOnly, type, timeInForce }: OrderDraft): string | null =>
  postOnly && !takesPostOnly(type, timeInForce) ? fieldWords.postOnly : null

const timeComplaint = ({ type, timeInForce }: OrderDraft): string | null =>
  timeInForce === null || timesInForceOf(type).includes(timeInForce) ? null : fieldWords.times(type)

/**
 * Clauses about an order's fields that do not go together, whatever the market and day. An extra price is as wrong as a
 * missing one: checks would use it and the order would not trade at it.
 */
export const termsComplaints = (draft: OrderDraft): string[] =>
  [
    timeComplaint(draft),
    priceComplaint(draft),
    expiryComplaint(draft),
    minimumFillComplaint(draft),
    postOnlyComplaint(draft),
  ].filter((complaint) => complaint !== null)
