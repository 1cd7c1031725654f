import { clockText, utcDayStart } from '../../base/text/time-text.ts'

/** `1m40` up to the second minute or hour: below a row of `91s`, plain `1m` would look younger. */
const pastFirst = (unit: 'm' | 'h', count: number): string => `1${unit}${count - 60}`

/** An age in at most four cells: `0.4s`, `42s`, `1m45`, `12m`, `1h50`, `5h`, `3d`. An older age never looks younger. */
export function ageText(ageMs: number): string {
  const exact = Math.max(0, ageMs) / 1000
  if (exact < 9.95) return `${exact.toFixed(1)}s`
  const seconds = Math.round(exact)
  if (seconds < 100) return `${seconds}s`
  if (seconds < 120) return pastFirst('m', seconds)
  // From 119.5 s on the seconds have rounded up to the second minute.
  const minutes = Math.max(2, Math.floor(exact / 60))
  if (minutes < 100) return `${minutes}m`
  if (minutes < 120) return pastFirst('h', minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`
}

/** `ageText` for ages that change only by the second, such as those of orders. */
export const wholeAgeText = (ageMs: number): string =>
  ageMs < 9_950 ? `${Math.floor(Math.max(0, ageMs) / 1000)}s` : ageText(ageMs)

/** An age with reduced motion: in steps of five seconds up to a minute, the first one `<5s`. */
export function calmAgeText(ageMs: number): string {
  const stepMs = ageMs < 60_000 ? 5_000 : 60_000
  const stepped = Math.floor(Math.max(0, ageMs) / stepMs) * stepMs
  return stepped === 0 ? '<5s' : stepped < 60_000 ? `${stepped / 1_000}s` : ageText(stepped)
}

/** A smaller difference between two clocks can come from network latency. */
const aheadMinMs = 5_000

/** How far one clock is ahead of another, in ms rounded to seconds; 0 if latency can explain it. */
export const clockAheadMs = (aheadMs: number): number =>
  Math.abs(aheadMs) < aheadMinMs ? 0 : Math.round(aheadMs / 1_000) * 1_000

/**
 * How far the exchange's clock is ahead of this machine's: its timestamps are older by that than they seem here. A
 * practice exchange's clock can be advanced, and a machine's clock can be wrong.
 */
export const exchangeAheadMs = ({ wallMs, exchangeMs }: { wallMs: number; exchangeMs: number }): number =>
  clockAheadMs(exchangeMs - wallMs)

/** `2026-11-20T14:02:07.123Z`: exact, and sortable as text. */
export const momentText = (atMs: number): string => new Date(atMs).toISOString()

/** `2026-11-20 14:02:07.123 UTC`: the same, for reading. */
export const readableMoment = (atMs: number): string => `${momentText(atMs).replace('T', ' ').replace('Z', '')} UTC`

/**
 * A deadline: `15:00Z`, with its date if that is not today's: `2026-11-24 01:33Z`. Both arguments are wall-clock times.
 */
export function untilText(atMs: number, nowMs: number): string {
  const dayOf = (ms: number) => momentText(ms).slice(0, 10)
  const time = `${clockText(atMs).slice(0, 5)}Z`
  return dayOf(atMs) === dayOf(nowMs) ? time : `${dayOf(atMs)} ${time}`
}

/**
 * A moment that has passed: its time of day, `14:02:07`, or on another day than `nowMs` its date and minute,
 * `11-19 14:02`, with the year if that is another too. Both arguments are by one clock.
 */
export function pastText(atMs: number, nowMs: number): string {
  if (utcDayStart(atMs) === utcDayStart(nowMs)) return clockText(atMs)
  const [at, now] = [momentText(atMs), momentText(nowMs)]
  return at.slice(at.slice(0, 4) === now.slice(0, 4) ? 5 : 0, 16).replace('T', ' ')
}

/** `pastText` in fewer cells: the minute, or the date alone. */
export function shortPastText(atMs: number, nowMs: number): string {
  const text = pastText(atMs, nowMs)
  return text.includes(' ') ? text.slice(0, text.indexOf(' ')) : text.slice(0, 5)
}

/** An uptime: `6d 04:11`, or `04:11` within the first day, `11m` within the first hour. */
export function uptimeText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (minutes < 60) return `${minutes}m`
  const clock = `${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return days === 0 ? clock : `${days}d ${clock}`
}
