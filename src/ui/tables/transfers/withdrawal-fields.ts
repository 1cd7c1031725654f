import { draftStateText } from '../../../domain/draft.ts'
import type { Decimal } from '../../../domain/money.ts'
import { makerOf } from '../../../domain/transfers/draft.ts'
import type { BalanceMoment, FollowedWithdrawal, Sighting } from '../../../domain/transfers/followed.ts'
import { ageText, momentText, readableMoment } from '../../text/moment.ts'
import { momentTexts } from '../columns.ts'
import type { ListField } from '../list-table.ts'
import { type TransfersContext, usualSentence } from './transfers-context.ts'
import {
  amountOf,
  beneficiaryOf,
  currencyOf,
  feeOf,
  isBack,
  isUnderWay,
  leavingOf,
  meaningOf,
  ownRemark,
  remarkOf,
  startMs,
  stateWord,
  type WithdrawalItem,
  withdrawalIdOf,
} from './withdrawal-items.ts'

type Field = ListField<WithdrawalItem, TransfersContext>

const exact = (value: Decimal | null): string => value?.toFixed() ?? ''
type Texts<Item, Context> = Record<'text' | 'shown', (item: Item, context: Context) => string>

/** A text with timestamps, once exact and once readable. */
const inBoth = <Item, Context>(
  write: (item: Item, context: Context, moment: (atMs: number) => string) => string,
): Texts<Item, Context> => ({
  text: (item, context) => write(item, context, momentText),
  shown: (item, context) => write(item, context, readableMoment),
})

/** Each state with the time it was first seen, separated by commas. */
export const stepsTexts = <Item, Context>(
  read: (item: Item, context: Context) => readonly Sighting<string>[] | undefined,
): Texts<Item, Context> =>
  inBoth((item, context, moment) =>
    (read(item, context) ?? []).map(({ state, atMs }) => `${moment(atMs)} ${state}`).join(', '),
  )

const followedOf = (item: WithdrawalItem, { followed }: TransfersContext): FollowedWithdrawal | undefined =>
  followed.get(withdrawalIdOf(item) ?? '')

/** What happened to it on this machine before the exchange knew of it. */
function draftSteps({ draft }: WithdrawalItem, _: TransfersContext, moment: (atMs: number) => string): string {
  if (draft === null) return ''
  const { createdAtMs, approval, state, madeBy } = draft
  const maker = makerOf(draft)
  const steps = [`${moment(createdAtMs)} made ${maker === undefined ? 'here' : `by ${maker}`}`]
  if (approval.kind === 'given') steps.push(`${moment(approval.atMs)} approved by ${approval.by}`)
  if (approval.kind === 'wanted') steps.push(madeBy === undefined ? 'waits for the approver' : 'waits for an approver')
  if (state.kind !== 'draft') steps.push(`${moment(state.atMs)} ${draftStateText(state)}`)
  return steps.join(', ')
}

/** `0.412, available 0.392`. */
const balanceText = (moment: BalanceMoment | null): string =>
  moment === null ? '' : `${moment.balance.toFixed()}, available ${moment.available.toFixed()}`

const balanceField = (
  label: string,
  read: (record: FollowedWithdrawal) => BalanceMoment | null,
  instead: Field['text'],
): Field => ({
  label,
  text: (item, context) => {
    const record = followedOf(item, context)
    return record === undefined ? '' : balanceText(read(record))
  },
  instead,
  own: true,
})

/** Every field of a withdrawal with its history, for its details and the CSV. */
export const withdrawalFields: readonly Field[] = [
  { label: 'state', text: stateWord },
  { label: 'which means', text: meaningOf },
  { label: 'withdrawal id', text: (item) => withdrawalIdOf(item) ?? '' },
  {
    label: 'draft id',
    text: ({ draft }) => draft?.draftId ?? '',
    instead: () => 'not made from a draft of this machine',
  },
  { label: 'currency', text: currencyOf },
  {
    ...{ label: 'amount', own: true },
    text: (item) => {
      const amount = amountOf(item)
      return amount === 'max' ? 'all available less the fee' : exact(amount)
    },
  },
  {
    ...{ label: 'fee', own: true },
    text: (item) => exact(feeOf(item)),
    instead: (item) => (isBack(item) ? 'none was kept' : '-'),
  },
  {
    ...{ label: 'amount and fee', own: true },
    text: (item) => exact(leavingOf(item)),
    instead: (item) => (isBack(item) ? 'nothing is out' : '-'),
  },
  { label: 'beneficiary', text: (item, context) => beneficiaryOf(item, context).name },
  { label: 'beneficiary id', text: (item, context) => beneficiaryOf(item, context).id },
  { label: 'time', ...momentTexts(startMs) },
  { label: 'on this machine', ...inBoth(draftSteps) },
  {
    label: 'history',
    ...stepsTexts((item: WithdrawalItem, context: TransfersContext) => followedOf(item, context)?.history),
    instead: () => 'no change seen by this desk',
  },
  {
    label: 'took',
    text: (item, context) => {
      const tookMs = followedOf(item, context)?.tookMs ?? null
      return tookMs === null ? '' : ageText(tookMs)
    },
    instead: (item) => (isUnderWay(item) ? 'not ended yet' : '-'),
  },
  {
    label: 'usually took',
    text: (item, { usual }) => usualSentence(usual, currencyOf(item)),
    instead: (item) => `none in ${currencyOf(item) || 'this currency'} ended while this desk watched`,
  },
  balanceField(
    'balance before',
    ({ before }) => before,
    ({ kind }) => (kind === 'draft' ? '-' : 'not sent from here'),
  ),
  balanceField(
    'balance after',
    ({ after }) => after,
    (item) => (isUnderWay(item) || item.kind === 'draft' ? '-' : 'its end was not seen by this desk'),
  ),
  { label: 'remark', text: remarkOf, own: ownRemark },
]
