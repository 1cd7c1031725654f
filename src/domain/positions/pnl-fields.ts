import { Decimal, exactSum, zero } from '../money.ts'
import type { Period } from '../statement/movement.ts'
import { type Fields, periodFields, type StreamedFields } from '../statement/statement.ts'
import type { BookedFee, BookedMatch, BookedTransfer } from './booked.ts'
import type { Books } from './lots.ts'
import { knownCost, knownRealized, knownTransfers, type Pnl, type PnlCurrency, type PnlSymbol } from './pnl.ts'
import type { CountedCost, Lot, Match, Position } from './position.ts'
import type { RealizedSum } from './realized.ts'
import { changeBetween, changeOf } from './standpoint.ts'

/** Decimals of a displayed average; sums use costs. */
const averageDecimals = 8

/** Completely unknown amounts are null; unknown parts of the others are counted. */
const sumFields = (sum: RealizedSum): Fields => ({
  ...knownRealized(sum),
  unknownCostCount: sum.unknownCostCount,
  unknownCount: sum.unknownCount,
  unknownFeeCount: sum.unknownFeeCount,
})

/** The fields of a currency. `averageCostUsd` is rounded, the others are exact. */
export function currencyPnlFields(each: PnlCurrency): Fields {
  const { position, realized, transfers, mark, unrealizedUsd: gain, start } = each
  const { currency, quantity, averageCostUsd, quantityOfUnknownCost } = position
  const startGain = start === null ? zero : start.unrealizedUsd
  return {
    currency,
    quantity,
    costUsd: knownCost(position),
    averageCostUsd: averageCostUsd?.toDecimalPlaces(averageDecimals) ?? null,
    quantityOfUnknownCost,
    markUsd: mark?.usd ?? null,
    markSource: mark?.source ?? null,
    worthUsd: each.worthUsd,
    unrealizedUsd: gain,
    startMarkUsd: start?.mark?.usd ?? null,
    startMarkSource: start?.mark?.source ?? null,
    startWorthUsd: start === null ? zero : start.worthUsd,
    startUnrealizedUsd: startGain,
    unrealizedChangeUsd: changeOf(startGain, gain),
    ...sumFields(realized),
    quantityOfUnknownValue: realized.quantityOfUnknownValue,
    ...transfers,
    ...knownTransfers(transfers),
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
})

/** `counted` is the part of the quantity that was held at unknown cost then. */
export const statedCostFields = ({ currency, quantity, usdEach, atMs, counted }: CountedCost): Fields => ({
  currency,
  quantity,
  usdEach,
  counted,
  timestamp: atMs,
})

/** `unclearCount` counts currencies with a partly unknown gain, `unvaluedCount` those without a known value. */
const totalFields = ({ total, start, end }: Pick<Pnl, 'total' | 'start' | 'end'>): Fields => ({
  costUsd: total.costUsd,
  worthUsd: end.worthUsd,
  unvaluedCount: end.unvalued.length,
  unrealizedUsd: end.unrealizedUsd,
  unclearCount: end.unclearCount,
  startWorthUsd: start.worthUsd,
  startUnvaluedCount: start.unvalued.length,
  worthChangeUsd: changeBetween(start, end, 'worthUsd'),
  startUnrealizedUsd: start.unrealizedUsd,
  startUnclearCount: start.unclearCount,
  unrealizedChangeUsd: changeBetween(start, end, 'unrealizedUsd'),
  ...sumFields(total.realized),
  ...total.transfers,
  unknownTransferCount: total.unknownTransferCount,
})

/** The lists for `--lots`: of the period, and possibly booked before it. Those of results are made at each pass. */
export type LotLists = Pick<Books, 'transfers' | 'lots'> & {
  matches: Iterable<BookedMatch>
  fees: Iterable<BookedFee>
}

/**
 * The P&L as a JSON value, with times in ms since 1970; with `lots` including every match, fee, transfer and open lot,
 * one by one.
 */
export function pnlFields(pnl: Pnl, lots: null): Fields
export function pnlFields(pnl: Pnl, lots: LotLists | null): StreamedFields
export function pnlFields(pnl: Pnl, lots: LotLists | null): StreamedFields {
  const { period, method, markedAt, currencies, symbols, stated, fills, missing } = pnl
  return {
    ...periodFields(period),
    method,
    mark: markedAt,
    total: totalFields(pnl),
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

/** `costUsd` covers the units of known cost. */
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

/** Those of these that are wanted, in another form, one by one. */
function* selected<T>(
  all: Iterable<T>,
  isWanted: (each: T) => boolean,
  formOf: (each: T) => Fields,
): Generator<Fields> {
  for (const each of all) if (isWanted(each)) yield formOf(each)
}

/** The matches, fees and transfers of the period, and the lots open at its end. */
export const lotFields = (books: LotLists, period: Period) => ({
  matches: selected(books.matches, isMatchIn(period), matchFields),
  fees: selected(books.fees, within(period), feeFields),
  transfers: selected(books.transfers, within(period), transferFields),
  lots: selected(books.lots, () => true, openLotFields),
})

/** The columns of the sums. Rows of a scope sum to the total row. */
export const pnlHead = [
  ...['scope', 'name', 'quantity', 'costUsd', 'averageCostUsd', 'quantityOfUnknownCost', 'markUsd', 'markSource'],
  ...['unrealizedUsd', 'realizedUsd', 'feesUsd', 'proceedsOfUnknownCostUsd', 'quantityOfUnknownValue', 'unknownCount'],
  ...['depositsUsd', 'withdrawalsUsd', 'depositedOfUnknownCost', 'withdrawnOfUnknownCost'],
  ...['unknownCostCount', 'unknownFeeCount', 'unclearCount', 'worthUsd', 'startMarkUsd', 'startMarkSource'],
  ...['startWorthUsd', 'startUnrealizedUsd', 'unrealizedChangeUsd'],
]

/** A row per currency, per symbol, and for the total. */
export function* pnlRows(pnl: Pnl): Iterable<string[]> {
  const { currencies, symbols } = pnl
  for (const each of currencies) {
    const { currency } = each.position
    yield cellsOf(pnlHead, { ...currencyPnlFields(each), scope: 'currency', name: currency })
  }
  for (const each of symbols)
    yield cellsOf(pnlHead, { ...symbolPnlFields(each), scope: 'symbol', name: each.symbol ?? noSymbol })
  yield cellsOf(pnlHead, { ...totalFields(pnl), scope: 'total', name: '' })
}

/** The text in place of a missing symbol. */
const noSymbol = 'no symbol'

/** The columns of the lots. */
export const lotHead = [
  ...['record', 'currency', 'symbol', 'quantity', 'openedBy', 'openedId', 'opened', 'closedBy', 'closedId', 'closed'],
  ...['costUsd', 'proceedsUsd', 'realizedUsd', 'feeUsd', 'source'],
]

/**
 * A row per match, fee and transfer of the period, and per lot open at its end. `realizedUsd` and `feeUsd` sum to those
 * of the period.
 */
export function* lotRows(books: LotLists, period: Period): Iterable<string[]> {
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
