import { memoizeLast } from '../../base/memoize.ts'
import { type Balance, heldAmount, primaryAccount, sharedDecimals } from '../../domain/balance.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Ticker } from '../../domain/market/ticker.ts'
import { Decimal, exactProduct, exactSum, formatGrouped, formatHeld, roughly, zero } from '../../domain/money.ts'
import { commonestCounter } from '../../domain/usd-value.ts'
import { shownWorth } from '../../domain/usd-worth.ts'
import { allBalances, balancesShown, shownAccount, unknownAccounts } from '../../store/accounts.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { roundedText } from '../text/amounts.ts'
import { cellText, nameText } from '../text/cells.ts'
import { currencyScales } from '../text/trade-words.ts'
import { createList } from './list.ts'
import { fieldOf, listSource } from './list-source.ts'
import type { CellsOf, ListColumn } from './list-table.ts'
import { unknownMark } from './partly-known.ts'

/** Inputs of a balance's cells besides the balance. */
export type BalancesContext = {
  /** Decimals of each currency. */
  scales: ReadonlyMap<string, number>
  /** The currency of the values. */
  counter: string
  /** Currency → value of its balance; null if no price is known. */
  values: ReadonlyMap<string, Decimal | null>
  /** Sum of the known values. */
  total: Decimal
  /** Currencies that are held but have no price, or two prices that contradict each other. */
  unpriced: readonly string[]
  doubtful: readonly string[]
  arePricesOld: boolean
  /** Accounts missing from this sum; empty for a single account. */
  leftOut: readonly string[]
  /** Balances of the shown account, or of the primary one in the sum of all, that could not be read. */
  unreadCount: number
  /** True when the whole is at least `total`, because no debt has an unknown value. */
  isAtLeast: boolean
  /** Whose balances these are: an account's name, or `all`. */
  account: string
}

const noInstruments: ReadonlyMap<string, Instrument> = new Map()
const noTickers: ReadonlyMap<string, Ticker> = new Map()

function contextFrom(
  balances: readonly Balance[] | null,
  rates: readonly Balance[],
  instruments: ReadonlyMap<string, Instrument> | null,
  tickers: ReadonlyMap<string, Ticker> | null,
  arePricesOld: boolean,
  account: string,
  leftOut: readonly string[],
  unreadCount: number,
): BalancesContext {
  const counter = commonestCounter(instruments ?? noInstruments)
  const prices = { instruments: instruments ?? noInstruments, tickers: tickers ?? noTickers, balances: rates }
  const values = new Map<string, Decimal | null>()
  const unvalued = { unknown: [] as string[], apart: [] as string[] }
  let isAtLeast = true
  for (const { currency, balance } of balances ?? []) {
    const worth = shownWorth(currency, counter, prices)
    const isKnown = balance.isZero() || worth.kind === 'known'
    values.set(currency, isKnown ? exactProduct(balance, worth.kind === 'known' ? worth.each : zero) : null)
    if (!isKnown) {
      unvalued[worth.kind].push(currency)
      isAtLeast &&= balance.gt(0)
    }
  }
  const total = exactSum([...values.values()].flatMap((value) => value ?? []))
  const { unknown: unpriced, apart: doubtful } = unvalued
  const shown = { scales: currencyScales(instruments), counter, values, total, unpriced, doubtful, arePricesOld }
  return { ...shown, account, leftOut, unreadCount, isAtLeast }
}

const remembered = memoizeLast(contextFrom)
const noNames: readonly string[] = []
const leftOutOf = memoizeLast((otherAccounts: DeskState['otherAccounts']) => unknownAccounts({ otherAccounts }))

/** The name of the sum of all accounts. */
export const allAccounts = 'all'

/** The part of the state that the balances come from. */
export type BalancesSource = Pick<DeskState, 'balances' | 'otherAccounts' | 'shownAccount' | 'unreadable'>

/** How many balances of what is shown could not be read; in a sum, other accounts with such ones are left out. */
const unreadIn = ({ unreadable, otherAccounts }: BalancesSource, account: string | null): number =>
  account === null || account === primaryAccount
    ? (unreadable.balances?.entries.length ?? 0)
    : (otherAccounts.get(account)?.unreadableCount ?? 0)

/** Returns the same object while balances, rules and prices are unchanged. */
export const balancesContext = (
  state: BalancesSource & Pick<DeskState, 'instruments' | 'tickers' | 'nowMs'>,
): BalancesContext => {
  const account = shownAccount(state)
  return remembered(
    balancesShown(state),
    allBalances(state),
    state.instruments.value,
    state.tickers.value,
    isStale(state.tickers, 'tickers', state.nowMs),
    account ?? allAccounts,
    account === null ? leftOutOf(state.otherAccounts) : noNames,
    unreadIn(state, account),
  )
}

const sorted = memoizeLast((balances: readonly Balance[] | null): readonly Balance[] =>
  (balances ?? []).toSorted((first, second) => Number(first.balance.isZero()) - Number(second.balance.isZero())),
)

/** The currencies in the exchange's order, empty balances last. */
const balanceItems = (state: BalancesSource): readonly Balance[] => sorted(balancesShown(state))

type Column = ListColumn<Balance, BalancesContext>
type Cells = CellsOf<Balance, BalancesContext>

/**
 * The held amount, computed from the two amounts beside it, each cut to its decimals, so that the three add up as
 * shown.
 */
function heldBesides({ balance, available }: Balance, decimals: number): Decimal {
  const cut = (value: Decimal) => value.toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
  return cut(balance).minus(cut(available))
}

/**
 * All amounts of a currency have the same decimals, see `sharedDecimals`. Short of room, a column first gives up
 * aligning its points, and is then dropped.
 */
function amountColumn(
  key: string,
  head: string,
  read: (balance: Balance) => Decimal,
  rank: number,
  look: {
    isEmptyShown: boolean
    shown?: (balance: Balance, decimals: number) => Decimal
    shorterRank?: (balances: readonly Balance[]) => number
  },
): Column {
  const { isEmptyShown, shown = read, shorterRank = rank - 20 } = look
  const texts: Cells = (balances, { scales }) =>
    balances.map((each) => {
      const amount = read(each)
      const decimals = sharedDecimals([each.balance, each.available], scales.get(each.currency))
      return isEmptyShown || !amount.isZero() ? formatHeld(shown(each, decimals), decimals) : '-'
    })
  return {
    key,
    head,
    text: (balance) => read(balance).toFixed(),
    sort: read,
    own: true,
    cells: texts,
    align: 'point',
    rank,
    shorter: { align: 'right', rank: shorterRank },
  }
}

const worthOf = ({ currency }: Balance, { values }: BalancesContext): Decimal | null => values.get(currency) ?? null

const valueCells =
  (decimals: number): Cells =>
  (balances, context) =>
    balances.map((balance) => {
      const value = worthOf(balance, context)
      return value === null ? '-' : roundedText(value, decimals, formatGrouped)
    })

/** Whether there is a whole to have a share of. */
const hasWhole = ({ total, isAtLeast }: BalancesContext): boolean => isAtLeast && total.gt(0)

/** A balance's share of the known total, as a fraction; null if its value or the total is unknown. */
export function shareOf(balance: Balance, context: BalancesContext): Decimal | null {
  const value = worthOf(balance, context)
  return value === null || !hasWhole(context) ? null : value.div(context.total)
}

const barCells = 8
/** `shareOf` as a float, for display: exact quotients of every row made up an eighth of a frame's allocations. */
function roughShare(balance: Balance, context: BalancesContext): number | null {
  const value = worthOf(balance, context)
  return value === null || !hasWhole(context) ? null : roughly(value) / roughly(context.total)
}
function percentOf(share: number | null): string {
  if (share === null) return '-'
  const percent = Math.round(share * 100)
  return percent === 0 && share > 0 ? '<1%' : `${percent}%`
}
/** Beside a debt, which has no bar, another currency may be more than the whole. */
const barOf = (share: number): string => {
  const halves = Math.round(Math.max(0, Math.min(1, share)) * barCells * 2)
  return '█'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '▌' : '')
}
const shareCells: Cells = (balances, context) =>
  balances.map((balance) => {
    const share = roughShare(balance, context)
    return (share === null ? '' : barOf(share)).padEnd(barCells) + percentOf(share).padStart(5)
  })
const percentCells: Cells = (balances, context) => balances.map((balance) => percentOf(roughShare(balance, context)))

const columns: readonly Column[] = [
  {
    key: 'currency',
    head: 'CUR',
    text: ({ currency }) => currency,
    sort: ({ currency }) => currency,
    cells: (balances) => balances.map(({ currency }) => nameText(currency, 12)),
    align: 'left',
    tone: 'title',
    rank: 0,
  },
  amountColumn('balance', 'BALANCE', ({ balance }) => balance, 20, { isEmptyShown: true }),
  amountColumn('available', 'AVAIL', ({ available }) => available, 21, { isEmptyShown: true }),
  amountColumn('held', 'HELD', heldAmount, 22, {
    ...{ isEmptyShown: false, shown: heldBesides },
    // The held amount stays longer than the value, because users look for it, unless nothing is held.
    shorterRank: (balances) => (balances.every((balance) => heldAmount(balance).isZero()) ? 5 : 2),
  }),
  {
    key: 'value',
    head: 'VALUE',
    text: (balance, context) => worthOf(balance, context)?.toFixed() ?? '',
    sort: worthOf,
    own: true,
    cells: valueCells(2),
    align: 'right',
    // A stale price makes a stale value.
    tone: (_, { arePricesOld }) => (arePricesOld ? 'dim' : 'text'),
    rank: 30,
    shorter: { cells: valueCells(0), rank: 3 },
  },
  {
    key: 'share',
    head: 'SHARE',
    text: (balance, context) => shareOf(balance, context)?.times(100).toFixed(4) ?? '',
    sort: shareOf,
    cells: shareCells,
    align: 'right',
    tone: (_, { arePricesOld }) => (arePricesOld ? 'dim' : 'own'),
    rank: 45,
    shorter: { head: '%', cells: percentCells, rank: 40 },
  },
]

/** The total, which must not hide that something is missing from it; `?` where that may be a debt. */
function totalText({ total, unpriced, doubtful, leftOut, unreadCount, isAtLeast }: BalancesContext): string {
  const isPart = unpriced.length + doubtful.length + leftOut.length + unreadCount > 0
  return isAtLeast ? `${isPart ? '≥' : ''}${formatGrouped(total, 0)}` : unknownMark
}

/** The currencies of the account; the total, which includes filtered-out ones, is always on screen. */
const balancesList = createList({
  columns,
  keyOf: ({ currency }: Balance) => currency,
  fields: [...columns.map(fieldOf), { label: 'account', text: (_, { account }) => account }],
  summary: (_, context) => ({
    // Not wider than the currency names above it.
    currency: 'sum',
    value: totalText(context),
    share: cellText(context.counter),
  }),
  summaryTone: (key, { arePricesOld }) => (key === 'value' && arePricesOld ? 'dim' : undefined),
})

export const balancesSource = listSource('balances', balancesList, balanceItems, balancesContext)
