import type { EligiblePaymentMethod } from '../../../domain/gateway/eligibility.ts'
import type { DeskState } from '../../../store/desk.ts'
import { createList } from '../../tables/list.ts'
import { listSource } from '../../tables/list-source.ts'
import type { ListColumn } from '../../tables/list-table.ts'
import { wordColumn } from './list-parts.ts'

type Column = ListColumn<EligiblePaymentMethod, null>
const word = wordColumn<EligiblePaymentMethod, null>

const columns: readonly Column[] = [
  { ...word('method', 'METHOD', ({ type }) => type, 0), tone: 'title' },
  {
    key: 'count',
    head: 'COUNT',
    text: ({ supportedCurrencies }) => String(supportedCurrencies.length),
    sort: ({ supportedCurrencies }) => supportedCurrencies.length,
    align: 'right',
    rank: 1,
  },
  {
    ...word('currencies', 'CURRENCIES', ({ supportedCurrencies }) => supportedCurrencies.join(' '), 0),
    isFlexible: true,
  },
]

const none: readonly EligiblePaymentMethod[] = []
export const methodItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly EligiblePaymentMethod[] =>
  gateway.eligibility.paymentMethods.value ?? none

/** The ways to pay, each with the fiat currencies it can be used with. */
export const methodsList = createList({ columns, keyOf: ({ type }: EligiblePaymentMethod) => type })

export const methodsSource = listSource('methods', methodsList, methodItems, () => null)
