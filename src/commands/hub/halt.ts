import type { CommandIo } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { cleanReason } from '../../domain/hub/reason.ts'
import { isOtherHalt, otherHalt, readHalt, setHalt } from '../../hub/people/halt.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { confirmed, consentOf } from '../cli/prompt.ts'
import { commandUser, withHubStore } from './store.ts'
import { withoutHub } from './without-hub.ts'

/** The error of a failed halt begins with that: the user would otherwise believe that the firm is halted. */
const undone = {
  word: 'NOT halted',
  todo:
    'While its database is down nothing goes through the hub, no cancel either, and orders go on working: cancel them ' +
    'at the exchange itself, and halt when the database is back.',
  unnamed: withoutHub,
}

/** Halts every desk of the firm, in the hub's database, whether a hub runs or not. */
export const runHubHalt: Run = async (given, io, tools) => {
  const reason = cleanReason(given.words.join(' '))
  if (!reason.ok) return wrongUsage(`NOT halted: ${reason.error}: pitdesk hub halt "REASON"`)
  return withHubStore(given, { io, tools }, { isChange: true, undone }, async ({ pool }) => {
    let isListed = true
    // It protects, so it counts also while the list takes nothing: a command ends, and cannot wait until it does.
    const note = () => {
      isListed = false
      return Promise.resolve()
    }
    const before = await setHalt(pool, reason.value, { person: null, by: commandUser() }, { note })
    const did = `Halted: ${reason.value}. Only cancels go out until it is resumed.`
    const was = before === null || before === reason.value ? '' : ` Before: ${before}.`
    await io.print(
      formOf(given, io.stdout) === 'table' ? plainText(did + was) : jsonLine({ isHalted: true, reason: reason.value }),
    )
    if (!isListed) io.printError('The audit list does not take this halt: keep a note of who made it, and why.')
    return { ...done, did }
  })
}

/**
 * Asks for confirmation to resume, with the present halt as `read` has it. Resolves to the reason that was shown, null
 * for no halt, undefined where nothing was asked; the error is the command's ending.
 */
export async function askedToResume(
  given: Arguments,
  io: CommandIo,
  read: () => Promise<string | null>,
): Promise<Result<string | null | undefined, Ending>> {
  const consent = consentOf(given, io, 'resume')
  if (!consent.ok) return err(wrongUsage(consent.error))
  if (consent.value === 'given') return ok(undefined)
  const halted = await read()
  if (halted === null) return ok(null)
  const question = plainText(`Halted: ${halted}. Orders and withdrawals of everybody go out again. Type resume:`)
  const isAgreed = await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'resume' })
  return isAgreed ? ok(halted) : err(failure('notSent', 'not confirmed: the hub is unchanged'))
}

/** Ends the halt, after a confirmation. */
export const runHubResume: Run = async (given, io, tools) => {
  const consent = consentOf(given, io, 'resume')
  if (!consent.ok) return wrongUsage(consent.error)
  return withHubStore(given, { io, tools }, { isChange: true }, async ({ pool }) => {
    const asked = await askedToResume(given, io, () => readHalt(pool))
    if (!asked.ok) return asked.error
    const { value: seen } = asked
    const before = await setHalt(pool, null, { person: null, by: commandUser(), seen })
    if (isOtherHalt(before, { seen }))
      return failure('notSent', plainText(`not resumed: ${otherHalt(before)}. The hub is unchanged`))
    const did = before === null ? 'It was not halted.' : `Resumed: it was halted for ${before}.`
    await io.print(formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine({ isHalted: false }))
    return { ...done, did }
  })
}
