import type { CommandIo } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { latestMs, utcSecond, utcText } from '../../base/text/time-text.ts'
import type { Session } from '../../desk/account/profile.ts'
import type { Period, PeriodAsked } from '../../domain/statement/movement.ts'
import { HistoryError } from '../../history/history-database.ts'
import { type Arguments, isTimeUnderstood, readTime, readTimes } from '../cli/arguments.ts'
import { done, type Ending, exitCodes, failed } from '../cli/exit-codes.ts'
import { type Form, formOf } from '../cli/output.ts'

type Clock = { wallMs: () => number }

/** The exchange's clock by its answers so far, in ms since 1970; this machine's if they had no date. */
export const exchangeClockOf = (session: Pick<Session, 'skewMs'>, clock: Clock) => (): number =>
  clock.wallMs() + (session.skewMs() ?? 0)

/** Whether times are written as such: which day `today` is, and which of two times is first, is for a later look. */
export function checkTimes(given: Pick<Arguments, 'value'>): Result<unknown> {
  // By this moment no span goes back too far.
  const from = readTime(given, 'from', latestMs)
  return from.ok ? readTime(given, 'to', latestMs) : from
}

/**
 * The requested period of a report. Days such as `today` are those of the exchange's clock, which is requested first.
 * The error is wrong usage. Throws ExchangeError.
 */
export async function readPeriodAsked(
  given: Arguments,
  session: Pick<Session, 'client' | 'skewMs'>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Result<PeriodAsked>> {
  // Any answer has a date.
  if (session.skewMs() === null) await session.client.fetchSymbols(signal)
  const nowMs = exchangeClockOf(session, clock)()
  const times = readTimes(given, nowMs)
  if (!times.ok) return times
  const { fromMs = 0, toMs = null } = times.value
  // With an end it is a period in the future: an empty report, so far.
  return toMs === null && fromMs > nowMs
    ? err(`--from is in the future: the exchange's clock says ${utcText(nowMs)}`)
    : ok({ fromMs, toMs })
}

/** Prints a report; fails when its record cannot be read to its end, so that what is printed is not whole. */
export async function toldWhole(tell: () => Promise<Ending>): Promise<Ending> {
  try {
    return await tell()
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    return failed(`the report is not whole: ${error.message}`)
  }
}

/** `from 2026-11-20 00:00:00 to 2026-11-20 05:16:00 UTC, so far`; `up to …` if it begins with the first entry. */
export function periodText({ fromMs, toMs, isSoFar }: Period): string {
  const begin = fromMs === 0 ? 'up to' : `from ${utcSecond(fromMs)} to`
  return `${begin} ${utcText(toMs)}${isSoFar === true ? ', so far' : ''}`
}

/**
 * Ends a report: omitted entries, or balances that differ from it, are also reported on stderr, and make the command
 * fail, like an incomplete list. A CSV reported them there already.
 */
export function endReport(
  given: Arguments,
  faults: readonly string[],
  io: Pick<CommandIo, 'printError' | 'stdout'>,
): Ending {
  if (faults.length === 0) return done
  const form = formOf(given, io.stdout)
  if (form === 'json') for (const sentence of faults) io.printError(plainText(sentence))
  if (form === 'table') io.printError('Some figures are unreliable: see the notes below them.')
  return { code: exitCodes.failed }
}

/**
 * Notes about a report's times, in whole sentences: the period of a CSV, which has no title, unless requested in whole
 * UTC days or times and over; and entries later than this machine's clock.
 */
function periodNotes(given: Arguments, form: Form, period: Period, late: number): string[] {
  const isSaid = form === 'csv' && (isTimeUnderstood(given) || period.isSoFar === true)
  const entries = late === 1 ? 'entry is' : 'entries are'
  return [
    ...(isSaid ? [`The period is ${periodText(period)}.`] : []),
    ...(late === 0
      ? []
      : [`${late} ${entries} later than this machine's clock, which is behind the exchange's: they count.`]),
  ]
}

/** Prints those sentences on stderr. `aheadCount` entries of the period are later than this machine's clock. */
export function tellPeriod(
  given: Arguments,
  { period, aheadCount }: { period: Period; aheadCount: number },
  io: Pick<CommandIo, 'printError' | 'stdout'>,
): void {
  for (const sentence of periodNotes(given, formOf(given, io.stdout), period, aheadCount)) io.printError(sentence)
}
