import { type Decimal, exactPlus } from '../money.ts'
import { fromUnits, toUnits } from '../scaled.ts'
import { currenciesOf, gapsOf, type History, type Rules, strangeSentence } from '../statement/movement.ts'
import type { BookedFee, BookedLot, BookedMatch, BookedTransfer, HeldUnits, Holding } from './booked.ts'
import { type CostedUnits, Ledger, type Pair, usdDecimals, valueCurrency } from './ledger.ts'
import { enter, fillDecimals, fillLine, inLedgerOrder, type Line, pairsOf, transferLines } from './lines.ts'
import type { CostMethod, CountedCost, Position, StatedCost } from './position.ts'
import { costDay } from './stated-costs.ts'
import type { UsdAt } from './usd-at.ts'

export type PositionsInput = {
  history: History
  rules: Rules
  method: CostMethod
  statedCosts?: readonly StatedCost[]
  /** Values of currencies at the time of a cross trade or fee; unknown by default. */
  usdAt?: UsdAt
  /** Entries after this time do not change positions; by default all do. */
  untilMs?: number
}

/** The account's books by lots: holdings, results of outgoing units, and what is unknown. */
export type Books = {
  method: CostMethod
  /** All currencies of the entries, sorted. */
  positions: readonly Position[]
  /** Open lots by currency, oldest first. USD has none, because its value is 1. */
  lots: readonly BookedLot[]
  /** In the order of the books. */
  matches: readonly BookedMatch[]
  fees: readonly BookedFee[]
  transfers: readonly BookedTransfer[]
  /** Units that went out without having come in, so the history is incomplete. */
  shortages: readonly { currency: string; quantity: Decimal }[]
  /** The sum of all entries by currency, also those after `untilMs`: a statement's closing. */
  booked: ReadonlyMap<string, Decimal>
  /** Holdings of lots that came in by a symbol's fills: see `heldBySymbol`. */
  bySymbol: ReadonlyMap<string | null, readonly Position[]>
  /** Stated costs, and the units they apply to. */
  stated: readonly CountedCost[]
  /** Sentences about what is unknown, except unstated costs. */
  missing: readonly string[]
}

/** Decimals that fit all amounts of the history, by currency. */
function scalesOf({ history, rules, statedCosts = [] }: PositionsInput) {
  const scales = new Map<string, number>()
  const widen = (currency: string, scale: number) => {
    if (scale > (scales.get(currency) ?? 0)) scales.set(currency, scale)
  }
  for (const { currency, amount } of history.deposits) widen(currency, amount.decimalPlaces())
  for (const { currency, amount, fee } of history.withdrawals)
    widen(currency, Math.max(amount.decimalPlaces(), fee?.decimalPlaces() ?? 0))
  for (const { currency, quantity } of statedCosts) widen(currency, quantity.decimalPlaces())
  let symbol = ''
  let pair: ReturnType<typeof currenciesOf> = null
  for (const fill of history.fills) {
    if (fill.symbol !== symbol) pair = currenciesOf(fill.symbol, rules)
    symbol = fill.symbol
    if (pair === null) continue
    const [base, counter] = fillDecimals(fill)
    widen(pair.base, base)
    widen(pair.counter, counter)
  }
  let usdScale = Math.max(usdDecimals, scales.get(valueCurrency) ?? 0)
  for (const { currency, usdEach } of statedCosts)
    usdScale = Math.max(usdScale, (scales.get(currency) ?? 0) + usdEach.decimalPlaces())
  scales.set(valueCurrency, usdScale)
  return { usdScale, scaleOf: (currency: string) => scales.get(currency) ?? 0 }
}

const nothingKnown: UsdAt = () => null

/** Builds the account's lots by one cost method, exactly: the parts taken from a lot and the rest sum to its cost. */
export function positionsOf(input: PositionsInput): Books {
  const { history, rules, method, statedCosts = [], usdAt = nothingKnown, untilMs = Infinity } = input
  const { usdScale, scaleOf } = scalesOf(input)
  const newLedger = () => new Ledger({ method, usdAt, usdScale, scaleOf })
  const ledger = newLedger()
  const pairs = pairsOf(ledger, () => rules)
  const pairOf = (line: Line): Pair | null => ('fill' in line ? pairs.of(line.fill.symbol) : null)
  const later: Line[] = []
  const lines = transferLines(history)
  for (const fill of history.fills) lines.push(fillLine(fill))
  const ordered = inLedgerOrder(lines, statedCosts)
  for (const line of ordered) {
    if ((line.atMs ?? 0) > untilMs) later.push(line)
    else enter(ledger, line, pairOf(line))
  }
  if (later.some((line) => 'stated' in line))
    ledger.takeStatedLater(costsAfter(untilMs, ordered, { ledger: newLedger(), rules }))
  for (const line of later) bookLater(line, pairOf(line), ledger)
  const strange = [...pairs].flatMap(([symbol, pair]) => (pair === null ? [strangeSentence(symbol)] : []))
  return { method, ...takenDown(ledger), missing: missingOf(history, ledger, strange) }
}

/**
 * Costs stated after a moment, with the units they apply to: a cost belongs to its units whenever it was stated, so
 * books of earlier moments include it. `ledger` must be empty.
 */
function costsAfter(
  atMs: number,
  lines: readonly Line[],
  { ledger, rules }: { ledger: Ledger; rules: Rules },
): CostedUnits[] {
  const pairs = pairsOf(ledger, () => rules)
  const costed: CostedUnits[] = []
  for (const line of lines) {
    if ('stated' in line) {
      const units = ledger.takeStated(line.stated)
      if (line.stated.atMs > atMs) costed.push(units)
    } else enter(ledger, line, 'fill' in line ? pairs.of(line.fill.symbol) : null)
    // Only the holdings are needed.
    for (const list of [ledger.matches, ledger.fees, ledger.transfers]) list.length = 0
  }
  return costed
}

/** Applies an entry after the last moment to the closing sums only. */
export function bookLater(line: Line, pair: Pair | null, ledger: Ledger): void {
  if ('deposit' in line) {
    const holding = ledger.holding(line.deposit.currency)
    holding.net += toUnits(line.deposit.amount, holding.scale)
  } else if ('withdrawal' in line) {
    const { currency, amount, fee } = line.withdrawal
    const holding = ledger.holding(currency)
    holding.net -= toUnits(amount, holding.scale) + (fee === null ? 0n : toUnits(fee, holding.scale))
  } else if ('fill' in line && pair !== null) {
    const [quantity, notional, fee] = ledger.amountsOf(line.fill, pair)
    const isBuy = line.fill.side === 'BUY'
    pair.base.net += isBuy ? quantity : -quantity
    pair.counter.net -= (isBuy ? notional : -notional) + fee
  }
}

const byName = (left: Holding, right: Holding): number => (left.currency < right.currency ? -1 : 1)

/** The currencies of its entries, sorted. */
const holdingsOf = (ledger: Ledger): Holding[] => [...ledger.holdings.values()].sort(byName)

/** The positions of all currencies. */
export const positionsIn = (ledger: Ledger): Position[] =>
  holdingsOf(ledger).map((holding) => positionOf(holding, ledger.usdScale))

/** The open lots by currency, oldest first. */
export const openLotsIn = (ledger: Ledger): BookedLot[] =>
  holdingsOf(ledger).flatMap((holding) => ledger.openLots(holding).map((lot) => ledger.lot(holding, lot)))

/** The sums of all its entries by currency. */
export const bookedIn = (ledger: Ledger): ReadonlyMap<string, Decimal> =>
  new Map(holdingsOf(ledger).map(({ currency, net, scale }) => [currency, fromUnits(net, scale)]))

function takenDown(ledger: Ledger): Omit<Books, 'method' | 'missing'> {
  const { matches, fees, transfers, stated } = ledger
  return {
    positions: positionsIn(ledger),
    lots: openLotsIn(ledger),
    matches,
    fees,
    transfers,
    bySymbol: heldBySymbol(ledger),
    stated,
    shortages: holdingsOf(ledger).flatMap(({ currency, short, scale }) =>
      short === 0n ? [] : [{ currency, quantity: fromUnits(short, scale) }],
    ),
    booked: bookedIn(ledger),
  }
}

/** The position of a currency. */
function positionOf(holding: Holding, usdScale: number): Position {
  const { currency, quantity } = holding
  const isUsd = currency === valueCurrency
  const units = { quantity, known: isUsd ? quantity : 0n, cost: isUsd ? quantity : 0n }
  for (const held of holding.held.values()) {
    units.known += held.known
    units.cost += held.cost
  }
  return standing(holding, units, usdScale)
}

/**
 * The holdings of lots that came in by a symbol's fills, by symbol, in both its currencies, because a sale brings in
 * the other one. Null: without a symbol, for transfers and average cost.
 */
export function heldBySymbol(ledger: Ledger): ReadonlyMap<string | null, readonly Position[]> {
  const bySymbol = new Map<string | null, Position[]>()
  for (const holding of holdingsOf(ledger))
    for (const [symbol, held] of holding.held) {
      if (held.quantity === 0n) continue
      const position = standing(holding, held, ledger.usdScale)
      const others = bySymbol.get(symbol)
      if (others === undefined) bySymbol.set(symbol, [position])
      else others.push(position)
    }
  return bySymbol
}

function standing({ currency, scale }: Holding, { quantity, known, cost }: HeldUnits, usdScale: number): Position {
  const costUsd = fromUnits(cost, usdScale)
  const quantityOfKnownCost = fromUnits(known, scale)
  return {
    currency,
    quantity: fromUnits(quantity, scale),
    costUsd,
    quantityOfKnownCost,
    averageCostUsd: known === 0n ? null : costUsd.div(quantityOfKnownCost),
    quantityOfUnknownCost: fromUnits(quantity - known, scale),
  }
}

/** Sentences about what the entries leave unknown; `strange` are those of skipped symbols. */
export function missingOf(
  history: Pick<History, 'deposits' | 'withdrawals'>,
  ledger: Ledger,
  strange: readonly string[],
): string[] {
  const short = holdingsOf(ledger).flatMap(({ currency, short: units, scale }) => {
    if (units === 0n) return []
    const quantity = fromUnits(units, scale).toFixed()
    return [`${quantity} ${currency} went out that no line brought in: the history is not whole, their cost unknown.`]
  })
  const overstated = ledger.stated.flatMap((stated) => {
    const { currency, quantity, counted } = stated
    if (counted.eq(quantity)) return []
    const rest = exactPlus(quantity, counted.neg()).toFixed()
    const what = `The cost stated for ${costDay(stated)} of ${quantity.toFixed()} ${currency}`
    return `${what} is too much by ${rest}: no more was held of unknown cost.`
  })
  return [...gapsOf(history), ...strange, ...short, ...overstated]
}
