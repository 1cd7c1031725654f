import { xdgFolders } from '../config/folders.ts'
import { readTypedAmount } from '../domain/amount-text.ts'
import type { NotSent, WithdrawalOutcome } from '../domain/order-outcome.ts'
import { plainText } from '../domain/plain-text.ts'
import { type DraftContent, requestOf, type WithdrawalDraft, whyNotADraft } from '../domain/transfers/draft.ts'
import { type Reviewed, withdrawalReview } from '../domain/transfers/withdrawal-review.ts'
import type { WithdrawalCheck, WithdrawalRule } from '../domain/withdrawal-checks.ts'
import { type DeskLock, openDeskLock } from '../lock/desk-lock.ts'
import { writeNewWithdrawal } from '../wire/new-withdrawal.ts'
import { fromWithdrawal } from '../wire/withdrawal.ts'
import type { Arguments } from './arguments.ts'
import { blockText, checkLines } from './check-lines.ts'
import { done, type Ending, failed, type Run, wrongUsage } from './command.ts'
import { type Consent, confirmed, consentOf } from './confirm.ts'
import type { CommandIo } from './io.ts'
import { passApproval, passLock } from './pass-lock.ts'
import { formOf, jsonLine } from './read-output.ts'
import { placeOf, type Session } from './session.ts'
import { withWriting } from './with-writing.ts'
import { findEntry, readPlan, type WithdrawPlan, withdrawalSentence } from './withdraw-plan.ts'
import { draftFields } from './withdrawal-drafts.ts'
import { ownPatienceMs, type Writing } from './writing.ts'

const stays = 'Nothing left the account.'

type Scene = {
  given: Arguments
  io: CommandIo
  session: Session
  writing: Writing
  lock: DeskLock
  consent: 'asked' | 'given'
}

/** Sends money out to a beneficiary of the whitelist, prepares it as a draft, or sends, approves or drops a draft. */
export const runWithdraw: Run = async (given, io, tools) => {
  const plan = readPlan(given)
  if (!plan.ok) return wrongUsage(plan.error)
  const isDry = given.has('dry-run')
  const consent = isSending(plan.value, given) ? consentOf(given, io) : ({ ok: true, value: 'given' } satisfies Consent)
  if (!consent.ok) return wrongUsage(consent.error)
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return failed(`${lock.error.replace(/\.$/, '')}. ${stays}`)
  return withWriting({ given, io, tools, isDry }, (session, writing) => {
    const scene = { given, io, session, writing, lock: lock.value, consent: consent.value }
    return plan.value.kind === 'new' ? begin(plan.value, scene) : goOn(plan.value, scene)
  })
}

/** Whether money is to leave, so that somebody has to agree to it. */
const isSending = (plan: WithdrawPlan, given: Arguments): boolean =>
  plan.kind === 'new' ? !given.has('draft') && !given.has('dry-run') : plan.act === 'send'

/** Every rule of the review, with what the exchange says now. */
async function judge(reviewed: Reviewed, { writing }: Scene): Promise<WithdrawalCheck[]> {
  return withdrawalReview(reviewed, await writing.withdrawalContext())
}

async function begin(plan: Extract<WithdrawPlan, { kind: 'new' }>, scene: Scene): Promise<Ending> {
  const { given, io, session, writing } = scene
  const { currency, amount, to, note } = plan
  const entry = findEntry(to, currency, (await session.client.fetchWhitelist(io.signal)).entries)
  if (!entry.ok) return failed(`not sent: ${entry.error}. ${stays}`)
  const { whitelistId, name } = entry.value
  const request = { currency, amount, beneficiary: whitelistId }
  const checks = await judge({ request, approval: null, draftedName: null }, scene)
  const sentence = withdrawalSentence(request, entry.value)
  if (given.has('dry-run')) return showDry({ request, sentence, checks }, given, io)
  const isNeeded = checks.some(({ rule, level }) => rule === 'approval' && level !== 'ok')
  const wantsApproval = isNeeded || given.has('approval')
  const content: DraftContent = { currency, amount, beneficiary: { whitelistId, name }, note, wantsApproval }
  if (given.has('draft')) return keep(content, checks, scene)
  if (wantsApproval) return failed(`not sent: a second person has to approve it: prepare it with --draft. ${stays}`)
  const agreed = await agree({ checks, sentence, amount }, scene)
  if (!agreed.ok) return failed(agreed.error)
  return tell(await writing.trading.withdrawals.sendNew(content, agreed.rules), scene)
}

/** Keeps a draft: nothing leaves, so that what blocks it today is only told. */
async function keep(content: DraftContent, checks: readonly WithdrawalCheck[], scene: Scene): Promise<Ending> {
  const { given, io, writing } = scene
  const { withdrawals } = writing.trading
  for (const { level, text } of checks) if (level !== 'ok') io.complain(plainText(`Mind: ${text}.`))
  const kept = await withdrawals.save(withdrawals.newDraftId(), content)
  if (!kept.ok) return failed(kept.error.replace(/\.$/, ''))
  const { draftId, beneficiary } = kept.value
  const sentence = withdrawalSentence(content, beneficiary)
  const next = `pitdesk withdraw --${content.wantsApproval ? 'approve' : 'send'} ${draftId}`
  await io.print(
    formOf(given, io.stdout) === 'table'
      ? `Kept as draft ${draftId}: ${sentence}. ${stays} Next: ${next}`
      : jsonLine(draftFields(kept.value)),
  )
  return done
}

async function goOn({ act, draftId }: Extract<WithdrawPlan, { kind: 'kept' }>, scene: Scene): Promise<Ending> {
  const { writing, io, given, lock } = scene
  const { withdrawals } = writing.trading
  const drafts = await withdrawals.takeUp()
  if (!drafts.ok) return failed(drafts.error.replace(/\.$/, ''))
  const draft = drafts.value.find((each) => each.draftId === draftId)
  if (draft === undefined) return failed('no draft of that id is kept here: pitdesk withdrawals --drafts lists them')
  if (act === 'send') return sendDraft(draft, scene)
  const what = plainText(`${withdrawalSentence(draft, draft.beneficiary)}, draft ${draftId}`)
  if (act === 'approve') io.complain(what)
  const by = act === 'approve' ? await passApproval(lock, io) : null
  if (by?.ok === false) return failed(`not approved: ${by.error}`)
  const changed = by === null ? await withdrawals.drop(draftId) : await withdrawals.approve(draft, by.value)
  if (!changed.ok) return failed(changed.error)
  const told = by === null ? `Dropped: ${what}.` : `Approved by ${plainText(by.value)}: ${what}.`
  await io.print(formOf(given, io.stdout) === 'table' ? told : jsonLine(draftFields(changed.value)))
  return done
}

async function sendDraft(draft: WithdrawalDraft, scene: Scene): Promise<Ending> {
  const { amount, beneficiary, approval, draftId } = draft
  const reason = whyNotADraft(draft)
  if (reason !== null) return failed(`nothing more was sent: ${reason}`)
  const checks = await judge({ request: requestOf(draft), approval, draftedName: beneficiary.name }, scene)
  const agreed = await agree({ checks, sentence: withdrawalSentence(draft, beneficiary), amount }, scene)
  if (!agreed.ok) return failed(agreed.error)
  return tell(await scene.writing.trading.withdrawals.send(draftId, agreed.rules), scene)
}

type Asked = { checks: readonly WithdrawalCheck[]; sentence: string; amount: DraftContent['amount'] }
type Agreed = { ok: true; rules: readonly WithdrawalRule[] } | { ok: false; error: string }

/** The review: what blocks, what a person should mind, the lock, and the amount once more. `rules` are those that were agreed to. */
async function agree({ checks, sentence, amount }: Asked, { io, session, lock, consent }: Scene): Promise<Agreed> {
  const blocked = blockText(checks)
  if (blocked !== '') return { ok: false, error: `not sent: ${blocked}. ${stays}` }
  const concerns = checks.filter(({ level }) => level === 'ask' || level === 'warn')
  for (const { text } of concerns) io.complain(plainText(`Mind: ${text}.`))
  const opened = await passLock(lock, io)
  if (!opened.ok) return { ok: false, error: `${opened.error}. ${stays}` }
  const what = amount === 'max' ? 'max' : 'the amount once more'
  const question = `${sentence} on ${placeOf(session)}\nType ${what} to send it:`
  const isYes = (typed: string) => (amount === 'max' ? typed === 'max' : readTypedAmount(typed)?.eq(amount) === true)
  if (!(await confirmed(consent, io, { question, isYes })))
    return { ok: false, error: 'left as it is: nothing left the account.' }
  if (io.signal.aborted) return { ok: false, error: `ended before it was sent. ${stays}` }
  return { ok: true, rules: concerns.map(({ rule }) => rule) }
}

type Dry = { request: ReturnType<typeof requestOf>; sentence: string; checks: readonly WithdrawalCheck[] }

async function showDry({ request, sentence, checks }: Dry, given: Arguments, io: CommandIo): Promise<Ending> {
  if (formOf(given, io.stdout) === 'table') {
    await io.print(`Would: ${sentence}`)
    await io.print(plainText(`POST /withdrawals ${writeNewWithdrawal(request, 'strings')}`))
    for (const line of checkLines(checks)) await io.print(line)
  } else {
    const { currency, beneficiary, amount } = request
    const fields = { currency, beneficiary, ...(amount === 'max' ? { sendMax: true } : { amount }) }
    await io.print(jsonLine({ request: fields, checks }))
  }
  const blocked = blockText(checks)
  return blocked === '' ? done : failed(`it would not be sent: ${blocked}`)
}

async function tell(outcome: WithdrawalOutcome | NotSent, { given, io, writing }: Scene): Promise<Ending> {
  switch (outcome.kind) {
    case 'accepted': {
      const { withdrawal } = outcome
      const line = `Withdrawal ${withdrawal.withdrawalId ?? ''} is ${withdrawal.state ?? 'taken'}.`
      await io.print(formOf(given, io.stdout) === 'table' ? plainText(line) : jsonLine(fromWithdrawal(withdrawal)))
      return done
    }
    case 'notSent':
      return failed(`not sent: ${outcome.reason}. ${stays}`)
    case 'rejected':
      return failed(`the exchange refused it: ${outcome.reason}. ${stays}`)
    case 'unknown':
      io.complain('No answer. The money may be on its way: looking for it. Do not send it again.')
      await writing.settle(ownPatienceMs)
      return failed(
        `there was no answer (${outcome.reason}): look at pitdesk withdrawals; it stays in the journal, and a like one is held back until it is settled`,
      )
  }
}
