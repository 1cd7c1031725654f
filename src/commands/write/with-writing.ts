import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { isHubToken } from '../../desk/behind-hub.ts'
import type { Session } from '../../desk/profile.ts'
import { JournalError } from '../../journal/entry.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, failure, failureOf } from '../cli/exit-codes.ts'
import { IncompleteList } from '../cli/paging.ts'
import { noticeOf, withSession } from '../cli/session.ts'
import { openWriting, type Writing } from './writing.ts'

type Context = {
  given: Arguments
  io: CommandIo
  tools: CommandTools
  /** True: nothing is to be sent, and the transport sees to it. */
  isDry?: boolean
  /** True: it only takes risk out, and nothing that fails here, or takes long, may keep it from leaving. */
  isCancel?: boolean
  /** True: an approver's yes or no, which goes also from a profile that only watches. */
  isDecision?: boolean
}

/** What every one-shot write works with, and tells of it by. */
export type WriteScene = {
  given: Arguments
  io: CommandIo
  tools: CommandTools
  session: Session
  writing: Writing
}

/** What a dry run behind a hub does not show. */
const ofThisDesk = "Checked here alone: limits of the firm and of a day are the hub's, which are asked when it is sent."

/** Runs with an open exchange and journal. A profile that only watches is turned away first. */
export function withWriting(
  { given, io, tools, isDry = false, isCancel = false, isDecision = false }: Context,
  run: (scene: WriteScene) => Promise<Ending>,
): Promise<Ending> {
  return withSession(given, { io, tools, mayWrite: !isDry }, async (session) => {
    const { isMonitor, profileName } = session.settings
    if (isMonitor && !isDry && !(isDecision && isHubToken(session.token)))
      return failure('notSent', `profile ${profileName} is read only (MONITOR): nothing was sent`)
    const writing = await openWriting(session, io, tools, isCancel)
    if (!writing.ok) return failure('notSent', writing.error)
    if (given.has('dry-run') && isHubToken(session.token)) io.printError(ofThisDesk)
    try {
      return await run({ given, io, tools, session, writing: writing.value })
    } catch (error) {
      if (error instanceof IncompleteList) return failure('notSent', `not sent: ${error.message}`)
      // What left has an outcome, and the journal throws no more by then: this was while it was judged.
      if (error instanceof JournalError) return failure('notSent', `${error.message}. Nothing was sent.`)
      // What is sent has an outcome, whatever becomes of it: only a question that came before it gets here.
      if (!(error instanceof ExchangeError) || error.outcome !== null) throw error
      const { message, todo } = noticeOf(error, session.token)
      return failureOf(error, { message: `${message} Nothing was sent.`, todo })
    } finally {
      await writing.value.close()
    }
  })
}
