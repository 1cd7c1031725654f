import { plainText } from '../../base/text/plain-text.ts'
import { utcText } from '../../base/text/time-text.ts'
import { whyNotADraft } from '../../domain/draft.ts'
import { saysUnchanged } from '../../domain/hub/unchanged.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { FirmQueue } from '../../services/transfers/firm-queue.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { type Ending, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { confirmed, consentOf } from '../cli/prompt.ts'
import { draftFields } from '../read/account.ts'
import { passLock } from './agreement.ts'
import type { WriteScene } from './with-writing.ts'
import { stays } from './withdraw-result.ts'
import { refusalKind } from './writing.ts'

const decisions = ['approve', 'reject'] as const
type DecisionAct = (typeof decisions)[number]

export const isDecisionAct = (act: string): act is DecisionAct => decisions.some((each) => each === act)

type Decision = { act: DecisionAct; draft: WithdrawalDraft; firm: FirmQueue }

/**
 * An approver's decision on a draft of a hub, with their own token, on their own machine. The signed text is shown
 * before, letter by letter; the hub refuses it if the draft has changed by then.
 */
export async function decideDraft({ act, draft, firm }: Decision, scene: WriteScene): Promise<Ending> {
  const { given, io, tools, session } = scene
  const { draftId } = draft
  const consent = consentOf(given, io, act)
  if (!consent.ok) return wrongUsage(consent.error)
  const over = whyNotADraft(draft)
  if (over !== null) return failure('notSent', `not ${past[act]}: ${over}. ${nothing}`)
  for (const line of shown({ act, draft, firm })) io.printError(plainText(line))
  // As for a sending command: no command may bypass the desk lock.
  const opened = await passLock(session.settings, io, tools)
  if (!opened.ok) return failure('notSent', `${opened.error}. ${nothing}`)
  const question = `Type ${act} to ${act === 'approve' ? 'sign it' : 'reject it for good'}:`
  if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === act })))
    return failure('notSent', `not confirmed: ${nothing}`)
  const reason = given.value('reason')?.trim() ?? null
  const decided = await (act === 'approve' ? firm.agree(draft) : firm.reject(draft, reason))
  if (!decided.ok) return undone(act, decided.error, scene)
  const did = `${outcomeText(decided.value)}: ${termsText(draft)}, draft ${draftId}.`
  await io.print(formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine(draftFields(decided.value)))
  return { code: 0, did }
}

const past = { approve: 'approved', reject: 'rejected', drop: 'dropped' } as const
const nothing = 'Nothing was changed.'

/** Why a draft of a hub is unchanged; without an answer, that this is unknown. */
export function undone(act: keyof typeof past, why: string, { writing }: Pick<WriteScene, 'writing'>): Ending {
  const failed = writing.lastFailure()
  if (failed?.outcome === 'unknown')
    return failure('unknown', `the draft may be ${past[act]}: ${why}. ${stays}`, {
      todo: 'Look at pitdesk withdrawals --drafts.',
    })
  const kind = failed === null ? 'notSent' : refusalKind(failed.outcome === 'refused' ? 'rejected' : 'notSent', failed)
  // Some answers of a hub say so themselves.
  return failure(kind, `not ${past[act]}: ${why}.${saysUnchanged(why) ? '' : ` ${nothing}`}`)
}

const termsText = ({ amount, currency, beneficiary: { name, whitelistId } }: WithdrawalDraft): string =>
  `${amount === 'max' ? `all ${currency}` : `${amount.toFixed()} ${currency}`} to ${name} (${whitelistId})`

/** The text an approver reads before deciding. */
function shown({ act, draft, firm }: Decision): string[] {
  const { draftId, madeBy = '?', createdAtMs, note, approval } = draft
  return [
    `Draft ${draftId}, made by ${madeBy} at ${utcText(createdAtMs)}: ${termsText(draft)}`,
    ...(note === null ? [] : [`Note: ${note}`]),
    ...(approval.kind === 'given' ? [`Approved by ${approval.by}`] : []),
    ...(act === 'approve' ? [`To be signed with your token: ${firm.termsOf(draft) ?? '?'}`] : []),
  ]
}

function outcomeText({ approval, state }: WithdrawalDraft): string {
  if (state.kind === 'refused') return `Not sent for good, ${state.reason}`
  return approval.kind === 'given' ? `Approved by ${approval.by}` : 'Done'
}
