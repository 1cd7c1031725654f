import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { done, type Ending, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf, jsonLine } from '../cli/output.ts'
import { type Consent, confirmed } from '../cli/prompt.ts'
import { passLock } from '../lock/pass-lock.ts'
import { type Acceptance, type AcceptWord, blockText, checkLines, isConcern, type Judgement } from './checks.ts'
import type { WriteScene } from './with-writing.ts'

/** How the user agrees: at a terminal, or a script beforehand with `--yes` and by name with `--accept`. */
export type Agreement = { consent: Consent; accepted: ReadonlySet<AcceptWord> }

type Asked<Rule extends string, Check extends Judgement<Rule>> = {
  checks: readonly Check[]
  acceptance: Acceptance<Rule>
  /** What is typed at the terminal to send it. */
  question: string
  isYes: (typed: string) => boolean
  /** What a refusal says of the money. */
  nothing: string
  unconfirmed: string
}

/**
 * What an order or a withdrawal has to pass before it leaves: no check blocks, warnings are shown or accepted by name,
 * the desk lock opens, the user confirms. Resolves to the concerns that were agreed to; the error says why nothing is
 * sent.
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
  /** What would be done, as a clause. */
  would: string
  /** The request as it would be sent, for a terminal. */
  line: string
  request: Fields
  checks: readonly Judgement<Rule>[]
  acceptance: Acceptance<Rule>
}

/** What would be sent, every check, and what a script would have to accept; sends nothing. */
export async function showDry<Rule extends string>(
  { would, line, request, checks, acceptance }: Dry<Rule>,
  { given, io }: Pick<WriteScene, 'given' | 'io'>,
): Promise<Ending> {
  const accept = acceptance.wordsOf(checks)
  const shown = { request, checks: checks.map(({ rule, level, text }) => ({ rule, level, text })), accept }
  const blocked = blockText(checks)
  if (formOf(given, io.stdout) === 'table') {
    await io.print(would)
    await io.print(plainText(line))
    for (const each of checkLines(checks)) await io.print(each)
    if (accept.length > 0) await io.print(`A script would need --accept ${accept.join(',')}`)
  } else if (blocked === '') await io.print(jsonLine(shown))
  return blocked === '' ? done : failure('notSent', `it would not be sent: ${blocked}`, { beside: shown })
}
