import { Decimal, exactSum, zero } from '../money.ts'
import type { Period } from '../statement/movement.ts'
import type { Fields, FillsUsed } from '../statement/statement.ts'
import type { BookedFee, BookedTransfer } from './booked.ts'
import { valueCurrency } from './ledger.ts'
import type { Books } from './lots.ts'
import type { CostMethod, CountedCost, Lot, Match, Position, Realized, UsdValue } from './position.ts'
import {
  type RealizedParts,
  type RealizedSum,
  realizedIn,
  type TransferSum,
  transfersIn,
  unrealizedUsd,
} from './realized.ts'

/** One currency: what is held at the end, and what came of it in the period. */
type PnlCurrency = {
  position: Position
  realized: Realized
  transfers: TransferSum
  /** Null: nobody knows what it was worth at the end. */
  mark: UsdValue | null
  /** Of the units of known cost; null without any, and without a mark. */
  unrealizedUsd: Decimal | null
}

/** One symbol; null: fees of withdrawals, and what is held of lots that no symbol's fills brought in. */
type PnlSymbol = {
  symbol: string | null
  realized: RealizedSum
  /** What is held at the end of lots that its fills brought in, by currency: see `heldBySymbol`. */
  held: readonly Position[]
  /** Of the units whose cost and mark are known; null without any. */
  unrealizedUsd: Decimal | null
}

type PnlTotal = {
  realized: RealizedSum
  costUsd: Decimal
  /** Of the currencies whose mark is known. */
  unrealizedUsd: Decimal
  transfers: Pick<TransferSum, 'depositsUsd' | 'withdrawalsUsd'>
}

/** What came of an account in a period, by one method of cost. */
export type Pnl = {
  period: Period
  method: CostMethod
  /** By name: those that are held or moved. */
  currencies: readonly PnlCurrency[]
  /** By name; what has none comes last. */
  symbols: readonly PnlSymbol[]
  total: PnlTotal
  /** What a person stated of costs, as far as it counts at the end of the period. */
  stated: readonly CountedCost[]
  fills: FillsUsed
  /** What is not known, in whole sentences. */
  missing: readonly string[]
}

const nothingRealized: Realized = {
  realizedUsd: zero,
  feesUsd: zero,
  proceedsOfUnknownCostUsd: zero,
  quantityOfUnknownValue: zero,
}
const nothingSummed: RealizedSum = {
  realizedUsd: zero,
  feesUsd: zero,
  proceedsOfUnknownCostUsd: zero,
  unknownCount: 0,
}
const nothingMoved: TransferSum = {
  depositsUsd: zero,
  withdrawalsUsd: zero,
  depositedOfUnknownCost: zero,
  withdrawnOfUnknownCost: zero,
}

type PnlLook = Pick<Pnl, 'fills' | 'missing'> & { markOf: (currency: string) => UsdValue | null }

/** `markOf` says what a currency is worth at the end of the period, which the books must end with. */
export function pnlOf(period: Period, books: Books, { markOf, fills, missing }: PnlLook): Pnl {
  const { total, byCurrency, bySymbol } = realizedIn(books.matches, books.fees, period)
  const moved = transfersIn(books.transfers, period)
  const currencies = books.positions.flatMap((position): PnlCurrency[] => {
    const { currency, quantity } = position
    const [realized, transfers] = [byCurrency.get(currency), moved.get(currency)]
    if (quantity.isZero() && realized === undefined && transfers === undefined) return []
    const isUsd = currency === valueCurrency
    const mark = isUsd || quantity.isZero() ? null : markOf(currency)
    const isNothing = isUsd || quantity.isZero()
    const isUnknown = mark === null || position.quantityOfKnownCost.isZero()
    const gain = isNothing ? zero : isUnknown ? null : unrealizedUsd(position, mark.usd)
    return [
      {
        position,
        realized: realized ?? nothingRealized,
        transfers: transfers ?? nothingMoved,
        mark,
        unrealizedUsd: gain,
      },
    ]
  })
  return {
    period,
    method: books.method,
    currencies,
    symbols: symbolsOf(books, bySymbol, new Map(currencies.map((each) => [each.position.currency, each.mark]))),
    total: {
      realized: total,
      costUsd: exactSum(currencies.map(({ position }) => position.costUsd)),
      unrealizedUsd: exactSum(currencies.map((each) => each.unrealizedUsd ?? zero)),
      transfers: {
        depositsUsd: exactSum(currencies.map(({ transfers }) => transfers.depositsUsd)),
        withdrawalsUsd: exactSum(currencies.map(({ transfers }) => transfers.withdrawalsUsd)),
      },
    },
    stated: books.stated,
    fills,
    missing: [...missing, ...currencies.flatMap(unknownOf), ...unvaluedFees(books, period)],
  }
}

/** Every symbol that something came of, or that brought in what is held. */
function symbolsOf(
  books: Books,
  bySymbol: RealizedParts['bySymbol'],
  marks: ReadonlyMap<string, UsdValue | null>,
): PnlSymbol[] {
  const names = [...new Set([...bySymbol.keys(), ...books.bySymbol.keys()])]
  const symbols = names.map((symbol): PnlSymbol => {
    const held = books.bySymbol.get(symbol) ?? []
    const gains = held.flatMap((position) => {
      const mark = marks.get(position.currency) ?? null
      return mark === null || position.quantityOfKnownCost.isZero() ? [] : [unrealizedUsd(position, mark.usd)]
    })
    const unrealized = gains.length > 0 ? exactSum(gains) : held.length === 0 ? zero : null
    return { symbol, realized: bySymbol.get(symbol) ?? nothingSummed, held, unrealizedUsd: unrealized }
  })
  return symbols.toSorted(bySymbolName)
}

type OfSymbol = { symbol: string | null }
const bySymbolName = (left: OfSymbol, right: OfSymbol): number =>
  left.symbol === null || right.symbol === null
    ? (left.symbol === null ? 1 : 0) - (right.symbol === null ? 1 : 0)
    : left.symbol < right.symbol
      ? -1
      : 1

/** What nobody knows of a currency, a sentence each. */
function unknownOf({ position, realized, mark, unrealizedUsd: gain }: PnlCurrency): string[] {
  const { currency, quantityOfUnknownCost } = position
  const sentences: string[] = []
  if (quantityOfUnknownCost.gt(0)) {
    const quantity = quantityOfUnknownCost.toFixed()
    const example = `cost ${currency.toLowerCase()} ${quantity} @ PRICE`
    sentences.push(`${quantity} ${currency} held at unknown cost. To state it, say in the desk: ${example}`)
  }
  if (!realized.proceedsOfUnknownCostUsd.isZero())
    sentences.push(
      `${currency} of unknown cost went out for ${realized.proceedsOfUnknownCostUsd.toFixed()} USD: ` +
        'neither a gain nor a loss is counted.',
    )
  if (!realized.quantityOfUnknownValue.isZero())
    sentences.push(
      `${realized.quantityOfUnknownValue.toFixed()} ${currency} went out with no USD price of the hour before: ` +
        'in none of the sums.',
    )
  if (mark === null && gain === null && position.quantityOfKnownCost.gt(0))
    sentences.push(`No price of ${currency}: its unrealized P&L is unknown.`)
  return sentences
}

function unvaluedFees({ fees }: Books, { fromMs, toMs }: Period): string[] {
  const count = fees.filter(({ usd, atMs }) => usd === null && (atMs ?? 0) >= fromMs && (atMs ?? 0) <= toMs).length
  return count === 0 ? [] : [`Fees with no USD price of the hour before, not in the sum of fees: ${count}.`]
}

/** Decimals of an average, which is for reading: sums are made of costs. */
const averageDecimals = 8

const sumFields = (sum: Omit<RealizedSum, 'unknownCount'>): Fields => ({
  realizedUsd: sum.realizedUsd,
  feesUsd: sum.feesUsd,
  proceedsOfUnknownCostUsd: sum.proceedsOfUnknownCostUsd,
})

/** A currency by the names of its fields. `averageCostUsd` is rounded, everything else whole. */
export function currencyPnlFields({ position, realized, transfers, mark, unrealizedUsd: gain }: PnlCurrency): Fields {
  const { currency, quantity, costUsd, averageCostUsd, quantityOfKnownCost, quantityOfUnknownCost } = position
  const isUnknown = quantityOfKnownCost.isZero() && quantityOfUnknownCost.gt(0)
  return {
    currency,
    quantity,
    costUsd: isUnknown ? null : costUsd,
    averageCostUsd: averageCostUsd?.toDecimalPlaces(averageDecimals) ?? null,
    quantityOfUnknownCost,
    markUsd: mark?.usd ?? null,
    markSource: mark?.source ?? null,
    unrealizedUsd: gain,
    ...sumFields(realized),
    quantityOfUnknownValue: realized.quantityOfUnknownValue,
    ...transfers,
  }
}

const isOfUnknownCost = (held: readonly Position[]): boolean =>
  held.length > 0 && held.every(({ quantityOfKnownCost }) => quantityOfKnownCost.isZero())

export const symbolPnlFields = ({ symbol, realized, held, unrealizedUsd: gain }: PnlSymbol): Fields => ({
  symbol,
  name: symbol ?? noSymbol,
  held: held.map(({ currency, quantity }) => ({ currency, quantity })),
  costUsd: isOfUnknownCost(held) ? null : exactSum(held.map(({ costUsd }) => costUsd)),
  unrealizedUsd: gain,
  ...sumFields(realized),
  unknownCount: realized.unknownCount,
})

/** `counted` is the part of the quantity that was held at unknown cost then. */
export const statedCostFields = ({ currency, quantity, usdEach, atMs, counted }: CountedCost): Fields => ({
  currency,
  quantity,
  usdEach,
  counted,
  timestamp: atMs,
})

const totalFields = ({ realized, costUsd, unrealizedUsd: gain, transfers }: PnlTotal): Fields => ({
  costUsd,
  unrealizedUsd: gain,
  ...sumFields(realized),
  unknownCount: realized.unknownCount,
  ...transfers,
})

/** One value for JSON, times in ms since 1970. With `lots` every match, fee, transfer and open lot stands in it. */
export function pnlFields(pnl: Pnl, lots: Books | null): Fields {
  const { period, method, currencies, symbols, total, stated, fills, missing } = pnl
  return {
    from: period.fromMs,
    to: period.toMs,
    ...(period.isSoFar === true ? { soFar: true } : {}),
    method,
    total: totalFields(total),
    currencies: currencies.map(currencyPnlFields),
    symbols: symbols.map(symbolPnlFields),
    stated: stated.map(statedCostFields),
    ...(lots === null ? {} : lotFields(lots, period)),
    fills,
    missing,
  }
}

type Dated = { atMs: number | null }
const within =
  ({ fromMs, toMs }: Period) =>
  ({ atMs }: Dated): boolean =>
    (atMs ?? 0) >= fromMs && (atMs ?? 0) <= toMs

const isMatchIn =
  (period: Period) =>
  ({ closedAtMs }: Match): boolean =>
    within(period)({ atMs: closedAtMs })

const matchFields = (match: Match): Fields => ({
  currency: match.currency,
  symbol: match.symbol,
  quantity: match.quantity,
  openedId: match.openedId,
  opened: match.openedAtMs,
  closedBy: match.closedBy,
  closedId: match.closedId,
  closed: match.closedAtMs,
  costUsd: match.costUsd,
  proceedsUsd: match.proceedsUsd,
  realizedUsd: match.realizedUsd,
  source: match.proceedsSource,
})

const feeFields = (fee: BookedFee): Fields => ({
  currency: fee.currency,
  symbol: fee.symbol,
  quantity: fee.quantity,
  closedId: fee.id,
  closed: fee.atMs,
  feeUsd: fee.feeUsd,
})

/** `costUsd` is that of the units whose cost is known. */
const transferFields = (transfer: BookedTransfer): Fields => {
  const [id, at] = transfer.way === 'deposit' ? ['openedId', 'opened'] : ['closedId', 'closed']
  const { currency, quantity, costUsd, quantityOfUnknownCost } = transfer
  return {
    record: transfer.way,
    currency,
    quantity,
    [id]: transfer.id,
    [at]: transfer.atMs,
    costUsd,
    quantityOfUnknownCost,
  }
}

const openLotFields = (lot: Lot): Fields => ({
  currency: lot.currency,
  quantity: lot.quantity,
  openedBy: lot.openedBy,
  openedId: lot.openedId,
  opened: lot.openedAtMs,
  costUsd: lot.costUsd,
  source: lot.costSource,
})

/** The matches, fees and transfers of the period, and the lots that are open at its end. */
export const lotFields = (books: Books, period: Period) => ({
  matches: books.matches.filter(isMatchIn(period)).map(matchFields),
  fees: books.fees.filter(within(period)).map(feeFields),
  transfers: books.transfers.filter(within(period)).map(transferFields),
  lots: books.lots.map(openLotFields),
})

/** The columns of the sums as a list. By scope they add up to the row of the total. */
export const pnlHead = [
  ...['scope', 'name', 'quantity', 'costUsd', 'averageCostUsd', 'quantityOfUnknownCost', 'markUsd', 'markSource'],
  ...['unrealizedUsd', 'realizedUsd', 'feesUsd', 'proceedsOfUnknownCostUsd', 'quantityOfUnknownValue', 'unknownCount'],
  ...['depositsUsd', 'withdrawalsUsd', 'depositedOfUnknownCost', 'withdrawnOfUnknownCost'],
]

/** A row for each currency, each symbol, and all of it. */
export function* pnlRows({ currencies, symbols, total }: Pnl): Iterable<string[]> {
  for (const each of currencies) {
    const fields = currencyPnlFields(each)
    yield cellsOf(pnlHead, { ...fields, scope: 'currency', name: fields.currency ?? '' })
  }
  for (const each of symbols)
    yield cellsOf(pnlHead, { ...symbolPnlFields(each), scope: 'symbol', name: each.symbol ?? noSymbol })
  yield cellsOf(pnlHead, { ...totalFields(total), scope: 'total', name: '' })
}

/** What stands in the place of a symbol where there is none. */
export const noSymbol = 'no symbol'

/** The columns of the lots as a list. */
export const lotHead = [
  ...['record', 'currency', 'symbol', 'quantity', 'openedBy', 'openedId', 'opened', 'closedBy', 'closedId', 'closed'],
  ...['costUsd', 'proceedsUsd', 'realizedUsd', 'feeUsd', 'source'],
]

/**
 * A row for each match, fee and transfer of the period, and for each lot that is open at its end. `realizedUsd` and
 * `feeUsd` add up to those of the period.
 */
export function* lotRows(books: Books, period: Period): Iterable<string[]> {
  for (const match of books.matches)
    if (isMatchIn(period)(match))
      yield cellsOf(lotHead, { ...matchFields(match), record: match.closedBy === 'withdrawal' ? 'sent' : 'match' })
  for (const fee of books.fees) if (within(period)(fee)) yield cellsOf(lotHead, { ...feeFields(fee), record: 'fee' })
  for (const transfer of books.transfers) if (within(period)(transfer)) yield cellsOf(lotHead, transferFields(transfer))
  for (const lot of books.lots) yield cellsOf(lotHead, { ...openLotFields(lot), record: 'lot' })
}

const times: readonly string[] = ['opened', 'closed']

function cellsOf(head: readonly string[], fields: Fields): string[] {
  return head.map((name) => {
    const value = fields[name]
    if (value === null || value === undefined) return ''
    if (times.includes(name) && typeof value === 'number') return new Date(value).toISOString()
    return Decimal.isDecimal(value) ? value.toFixed() : String(value)
  })
}
