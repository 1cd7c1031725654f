import type { Decimal } from '../../../domain/money.ts'
import { cellText, cut } from '../../text/cells.ts'
import { momentText, wholeAgeText } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'
import { currencyText } from '../../text/trade-words.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { CellsOf, ListColumn } from '../list-table.ts'
import { isLate, type TransfersContext, usualText, withdrawalsContext } from './transfers-context.ts'
import { withdrawalFields } from './withdrawal-fields.ts'
import {
  amountOf,
  beneficiaryOf,
  beneficiaryText,
  currencyOf,
  feeOf,
  idOf,
  isUnderWay,
  remarkOf,
  startMs,
  stateWord,
  underWayMs,
  type WithdrawalItem,
  withdrawalIdOf,
  withdrawalItems,
} from './withdrawal-items.ts'

type Column = ListColumn<WithdrawalItem, TransfersContext>

/** What ended is dim, whatever it was. */
const plain = ({ kind }: WithdrawalItem): Tone => (kind === 'ended' ? 'dim' : 'text')

const perRow =
  (
    read: (item: WithdrawalItem, context: TransfersContext, nowMs: number) => string,
  ): CellsOf<WithdrawalItem, TransfersContext> =>
  (items, context, nowMs) =>
    items.map((item) => read(item, context, nowMs))

const amountText = (item: WithdrawalItem): string => {
  const amount = amountOf(item)
  return amount === null ? '' : amount === 'max' ? 'all' : amount.toFixed()
}
const inCurrency = (value: Decimal | 'max' | null, item: WithdrawalItem, { scales }: TransfersContext): string =>
  value === null ? '' : value === 'max' ? 'all' : currencyText(value, currencyOf(item), scales)
const withoutZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

const toneOfState: Readonly<Record<string, Tone>> = {
  UNKNOWN: 'bad',
  SENDING: 'warn',
  PENDING: 'warn',
  SENT: 'warn',
  '?': 'warn',
  DRAFT: 'own',
}

/** How long it took; while in flight the median of ended ones. */
function tookText(item: WithdrawalItem, { followed, usual }: TransfersContext): string {
  const tookMs = followed.get(withdrawalIdOf(item) ?? '')?.tookMs ?? null
  if (tookMs !== null) return wholeAgeText(tookMs)
  return isUnderWay(item) ? usualText(usual, currencyOf(item)) : ''
}

const shortName = (item: WithdrawalItem, context: TransfersContext): string => {
  const { id, name } = beneficiaryOf(item, context)
  return cut(cellText(name === '' ? id : name), 16)
}
const shortBeneficiary = (item: WithdrawalItem, context: TransfersContext): string => {
  const { id, name } = beneficiaryOf(item, context)
  return name === '' ? cut(cellText(id), 16) : `${shortName(item, context)} (${cut(cellText(id), 12)})`
}

const words = (key: string, head: string, read: Column['text'], rank: number): Column => ({
  key,
  head,
  text: read,
  sort: (item, context) => read(item, context) || null,
  align: 'left',
  tone: plain,
  rank,
})

const columns: readonly Column[] = [
  { ...words('id', 'ID', idOf, 4), cells: perRow((item) => cellText(idOf(item)).slice(0, 12)) },
  words('currency', 'CUR', currencyOf, 0),
  {
    key: 'amount',
    head: 'AMOUNT',
    text: amountText,
    sort: (item) => {
      const amount = amountOf(item)
      return amount === 'max' ? null : amount
    },
    cells: perRow((item, context) => inCurrency(amountOf(item), item, context)),
    align: 'point',
    tone: plain,
    rank: 9,
    shorter: {
      cells: perRow((item, context) => withoutZeros(inCurrency(amountOf(item), item, context))),
      rank: 3,
      shorter: { align: 'right', rank: 0 },
    },
  },
  {
    ...words('to', 'TO', beneficiaryText, 6),
    cells: perRow((item, context) => shortBeneficiary(item, context)),
    // A name alone says enough beside the amount; the id stands in the details.
    shorter: { cells: perRow((item, context) => shortName(item, context)), rank: 0 },
  },
  {
    ...words('state', 'STATE', stateWord, 0),
    tone: (item) => toneOfState[stateWord(item)] ?? plain(item),
  },
  {
    key: 'age',
    head: 'AGE',
    text: (item) => {
      const atMs = startMs(item)
      return atMs === null ? '' : momentText(atMs)
    },
    cells: perRow((item, { aheadMs }, nowMs) => {
      const age = underWayMs(item, aheadMs, nowMs)
      return age === null ? '' : wholeAgeText(age)
    }),
    // The youngest first: the smallest age.
    sort: (item) => {
      const atMs = startMs(item)
      return atMs === null ? null : -atMs
    },
    align: 'right',
    tone: plain,
    rank: 2,
  },
  {
    key: 'took',
    head: 'TOOK',
    text: tookText,
    cells: perRow((item, context, nowMs) => {
      const text = tookText(item, context)
      const age = underWayMs(item, context.aheadMs, nowMs)
      const late = isUnderWay(item) && age !== null && isLate(context.usual, currencyOf(item), age)
      return late ? `${text} LATE` : text
    }),
    sort: (item, { followed }) => followed.get(withdrawalIdOf(item) ?? '')?.tookMs ?? null,
    align: 'left',
    tone: plain,
    rank: 5,
  },
  {
    key: 'fee',
    head: 'FEE',
    text: (item) => feeOf(item)?.toFixed() ?? '',
    sort: feeOf,
    cells: perRow((item, context) => withoutZeros(inCurrency(feeOf(item), item, context))),
    align: 'point',
    tone: plain,
    rank: 8,
  },
  {
    ...words('remark', 'REMARK', remarkOf, 10),
    isFlexible: true,
    tone: 'dim',
  },
]

/** The queue. What is on its way, or may be, stays on top, sorted and filtered or not. */
export const withdrawalsList = createList({
  columns,
  keyOf: ({ key }: WithdrawalItem) => key,
  pinned: [{ is: isUnderWay, name: 'under way' }],
  fields: withdrawalFields,
})

export const withdrawalsSource = listSource('withdrawals', withdrawalsList, withdrawalItems, withdrawalsContext)
