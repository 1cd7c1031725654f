import { ExchangeError } from '../../api/errors.ts'
import { type CommandIo, type CommandTools, readingSignal } from '../../base/process/command-io.ts'
import type { Result } from '../../base/result.ts'
import { symbolSuggestion } from '../../base/text/nearest-name.ts'
import type { Session } from '../../desk/account/profile.ts'
import { type Listing, rawText } from '../../domain/listing.ts'
import { type Arguments, isTimeUnderstood, readTimes, type Times, timesText } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { type Column, type Form, formOf, leftOutTo, printReading, type Reading } from '../cli/output.ts'
import { beforeAnswer, withSession } from '../cli/session.ts'
import { countedPages } from '../cli/usual-count.ts'
import { inScale, rulesFor } from './in-scale.ts'

/** The context of a read, besides its query. */
export type ReadContext = {
  /** The output form: a table may show more than the wire's fields. */
  form: Form
  io: CommandIo
  signal: AbortSignal
  /** Called with the number of rows so far. */
  onPage: (count: number) => void
  /** Called with a sentence about an omitted part of the answer. */
  leftOut: (sentence: string) => void
}

/** The entries of a list; reports each unreadable one with its content. */
export function readable<T>({ entries, unreadable }: Listing<T>, what: string, { leftOut }: ReadContext): readonly T[] {
  for (const entry of unreadable) leftOut(`${what} unreadable: ${entry.reason} (${rawText(entry)})`)
  return entries
}

/** A one-shot read: the query from the arguments, the answer from the exchange, and the columns of CSV and tables. */
export type Read<Query> = {
  columns: readonly Column[]
  /** The table's columns instead, if the wire's fields do not suit users. */
  tableColumns?: readonly Column[]
  /** An error is wrong usage. `nowMs` is the base of `today`. */
  query: (given: Arguments, nowMs: number) => Result<Query>
  /** The requested symbol: for an unlisted one, a similar symbol is suggested. */
  symbolIn?: (query: Query) => string | undefined
  /** The maximum rows of a list that is limited by default; null for all. */
  most?: (query: Query) => number | null
  /** An ending instead of a reading, when the requested data does not exist. */
  fetch: (query: Query, session: Session, context: ReadContext) => Promise<Reading | Ending> | Reading | Ending
}

/** In ms: a progress line before this would only flicker. */
const quietMs = 1_000

/** Shows the number of entries so far, once a read takes a while. `what` names them, in the plural. */
export function progressOf(
  { progress }: Pick<CommandIo, 'progress'>,
  { clock }: Pick<CommandTools, 'clock'>,
  what = '',
) {
  const startedMs = clock.now()
  return (count: number) => {
    if (clock.now() - startedMs >= quietMs) progress(`${count} ${what}so far…`)
  }
}

/** Runs a read; a signal makes it fail, a reader that left does not. Clears the progress line. */
export async function runUntilBrokenOff(
  io: Pick<CommandIo, 'signal' | 'output' | 'progress'>,
  run: () => Promise<Ending>,
): Promise<Ending> {
  try {
    return await run()
  } catch (error) {
    if (io.signal.aborted) return failed(beforeAnswer)
    if (io.output.unread.aborted) return done
    throw error
  } finally {
    io.progress(null)
  }
}

/**
 * Reports how `--from` and `--to` were understood: always above a table; on stderr beside CSV and JSON, only if not
 * typed as whole UTC days or times.
 */
export async function tellTimes(
  given: Arguments,
  times: Times,
  form: Form,
  io: Pick<CommandIo, 'print' | 'printError'>,
): Promise<void> {
  const said = timesText(times)
  if (said === null) return
  if (form === 'table') await io.print(said)
  else if (isTimeUnderstood(given)) io.printError(`${said}.`)
}

/** Runs a read of a symbol, and suggests similar ones for an unlisted symbol. */
async function namingSymbol(
  symbol: string | undefined,
  client: Session['client'],
  signal: AbortSignal,
  run: () => Promise<Ending>,
): Promise<Ending> {
  try {
    return await run()
  } catch (error) {
    // Lists answer an unknown symbol as a bad request.
    const isRefused = error instanceof ExchangeError && (error.status === 404 || error.status === 400)
    if (symbol === undefined || !isRefused) throw error
    const known = [...(await client.fetchSymbols(signal)).instruments.keys()]
    if (known.includes(symbol)) throw error
    return failure('rejected', `unknown symbol ${symbol}${symbolSuggestion(symbol, known) || '.'}`, {
      todo: 'Check the id or symbol: pitdesk symbols lists them.',
    })
  }
}

export const readRun =
  <Query>(read: Read<Query>): Run =>
  async (given, io, tools) => {
    const nowMs = tools.clock.wallMs()
    const query = read.query(given, nowMs)
    if (!query.ok) return wrongUsage(query.error)
    const onPage = progressOf(io, tools)
    const { leftOut, ending } = leftOutTo(io)
    const signal = readingSignal(io)
    const form = formOf(given, io.stdout)
    const fetchAndPrint = async (session: Session): Promise<Ending> => {
      const wanted = (form === 'table' ? read.tableColumns : undefined) ?? read.columns
      const isScaled = form === 'table' && wanted.some(({ scale }) => scale !== undefined)
      const rules = isScaled ? rulesFor(session.client, signal) : new Map()
      const reading = await read.fetch(query.value, session, { form, io, signal, onPage, leftOut })
      if ('code' in reading) return reading
      const columns = inScale(wanted, await rules)
      const times = readTimes(given, nowMs)
      if (times.ok) await tellTimes(given, times.value, form, io)
      const most = read.most?.(query.value) ?? null
      const counted = reading.kind === 'list' ? countedPages(reading.pages, most, given) : null
      const printed = counted === null ? reading : { ...reading, pages: counted.pages }
      await printReading(printed, columns, form, io)
      counted?.tellMore(io)
      return ending()
    }
    return withSession(given, { io, tools, mayWrite: false }, (session) =>
      runUntilBrokenOff(io, () =>
        namingSymbol(read.symbolIn?.(query.value), session.client, signal, () => fetchAndPrint(session)),
      ),
    )
  }
