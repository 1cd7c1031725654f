import { err, ok, type Result } from '../base/result.ts'
import type { Arguments } from './arguments.ts'

/** A symbol as the exchange writes it; undefined when none was given. */
export function readSymbol(text: string | undefined): Result<string | undefined> {
  if (text === undefined) return ok(undefined)
  return /^[A-Za-z0-9._-]{1,40}$/.test(text) && /[A-Za-z0-9]/.test(text)
    ? ok(text.toUpperCase())
    : err('a symbol is written like BTC-USD')
}

const dayMs = 86_400_000
const latestMs = 8_640_000_000_000_000

/** A moment in ms since 1970. `isEnd`: a bare day stands for its last millisecond. */
function readTime(name: string, text: string, isEnd: boolean): Result<number> {
  if (/^\d{1,16}$/.test(text) && Number(text) <= latestMs) return ok(Number(text))
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.exec(text) ?? []
  const startMs = day === undefined ? Number.NaN : Date.parse(`${day}${time ?? 'T00:00Z'}`)
  const isReal = !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(day ?? '')
  if (!isReal) return err(`--${name} must be a UTC time: 2026-11-20, 2026-11-20T14:00:00Z, or ms since 1970`)
  return ok(isEnd && time === undefined ? startMs + dayMs - 1 : startMs)
}

export type Times = { fromMs?: number; toMs?: number }

export function readTimes(given: Arguments): Result<Times> {
  const times: Times = {}
  for (const [name, key] of [
    ['from', 'fromMs'],
    ['to', 'toMs'],
  ] as const) {
    const text = given.value(name)
    if (text === undefined) continue
    const read = readTime(name, text, name === 'to')
    if (!read.ok) return read
    times[key] = read.value
  }
  const { fromMs, toMs } = times
  return fromMs !== undefined && toMs !== undefined && fromMs > toMs ? err('--from is after --to') : ok(times)
}

/** How many rows are wanted at most; null: all. */
export function readCount(given: Arguments): Result<number | null> {
  const text = given.value('limit')
  if (given.has('all')) return text === undefined ? ok(null) : err('use --limit or --all, not both')
  if (text === undefined) return ok(100)
  return /^[1-9]\d{0,6}$/.test(text) ? ok(Number(text)) : err('--limit must be a whole number from 1 to 9999999')
}

/** An id of the exchange, which is a whole number of 64 bits. */
export function readId(name: string, text: string): Result<string> {
  return /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n
    ? ok(BigInt(text).toString())
    : err(`${name} must be a whole number`)
}
