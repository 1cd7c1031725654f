import { memoizeLast } from '../../../base/memoize.ts'
import type { OrderSum } from '../../../domain/gateway/order.ts'
import type { DeskState } from '../../../store/desk.ts'
import { amountColumn, countColumn, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'
import { toneOfState } from './inbox-values.ts'

type Column = ListColumn<OrderSum, null>
const word = wordColumn<OrderSum, null>
const amount = amountColumn<OrderSum, null>

/** Fees are listed on the users' input side only. */
const ofInput = (read: (sum: OrderSum) => OrderSum['amount']) => (sum: OrderSum) =>
  sum.direction === 'input' ? read(sum) : null

const columns: readonly Column[] = [
  word('day', 'DAY', ({ day }) => day, 0),
  { ...word('currency', 'CUR', ({ currency }) => currency, 0), tone: 'title' },
  word('side', 'SIDE', ({ direction }) => (direction === 'input' ? 'in' : 'out'), 0),
  { ...word('state', 'STATE', ({ state }) => state, 0), tone: ({ state }) => toneOfState(state) },
  countColumn('orders', 'ORDERS', ({ orderCount }) => orderCount, 1),
  amount('amount', 'AMOUNT', (sum) => sum.amount, 0),
  amount(
    'processing',
    'PROCESSING',
    ofInput(({ processingFees }) => processingFees),
    4,
  ),
  amount(
    'partner',
    'PARTNER',
    ofInput(({ partnerFees }) => partnerFees),
    3,
  ),
  amount(
    'network',
    'NETWORK',
    ofInput(({ networkFees }) => networkFees),
    5,
  ),
]

const keyOf = ({ day, currency, direction, state }: OrderSum): string => `${day} ${currency} ${direction} ${state}`

/** Newest day first; within a day, input before output, by currency and state. */
const ordered = memoizeLast((sums: ReadonlyMap<string, OrderSum>): readonly OrderSum[] =>
  [...sums.values()].toSorted(
    (left, right) =>
      right.day.localeCompare(left.day) ||
      left.direction.localeCompare(right.direction) ||
      left.currency.localeCompare(right.currency) ||
      left.state.localeCompare(right.state),
  ),
)
const sumItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly OrderSum[] => ordered(gateway.inbox.sums)

/** Daily totals of orders by currency and state: what users pay in, and what they get. */
const sumsList = createList({ columns, keyOf })

export const sumsSource = listSource('sums', sumsList, sumItems, () => null)
