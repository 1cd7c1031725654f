import { ExchangeError } from '../../api/errors.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { ofTypedName } from '../../base/text/nearest-name.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { plainWidth, readTypedAmount } from '../../domain/amount-text.ts'
import { reasonMax } from '../../domain/hub/reason.ts'
import type { Listing } from '../../domain/listing.ts'
import { type DraftContent, makerOf, requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { WhitelistEntry, WithdrawalAmount, WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { WithdrawalCheck, WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { type Reviewed, withdrawalReview } from '../../domain/transfers/withdrawal-review.ts'
import { JournalError } from '../../journal/entry.ts'
import { type DeskLock, openDeskLock } from '../../lock/desk-lock.ts'
import { draftSinceMs } from '../../services/transfers/left-elsewhere.ts'
import type { SendOutcome } from '../../services/transfers/withdrawal-queue.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { writeNewWithdrawal } from '../../wire/transfers.ts'
import { type Arguments, readCurrency } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, exitCodes, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { type Consent, consentOf } from '../cli/prompt.ts'
import { placeOf } from '../cli/session.ts'
import { draftFields } from '../read/account.ts'
import { type Agreement, agree, makerSays, passApproval, showDry } from './agreement.ts'
import { acceptsNoDraft, draftOrDry, withdrawalAcceptance } from './checks.ts'
import { decideDraft, isDecisionAct, undone } from './decide-draft.ts'
import { readAmount } from './order-draft.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import {
  earlierWithdrawal,
  endedDraft,
  stays,
  tellWithdrawal,
  unreadDrafts,
  withdrawnBefore,
} from './withdraw-result.ts'
import { isHubRefusal } from './writing.ts'

type Scene = WriteScene & { lock: DeskLock; agreement: Agreement }

/** Withdraws to a beneficiary of the whitelist, saves that as a draft, or acts on a draft. */
export const runWithdraw: Run = async (given, io, tools) => {
  const plan = readPlan(given)
  if (!plan.ok) return wrongUsage(plan.error)
  const accepted = withdrawalAcceptance.read(given)
  if (!accepted.ok) return wrongUsage(accepted.error)
  const isDry = given.has('dry-run')
  const consent = isSending(plan.value, given) ? consentOf(given, io) : ok<Consent>('given')
  if (!consent.ok) return wrongUsage(consent.error)
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return failure('notSent', `${withoutStop(lock.error)}. ${stays}`)
  const isDecision = plan.value.kind === 'kept' && isDecisionAct(plan.value.act)
  return withWriting({ given, io, tools, isDry, isDecision }, async (written) => {
    const agreement = { consent: consent.value, accepted: accepted.value }
    const scene: Scene = { ...written, lock: lock.value, agreement }
    return plan.value.kind === 'new' ? begin(plan.value, scene) : goOn(plan.value, scene)
  })
}

/** True when money is to be sent, so that the user has to confirm. */
const isSending = (plan: WithdrawPlan, given: Arguments): boolean =>
  plan.kind === 'new' ? !given.has('draft') && !given.has('dry-run') : plan.act === 'send'

/** Every rule of the review, by the exchange's present data. */
async function judge(reviewed: Reviewed, { writing }: Scene): Promise<WithdrawalCheck[]> {
  return withdrawalReview(reviewed, await writing.withdrawalContext())
}

type NewPlan = Extract<WithdrawPlan, { kind: 'new' }>

/**
 * A new withdrawal, unless its key was used before: then the outcome of that one is the answer, also if it blocks this
 * one only now.
 */
async function begin(plan: NewPlan, scene: Scene): Promise<Ending> {
  const { key } = plan
  const before = key === null ? null : await underKey(key, plan, scene)
  if (before !== null) return before
  const ending = await beginNew(plan, scene)
  const isHeld = ending.code === exitCodes.notSent && !scene.given.has('dry-run')
  return (isHeld && key !== null ? await underKey(key, plan, scene) : null) ?? ending
}

async function beginNew(plan: NewPlan, scene: Scene): Promise<Ending> {
  const { given, io, session, writing } = scene
  const { currency, amount, to, note, key } = plan
  const entry = findEntry(to, currency, await session.client.fetchWhitelist(io.signal))
  if (!entry.ok) return failure('notSent', `not sent: ${entry.error}. ${stays}`)
  const { whitelistId, name } = entry.value
  const request = { currency, amount, beneficiary: whitelistId }
  const reviewed = { request, approval: null, draftedName: null }
  const checks = await judge(reviewed, scene)
  const sentence = withdrawalSentence(request, entry.value)
  const todo = 'If it is another one, send this one without --key.'
  const beforeNow = () => (key === null ? null : withdrawnBefore(request, { sinceMs: null, todo }, scene))
  if (given.has('dry-run')) return (await beforeNow()) ?? (await dryRun({ request, sentence, checks }, scene))
  const isNeeded = checks.some(({ rule, level }) => rule === 'approval' && level !== 'ok')
  const wantsApproval = isNeeded || given.has('approval')
  const beneficiary = { whitelistId, name }
  const content: DraftContent = { currency, amount, beneficiary, note, wantsApproval, ...(key === null ? {} : { key }) }
  if (given.has('draft')) return keep(content, checks, scene)
  if (wantsApproval)
    return failure('notSent', `not sent: the approver has to approve it. ${stays}`, {
      todo: 'Save it with --draft.',
    })
  const before = await beforeNow()
  if (before !== null) return before
  const agreed = await agreedRules({ checks, sentence, amount }, scene)
  if (!agreed.ok) return agreed.error
  const { rules, seen } = agreed.value
  return await tell(await writing.trading.withdrawals.sendNew(content, rules, seen), reviewed, scene)
}

/** The outcome of the withdrawal under this key, which completes the command; null while the key is free. */
async function underKey(key: string, plan: NewPlan, scene: Scene): Promise<Ending | null> {
  const { given, io, session } = scene
  if (key === session.token.reveal()) return wrongUsage('--key takes a name of your own, never the API key')
  const earlier = await earlierWithdrawal(key, plan, scene)
  if (earlier.kind === 'free') return null
  if (earlier.kind === 'sent') return earlier.ending
  const { draft } = earlier
  if (given.has('draft')) return await showDraft(draft, scene)
  if (draft.atOnce === true) return given.has('dry-run') ? null : await sendLeft(key, draft, scene)
  io.printError(plainText(`Key ${key} names draft ${draft.draftId}, which was not sent.`))
  return failure('notSent', `not sent: key ${key} names a draft. ${stays}`, {
    todo: `Send it with pitdesk withdraw --send ${draft.draftId}.`,
  })
}

/**
 * Sends the draft that an interrupted command left under this key: it was meant to be sent at once, and the key allows
 * one sending. A refused draft is dropped, as after that command's own refusal.
 */
async function sendLeft(key: string, draft: WithdrawalDraft, scene: Scene): Promise<Ending> {
  const { draftId } = draft
  scene.io.printError(plainText(`Key ${key} names draft ${draftId}, whose command ended before it was sent.`))
  const ending = await sendDraft(draft, scene)
  if (ending.code === exitCodes.notSent) await scene.writing.trading.withdrawals.drop(draftId)
  return ending
}

/** Saves a draft: nothing is sent, so checks that block today are only warnings. */
async function keep(content: DraftContent, checks: readonly WithdrawalCheck[], scene: Scene): Promise<Ending> {
  const { withdrawals } = scene.writing.trading
  for (const { level, text } of checks) if (level !== 'ok') scene.io.printError(plainText(`Warning: ${text}.`))
  const kept = await withdrawals.save(withdrawals.newDraftId(), content)
  if (kept.ok) return await showDraft(kept.value, scene)
  const refusedAtHub = isHubRefusal(scene.writing.lastFailure())
  return refusedAtHub ? failure('rejected', `not saved: ${withoutStop(kept.error)}`) : failed(withoutStop(kept.error))
}

async function showDraft(draft: WithdrawalDraft, { given, io }: Scene): Promise<Ending> {
  const { draftId, beneficiary, approval, madeBy } = draft
  const isForApprover = approval.kind === 'wanted'
  const who = isForApprover && madeBy !== undefined ? ', by an approver' : ''
  const next = `Next${who}: pitdesk withdraw --${isForApprover ? 'approve' : 'send'} ${draftId}`
  const did = `Saved as draft ${draftId}: ${withdrawalSentence(draft, beneficiary)}. ${stays} ${next}`
  await io.print(formOf(given, io.stdout) === 'table' ? did : jsonLine(draftFields(draft)))
  return { code: 0, did }
}

async function goOn({ act, draftId: typedId }: Extract<WithdrawPlan, { kind: 'kept' }>, scene: Scene): Promise<Ending> {
  const { writing, io, given, lock } = scene
  const { withdrawals } = writing.trading
  const drafts = await withdrawals.takeUp()
  if (!drafts.ok) return unreadDrafts(writing.trading.firm, `${withoutStop(drafts.error)}. ${stays}`)
  const draft = ofTypedName(drafts.value, (each) => each.draftId, typedId)
  if (draft === undefined)
    return failure('notSent', `unknown draft ${plainText(typedId)}: pitdesk withdrawals --drafts lists them`)
  const { draftId } = draft
  if (act === 'send') return sendDraft(draft, scene)
  const { firm } = writing.trading
  if (firm !== null && isDecisionAct(act)) return decideDraft({ act, draft, firm }, scene)
  if (act === 'reject') return wrongUsage('--reject is for the drafts of a hub: one of this machine is dropped')
  const what = plainText(`${withdrawalSentence(draft, draft.beneficiary)}, draft ${draftId}`)
  if (act === 'approve') io.printError(what)
  const by = act === 'approve' ? await passApproval(lock, io) : null
  if (by?.ok === false) return failure('notSent', `not approved: ${by.error}`)
  const changed = by === null ? await withdrawals.drop(draftId) : await withdrawals.approve(draft, by.value)
  if (!changed.ok) return firm === null ? failed(changed.error) : undone('drop', changed.error, scene)
  const did = by === null ? `Dropped: ${what}.` : `Approved by ${plainText(by.value)}: ${what}.`
  await io.print(formOf(given, io.stdout) === 'table' ? did : jsonLine(draftFields(changed.value)))
  return { code: 0, did }
}

/** Sends a draft; if another command or desk has sent it meanwhile, reports that one's outcome. */
async function sendDraft(draft: WithdrawalDraft, scene: Scene): Promise<Ending> {
  if (draft.state.kind !== 'draft') return await endedDraft(draft, scene)
  const ending = await sendKept(draft, scene)
  if (ending.code !== exitCodes.notSent && ending.code !== exitCodes.unreachable) return ending
  const drafts = await scene.writing.trading.withdrawals.takeUp()
  const now = drafts.ok ? drafts.value.find(({ draftId }) => draftId === draft.draftId) : undefined
  // A failed earlier attempt says less than this one.
  const isOver = now !== undefined && now.state.kind !== 'draft' && now.state.kind !== 'refused'
  return isOver ? await endedDraft(now, scene) : ending
}

async function sendKept(draft: WithdrawalDraft, scene: Scene): Promise<Ending> {
  const { amount, beneficiary, approval, draftId, origin, note } = draft
  const madeBy = makerOf(draft)
  if (origin !== undefined && note !== null) scene.io.printError(plainText(makerSays(note)))
  const reviewed = { request: requestOf(draft), approval, draftedName: beneficiary.name }
  const checks = await judge(reviewed, scene)
  const sinceMs = draftSinceMs(draft, scene.session.skewMs())
  const before = await withdrawnBefore(
    reviewed.request,
    { sinceMs, todo: 'If it is another one, make a new draft.' },
    scene,
  )
  if (before !== null) return before
  const maker = madeBy === undefined ? '' : plainText(`, draft ${draftId} made by ${madeBy}`)
  const agreed = await agreedRules({ checks, sentence: withdrawalSentence(draft, beneficiary) + maker, amount }, scene)
  if (!agreed.ok) return agreed.error
  const { rules, seen } = agreed.value
  return tell(await scene.writing.trading.withdrawals.send(draftId, rules, seen), reviewed, scene)
}

type Asked = { checks: readonly WithdrawalCheck[]; sentence: string; amount: DraftContent['amount'] }
/** `rules` are the accepted concerns, `seen` their subjects. */
type Agreed = { rules: readonly WithdrawalRule[]; seen: readonly string[] }

/** The review, which ends with typing the amount again. */
async function agreedRules({ checks, sentence, amount }: Asked, scene: Scene): Promise<Result<Agreed, Ending>> {
  const what = amount === 'max' ? 'max' : 'the amount once more'
  const asked = {
    checks,
    acceptance: withdrawalAcceptance,
    question: `${sentence} on ${placeOf(scene.session)}\nType ${what} to send it:`,
    isYes: (typed: string) => (amount === 'max' ? typed === 'max' : readTypedAmount(typed)?.eq(amount) === true),
    nothing: stays,
    unconfirmed: 'nothing left the account.',
  }
  const concerns = await agree(asked, scene.agreement, scene)
  if (!concerns.ok) return concerns
  const rules = concerns.value.map(({ rule }) => rule)
  return ok({ rules, seen: concerns.value.flatMap(({ about = [] }) => about) })
}

/** Reports the outcome. A script also learns which concern to accept if a new one blocked it at the last moment. */
async function tell(outcome: SendOutcome, reviewed: Reviewed, scene: Scene): Promise<Ending> {
  const ending = await tellWithdrawal(outcome, scene)
  if (outcome.kind !== 'notSent' || scene.agreement.consent === 'asked') return ending
  try {
    const open = withdrawalAcceptance.unaccepted(await judge(reviewed, scene), scene.agreement.accepted)
    return open === null ? ending : { ...ending, todo: open.todo }
  } catch (error) {
    // The refusal is reported anyway.
    if (error instanceof ExchangeError || error instanceof JournalError) return ending
    throw error
  }
}

type Dry = { request: ReturnType<typeof requestOf>; sentence: string; checks: readonly WithdrawalCheck[] }

function dryRun({ request, sentence, checks }: Dry, scene: Scene): Promise<Ending> {
  const { currency, beneficiary, amount } = request
  const fields = { currency, beneficiary, ...(amount === 'max' ? { sendMax: true } : { amount }) }
  const line = `POST /withdrawals ${writeNewWithdrawal(request, 'strings')}`
  const dry = { would: `Would: ${sentence}`, line, request: fields, checks, acceptance: withdrawalAcceptance }
  return showDry(dry, scene)
}

/** The task of `pitdesk withdraw`. `to` is a whitelist id, or an entry's name. */
type WithdrawPlan =
  | {
      kind: 'new'
      currency: string
      amount: WithdrawalAmount
      to: string
      note: string | null
      /** The caller's own key, which makes a repeat safe; null for none. */
      key: string | null
    }
  | { kind: 'kept'; act: DraftAct; draftId: string }

const draftActs = ['send', 'approve', 'reject', 'drop'] as const
type DraftAct = (typeof draftActs)[number]

const usage = 'a withdrawal reads: BTC 0.5 --to WHITELIST-ID, or BTC --max --to WHITELIST-ID'

/** Reads the arguments; an error is wrong usage. */
function readPlan(given: Arguments): Result<WithdrawPlan> {
  const acts = draftActs.filter((act) => given.has(act))
  const [act] = acts
  if (act === undefined && given.has('reason')) return err('--reason goes with --reject')
  if (act !== undefined) return readAct(act, acts.length, given)
  // A dry run would else pass what the command itself then refuses.
  if (given.has('approval') && !given.has('draft'))
    return err('--approval goes with --draft: the approver approves that draft before it is sent')
  if (given.has('draft') && given.has('dry-run')) return err(draftOrDry)
  if (given.has('draft') && given.has('accept')) return err(acceptsNoDraft)
  const [code, amountText] = given.words
  const to = given.value('to')
  if (code === undefined || to === undefined || (amountText === undefined) !== given.has('max')) return err(usage)
  // For `all` or `half` as the amount, or both words swapped, the usage is clearer than naming the wrong word.
  if (/^[\d.,]+$/.test(plainWidth(code)) || (amountText !== undefined && !/\d/.test(plainWidth(amountText))))
    return err(usage)
  const currency = readCurrency('a currency', code)
  if (!currency.ok) return currency
  const key = given.value('key') ?? null
  if (key !== null && !/^[A-Za-z0-9._:-]{1,64}$/.test(key))
    return err('--key takes a name of your own: 1 to 64 letters, digits, dots, colons, dashes and underscores')
  const plan = { kind: 'new', currency: currency.value ?? code, to, note: given.value('note') ?? null, key } as const
  if (amountText === undefined) return ok({ ...plan, amount: 'max' })
  const amount = readAmount('the amount', amountText, { what: 'amount', unit: plan.currency })
  return amount.ok ? ok({ ...plan, amount: amount.value }) : amount
}

function readAct(act: DraftAct, count: number, given: Arguments): Result<WithdrawPlan> {
  if (given.has('reason') && act !== 'reject') return err('--reason goes with --reject')
  const ofNew = ['to', 'max', 'draft', 'note', 'approval', 'key', 'dry-run']
  // Only what is sent is checked: elsewhere `--accept` could be taken for a decision on the draft.
  const others = (act === 'send' ? ofNew : [...ofNew, 'accept']).filter((name) => given.has(name))
  const draftId = given.value(act)
  if (count > 1 || others.length > 0 || given.words.length > 0 || draftId === undefined)
    return err(`--${act} takes the id of a draft and nothing else: a draft cannot be changed here`)
  const reason = given.value('reason')
  if (act === 'reject' && reason === undefined) return err('--reject needs --reason TEXT: everybody reads why')
  if (reason !== undefined && (reason.trim() === '' || reason.length > reasonMax))
    return err(`--reason takes 1 to ${reasonMax} characters`)
  return ok({ kind: 'kept', act, draftId })
}

/** The entry with this id, else the only one of the currency with this name. */
export function findEntry(to: string, currency: string, whitelist: Listing<WhitelistEntry>): Result<WhitelistEntry> {
  const { entries, unreadable } = whitelist
  const byId = entries.find(({ whitelistId }) => whitelistId === to)
  if (byId !== undefined) return ok(byId)
  const named = entries.filter(
    (entry) => entry.name.toLowerCase() === to.toLowerCase() && (entry.currency ?? currency) === currency,
  )
  const [first] = named
  if (first === undefined) {
    const [odd] = unreadable
    const next =
      odd === undefined
        ? "add entries on the exchange's web page"
        : `of its entries ${unreadable.length} cannot be read (${odd.reason})`
    return err(plainText(`the whitelist has no entry ${to} for ${currency}: ${next}`))
  }
  if (named.length > 1) {
    const ids = named.map(({ whitelistId }) => whitelistId).join(', ')
    return err(plainText(`${named.length} entries of the whitelist are called ${to}: name one by its id, ${ids}`))
  }
  return ok(first)
}

/** The amount and the beneficiary, by name and id. */
function withdrawalSentence(
  { currency, amount }: Pick<WithdrawalRequest, 'currency' | 'amount'>,
  { whitelistId, name }: Pick<WhitelistEntry, 'whitelistId' | 'name'>,
): string {
  const what = amount === 'max' ? `all available ${currency} less the fee` : `${amount.toFixed()} ${currency}`
  return plainText(`Withdraw ${what} to ${name === '' ? whitelistId : `${name} (${whitelistId})`}`)
}
