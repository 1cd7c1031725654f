import { readHttpDateMs } from '../base/text/time-text.ts'
import type { HttpAnswer } from './errors.ts'

/** Clocks behind one address differ by less, however badly they are set; in ms. */
const lagMinMs = 60_000
/** A date is compared with those of so long before, in ms: then a clock that was set back is believed. */
const rememberedMs = 120_000
/** A clock that was set forward is believed when every date in so long tells of it, in ms. */
const doubtedMs = 10_000

/** What a date said, and when its answer came, in desk time. */
type Dated = { dateMs: number; atMs: number }

/** What the clock that gave a date shows at `atMs`. */
const runOn = (dated: Dated, atMs: number): number => dated.dateMs + atMs - dated.atMs
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < lagMinMs

/**
 * Adds the `Age` that a cache left out. An answer whose date is long before that of one that came before it was asked
 * for was not made for this call, whatever its headers say: some proxies that open TLS keep answers without a word. Of
 * one address, since each may have a clock of its own.
 *
 * One wrong date must not make all that follow look old. A date that leaps ahead of the dates before it, and away from
 * the wall clock, is left out of the answer, and is believed only when others tell the same for a while. A first date
 * yields to one that agrees with the wall clock.
 */
export function createDateWatch(wallMs: () => number): (answer: HttpAnswer) => HttpAnswer {
  let newest: (Dated & { isFirst: boolean }) | null = null
  let doubted: Dated | null = null

  const believe = (dated: Dated, isFirst = false) => {
    newest = { ...dated, isFirst }
    doubted = null
  }

  const isBelievable = (dated: Dated, before: Dated): boolean => {
    if (dated.dateMs - runOn(before, dated.atMs) < lagMinMs || isNear(dated.dateMs, wallMs())) return true
    if (doubted !== null && isNear(runOn(doubted, dated.atMs), dated.dateMs))
      return dated.atMs - doubted.atMs >= doubtedMs
    doubted = dated
    return false
  }

  return (answer) => {
    const { headers, answeredAtMs, roundTripMs } = answer
    const dateMs = readHttpDateMs(headers.date)
    if (dateMs === null || headers.age !== undefined) return answer
    const dated = { dateMs, atMs: answeredAtMs }
    if (newest === null || answeredAtMs - newest.atMs > rememberedMs) {
      believe(dated, true)
      return answer
    }
    if (dateMs >= newest.dateMs) {
      if (!isBelievable(dated, newest)) return undated(answer)
      // Of a doubt only a later date is the end: a cache repeats the same one.
      if (dateMs > newest.dateMs) believe(dated)
      else newest = { ...newest, atMs: answeredAtMs }
      return answer
    }
    const lagMs = newest.dateMs - dateMs
    if (newest.atMs > answeredAtMs - roundTripMs || lagMs < lagMinMs) return answer
    if (newest.isFirst && isNear(dateMs, wallMs()) && !isNear(runOn(newest, answeredAtMs), wallMs())) {
      believe(dated)
      return answer
    }
    const ageS = Math.ceil((lagMs + answeredAtMs - newest.atMs) / 1_000)
    return { ...answer, headers: { ...headers, age: String(ageS) } }
  }
}

/** An answer whose date says nothing of a clock. */
export function undated(answer: HttpAnswer): HttpAnswer {
  const { date: _, ...headers } = answer.headers
  return { ...answer, headers }
}
