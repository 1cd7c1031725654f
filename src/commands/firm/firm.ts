import { ExchangeError } from '../../api/errors.ts'
import { type CommandIo, type CommandTools, readingSignal } from '../../base/process/command-io.ts'
import type { Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { Session } from '../../desk/account/profile.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { personLimitsText } from '../../domain/hub/person.ts'
import { cleanReason } from '../../domain/hub/reason.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, exitCodes, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf, one, printReading, text } from '../cli/output.ts'
import { consentOf } from '../cli/prompt.ts'
import { noticeOf, withSession } from '../cli/session.ts'
import { printAudit, readAuditWish } from '../hub/audit.ts'
import { resumeRefused } from '../hub/halt.ts'
import { limitAmounts } from '../hub/limits.ts'
import { withoutHub } from '../hub/without-hub.ts'
import { tellTimes } from '../read/read-command.ts'
import { refusalKind } from '../write/writing.ts'

type Context = { given: Arguments; io: CommandIo; tools: CommandTools; mayWrite: boolean }

/** Runs at the profile's hub as the person with its token. `instead`: the remedy without a hub. */
const atHub = (
  { given, ...context }: Context,
  run: (session: Session) => Promise<Ending>,
  instead?: string,
): Promise<Ending> =>
  withSession(given, context, (session) => {
    if (isHubToken(session.token)) return run(session)
    const { profileName } = session.settings
    const why = failed(`profile ${profileName} is not at a hub, or its token is mistyped: nothing was asked`)
    return Promise.resolve(instead === undefined ? why : { ...why, todo: instead })
  })

/** The person of the token at the hub, with role and limits. */
export const runFirmMe: Run = (given, io, tools) =>
  atHub({ given, io, tools, mayWrite: false }, async ({ client }) => {
    const { name, role, account, halted, limits } = await client.fetchHubPerson(readingSignal(io))
    const row = { name, role, account, halted, ...limits }
    const columns = [
      text('name', 'NAME'),
      text('role', 'ROLE'),
      text('account', 'ACCOUNT', 2),
      text('halted', 'HALTED'),
    ]
    const form = formOf(given, io.stdout)
    await printReading(one(row), form === 'csv' ? [...columns, ...limitAmounts] : columns, form, io)
    if (form === 'table') io.printError(plainText(`Limits: ${personLimitsText(limits)}.`))
    return done
  })

/** The audit list, as the hub serves it to an admin. */
export const runFirmAudit: Run = async (given, io, tools) => {
  const wish = readAuditWish(given, tools.clock.wallMs())
  if (!wish.ok) return wrongUsage(wish.error)
  const { times, filter, most } = wish.value
  const signal = readingSignal(io)
  return await atHub({ given, io, tools, mayWrite: false }, async ({ client }) => {
    const { person } = filter
    if (person !== undefined && (await isNobody(person, client, signal)))
      return failed(`the hub's audit list has nobody called ${person}`)
    await tellTimes(given, times, formOf(given, io.stdout), io)
    let isShort = false
    const read = async (before: number | null, limit: number) => {
      const { rows, unreadable } = await client.fetchHubAudit({ ...filter, before, limit }, signal)
      for (const { reason } of unreadable) io.printError(plainText(`A row cannot be read: ${reason}.`))
      isShort ||= unreadable.length > 0
      return rows
    }
    const ending = await printAudit(read, most, given, io)
    return isShort && ending.code === 0 ? { code: exitCodes.failed } : ending
  })
}

/** True when no row at all is by or about a name: everybody has one of being added, so that it is mistyped. */
async function isNobody(person: string, client: Session['client'], signal: AbortSignal): Promise<boolean> {
  const { rows, unreadable } = await client.fetchHubAudit({ person, before: null, limit: 1 }, signal)
  return rows.length + unreadable.length === 0
}

/** Halts every desk of the firm, with an admin's own token. */
export const runFirmHalt: Run = async (given, io, tools) => {
  const reason = cleanReason(given.words.join(' '))
  if (!reason.ok) return wrongUsage(`NOT halted: ${reason.error}: pitdesk firm halt "REASON"`)
  const ending = await change({ given, io, tools }, 'halted', ({ client }) => client.haltHub(reason.value))
  const { sentence } = ending
  // Any failure first says that the firm is not halted, because a hurried user would believe it is.
  return sentence === undefined || /\bhalted\b/.test(sentence)
    ? ending
    : { ...ending, sentence: `NOT halted: ${sentence}` }
}

/** Ends the halt, with an admin's own token. */
export const runFirmResume: Run = async (given, io, tools) => {
  const consent = consentOf(given, io, 'resume')
  if (!consent.ok) return wrongUsage(consent.error)
  let seen: string | null | undefined
  if (consent.value === 'asked') {
    const asked = await atHub({ given, io, tools, mayWrite: false }, async ({ client }) => {
      const { halted } = await client.fetchHubPerson(readingSignal(io))
      seen = halted
      return halted === null ? done : ((await resumeRefused(halted, io)) ?? done)
    })
    if (asked.code !== done.code) return asked
  }
  const halt = seen
  if (halt !== null) return await change({ given, io, tools }, 'resumed', ({ client }) => client.resumeHub(halt))
  const did = 'It was not halted.'
  await io.print(formOf(given, io.stdout) === 'table' ? did : jsonLine({ isHalted: false, reason: null }))
  return { ...done, did }
}

/** Sends the change and prints its outcome, which may be unknown without an answer. */
function change(
  { given, io, tools }: Omit<Context, 'mayWrite'>,
  what: 'halted' | 'resumed',
  run: (session: Session) => Promise<string | null>,
): Promise<Ending> {
  const instead = what === 'halted' ? withoutHub : undefined
  return atHub({ given, io, tools, mayWrite: true }, withHub, instead)

  async function withHub(session: Session): Promise<Ending> {
    if (session.settings.isMonitor)
      return failure('notSent', `profile ${session.settings.profileName} is read only (MONITOR): nothing was changed`)
    const answer = await asked(run, session)
    if (!answer.ok) return answer.error
    const halted = answer.value
    const did =
      halted === null ? 'Resumed: orders and withdrawals go out again.' : `Halted: ${halted}. Only cancels go.`
    await io.print(
      formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine({ isHalted: halted !== null, reason: halted }),
    )
    return { ...done, did }
  }

  async function asked(call: typeof run, session: Session): Promise<Result<string | null, Ending>> {
    try {
      return { ok: true, value: await call(session) }
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      const { message } = noticeOf(error, session.token)
      if (error.outcome === 'unknown')
        return {
          ok: false,
          error: failure('unknown', `it may be ${what}: ${message}`, { todo: 'See pitdesk firm me.' }),
        }
      const kind = refusalKind(error.outcome === 'refused' ? 'rejected' : 'notSent', error)
      return { ok: false, error: failure(kind, `not ${what}: ${message}`) }
    }
  }
}
