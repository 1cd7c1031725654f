import type { EligibleCurrency } from '../../../domain/gateway/eligibility.ts'
import type { DeskState } from '../../../store/desk.ts'
import { createList } from '../../tables/list.ts'
import { listSource } from '../../tables/list-source.ts'
import type { ListColumn } from '../../tables/list-table.ts'
import { amountColumn, wordColumn } from './list-parts.ts'

type Column = ListColumn<EligibleCurrency, null>
const word = wordColumn<EligibleCurrency, null>

/** What is null of a kind of currency is empty. */
const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'NO')
const statesOf = ({ allowedUsStates }: EligibleCurrency): string => allowedUsStates?.join(' ') ?? ''

const columns: readonly Column[] = [
  { ...word('code', 'CODE', ({ code }) => code, 0), tone: 'title' },
  word('type', 'TYPE', ({ type }) => type, 1),
  word('name', 'NAME', ({ name }) => name, 3),
  {
    key: 'decimals',
    head: 'DEC',
    text: ({ precision }) => String(precision),
    sort: ({ precision }) => precision,
    align: 'right',
    rank: 2,
  },
  amountColumn('min', 'MIN', ({ minBuyAmount }) => minBuyAmount, 1),
  amountColumn('max', 'MAX', ({ maxBuyAmount }) => maxBuyAmount, 1),
  word('network', 'NETWORK', ({ network }) => network ?? '', 1),
  word('tag', 'TAG', ({ supportsDestinationTag }) => yesNo(supportsDestinationTag), 5),
  word('us', 'US', ({ isSupportedInUs }) => yesNo(isSupportedInUs), 4),
  { ...word('states', 'US STATES', statesOf, 6), tone: 'dim', isFlexible: true },
]

const none: readonly EligibleCurrency[] = []
export const currencyItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly EligibleCurrency[] =>
  gateway.eligibility.currencies.value ?? none

/** The currencies that are enabled on the partner's account, in the gateway's order. */
export const currenciesList = createList({
  columns,
  keyOf: ({ code, network }: EligibleCurrency) => `${code} ${network ?? ''}`.trim(),
  fields: [
    { label: 'code', text: ({ code }: EligibleCurrency) => code },
    { label: 'name', text: ({ name }) => name },
    { label: 'type', text: ({ type }) => type },
    { label: 'precision', text: ({ precision }) => String(precision) },
    {
      label: 'minBuyAmount',
      text: ({ minBuyAmount }) => minBuyAmount?.toFixed() ?? '',
      instead: () => 'for fiat only',
    },
    {
      label: 'maxBuyAmount',
      text: ({ maxBuyAmount }) => maxBuyAmount?.toFixed() ?? '',
      instead: () => 'for fiat only',
    },
    { label: 'network', text: ({ network }) => network ?? '', instead: () => 'for coins only' },
    {
      label: 'destination tags',
      text: ({ supportsDestinationTag }) => yesNo(supportsDestinationTag),
      instead: () => 'for coins only',
    },
    { label: 'in the US', text: ({ isSupportedInUs }) => yesNo(isSupportedInUs), instead: () => 'for coins only' },
    { label: 'US states', text: statesOf, instead: () => 'none' },
  ],
})

export const currenciesSource = listSource('currencies', currenciesList, currencyItems, () => null)
