import type { FollowedDeposit } from '../../../domain/transfers/followed.ts'
import { addressParts, type Deposit } from '../../../domain/transfers/transfer.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText } from '../../text/cells.ts'
import { ageText, momentText, wholeAgeText } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'
import { currencyText } from '../../text/trade-words.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import { type CellsOf, type ListColumn, type ListField, momentTexts } from '../list-table.ts'
import { depositsContext, isLate, type TransfersContext, usualSentence, usualText } from './transfers-context.ts'
import { stepsTexts } from './withdrawal-fields.ts'

type Context = TransfersContext<FollowedDeposit>
type Column = ListColumn<Deposit, Context>
type Field = ListField<Deposit, Context>

/** True for money that is on its way in. */
export const isUnconfirmed = ({ state }: Deposit): boolean => state === 'UNCONFIRMED'

const plain = (deposit: Deposit): Tone => (isUnconfirmed(deposit) ? 'text' : 'dim')

const perRow =
  (read: (deposit: Deposit, context: Context, nowMs: number) => string): CellsOf<Deposit, Context> =>
  (deposits, context, nowMs) =>
    deposits.map((deposit) => read(deposit, context, nowMs))

const momentOf = ({ timestampMs }: Deposit): string => (timestampMs === null ? '' : momentText(timestampMs))
const tookMsOf = ({ depositId }: Deposit, { followed }: Context): number | null =>
  followed.get(depositId)?.tookMs ?? null

function tookText(deposit: Deposit, context: Context): string {
  const tookMs = tookMsOf(deposit, context)
  if (tookMs !== null) return wholeAgeText(tookMs)
  return isUnconfirmed(deposit) ? usualText(context.usual, deposit.currency) : ''
}

const words = (key: string, head: string, read: (deposit: Deposit) => string, rank: number): Column => ({
  key,
  head,
  text: read,
  sort: (deposit) => read(deposit) || null,
  align: 'left',
  tone: plain,
  rank,
})

const toneOfState: Readonly<Record<Deposit['state'], Tone>> = { UNCONFIRMED: 'warn', COMPLETED: 'dim', REJECTED: 'bad' }

const columns: readonly Column[] = [
  {
    ...words('id', 'ID', ({ depositId }) => depositId, 4),
    cells: perRow(({ depositId }) => cellText(depositId).slice(0, 12)),
  },
  words('currency', 'CUR', ({ currency }) => currency, 0),
  {
    key: 'amount',
    head: 'AMOUNT',
    text: ({ amount }) => amount.toFixed(),
    sort: ({ amount }) => amount,
    cells: perRow(({ amount, currency }, { scales }) => currencyText(amount, currency, scales)),
    align: 'point',
    tone: plain,
    rank: 6,
    shorter: {
      cells: perRow(({ amount, currency }, { scales }) => {
        const text = currencyText(amount, currency, scales)
        return text.includes('.') ? text.replace(/\.?0+$/, '') : text
      }),
      rank: 0,
    },
  },
  {
    ...words('state', 'STATE', ({ state }) => state, 0),
    tone: ({ state }) => toneOfState[state],
  },
  {
    key: 'age',
    head: 'AGE',
    text: momentOf,
    cells: perRow(({ timestampMs }, { aheadMs }, nowMs) =>
      timestampMs === null ? '' : wholeAgeText(nowMs + aheadMs - timestampMs),
    ),
    // The youngest first: the smallest age.
    sort: ({ timestampMs }) => (timestampMs === null ? null : -timestampMs),
    align: 'right',
    tone: plain,
    rank: 2,
  },
  {
    key: 'took',
    head: 'TOOK',
    text: tookText,
    cells: perRow((deposit, context, nowMs) => {
      const text = tookText(deposit, context)
      const { timestampMs, currency } = deposit
      const late =
        isUnconfirmed(deposit) &&
        timestampMs !== null &&
        isLate(context.usual, currency, nowMs + context.aheadMs - timestampMs)
      return late ? `${text} LATE` : text
    }),
    sort: tookMsOf,
    align: 'left',
    tone: plain,
    rank: 5,
  },
  { ...words('address', 'ADDRESS', ({ address }) => address, 8), tone: 'dim', isFlexible: true, wholeUpTo: 8 },
]

const meanings: Readonly<Record<Deposit['state'], string>> = {
  UNCONFIRMED: 'seen by the exchange and not credited yet',
  COMPLETED: 'credited to the balance',
  REJECTED: 'not credited: ask the exchange about it',
}

const fields: readonly Field[] = [
  { label: 'state', text: ({ state }) => state },
  { label: 'which means', text: ({ state }) => meanings[state] },
  { label: 'deposit id', text: ({ depositId }) => depositId },
  { label: 'currency', text: ({ currency }) => currency },
  { label: 'amount', text: ({ amount }) => amount.toFixed() },
  { label: 'address', text: ({ address }) => addressParts(address).address },
  { label: 'tag', text: ({ address }) => addressParts(address).tag ?? '', instead: () => 'none' },
  { label: 'transaction', text: ({ txHash }) => txHash ?? '', instead: () => 'not reported' },
  { label: 'time', ...momentTexts(({ timestampMs }) => timestampMs) },
  {
    label: 'history',
    ...stepsTexts(({ depositId }, { followed }) => followed.get(depositId)?.history),
    instead: () => 'no change seen by this desk',
  },
  {
    label: 'took',
    text: (deposit, context) => {
      const tookMs = tookMsOf(deposit, context)
      return tookMs === null ? '' : ageText(tookMs)
    },
    instead: (deposit) => (isUnconfirmed(deposit) ? 'not ended yet' : '-'),
  },
  {
    label: 'usually took',
    text: ({ currency }, { usual }) => usualSentence(usual, currency),
    instead: ({ currency }) => `none in ${currency} ended while this desk watched`,
  },
]

const none: readonly Deposit[] = []
export const depositItems = ({ deposits }: Pick<DeskState, 'deposits'>): readonly Deposit[] => deposits.value ?? none

/** Money that comes in, newest first; what is not credited yet stays on top. */
export const depositsList = createList({
  columns,
  keyOf: ({ depositId }: Deposit) => depositId,
  pinned: [{ is: isUnconfirmed, name: 'unconfirmed' }],
  fields,
})

export const depositsSource = listSource('deposits', depositsList, depositItems, depositsContext)
