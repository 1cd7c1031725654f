import type { FollowedWithdrawal } from '../../../domain/transfers/followed.ts'
import { cellText, cut } from '../../text/cells.ts'
import type { Tone } from '../../text/theme.ts'
import { amountColumn, perRow } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'
import { transferColumns } from './transfer-columns.ts'
import { type TransfersContext, withdrawalsContext } from './transfers-context.ts'
import { withdrawalFields } from './withdrawal-fields.ts'
import {
  amountOf,
  beneficiaryOf,
  beneficiaryText,
  currencyOf,
  feeOf,
  idOf,
  isUnderWay,
  ownRemark,
  remarkOf,
  startMs,
  stateWord,
  type WithdrawalItem,
  withdrawalIdOf,
  withdrawalItems,
} from './withdrawal-items.ts'

type Column = ListColumn<WithdrawalItem, TransfersContext>

/** Ended withdrawals are dim, whatever their state. */
const plain = ({ kind }: WithdrawalItem): Tone => (kind === 'ended' ? 'dim' : 'text')

const { words, amountCells, id, currency, age, took } = transferColumns<WithdrawalItem, FollowedWithdrawal>({
  id: idOf,
  followedId: (item) => withdrawalIdOf(item) ?? '',
  currency: currencyOf,
  startMs,
  isUnderWay,
  // What the exchange does not list has this machine's timestamps.
  aheadMs: ({ withdrawal }, { aheadMs }) => (withdrawal === null ? 0 : aheadMs),
  tone: plain,
})
const amountTexts = amountCells(amountOf)

const toneOfState: Readonly<Record<string, Tone>> = {
  UNKNOWN: 'bad',
  SENDING: 'warn',
  PENDING: 'warn',
  SENT: 'warn',
  '?': 'warn',
  DRAFT: 'own',
}

const shortName = (item: WithdrawalItem, context: TransfersContext): string => {
  const { id, name } = beneficiaryOf(item, context)
  return cut(cellText(name === '' ? id : name), 16)
}
const shortBeneficiary = (item: WithdrawalItem, context: TransfersContext): string => {
  const { id, name } = beneficiaryOf(item, context)
  return name === '' ? cut(cellText(id), 16) : `${shortName(item, context)} (${cut(cellText(id), 12)})`
}

const columns: readonly Column[] = [
  id,
  currency,
  {
    key: 'amount',
    head: 'AMOUNT',
    text: (item) => {
      const amount = amountOf(item)
      return amount === null ? '' : amount === 'max' ? 'all' : amount.toFixed()
    },
    sort: (item) => {
      const amount = amountOf(item)
      return amount === 'max' ? null : amount
    },
    cells: amountTexts.whole,
    own: true,
    align: 'point',
    tone: plain,
    rank: 9,
    shorter: { cells: amountTexts.short, rank: 3, shorter: { align: 'right', rank: 0 } },
  },
  {
    ...words('to', 'TO', beneficiaryText, 6),
    cells: perRow(shortBeneficiary),
    // Beside the amount, the name is enough; the id is in the details.
    shorter: { cells: perRow(shortName), rank: 0 },
  },
  { ...words('state', 'STATE', stateWord, 0), tone: (item) => toneOfState[stateWord(item)] ?? plain(item) },
  age,
  took,
  { ...amountColumn('fee', 'FEE', feeOf, 11), cells: amountCells(feeOf).short, own: true, tone: plain },
  { ...words('remark', 'REMARK', remarkOf, 10), own: ownRemark, isFlexible: true, tone: 'dim' },
]

/** The queue. Withdrawals in progress, or possibly so, stay on top, whatever is sorted or filtered. */
const withdrawalsList = createList({
  columns,
  keyOf: ({ key }: WithdrawalItem) => key,
  pinned: [{ is: isUnderWay, name: 'under way' }],
  fields: withdrawalFields,
})

export const withdrawalsSource = listSource('withdrawals', withdrawalsList, withdrawalItems, withdrawalsContext)
