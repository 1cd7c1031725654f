export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The last moment of a JavaScript date, in ms since 1970; the first is as far before 1970. */
export const latestMs = 8_640_000_000_000_000

/** The first millisecond of the UTC day that `atMs` is in. */
export const utcDayStart = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

/** `14:02:07`, UTC. By arithmetic: lines on the screen need it at every update, and a `Date` costs ten times that. */
export function clockText(atMs: number): string {
  const seconds = Math.floor((atMs - utcDayStart(atMs)) / secondMs)
  const minutes = Math.floor(seconds / 60)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

const unitMs: Readonly<Record<string, number>> = { s: secondMs, m: minuteMs, h: hourMs }

/** Reads `90s`, `10m`, `1h` or `1h30m` as milliseconds; a bare number is minutes. Undefined when invalid or zero. */
export function readDuration(text: string): number | undefined {
  const plain = /^\d{1,6}$/.test(text) ? `${text}m` : text
  if (!/^(\d{1,6}[hms]){1,3}$/.test(plain)) return undefined
  const parts = [...plain.matchAll(/(\d+)([hms])/g)]
  const totalMs = parts.reduce(
    (sum, [, count = '', unit = '']) => sum + Number.parseInt(count, 10) * (unitMs[unit] ?? 0),
    0,
  )
  return totalMs > 0 ? totalMs : undefined
}

/** `45 s`, `10 min`, `1 h 30 min`. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / secondMs)
  if (seconds < 120) return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  const rest = minutes % 60 === 0 ? '' : ` ${minutes % 60} min`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${rest}`
}

/** The first ms of a UTC day written `2026-11-20`; null for anything else, including days that do not exist. */
export function isoDayStartMs(day: string): number | null {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // `Date.parse` takes 30 February for 2 March.
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day) ? startMs : null
}

/** `2026-11-20 14:00:05`, in UTC. */
export const utcSecond = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

/** `2026-11-20 14:00:05 UTC`. */
export const utcText = (atMs: number): string => `${utcSecond(atMs)} UTC`

/** Reads an HTTP date (`Fri, 20 Nov 2026 10:00:07 GMT`) as ms since 1970; null for anything else. */
export function readHttpDateMs(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header))
    return null
  const ms = Date.parse(header)
  return Number.isNaN(ms) ? null : ms
}

let shownSecond = Number.NaN
let shownText = ''

/** The time as an HTTP date, cached for its second: at full load thousands of responses need it. */
export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000)
  if (second !== shownSecond) {
    shownSecond = second
    shownText = new Date(second * 1_000).toUTCString()
  }
  return shownText
}
