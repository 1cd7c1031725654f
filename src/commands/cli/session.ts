import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import type { Secret } from '../../base/secret.ts'
import { readSettings } from '../../config/settings.ts'
import { openSession, type Session } from '../../desk/account/profile.ts'
import { type FailureNotice, failureParts } from '../../services/failure-sentences.ts'
import type { Arguments } from './arguments.ts'
import { done, type Ending, failed, failureOf, settingsFailure } from './exit-codes.ts'
import { loadTelling } from './load-telling.ts'
import { IncompleteList } from './paging.ts'

/** A failure's words, without the key. */
export const redacted = ({ message, todo }: FailureNotice, key: Secret): FailureNotice => ({
  message: key.redact(message),
  todo: todo === null ? null : key.redact(todo),
})

/** An exchange error in words, without the key. */
export const noticeOf = (error: ExchangeError, token: Secret): FailureNotice => redacted(failureParts(error), token)

/** The settings of the given profile, or else of the default one. */
export function readProfile(given: Pick<Arguments, 'value'>, { environment }: Pick<CommandIo, 'environment'>) {
  const profile = given.value('profile')
  return readSettings(environment, profile === undefined ? {} : { profile })
}

/** A signal came while a read waited. */
export const beforeAnswer = 'ended before the answer came'

type SessionRun = (session: Session) => Promise<Ending>

/**
 * Runs with an exchange, closes the connection afterwards, and turns its refusals into a sentence. `inDesk` is a
 * clause: how to do the same in a desk on its own practice exchange, which commands cannot reach.
 */
export async function withSession(
  given: Arguments,
  context: { io: CommandIo; tools: CommandTools; mayWrite: boolean; inDesk?: string },
  run: SessionRun,
): Promise<Ending> {
  const settings = readProfile(given, context.io)
  if (!settings.ok) return settingsFailure(settings.error)
  const session = await openSession({ settings: settings.value, ...context })
  if (!session.ok) {
    const isOwn = settings.value.exchange.kind === 'own' && context.inDesk !== undefined
    return failed(isOwn ? `${session.error}. In that desk ${context.inDesk}` : session.error)
  }
  await loadTelling()
  try {
    return await run(session.value)
  } catch (error) {
    // The reader has left: the answer is no longer wanted, and the output reports that itself.
    const isRead = error instanceof ExchangeError && error.outcome === null
    if (isRead && context.io.output.unread.aborted) return done
    // Says nothing of the exchange, which may be well.
    if (isRead && error.fault === 'canceled' && context.io.signal.aborted) return failed(beforeAnswer)
    if (error instanceof ExchangeError) return failureOf(error, noticeOf(error, session.value.token))
    if (error instanceof IncompleteList) return failed(error.message)
    throw error
  } finally {
    await session.value.close()
  }
}

/** The exchange in the desk's words. */
export const placeOf = ({ settings: { venueKind, profileName } }: Pick<Session, 'settings'>): string =>
  venueKind === 'practice' ? 'PRACTICE' : `LIVE ${profileName}`
