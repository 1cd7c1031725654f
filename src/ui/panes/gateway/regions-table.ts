import type { EligibleRegions } from '../../../domain/gateway/eligibility.ts'
import type { DeskState } from '../../../store/desk.ts'
import { createList } from '../../tables/list.ts'
import { listSource } from '../../tables/list-source.ts'
import type { ListColumn } from '../../tables/list-table.ts'
import { rememberLast } from '../../tables/remember.ts'
import { wordColumn } from './list-parts.ts'

/** A country, or a state of the United States under the code that orders have it by. */
export type Region = { code: string; alpha3: string; name: string; kind: 'country' | 'US state'; isBuyAllowed: boolean }

type Column = ListColumn<Region, null>
const word = wordColumn<Region, null>

const buyText = ({ isBuyAllowed }: Region): string => (isBuyAllowed ? 'yes' : 'NO')

const columns: readonly Column[] = [
  { ...word('code', 'CODE', ({ code }) => code, 0), tone: 'title' },
  { ...word('buy', 'BUY', buyText, 0), tone: ({ isBuyAllowed }) => (isBuyAllowed ? 'good' : 'bad') },
  { ...word('name', 'NAME', ({ name }) => name, 0), isFlexible: true },
  word('kind', 'KIND', ({ kind }) => kind, 2),
  word('alpha3', 'ALPHA3', ({ alpha3 }) => alpha3, 3),
]

const regionsOf = rememberLast((regions: EligibleRegions | null): readonly Region[] => {
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
export const regionItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly Region[] =>
  regionsOf(gateway.eligibility.regions.value)

/** Countries, then the states of the United States: where users may buy, or all of them. */
export const regionsList = createList({ columns, keyOf: ({ code }: Region) => code })

export const regionsSource = listSource('regions', regionsList, regionItems, () => null)
