import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import type { Secret } from '../../base/secret.ts'
import { readSettings } from '../../config/settings.ts'
import { openSession, type Session } from '../../desk/profile.ts'
import { type FailureNotice, failureParts } from '../../services/failure-sentences.ts'
import type { Arguments } from './arguments.ts'
import { done, type Ending, failed, failureOf, settingsFailure } from './exit-codes.ts'
import { IncompleteList } from './paging.ts'

/** What is told of a failure, with nothing of the key in it. */
export const redacted = ({ message, todo }: FailureNotice, key: Secret): FailureNotice => ({
  message: key.redact(message),
  todo: todo === null ? null : key.redact(todo),
})

/** An error of the exchange in words, with nothing of the key in them. */
export const noticeOf = (error: ExchangeError, token: Secret): FailureNotice => redacted(failureParts(error), token)

/** The settings of the profile that is wished, or else of the usual one. */
export function readProfile(given: Pick<Arguments, 'value'>, { environment }: Pick<CommandIo, 'environment'>) {
  const profile = given.value('profile')
  return readSettings(environment, profile === undefined ? {} : { profile })
}

type SessionRun = (session: Session) => Promise<Ending>

/**
 * Runs with an exchange, closes the connection afterwards, and turns what the exchange refuses into a sentence.
 * `inDesk` is a clause: what does the same inside a desk on its own practice exchange, which no command can reach.
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
  try {
    return await run(session.value)
  } catch (error) {
    // Nobody reads any more: what was asked for is not wanted, and why nobody does is told by the output.
    if (error instanceof ExchangeError && error.outcome === null && context.io.output.unread.aborted) return done
    if (error instanceof ExchangeError) return failureOf(error, noticeOf(error, session.value.token))
    if (error instanceof IncompleteList) return failed(error.message)
    throw error
  } finally {
    await session.value.close()
  }
}

/** The exchange in the words that the desk has for it. */
export const placeOf = ({ settings: { venueKind, profileName } }: Pick<Session, 'settings'>): string =>
  venueKind === 'practice' ? 'PRACTICE' : `LIVE ${profileName}`
