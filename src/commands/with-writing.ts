import { JournalError } from '../journal/entry.ts'
import type { Arguments } from './arguments.ts'
import { type CommandTools, type Ending, failed } from './command.ts'
import type { CommandIo } from './io.ts'
import { type Session, withSession } from './session.ts'
import { openWriting, type Writing } from './writing.ts'

type Context = {
  given: Arguments
  io: CommandIo
  tools: CommandTools
  /** True: nothing is to be sent, and the transport sees to it. */
  isDry?: boolean
}

/** Runs with an open exchange and journal. A profile that only watches is turned away first. */
export function withWriting(
  { given, io, tools, isDry = false }: Context,
  run: (session: Session, writing: Writing) => Promise<Ending>,
): Promise<Ending> {
  return withSession(given, { io, tools, mayWrite: !isDry }, async (session) => {
    const { isMonitor, profileName } = session.settings
    if (isMonitor && !isDry) return failed(`${profileName} only watches (monitor): nothing was sent`)
    const writing = await openWriting(session, io, tools)
    if (!writing.ok) return failed(writing.error)
    try {
      return await run(session, writing.value)
    } catch (error) {
      // Once something is on its way the journal throws no more: this was while it was judged.
      if (error instanceof JournalError) return failed(`${error.message}. Nothing was sent.`)
      throw error
    } finally {
      await writing.value.close()
    }
  })
}
