import type { CommandIo } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { cleanReason } from '../../domain/hub/reason.ts'
import { isOtherHalt, otherHalt, readHalt, setHalt } from '../../hub/people/halt.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
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

/** Asks whether the halt for this reason is to end; null when it is, else the command's ending. */
export async function resumeRefused(halted: string, io: CommandIo): Promise<Ending | null> {
  const question = plainText(`Halted: ${halted}. Orders and withdrawals of everybody go out again. Type resume:`)
  const isAgreed = await confirmed('asked', io, { question, isYes: (typed) => typed === 'resume' })
  return isAgreed ? null : failure('notSent', 'not confirmed: the hub is unchanged')
}

/** Ends the halt, after a confirmation. */
export const runHubResume: Run = async (given, io, tools) => {
  const consent = consentOf(given, io, 'resume')
  if (!consent.ok) return wrongUsage(consent.error)
  return withHubStore(given, { io, tools }, { isChange: true }, async ({ pool }) => {
    const seen = consent.value === 'asked' ? await readHalt(pool) : undefined
    const refused = typeof seen === 'string' ? await resumeRefused(seen, io) : null
    if (refused !== null) return refused
    const before = await setHalt(pool, null, { person: null, by: commandUser(), seen })
    if (isOtherHalt(before, { seen }))
      return failure('notSent', plainText(`not resumed: ${otherHalt(before)}. The hub is unchanged`))
    const did = before === null ? 'It was not halted.' : `Resumed: it was halted for ${before}.`
    await io.print(formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine({ isHalted: false }))
    return { ...done, did }
  })
}
