import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import { BookedFee, BookedLot, BookedMatch, BookedTransfer, type Entry, type Holding, type OpenLot } from './booked.ts'
import type { CostMethod, CountedCost, StatedCost, UsdAt, Way } from './position.ts'
import { fromUnits, powerOfTen, productUnits, shareOf, toUnits } from './scaled.ts'

export type Pair = { base: Holding; counter: Holding }

/** What units are worth in USD, by a price of their moment. */
type Value = { usd: bigint; source: string | null }
type Closing = { entry: Entry; way: Way; value: Value | null }

/** Decimals of USD that a share or a value is rounded to. What is not rounded keeps every digit that it has. */
export const usdDecimals = 8
/** The currency that everything is valued in. */
export const valueCurrency = 'USD'

type LedgerOptions = { method: CostMethod; usdAt: UsdAt; usdScale: number; scaleOf(currency: string): number }

/** The account's lots while its lines are entered, the oldest first. */
export class Ledger {
  readonly #options: LedgerOptions
  readonly #grain: bigint
  readonly holdings = new Map<string, Holding>()
  readonly matches: BookedMatch[] = []
  readonly fees: BookedFee[] = []
  readonly transfers: BookedTransfer[] = []
  /** Costs that were stated, and how many units each counts for: less than it says where there were no more. */
  readonly stated: CountedCost[] = []

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#grain = powerOfTen(options.usdScale - usdDecimals)
  }

  holding(currency: string): Holding {
    const known = this.holdings.get(currency)
    if (known !== undefined) return known
    const scale = this.#options.scaleOf(currency)
    const made: Holding = { currency, scale, lots: [], head: 0, pool: null, quantity: 0n, net: 0n, short: 0n }
    this.holdings.set(currency, made)
    return made
  }

  /** What both ends of a fill move: `[base, counter, fee]`, in units of their currencies. */
  amountsOf({ price, quantity, fee }: Fill, { base, counter }: Pair): [bigint, bigint, bigint] {
    const units = toUnits(quantity, base.scale)
    // No digit is lost: the scale of the counter currency holds every price × quantity.
    return [units, productUnits(price, quantity, counter.scale), toUnits(fee, counter.scale)]
  }

  takeFill(fill: Fill, pair: Pair, entry: Entry): void {
    const { base, counter } = pair
    const [quantity, notional, fee] = this.amountsOf(fill, pair)
    const value = this.#valueOfFill(pair, [quantity, notional], fill.timestampMs)
    const isBuy = fill.side === 'BUY'
    this.#bringIn(isBuy ? base : counter, isBuy ? quantity : notional, { entry, way: 'bought', value })
    this.#takeOut(isBuy ? counter : base, isBuy ? notional : quantity, { entry, way: 'sold', value })
    if (fee === 0n) return
    const isUsd = counter.currency === valueCurrency
    const feeValue = isUsd ? { usd: fee, source: null } : this.#partOf(value, fee, notional)
    this.#payFee(counter, fee, { entry, way: 'tradeFee', value: feeValue })
  }

  takeDeposit({ amount, currency }: Deposit, entry: Entry): void {
    const holding = this.holding(currency)
    const quantity = toUnits(amount, holding.scale)
    const transfer = this.#transfer('deposit', holding, quantity, entry)
    const value = currency === valueCurrency ? { usd: quantity, source: null } : null
    this.#bringIn(holding, quantity, { entry, way: 'deposit', value }, transfer)
  }

  takeWithdrawal({ amount, fee, currency }: Withdrawal, entry: Entry): void {
    const holding = this.holding(currency)
    const quantity = toUnits(amount, holding.scale)
    const transfer = this.#transfer('withdrawal', holding, quantity, entry)
    const from = this.matches.length
    this.#takeOut(holding, quantity, { entry, way: 'withdrawal', value: null })
    for (let at = from; at < this.matches.length; at += 1) {
      const match = this.matches[at]
      if (match?.cost != null) transfer.learn(match.quantityUnits, match.cost)
    }
    if (fee === null || fee.isZero()) return
    const units = toUnits(fee, holding.scale)
    const isUsd = currency === valueCurrency
    const value = isUsd ? { usd: units, source: null } : this.#valueAt(holding, units, entry.atMs ?? 0)
    this.#payFee(holding, units, { entry, way: 'withdrawalFee', value })
  }

  /** A cost counts for the oldest units without one that are held now. */
  takeStated(stated: StatedCost): void {
    const holding = this.holding(stated.currency)
    const asked = toUnits(stated.quantity, holding.scale)
    let left = asked
    for (let at = holding.head; at < holding.lots.length && left > 0n; at += 1) {
      const lot = holding.lots[at]
      if (lot === undefined || lot.cost !== null) continue
      const quantity = left < lot.quantity ? left : lot.quantity
      left -= quantity
      const cost = this.#usdOf(quantity, stated.usdEach, holding.scale)
      lot.transfer?.learn(quantity, cost)
      const known: OpenLot = { ...lot, quantity, cost, source: 'stated' }
      lot.quantity -= quantity
      const isPooled = this.#options.method === 'average'
      if (isPooled) this.#addToPool(holding, known)
      const rest = lot.quantity > 0n ? [lot] : []
      const parts = isPooled ? rest : [known, ...rest]
      holding.lots.splice(at, 1, ...parts)
      at += parts.length - 1
    }
    this.stated.push({ ...stated, counted: fromUnits(asked - left, holding.scale) })
  }

  /** Those of a currency that are there, the oldest first. */
  openLots({ lots, head, pool }: Holding): OpenLot[] {
    return pool === null ? lots.slice(head) : [...lots.slice(head), pool]
  }

  lot(holding: Holding, lot: OpenLot): BookedLot {
    return new BookedLot(lot, holding, this.#options.usdScale)
  }

  #transfer(way: 'deposit' | 'withdrawal', holding: Holding, quantity: bigint, entry: Entry): BookedTransfer {
    const transfer = new BookedTransfer({ way, holding, quantity, entry, usdScale: this.#options.usdScale })
    if (holding.currency === valueCurrency) transfer.learn(quantity, quantity)
    this.transfers.push(transfer)
    return transfer
  }

  #payFee(holding: Holding, units: bigint, closing: Closing): void {
    const { usdScale } = this.#options
    this.fees.push(new BookedFee(closing.entry, holding, units, { usd: closing.value?.usd ?? null, usdScale }))
    if (units > 0n) this.#takeOut(holding, units, closing)
    // A fee below zero is paid to the account.
    else this.#bringIn(holding, -units, { ...closing, value: negated(closing.value) })
  }

  /** What a fill moved, in USD: by its own price where that is in USD, else by what the counter currency was worth. */
  #valueOfFill({ base, counter }: Pair, [quantity, notional]: [bigint, bigint], atMs: number): Value | null {
    if (counter.currency === valueCurrency) return { usd: notional, source: null }
    if (base.currency === valueCurrency) return { usd: quantity, source: null }
    return this.#valueAt(counter, notional, atMs) ?? this.#valueAt(base, quantity, atMs)
  }

  #valueAt({ currency, scale }: Holding, units: bigint, atMs: number): Value | null {
    const each = this.#options.usdAt(currency, atMs)
    if (each === null) return null
    const usd = this.#rounded(units * toUnits(each.usd, each.usd.decimalPlaces()), scale + each.usd.decimalPlaces())
    return { usd, source: each.source }
  }

  #partOf(value: Value | null, part: bigint, of: bigint): Value | null {
    if (value === null || of === 0n) return null
    return { usd: shareOf(value.usd, part, { of, grain: this.#grain }), source: value.source }
  }

  /** Every digit of it: the scale of USD holds what is stated. */
  #usdOf(quantity: bigint, usdEach: Decimal, scale: number): bigint {
    return (quantity * toUnits(usdEach, this.#options.usdScale)) / powerOfTen(scale)
  }

  /** `units` of 10^-`scale` USD, to the nearest that a value is rounded to. */
  #rounded(units: bigint, scale: number): bigint {
    const { usdScale } = this.#options
    if (scale <= usdDecimals) return units * powerOfTen(usdScale - scale)
    const step = powerOfTen(scale - usdDecimals)
    return ((units + step / 2n) / step) * this.#grain
  }

  #bringIn(holding: Holding, quantity: bigint, { entry, way, value }: Closing, transfer: BookedTransfer | null = null) {
    if (quantity <= 0n) return
    holding.quantity += quantity
    holding.net += quantity
    if (holding.currency === valueCurrency) return
    const lot: OpenLot = { entry, way, quantity, cost: value?.usd ?? null, source: value?.source ?? null, transfer }
    if (value !== null && this.#options.method === 'average') this.#addToPool(holding, lot)
    else holding.lots.push(lot)
  }

  #addToPool(holding: Holding, lot: OpenLot): void {
    const { pool } = holding
    if (pool === null || pool.cost === null) {
      const entry = { atMs: lot.entry.atMs, id: 'average', symbol: null }
      holding.pool = { ...lot, entry, source: 'average', transfer: null }
      return
    }
    pool.quantity += lot.quantity
    pool.cost += lot.cost ?? 0n
  }

  #takeOut(holding: Holding, quantity: bigint, closing: Closing): void {
    if (quantity <= 0n) return
    holding.net -= quantity
    if (holding.currency === valueCurrency) {
      const missing = quantity > holding.quantity ? quantity - holding.quantity : 0n
      holding.short += missing
      holding.quantity += missing - quantity
      return
    }
    let left = quantity
    let proceeds = closing.value?.usd ?? null
    while (left > 0n) {
      const lot = this.#next(holding)
      const part = lot === undefined || lot.quantity > left ? left : lot.quantity
      const cost = lot === undefined ? null : this.#takeCost(holding, lot, part)
      const earned = proceeds === null || part === left ? proceeds : this.#share(proceeds, part, left)
      if (proceeds !== null && earned !== null) proceeds -= earned
      left -= part
      if (lot === undefined) holding.short += part
      else holding.quantity -= part
      this.#match(holding, { lot, part, cost, earned }, closing)
    }
  }

  #match(
    holding: Holding,
    { lot, part, cost, earned }: { lot: OpenLot | undefined; part: bigint; cost: bigint | null; earned: bigint | null },
    { entry, way, value }: Closing,
  ): void {
    const proceeds = way === 'withdrawal' ? cost : earned
    const source = way === 'withdrawal' ? 'cost' : (value?.source ?? null)
    const opened = lot?.entry ?? null
    const parts = { opened, closed: entry, way, quantity: part, cost, proceeds, source }
    this.matches.push(new BookedMatch(parts, holding, this.#options.usdScale))
  }

  /** The lot that units are taken from next. */
  #next(holding: Holding): OpenLot | undefined {
    const { lots, head, pool } = holding
    if (this.#options.method === 'lifo') return lots[lots.length - 1]
    return lots[head] ?? pool ?? undefined
  }

  /** Takes units out of a lot with their share of its cost; the rest of the cost stays, to the last digit. */
  #takeCost(holding: Holding, lot: OpenLot, part: bigint): bigint | null {
    if (part === lot.quantity) {
      this.#drop(holding, lot)
      return lot.cost
    }
    const cost = lot.cost === null ? null : this.#share(lot.cost, part, lot.quantity)
    lot.quantity -= part
    if (lot.cost !== null && cost !== null) lot.cost -= cost
    return cost
  }

  #drop(holding: Holding, lot: OpenLot): void {
    if (lot === holding.pool) {
      holding.pool = null
      return
    }
    if (this.#options.method === 'lifo') {
      holding.lots.pop()
      return
    }
    holding.head += 1
    if (holding.head < usedMost || holding.head * 2 < holding.lots.length) return
    holding.lots.splice(0, holding.head)
    holding.head = 0
  }

  #share(whole: bigint, part: bigint, of: bigint): bigint {
    return shareOf(whole, part, { of, grain: this.#grain })
  }
}

/** So many lots that are used up stay in front of the others before they are thrown away. */
const usedMost = 1_024

const negated = (value: Value | null): Value | null => (value === null ? null : { ...value, usd: -value.usd })
