import { memoizeLast } from '../../../base/memoize.ts'
import type { EligibleCurrency, EligiblePaymentMethod, EligibleRegions } from '../../../domain/gateway/eligibility.ts'
import type { DeskState } from '../../../store/desk.ts'
import { amountColumn, countColumn, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'

type CurrencyColumn = ListColumn<EligibleCurrency, null>
const currencyWord = wordColumn<EligibleCurrency, null>

/** Null, for a property that this kind of currency lacks, is empty. */
const yesNo = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'NO')
const statesOf = ({ allowedUsStates }: EligibleCurrency): string => allowedUsStates?.join(' ') ?? ''

const currencyColumns: readonly CurrencyColumn[] = [
  { ...currencyWord('code', 'CODE', ({ code }) => code, 0), tone: 'title' },
  currencyWord('type', 'TYPE', ({ type }) => type, 1),
  currencyWord('name', 'NAME', ({ name }) => name, 3),
  countColumn('decimals', 'DEC', ({ precision }) => precision, 2),
  amountColumn('min', 'MIN', ({ minBuyAmount }) => minBuyAmount, 1),
  amountColumn('max', 'MAX', ({ maxBuyAmount }) => maxBuyAmount, 1),
  currencyWord('network', 'NETWORK', ({ network }) => network ?? '', 1),
  currencyWord('tag', 'TAG', ({ supportsDestinationTag }) => yesNo(supportsDestinationTag), 5),
  currencyWord('us', 'US', ({ isSupportedInUs }) => yesNo(isSupportedInUs), 4),
  { ...currencyWord('states', 'US STATES', statesOf, 6), tone: 'dim', isFlexible: true },
]

const noCurrencies: readonly EligibleCurrency[] = []
const currencyItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly EligibleCurrency[] =>
  gateway.eligibility.currencies.value ?? noCurrencies

/** The currencies enabled on the partner's account, in the gateway's order. */
const currenciesList = createList({
  columns: currencyColumns,
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

/** A country or a US state, with the code that orders use for it. */
type Region = { code: string; alpha3: string; name: string; kind: 'country' | 'US state'; isBuyAllowed: boolean }

type RegionColumn = ListColumn<Region, null>
const regionWord = wordColumn<Region, null>

const buyText = ({ isBuyAllowed }: Region): string => (isBuyAllowed ? 'yes' : 'NO')

const regionColumns: readonly RegionColumn[] = [
  { ...regionWord('code', 'CODE', ({ code }) => code, 0), tone: 'title' },
  { ...regionWord('buy', 'BUY', buyText, 0), tone: ({ isBuyAllowed }) => (isBuyAllowed ? 'good' : 'bad') },
  { ...regionWord('name', 'NAME', ({ name }) => name, 0), isFlexible: true },
  regionWord('kind', 'KIND', ({ kind }) => kind, 2),
  regionWord('alpha3', 'ALPHA3', ({ alpha3 }) => alpha3, 3),
]

const regionsOf = memoizeLast((regions: EligibleRegions | null): readonly Region[] => {
  if (regions === null) return []
  const countries = regions.countries.map(
    ({ alpha2, alpha3, name, isBuyAllowed }): Region => ({ code: alpha2, alpha3, name, kind: 'country', isBuyAllowed }),
  )
  const states = regions.usStates.map(
    ({ alpha2, name, isBuyAllowed }): Region => ({
      code: `US-${alpha2}`,
      alpha3: '',
      name,
      kind: 'US state',
      isBuyAllowed,
    }),
  )
  return [...countries, ...states]
})
const regionItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly Region[] =>
  regionsOf(gateway.eligibility.regions.value)

/** Countries, then US states: those that allow buying, or all of them. */
const regionsList = createList({ columns: regionColumns, keyOf: ({ code }: Region) => code })

export const regionsSource = listSource('regions', regionsList, regionItems, () => null)

type MethodColumn = ListColumn<EligiblePaymentMethod, null>
const methodWord = wordColumn<EligiblePaymentMethod, null>

const methodColumns: readonly MethodColumn[] = [
  { ...methodWord('method', 'METHOD', ({ type }) => type, 0), tone: 'title' },
  countColumn('count', 'COUNT', ({ supportedCurrencies }) => supportedCurrencies.length, 1),
  {
    ...methodWord('currencies', 'CURRENCIES', ({ supportedCurrencies }) => supportedCurrencies.join(' '), 0),
    isFlexible: true,
  },
]

const noMethods: readonly EligiblePaymentMethod[] = []
const methodItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly EligiblePaymentMethod[] =>
  gateway.eligibility.paymentMethods.value ?? noMethods

/** Payment methods, each with the fiat currencies it supports. */
const methodsList = createList({ columns: methodColumns, keyOf: ({ type }: EligiblePaymentMethod) => type })

export const methodsSource = listSource('methods', methodsList, methodItems, () => null)
