import { memoizeLast } from '../../../base/memoize.ts'
import { minuteMs } from '../../../base/text/time-text.ts'
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
 * A withdrawal's place in the queue, in list order: money that may be on its way, what waits for the user, what has
 * ended.
 */
const kinds = ['unknown', 'sending', 'underWay', 'draft', 'ended'] as const
type WithdrawalKind = (typeof kinds)[number]

/**
 * A line of the queue: a draft on this machine, a withdrawal known to the exchange, or both once the draft became one.
 */
export type WithdrawalItem = {
  key: string
  kind: WithdrawalKind
  withdrawal: Withdrawal | null
  draft: WithdrawalDraft | null
  /** The unanswered write that this line represents. */
  unknownWrites: UnknownWrite | null
  /** What that write requested, as far as this machine recorded it. */
  request: WithdrawalRequest | null
}

/** Whether money is, or may be, on its way: such a line must never be hidden. */
export const isUnderWay = ({ kind }: WithdrawalItem): boolean =>
  kind === 'unknown' || kind === 'sending' || kind === 'underWay'

const kindOfDraft: Readonly<Record<WithdrawalDraft['state']['kind'], WithdrawalKind>> = {
  draft: 'draft',
  sending: 'sending',
  unknown: 'unknown',
  // Accepted by the exchange, but not in its list yet.
  sent: 'underWay',
  refused: 'ended',
  dropped: 'ended',
}

/** A withdrawal sent well before the last list, but missing from it, has ended: its money is not on its way. */
function draftItem(
  draft: WithdrawalDraft,
  unknownWrites: UnknownWrite | null,
  listedAtMs: number | null,
): WithdrawalItem {
  const { state, draftId } = draft
  const isPast = state.kind === 'sent' && listedAtMs !== null && listedAtMs - state.atMs > minuteMs
  return {
    key: draftId,
    kind: isPast ? 'ended' : kindOfDraft[state.kind],
    withdrawal: null,
    draft,
    unknownWrites,
    request: null,
  }
}

const unknownItem = (unknownWrites: UnknownWrite, leaving: readonly LeavingWithdrawal[]): WithdrawalItem => ({
  key: unknownWrites.key,
  kind: 'unknown',
  withdrawal: null,
  draft: null,
  unknownWrites,
  request: leaving.find(({ key }) => key === unknownWrites.key)?.request ?? null,
})

/** A withdrawal without an exchange id is identified by its content. */
const withdrawalItemKey = ({ withdrawalId, currency, amount, beneficiary, timestampMs }: Withdrawal): string =>
  withdrawalId ?? [currency, amount.toFixed(), beneficiary, timestampMs ?? '?'].join(' ')

const listedItem = (withdrawal: Withdrawal, draft: WithdrawalDraft | null): WithdrawalItem => ({
  key: withdrawalItemKey(withdrawal),
  // Without a reported state it could be in any: it counts as in progress.
  kind: withdrawal.state === 'PENDING' || withdrawal.state === null ? 'underWay' : 'ended',
  withdrawal,
  draft,
  unknownWrites: null,
  request: null,
})

/** When it started: the exchange's time, otherwise when the draft reached its current state; null if unknown. */
export function startMs({ withdrawal, draft, unknownWrites }: WithdrawalItem): number | null {
  if (withdrawal !== null) return withdrawal.timestampMs
  if (unknownWrites !== null) return unknownWrites.atMs
  if (draft === null) return null
  return draft.state.kind === 'draft' ? draft.createdAtMs : draft.state.atMs
}

/** A withdrawal without a time counts as new. */
const newestFirst = (left: WithdrawalItem, right: WithdrawalItem): number =>
  (startMs(right) ?? Number.MAX_SAFE_INTEGER) - (startMs(left) ?? Number.MAX_SAFE_INTEGER)

const sentId = ({ state }: WithdrawalDraft): string | null => (state.kind === 'sent' ? state.withdrawalId : null)

const itemsFrom = memoizeLast(
  (
    drafts: readonly WithdrawalDraft[],
    listed: readonly Withdrawal[],
    unknownWrites: readonly UnknownWrite[],
    leaving: readonly LeavingWithdrawal[],
    listedAtMs: number | null,
  ): readonly WithdrawalItem[] => {
    const unanswered = new Map(unknownWrites.flatMap((each) => (each.kind === 'withdrawal' ? [[each.key, each]] : [])))
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
    const ofWrites = [...unanswered.values()].map((write) => unknownItem(write, leaving))
    const items = [...ofDrafts, ...ofWrites, ...ofExchange].toSorted(newestFirst)
    return kinds.flatMap((kind) => items.filter((item) => item.kind === kind))
  },
)

type QueueState = Pick<DeskState, 'drafts' | 'withdrawals' | 'unknownWrites' | 'followed'>

const none: readonly Withdrawal[] = []
const lastMinute = (atMs: number | null): number | null => (atMs === null ? null : atMs - (atMs % minuteMs))

/** The queue from the top, each withdrawal once; the same list while nothing in it has changed. */
export const withdrawalItems = ({
  drafts,
  withdrawals,
  unknownWrites,
  followed,
}: QueueState): readonly WithdrawalItem[] =>
  itemsFrom(drafts, withdrawals.value ?? none, unknownWrites, followed.leaving, lastMinute(withdrawals.atMs))

/**
 * The state as the list shows it: the withdrawal's or the draft's, `UNKNOWN` for an unanswered write, `?` if none is
 * reported.
 */
export function stateWord({ withdrawal, draft }: WithdrawalItem): string {
  if (withdrawal !== null) return withdrawal.state ?? '?'
  return draft === null ? 'UNKNOWN' : draftStateText(draft.state).toUpperCase()
}

/** What is in progress, may be, or waits to be sent; for the pane's title. */
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

/** The amount the beneficiary should receive; `max` is all available funds less the fee; null if unknown. */
export const amountOf = ({ withdrawal, draft, request }: WithdrawalItem): WithdrawalAmount | null =>
  withdrawal?.amount ?? draft?.amount ?? request?.amount ?? null

/** The exchange's fee; null if unknown, or if the money was returned, which costs no fee. */
export const feeOf = ({ withdrawal }: WithdrawalItem): Decimal | null =>
  withdrawal === null || isBack({ withdrawal }) ? null : withdrawal.fee

/** Whether the money was not paid out, or came back: neither amount nor fee is gone. */
export const isBack = ({ withdrawal }: Pick<WithdrawalItem, 'withdrawal'>): boolean =>
  withdrawal !== null && !mayBeOut(withdrawal.state)

/** What leaves the balance: amount plus fee; null if either is unknown, or if the money was returned. */
export function leavingOf(item: WithdrawalItem): Decimal | null {
  const [amount, fee] = [amountOf(item), feeOf(item)]
  return amount === null || amount === 'max' || fee === null ? null : amount.plus(fee)
}

/** The exchange's id, or the draft's. */
export const idOf = ({ withdrawal, draft }: WithdrawalItem): string => withdrawal?.withdrawalId ?? draft?.draftId ?? ''

/** The whitelist entry: its id, and its current name, otherwise its name when the draft was made; empty if unknown. */
export function beneficiaryOf({ withdrawal, draft, request }: WithdrawalItem, { names }: TransfersContext) {
  const id = withdrawal?.beneficiary ?? draft?.beneficiary.whitelistId ?? request?.beneficiary ?? ''
  return { id, name: names.get(id) ?? draft?.beneficiary.name ?? '' }
}

/** `cold-1 (wl_8f2c)`: another entry could have the same name. */
export function beneficiaryText(item: WithdrawalItem, context: TransfersContext): string {
  const { id, name } = beneficiaryOf(item, context)
  return name === '' ? id : `${name} (${id})`
}

/** Its id at the exchange, once it has one: its observed progress is stored under that id. */
export const withdrawalIdOf = ({ withdrawal, draft }: WithdrawalItem): string | null =>
  withdrawal?.withdrawalId ?? (draft?.state.kind === 'sent' ? draft.state.withdrawalId : null)

/** What each state means for the money, if the word alone could be misread. */
export const withdrawalMeanings: Readonly<Record<string, string>> = {
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
    : (withdrawalMeanings[stateWord(item)] ?? '')

const byMaker = (draft: WithdrawalDraft): string => {
  const maker = makerOf(draft)
  return maker === undefined ? '' : `by ${maker}, `
}

/** The remark in privacy mode. */
export const ownRemark = (item: WithdrawalItem): string => ownSentence(remarkOf(item), true)

/**
 * What the user should know besides the state: why it was refused, the open question, the awaited approver, or the
 * user's own remark.
 */
export function remarkOf({ withdrawal, draft, unknownWrites, kind }: WithdrawalItem): string {
  if (unknownWrites !== null)
    return unknownWrites.question === null ? unknownWrites.sentence : unknownWrites.question.evidence
  if (withdrawal === null && draft?.state.kind === 'refused') return draft.state.reason
  if (kind === 'draft' && draft?.approval.kind === 'wanted')
    return `${byMaker(draft)}waits for ${draft.madeBy === undefined ? 'the' : 'an'} approver`
  if (kind === 'draft' && draft?.approval.kind === 'given') return `${byMaker(draft)}approved by ${draft.approval.by}`
  // A program's words are never shown as the user's own remark.
  if (kind === 'draft' && draft?.origin !== undefined) return `${byMaker(draft)}unchecked: ${draft.note ?? 'no reason'}`
  return draft?.note ?? ''
}
