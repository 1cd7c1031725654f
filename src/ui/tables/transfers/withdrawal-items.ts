import { memoizeLast } from '../../../base/memoize.ts'
import { minuteMs } from '../../../base/time-text.ts'
import { draftStateText } from '../../../domain/draft.ts'
import type { Decimal } from '../../../domain/money.ts'
import { makerOf, type WithdrawalDraft } from '../../../domain/transfers/draft.ts'
import type { LeavingWithdrawal } from '../../../domain/transfers/followed.ts'
import {
  mayBeOut,
  type Withdrawal,
  type WithdrawalAmount,
  type WithdrawalRequest,
} from '../../../domain/transfers/transfer.ts'
import type { UnknownWrite } from '../../../domain/unknown-write.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ownSentence } from '../../text/privacy.ts'
import type { TransfersContext } from './transfers-context.ts'

/**
 * Where a withdrawal stands in the queue, in the order of the list: what may be money on its way, what waits for a
 * person, the past.
 */
const kinds = ['unknown', 'sending', 'underWay', 'draft', 'ended'] as const
type WithdrawalKind = (typeof kinds)[number]

/**
 * A line of the queue: a draft of this machine, a withdrawal the exchange knows, or both where one became the other.
 */
export type WithdrawalItem = {
  key: string
  kind: WithdrawalKind
  withdrawal: Withdrawal | null
  draft: WithdrawalDraft | null
  /** The write without an answer that this line stands for. */
  unsettled: UnknownWrite | null
  /** What was asked for in that write, as far as this machine kept it. */
  request: WithdrawalRequest | null
}

/** True for what must never be hidden: money that is on its way, or may be. */
export const isUnderWay = ({ kind }: WithdrawalItem): boolean =>
  kind === 'unknown' || kind === 'sending' || kind === 'underWay'

const kindOfDraft: Readonly<Record<WithdrawalDraft['state']['kind'], WithdrawalKind>> = {
  draft: 'draft',
  sending: 'sending',
  unknown: 'unknown',
  // Taken by the exchange and not in its list yet.
  sent: 'underWay',
  refused: 'ended',
  dropped: 'ended',
}

/** What was sent well before the last list and is not in it is the past, not money on its way. */
function draftItem(draft: WithdrawalDraft, unsettled: UnknownWrite | null, listedAtMs: number | null): WithdrawalItem {
  const { state, draftId } = draft
  const isPast = state.kind === 'sent' && listedAtMs !== null && listedAtMs - state.atMs > minuteMs
  return {
    key: draftId,
    kind: isPast ? 'ended' : kindOfDraft[state.kind],
    withdrawal: null,
    draft,
    unsettled,
    request: null,
  }
}

const unsettledItem = (unsettled: UnknownWrite, leaving: readonly LeavingWithdrawal[]): WithdrawalItem => ({
  key: unsettled.key,
  kind: 'unknown',
  withdrawal: null,
  draft: null,
  unsettled,
  request: leaving.find(({ key }) => key === unsettled.key)?.request ?? null,
})

/** One that the exchange gives no id goes by what it is. */
const withdrawalItemKey = ({ withdrawalId, currency, amount, beneficiary, timestampMs }: Withdrawal): string =>
  withdrawalId ?? [currency, amount.toFixed(), beneficiary, timestampMs ?? '?'].join(' ')

const listedItem = (withdrawal: Withdrawal, draft: WithdrawalDraft | null): WithdrawalItem => ({
  key: withdrawalItemKey(withdrawal),
  // Reported without a state it may be anything: it counts as under way.
  kind: withdrawal.state === 'PENDING' || withdrawal.state === null ? 'underWay' : 'ended',
  withdrawal,
  draft,
  unsettled: null,
  request: null,
})

/**
 * When it began: the exchange's own time, else the time at which the draft came where it is; null where nobody says.
 */
export function startMs({ withdrawal, draft, unsettled }: WithdrawalItem): number | null {
  if (withdrawal !== null) return withdrawal.timestampMs
  if (unsettled !== null) return unsettled.atMs
  if (draft === null) return null
  return draft.state.kind === 'draft' ? draft.createdAtMs : draft.state.atMs
}

/** What has no time is new. */
const newestFirst = (left: WithdrawalItem, right: WithdrawalItem): number =>
  (startMs(right) ?? Number.MAX_SAFE_INTEGER) - (startMs(left) ?? Number.MAX_SAFE_INTEGER)

const sentId = ({ state }: WithdrawalDraft): string | null => (state.kind === 'sent' ? state.withdrawalId : null)

const itemsFrom = memoizeLast(
  (
    drafts: readonly WithdrawalDraft[],
    listed: readonly Withdrawal[],
    unsettled: readonly UnknownWrite[],
    leaving: readonly LeavingWithdrawal[],
    listedAtMs: number | null,
  ): readonly WithdrawalItem[] => {
    const unanswered = new Map(unsettled.flatMap((each) => (each.kind === 'withdrawal' ? [[each.key, each]] : [])))
    const listedIds = new Set(listed.map(({ withdrawalId }) => withdrawalId))
    const draftOf = new Map(drafts.map((draft) => [sentId(draft), draft]))
    const ofDrafts = drafts
      .filter((draft) => sentId(draft) === null || !listedIds.has(sentId(draft)))
      .map((draft) => {
        const key = draft.state.kind === 'unknown' ? draft.state.journalKey : ''
        const write = unanswered.get(key) ?? null
        unanswered.delete(key)
        return draftItem(draft, write, listedAtMs)
      })
    const ofExchange = listed.map((withdrawal) => {
      const { withdrawalId } = withdrawal
      return listedItem(withdrawal, withdrawalId === null ? null : (draftOf.get(withdrawalId) ?? null))
    })
    const ofWrites = [...unanswered.values()].map((write) => unsettledItem(write, leaving))
    const items = [...ofDrafts, ...ofWrites, ...ofExchange].toSorted(newestFirst)
    return kinds.flatMap((kind) => items.filter((item) => item.kind === kind))
  },
)

type QueueState = Pick<DeskState, 'drafts' | 'withdrawals' | 'unsettled' | 'followed'>

const none: readonly Withdrawal[] = []
const lastMinute = (atMs: number | null): number | null => (atMs === null ? null : atMs - (atMs % minuteMs))

/** The queue from the top, each withdrawal once; the same list while nothing in it changed. */
export const withdrawalItems = ({ drafts, withdrawals, unsettled, followed }: QueueState): readonly WithdrawalItem[] =>
  itemsFrom(drafts, withdrawals.value ?? none, unsettled, followed.leaving, lastMinute(withdrawals.atMs))

/**
 * The state as the list names it: a withdrawal's own, a draft's, `UNKNOWN` for a write without an answer, `?` where
 * none is told.
 */
export function stateWord({ withdrawal, draft }: WithdrawalItem): string {
  if (withdrawal !== null) return withdrawal.state ?? '?'
  return draft === null ? 'UNKNOWN' : draftStateText(draft.state).toUpperCase()
}

/** What is on its way, may be, or waits to be sent; for the pane's title. */
export function queueText(items: readonly WithdrawalItem[]): string {
  const count = (kind: WithdrawalKind) => items.filter((item) => item.kind === kind).length
  const parts = [
    [count('unknown'), 'unknown'],
    [count('sending'), 'sending'],
    [count('underWay'), 'pending'],
    [count('draft'), count('draft') === 1 ? 'draft' : 'drafts'],
  ] as const
  const told = parts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`)
  return told.length === 0 ? '' : `(${told.join(', ')})`
}

/** The currency; empty for a write of which only a sentence is known. */
export const currencyOf = ({ withdrawal, draft, request }: WithdrawalItem): string =>
  withdrawal?.currency ?? draft?.currency ?? request?.currency ?? ''

/** What is to reach the beneficiary; `max` is all that was available less the fee; null where it is not known. */
export const amountOf = ({ withdrawal, draft, request }: WithdrawalItem): WithdrawalAmount | null =>
  withdrawal?.amount ?? draft?.amount ?? request?.amount ?? null

/** The exchange's fee; null where it is not known, and of what did not stay out: that cost none. */
export const feeOf = ({ withdrawal }: WithdrawalItem): Decimal | null =>
  withdrawal === null || isBack({ withdrawal }) ? null : withdrawal.fee

/** True for what was not paid out, or came back: neither amount nor fee is gone. */
export const isBack = ({ withdrawal }: Pick<WithdrawalItem, 'withdrawal'>): boolean =>
  withdrawal !== null && !mayBeOut(withdrawal.state)

/** What leaves the balance: the amount and the fee; null where one is not known, and of what did not stay out. */
export function leavingOf(item: WithdrawalItem): Decimal | null {
  const [amount, fee] = [amountOf(item), feeOf(item)]
  return amount === null || amount === 'max' || fee === null ? null : amount.plus(fee)
}

/** The exchange's id, or the draft's. */
export const idOf = ({ withdrawal, draft }: WithdrawalItem): string => withdrawal?.withdrawalId ?? draft?.draftId ?? ''

/**
 * The whitelist's entry: its id, and the name it has now, else the one it had when the draft was made; empty where
 * unknown.
 */
export function beneficiaryOf({ withdrawal, draft, request }: WithdrawalItem, { names }: TransfersContext) {
  const id = withdrawal?.beneficiary ?? draft?.beneficiary.whitelistId ?? request?.beneficiary ?? ''
  return { id, name: names.get(id) ?? draft?.beneficiary.name ?? '' }
}

/** `cold-1 (wl_8f2c)`: a name alone could be another entry's too. */
export function beneficiaryText(item: WithdrawalItem, context: TransfersContext): string {
  const { id, name } = beneficiaryOf(item, context)
  return name === '' ? id : `${name} (${id})`
}

/** The exchange's id of it, once there is one: what is known of its course goes by that. */
export const withdrawalIdOf = ({ withdrawal, draft }: WithdrawalItem): string | null =>
  withdrawal?.withdrawalId ?? (draft?.state.kind === 'sent' ? draft.state.withdrawalId : null)

/** What each state means for the money, where the word alone could be misread. */
const meanings: Readonly<Record<string, string>> = {
  DRAFT: 'draft on this machine: nothing was sent',
  SENDING: 'sending',
  UNKNOWN: 'it may be on its way: duplicates stay blocked until resolved',
  SENT: 'accepted by the exchange',
  REFUSED: 'nothing left the account',
  'NOT PLACED': 'resolved: the exchange does not have it',
  'NOT SENT': 'it was never sent',
  DROPPED: 'dropped: nothing was sent',
  PENDING: 'amount and fee are held until it ends',
  COMPLETED: 'the money has left the account',
  FAILED: 'not paid out: the money is back in the balance',
  REFUNDED: 'paid out and came back: the money is in the balance again',
  REJECTED: 'rejected in review: the money is back in the balance',
  '?': 'the exchange reports no state: it may be on its way',
}
export const meaningOf = (item: WithdrawalItem): string =>
  item.kind === 'draft' && item.draft?.madeBy !== undefined
    ? 'draft at the hub: nothing was sent'
    : (meanings[stateWord(item)] ?? '')

const byMaker = (draft: WithdrawalDraft): string => {
  const maker = makerOf(draft)
  return maker === undefined ? '' : `by ${maker}, `
}

/** The remark in private. */
export const ownRemark = (item: WithdrawalItem): string => ownSentence(remarkOf(item), true)

/** What a person should know beside the state: why it was refused, what is asked, who is to agree, one's own remark. */
export function remarkOf({ withdrawal, draft, unsettled, kind }: WithdrawalItem): string {
  if (unsettled !== null) return unsettled.question === null ? unsettled.sentence : unsettled.question.evidence
  if (withdrawal === null && draft?.state.kind === 'refused') return draft.state.reason
  if (kind === 'draft' && draft?.approval.kind === 'wanted')
    return `${byMaker(draft)}waits for ${draft.madeBy === undefined ? 'the' : 'an'} approver`
  if (kind === 'draft' && draft?.approval.kind === 'given') return `${byMaker(draft)}approved by ${draft.approval.by}`
  // A program's own words are never a remark of the person's.
  if (kind === 'draft' && draft?.origin !== undefined) return `${byMaker(draft)}unchecked: ${draft.note ?? 'no reason'}`
  return draft?.note ?? ''
}
