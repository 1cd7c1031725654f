import { err, ok, type Result } from '../result.ts'
import { dayMs, hourMs, isoDayStartMs, latestMs, minuteMs, secondMs, utcDayStart } from './time-text.ts'

/** A day or moment written by a user, in ms since 1970, UTC. */
export type WrittenTime = {
  /** The moment, or the first ms of the day. */
  startMs: number
  /** The moment, or the last ms of the day. */
  endMs: number
  /** True when it needed interpretation, such as `today`, `7d` or `20261123`, unlike a full UTC day or time. */
  isUnderstood: boolean
}

/** Valid forms, for a sentence that refuses a time. */
const timeExamples = '2026-11-20, 20261120, 2026-11-20T14:00, today, yesterday, or 7d for seven days back'

const spanMs: Readonly<Record<string, number>> = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs }

const moment = (atMs: number, isUnderstood: boolean): WrittenTime => ({ startMs: atMs, endMs: atMs, isUnderstood })

/** Years outside these have another form than every other time, which cuts of a text would break. */
const [firstMs, lastMs] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** A moment in a year of four digits. */
function momentIn(atMs: number, isUnderstood: boolean): Result<WrittenTime> {
  if (atMs < firstMs) return err('must be a UTC time: that is before the year 0000')
  return atMs > lastMs ? err('must be a UTC time: that is after the year 9999') : ok(moment(atMs, isUnderstood))
}

/** So far back from `nowMs`; nothing that is asked for has a time before 1970. */
function spanBack(typed: string, ms: number, nowMs: number): Result<WrittenTime> {
  return ms > nowMs ? err(`must be a UTC time: ${typed} back is before 1970`) : ok(moment(nowMs - ms, true))
}

const wholeDay = (startMs: number, isUnderstood: boolean): WrittenTime => ({
  startMs,
  endMs: startMs + dayMs - 1,
  isUnderstood,
})

/** Longer texts have a year of more than four digits. */
const longestIso = '2026-11-20T14:00:00.000Z'.length
/** Seconds since 1970 have at most so many digits until the year 5138; longer numbers are ms. */
const secondDigitsMax = 11

/** Why bare digits are refused: they may be seconds, ms or a year, and a wrong guess would report another period. */
function bareNumber(digits: string): string {
  if (digits.length === 4) return `is only a year: write its first day, ${digits}-01-01, or its last, ${digits}-12-31`
  const atMs = digits.length <= secondDigitsMax ? Number(digits) * secondMs : Number(digits)
  const iso = Math.abs(atMs) <= latestMs ? new Date(atMs).toISOString().replace('.000Z', 'Z') : null
  return iso === null || iso.length > longestIso
    ? `must be a UTC time: ${timeExamples}`
    : `is a bare number, which may be seconds or ms since 1970: write ${iso}, or ${atMs}ms`
}

const timePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?: ?(z|utc|[+-]\d{2}:?\d{2}))?)?$/

/**
 * Reads a day or time as people and programs write it, UTC unless it has a zone: `2026-11-20`, `20261120`,
 * `2026-11-20T14:00`, with seconds, `Z` or `+01:00`, `today`, `yesterday`, `now`, `7d` (before `nowMs`),
 * `1795402460000ms` (since 1970). The error continues a sentence that starts with the setting's name.
 */
export function readWrittenTime(text: string, nowMs: number): Result<WrittenTime> {
  const typed = text.trim().toLowerCase()
  if (typed === 'now') return ok(moment(nowMs, true))
  if (typed === 'today') return ok(wholeDay(utcDayStart(nowMs), true))
  if (typed === 'yesterday') return ok(wholeDay(utcDayStart(nowMs) - dayMs, true))
  const [, sinceMs] = /^(\d{1,16})ms$/.exec(typed) ?? []
  if (sinceMs !== undefined) return momentIn(Number(sinceMs), false)
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(typed) ?? []
  if (count !== undefined) return spanBack(typed, Number(count) * (spanMs[unit] ?? 0), nowMs)
  const [, year, month, date] = /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/.exec(typed) ?? []
  if (year !== undefined) return readDay(`${year}-${month}-${date}`, true)
  if (/^\d+$/.test(typed)) return err(bareNumber(typed))
  const [, day, time, zone] = timePattern.exec(typed) ?? []
  if (day === undefined) return err(`must be a UTC time: ${timeExamples}`)
  if (time === undefined) return readDay(day, false)
  return readMoment(day, time, zone)
}

const noSuchDay = 'must be a UTC time: no calendar has that day'

function readDay(day: string, isUnderstood: boolean): Result<WrittenTime> {
  const startMs = isoDayStartMs(day)
  return startMs === null ? err(noSuchDay) : ok(wholeDay(startMs, isUnderstood))
}

function readMoment(day: string, time: string, zone: string | undefined): Result<WrittenTime> {
  if (isoDayStartMs(day) === null) return err(noSuchDay)
  const isUtc = zone === 'z' || zone === 'utc'
  const offset = zone === undefined || isUtc ? 'Z' : zone.replace(/^(...):?/, '$1:')
  const atMs = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(atMs) ? err('must be a UTC time: no clock shows that one') : momentIn(atMs, !isUtc)
}
