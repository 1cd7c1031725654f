import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import type { Session } from '../../desk/account/profile.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
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
  /** True: nothing is to be sent, and the transport ensures it. */
  isDry?: boolean
  /** True: a cancel, which only lowers risk, so no failure or delay here may keep it from being sent. */
  isCancel?: boolean
  /** True: an approver's decision, also allowed from a read-only profile. */
  isDecision?: boolean
}

/** The context of every one-shot write. */
export type WriteScene = {
  given: Arguments
  io: CommandIo
  tools: CommandTools
  session: Session
  writing: Writing
}

/** The limits of a dry run behind a hub. */
const ofThisDesk = "Checked here alone: limits of the firm and of a day are the hub's, which are asked when it is sent."

/** Runs with an open exchange and journal. Refuses a read-only profile first. */
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
      // A write that was sent has an outcome, and the journal throws no more by then: this error came during the
      // checks.
      if (error instanceof JournalError) return failure('notSent', `${error.message}. Nothing was sent.`)
      // A write that was sent has an outcome: only the failure of an earlier question gets here.
      if (!(error instanceof ExchangeError) || error.outcome !== null) throw error
      // Says nothing of the exchange, which may be well.
      if (error.fault === 'canceled' && io.signal.aborted)
        return failure('notSent', `${String(io.signal.reason)} came before it was sent. Nothing was sent.`)
      const { message, todo } = noticeOf(error, session.token)
      return failureOf(error, { message: `${message} Nothing was sent.`, todo })
    } finally {
      await writing.value.close()
    }
  })
}
