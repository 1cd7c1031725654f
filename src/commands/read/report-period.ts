import type { CommandIo } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { utcSecond, utcText } from '../../base/time-text.ts'
import type { Session } from '../../desk/profile.ts'
import type { Period, PeriodAsked } from '../../domain/statement/movement.ts'
import { type Arguments, isTimeUnderstood, readTimes } from '../cli/arguments.ts'
import { done, type Ending, exitCodes } from '../cli/exit-codes.ts'
import { type Form, formOf } from '../cli/output.ts'

type Clock = { wallMs: () => number }

/** What the exchange's clock says, in ms since 1970, by its answers so far; this machine's where they had no date. */
export const exchangeClockOf = (session: Pick<Session, 'skewMs'>, clock: Clock) => (): number =>
  clock.wallMs() + (session.skewMs() ?? 0)

/**
 * The period that a report is asked for. Days such as `today` are those of the exchange's clock, which is asked first.
 * The error is wrong usage. Throws ExchangeError.
 */
export async function readPeriodAsked(
  given: Arguments,
  session: Pick<Session, 'client' | 'skewMs'>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Result<PeriodAsked>> {
  // Any answer brings a date.
  if (session.skewMs() === null) await session.client.fetchSymbols(signal)
  const nowMs = exchangeClockOf(session, clock)()
  const times = readTimes(given, nowMs)
  if (!times.ok) return times
  const { fromMs = 0, toMs = null } = times.value
  // With an end it is a period of which nothing is over yet: an empty report, so far.
  return toMs === null && fromMs > nowMs
    ? err(`--from is in the future: the exchange's clock says ${utcText(nowMs)}`)
    : ok({ fromMs, toMs })
}

/** `from 2026-11-20 00:00:00 to 2026-11-20 05:16:00 UTC, so far`; `up to …` where it begins with the first entry. */
export function periodText({ fromMs, toMs, isSoFar }: Period): string {
  const begin = fromMs === 0 ? 'up to' : `from ${utcSecond(fromMs)} to`
  return `${begin} ${utcText(toMs)}${isSoFar === true ? ', so far' : ''}`
}

/**
 * Ends a report: where entries were left out of it, or balances are not what it comes to, that is said on stderr too,
 * and the command has failed, as a list that is not whole has. A CSV has said it there.
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

type Dated = { atMs: number | null }

/**
 * What is to be said of a report's times beside it, in whole sentences: the period of a CSV, which has no title, where
 * it was not asked for in whole UTC days or times, or is not over; and entries later than this machine's clock.
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

/** How many of these are later than this machine's clock. */
export const aheadIn = (entries: readonly Dated[], clock: Clock): number => {
  const wallMs = clock.wallMs()
  return entries.filter(({ atMs }) => (atMs ?? 0) > wallMs).length
}

/** Says those sentences on stderr. `aheadCount` entries of the period are later than this machine's clock. */
export function tellPeriod(
  given: Arguments,
  { period, aheadCount }: { period: Period; aheadCount: number },
  io: Pick<CommandIo, 'printError' | 'stdout'>,
): void {
  for (const sentence of periodNotes(given, formOf(given, io.stdout), period, aheadCount)) io.printError(sentence)
}
