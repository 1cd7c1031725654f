import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import type { Settings } from '../../config/settings.ts'
import { fetchHeldAtHub } from '../../desk/wiring/behind-hub.ts'
import { type ApprovalAnswer, lockRefusal } from '../../domain/desk/lock.ts'
import { type DeskLock, openDeskLock } from '../../lock/desk-lock.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { done, type Ending, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { type Consent, confirmed, openHiddenLines } from '../cli/prompt.ts'
import {
  type Acceptance,
  type AcceptWord,
  blockText,
  checkFields,
  checkLines,
  isConcern,
  type Judgement,
} from './checks.ts'
import type { WriteScene } from './with-writing.ts'

/** The reason given by a program that made a draft, marked as its own text. */
export const makerSays = (text: string): string => `Its maker says (not checked): ${text}`

/** The user's consent: at a terminal, or a script's beforehand by `--yes` and by name with `--accept`. */
export type Agreement = { consent: Consent; accepted: ReadonlySet<AcceptWord> }

type Asked<Rule extends string, Check extends Judgement<Rule>> = {
  checks: readonly Check[]
  acceptance: Acceptance<Rule>
  /** The question at the terminal before sending. */
  question: string
  isYes: (typed: string) => boolean
  /** The consequence of a refusal for the money. */
  nothing: string
  unconfirmed: string
}

/**
 * The gate of an order or a withdrawal before sending: no check blocks, warnings are shown or accepted by name, the
 * desk lock opens, the user confirms. Resolves to the confirmed concerns; the error says why nothing is sent.
 */
export async function agree<Rule extends string, Check extends Judgement<Rule>>(
  { checks, acceptance, question, isYes, nothing, unconfirmed }: Asked<Rule, Check>,
  { consent, accepted }: Agreement,
  { session, io, tools }: Pick<WriteScene, 'session' | 'io' | 'tools'>,
): Promise<Result<readonly Check[], Ending>> {
  const refused = (sentence: string, more: Pick<Ending, 'todo'> = {}) => err(failure('notSent', sentence, more))
  const blocked = blockText(checks)
  if (blocked !== '') return refused(`not sent: ${blocked}. ${nothing}`)
  const concerns = checks.filter(isConcern)
  for (const { text } of concerns) io.printError(plainText(`Warning: ${text}.`))
  const open = consent === 'given' ? acceptance.unaccepted(checks, accepted) : null
  if (open !== null) return refused(`not sent: ${open.reason}. ${nothing}`, { todo: open.todo })
  const opened = await passLock(session.settings, io, tools)
  if (!opened.ok) return refused(`${opened.error}. ${nothing}`)
  if (!(await confirmed(consent, io, { question, isYes }))) return refused(`not confirmed: ${unconfirmed}`)
  return io.signal.aborted ? refused(`ended before it was sent. ${nothing}`) : ok(concerns)
}

type Dry<Rule extends string> = {
  /** The action, as a clause. */
  would: string
  /** The request as it would be sent, for a terminal. */
  line: string
  request: Fields
  checks: readonly Judgement<Rule>[]
  acceptance: Acceptance<Rule>
}

/**
 * Shows the request, every check, and the words a script would have to accept; sends nothing. What a hub would refuse
 * whatever the checks say fails too.
 */
export async function showDry<Rule extends string>(
  { would, line, request, checks, acceptance }: Dry<Rule>,
  { given, io, session }: Pick<WriteScene, 'given' | 'io' | 'session'>,
): Promise<Ending> {
  const accept = acceptance.wordsOf(checks)
  const shown = { request, checks: checks.map(checkFields), accept }
  const held = await fetchHeldAtHub(session, io.signal)
  const blocked = [blockText(checks), plainText(held ?? '')].filter((each) => each !== '').join('; ')
  if (formOf(given, io.stdout) === 'table') {
    await io.print(would)
    await io.print(plainText(line))
    for (const each of checkLines(checks)) await io.print(each)
    if (accept.length > 0) await io.print(`A script would need --accept ${accept.join(',')}`)
  } else if (blocked === '') await io.print(jsonLine(shown))
  return blocked === '' ? done : failure('notSent', `it would not be sent: ${blocked}`, { beside: shown })
}

/**
 * Opens the desk lock before a command places an order or a withdrawal: otherwise a command could bypass the locked
 * desk. The user types the passphrase or code, so scripts are refused unless the profile allows commands. The error is
 * a clause.
 */
export async function passLock(
  { lockCommands }: Pick<Settings, 'lockCommands'>,
  io: CommandIo,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<Result<null>> {
  if (lockCommands === 'allow') return ok(null)
  const read = await openDeskLock(xdgFolders(io.environment).state, clock)
  if (!read.ok) return err(withoutStop(read.error))
  const lock = read.value
  if (lock.method === 'none') return ok(null)
  if (!io.stdin.isTTY)
    return err('the desk is locked: open it in a terminal, or set lock_commands = "allow" for scripts')
  const typed = await hidden(`Desk lock. Its ${lock.method === 'code' ? 'code' : 'passphrase'} (not shown):`, io)
  if (typed === null) return err('the lock was not opened')
  const answer = await lock.open(typed)
  return answer.kind === 'opened' ? ok(null) : err(refusal(answer))
}

/** The approver's consent by their own passphrase, typed in a terminal; resolves to their name. The error: a clause. */
export async function passApproval(lock: DeskLock, io: CommandIo): Promise<Result<string>> {
  const { approver } = lock
  if (approver === null) return err(refusal({ kind: 'nobody' }))
  if (!io.stdin.isTTY) return err('an approval is typed in a terminal')
  const typed = await hidden(`${approver}, your passphrase (it is not shown):`, io)
  if (typed === null) return err('it was not approved')
  const answer = await lock.approve(typed)
  return answer.kind === 'approved' ? ok(answer.by) : err(refusal(answer))
}

function refusal(answer: Exclude<ApprovalAnswer, { kind: 'approved' }>): string {
  if (answer.kind === 'wrong' || answer.kind === 'early') {
    return answer.waitMs === 0
      ? 'wrong passphrase or code'
      : `not accepted, try again in ${Math.ceil(answer.waitMs / 1000)} s`
  }
  return withoutStop(lockRefusal(answer))
}

async function hidden(question: string, io: CommandIo): Promise<string | null> {
  const lines = openHiddenLines(io)
  return await lines.ask(question).finally(() => lines.close())
}
