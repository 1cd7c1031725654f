import type { FollowedDeposit } from '../../../domain/transfers/followed.ts'
import { addressParts, type Deposit } from '../../../domain/transfers/transfer.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageText } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'
import { amountColumn, momentTexts } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn, ListField } from '../list-table.ts'
import { transferColumns } from './transfer-columns.ts'
import { depositsContext, type TransfersContext, usualSentence } from './transfers-context.ts'
import { stepsTexts } from './withdrawal-fields.ts'

type Context = TransfersContext<FollowedDeposit>
type Column = ListColumn<Deposit, Context>
type Field = ListField<Deposit, Context>

/** Whether the deposit is not credited yet. */
export const isUnconfirmed = ({ state }: Deposit): boolean => state === 'UNCONFIRMED'

const plain = (deposit: Deposit): Tone => (isUnconfirmed(deposit) ? 'text' : 'dim')

const { words, amountCells, id, currency, age, took, tookMs } = transferColumns<Deposit, FollowedDeposit>({
  id: ({ depositId }) => depositId,
  followedId: ({ depositId }) => depositId,
  currency: ({ currency: name }) => name,
  startMs: ({ timestampMs }) => timestampMs,
  isUnderWay: isUnconfirmed,
  aheadMs: (_, { aheadMs }) => aheadMs,
  tone: plain,
})
const amountTexts = amountCells(({ amount }) => amount)

const toneOfState: Readonly<Record<Deposit['state'], Tone>> = { UNCONFIRMED: 'warn', COMPLETED: 'dim', REJECTED: 'bad' }

const columns: readonly Column[] = [
  id,
  currency,
  {
    ...amountColumn('amount', 'AMOUNT', ({ amount }) => amount, 6),
    cells: amountTexts.whole,
    own: true,
    tone: plain,
    shorter: { cells: amountTexts.short, rank: 0 },
  },
  { ...words('state', 'STATE', ({ state }) => state, 0), tone: ({ state }) => toneOfState[state] },
  age,
  took,
  { ...words('address', 'ADDRESS', ({ address }) => address, 8), tone: 'dim', isFlexible: true, wholeUpTo: 8 },
]

export const depositMeanings: Readonly<Record<Deposit['state'], string>> = {
  UNCONFIRMED: 'seen by the exchange and not credited yet',
  COMPLETED: 'credited to the balance',
  REJECTED: 'not credited: ask the exchange about it',
}

const fields: readonly Field[] = [
  { label: 'state', text: ({ state }) => state },
  { label: 'which means', text: ({ state }) => depositMeanings[state] },
  { label: 'deposit id', text: ({ depositId }) => depositId },
  { label: 'currency', text: ({ currency }) => currency },
  { label: 'amount', text: ({ amount }) => amount.toFixed(), own: true },
  { label: 'address', text: ({ address }) => addressParts(address).address },
  { label: 'tag', text: ({ address }) => addressParts(address).tag ?? '', instead: () => 'none' },
  {
    label: 'transaction',
    text: ({ txHash }) => txHash ?? '',
    instead: () => 'not reported',
    transactionOf: ({ currency }) => currency,
  },
  { label: 'time', ...momentTexts(({ timestampMs }) => timestampMs) },
  {
    label: 'history',
    ...stepsTexts(({ depositId }, { followed }) => followed.get(depositId)?.history),
    instead: () => 'no change seen by this desk',
  },
  {
    label: 'took',
    text: (deposit, context) => {
      const ms = tookMs(deposit, context)
      return ms === null ? '' : ageText(ms)
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

/** Deposits, newest first; those not credited yet stay on top. */
const depositsList = createList({
  columns,
  keyOf: ({ depositId }: Deposit) => depositId,
  pinned: [{ is: isUnconfirmed, name: 'unconfirmed' }],
  fields,
})

export const depositsSource = listSource('deposits', depositsList, depositItems, depositsContext)
