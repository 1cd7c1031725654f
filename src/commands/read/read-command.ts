import { type CommandIo, readingSignal } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Result } from '../../base/result.ts'
import type { Session } from '../../desk/profile.ts'
import { type Listing, rawText } from '../../domain/listing.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, exitCodes, failed, wrongUsage } from '../cli/exit-codes.ts'
import { type Column, type Form, formOf, printReading, type Reading } from '../cli/output.ts'
import { withSession } from '../cli/session.ts'

/** What a read is given beside its query. */
export type ReadContext = {
  /** What is printed in the end: a table may show more than the wire's fields. */
  form: Form
  io: CommandIo
  signal: AbortSignal
  /** Tells how many rows there are so far. */
  onPage: (count: number) => void
  /** Tells of a part of the answer that had to be left out. */
  leftOut: (sentence: string) => void
}

/** The entries of a list; each that cannot be read is told of with what it says. */
export function readable<T>({ entries, unreadable }: Listing<T>, what: string, { leftOut }: ReadContext): readonly T[] {
  for (const entry of unreadable) leftOut(`${what} unreadable: ${entry.reason} (${rawText(entry)})`)
  return entries
}

/** A one-shot read: the query from the arguments, the answer from the exchange, its columns in CSV and tables. */
export type Read<Query> = {
  columns: readonly Column[]
  /** An error here is wrong usage. */
  query: (given: Arguments) => Result<Query>
  fetch: (query: Query, session: Session, context: ReadContext) => Promise<Reading> | Reading
}

/** Before this long a progress line would only flicker. */
const quietMs = 1_000

export const readRun =
  <Query>(read: Read<Query>): Run =>
  async (given, io, tools) => {
    const query = read.query(given)
    if (!query.ok) return wrongUsage(query.error)
    const startedMs = tools.clock.now()
    const onPage = (count: number) => {
      if (tools.clock.now() - startedMs >= quietMs) io.progress(`${count} so far…`)
    }
    let isShort = false
    const leftOut = (sentence: string) => {
      isShort = true
      io.printError(plainText(`Left out: ${sentence}.`))
    }
    const signal = readingSignal(io)
    const form = formOf(given, io.stdout)
    return withSession(given, { io, tools, mayWrite: false }, async (session) => {
      try {
        const reading = await read.fetch(query.value, session, { form, io, signal, onPage, leftOut })
        await printReading(reading, read.columns, form, io)
        // What is there is printed; that it is not all tells the exit code.
        return isShort ? { code: exitCodes.failed } : done
      } catch (error) {
        if (io.signal.aborted) return failed('ended before the answer came')
        // Who has read enough misses nothing.
        if (io.output.unread.aborted) return done
        throw error
      } finally {
        io.progress(null)
      }
    })
  }
