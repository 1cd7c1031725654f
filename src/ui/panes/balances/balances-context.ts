import type { Balance, Ticker } from '../../../domain/balance.ts'
import type { Instrument } from '../../../domain/market/instrument.ts'
import { type Decimal, zero } from '../../../domain/money.ts'
import { counterRate, usualCounter } from '../../../domain/usd-value.ts'
import type { DeskState } from '../../../store/desk.ts'
import { isStale } from '../../../store/feeds/feed.ts'
import { rememberLast } from '../../tables/remember.ts'
import { currencyScales } from './balances-rows.ts'

/** What the cells of a balance depend on beside the balance. */
export type BalancesContext = {
  /** Decimals each currency can be split in. */
  scales: ReadonlyMap<string, number>
  /** The currency that values are in. */
  counter: string
  /** Currency → what its balance is worth; null where no price is known. */
  values: ReadonlyMap<string, Decimal | null>
  /** Of everything whose value is known. */
  total: Decimal
  /** Currencies of which there is something, but no price. */
  unpriced: readonly string[]
  arePricesOld: boolean
}

const noInstruments: ReadonlyMap<string, Instrument> = new Map()
const noTickers: ReadonlyMap<string, Ticker> = new Map()

function contextFrom(
  balances: readonly Balance[] | null,
  instruments: ReadonlyMap<string, Instrument> | null,
  tickers: ReadonlyMap<string, Ticker> | null,
  arePricesOld: boolean,
): BalancesContext {
  const counter = usualCounter(instruments ?? noInstruments)
  const values = new Map<string, Decimal | null>()
  const unpriced: string[] = []
  let total = zero
  for (const { currency, balance } of balances ?? []) {
    const rate = counterRate(currency, counter, instruments ?? noInstruments, tickers ?? noTickers)
    const value = balance.isZero() ? zero : (rate?.times(balance) ?? null)
    values.set(currency, value)
    if (value === null) unpriced.push(currency)
    else total = total.plus(value)
  }
  return { scales: currencyScales(instruments), counter, values, total, unpriced, arePricesOld }
}

const remembered = rememberLast(contextFrom)

/** The same object while balances, rules and prices are the same. */
export const balancesContext = (
  state: Pick<DeskState, 'balances' | 'instruments' | 'tickers' | 'nowMs'>,
): BalancesContext =>
  remembered(
    state.balances.value,
    state.instruments.value,
    state.tickers.value,
    isStale(state.tickers, 'tickers', state.nowMs),
  )

const sorted = rememberLast((balances: readonly Balance[] | null): readonly Balance[] =>
  (balances ?? []).toSorted((first, second) => Number(first.balance.isZero()) - Number(second.balance.isZero())),
)

/** The currencies in the service's order, those of which there is nothing behind the others. */
export const balanceItems = ({ balances }: Pick<DeskState, 'balances'>): readonly Balance[] => sorted(balances.value)
