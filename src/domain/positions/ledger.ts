import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import { fromUnits, powerOfTen, productUnits, shareOf, toUnits } from '../scaled.ts'
import type { Deposit, Withdrawal } from '../transfers/transfer.ts'
import {
  BookedFee,
  BookedLot,
  BookedMatch,
  BookedTransfer,
  count,
  type Entry,
  firstPart,
  type Holding,
  heldBy,
  type OpenLot,
  partsOf,
  widenUnits,
} from './booked.ts'
import type { CostMethod, CountedCost, StatedCost, Way } from './position.ts'
import type { UsdAt } from './usd-at.ts'

export type Pair = { base: Holding; counter: Holding }

/** The value of units in USD, by a price of their time. */
type Value = { usd: bigint; source: string | null }
type Closing = { entry: Entry; way: Way; value: Value | null }

/** A stated cost, and the units it applies to by the entry that brought them in. */
export type CostedUnits = { stated: CountedCost; units: Map<Entry, bigint> }

/** Decimals of USD to which shares and values are rounded. Other amounts keep all their digits. */
export const usdDecimals = 8
/** The currency of all values. */
export const valueCurrency = 'USD'

type LedgerOptions = { method: CostMethod; usdAt: UsdAt; usdScale: number; scaleOf(currency: string): number }

/** The account's lots while its entries are applied, oldest first. */
export class Ledger {
  readonly #options: LedgerOptions
  #usdScale: number
  #grain: bigint
  readonly holdings = new Map<string, Holding>()
  readonly matches: BookedMatch[] = []
  readonly fees: BookedFee[] = []
  readonly transfers: BookedTransfer[] = []
  /** Stated costs, and the units each applies to: fewer than stated when there were no more. */
  readonly stated: CountedCost[] = []

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#usdScale = options.usdScale
    this.#grain = powerOfTen(options.usdScale - usdDecimals)
  }

  /** Decimals of amounts in USD. */
  get usdScale(): number {
    return this.#usdScale
  }

  /**
   * Increases the scale of a currency, for USD also that of values, without changing amounts. Items taken from
   * `matches` and `fees` earlier keep their scale.
   */
  widen(currency: string, scale: number): void {
    const isUsd = currency === valueCurrency
    // Books without USD holdings are valued in USD too.
    const holding = isUsd ? this.holdings.get(currency) : this.holding(currency)
    const before = holding?.scale ?? this.#usdScale
    if (scale <= before) return
    const factor = powerOfTen(scale - before)
    if (holding !== undefined) widenUnits(holding, this.openLots(holding), factor, scale)
    if (!isUsd) return
    for (const each of this.holdings.values()) {
      for (const lot of this.openLots(each)) if (lot.cost !== null) lot.cost *= factor
      for (const held of each.held.values()) held.cost *= factor
    }
    this.#usdScale = scale
    this.#grain = powerOfTen(scale - usdDecimals)
  }

  /** Copies the holdings, to continue separately with other values; without earlier matches, fees and transfers. */
  copy(usdAt: UsdAt): Ledger {
    const made = new Ledger({ ...this.#options, usdAt, usdScale: this.#usdScale })
    for (const holding of this.holdings.values()) {
      const held = new Map([...holding.held].map(([symbol, units]) => [symbol, { ...units }]))
      const copyOf = (lot: OpenLot): OpenLot => ({
        ...lot,
        transfer: null,
        held: held.get(lot.entry.symbol) ?? { quantity: 0n, known: 0n, cost: 0n },
        ...(lot.split === undefined ? {} : { split: lot.split.slice(lot.splitHead).map(copyOf), splitHead: 0 }),
      })
      const pool = holding.pool === null ? null : copyOf(holding.pool)
      made.holdings.set(holding.currency, {
        ...holding,
        ...{ lots: holding.lots.slice(holding.head).map(copyOf), head: 0, pool, held },
        unknownFrom: Math.max(0, holding.unknownFrom - holding.head),
      })
    }
    made.stated.push(...this.stated)
    return made
  }

  holding(currency: string): Holding {
    const known = this.holdings.get(currency)
    if (known !== undefined) return known
    const scale = currency === valueCurrency ? this.#usdScale : this.#options.scaleOf(currency)
    const made: Holding = {
      currency,
      scale,
      lots: [],
      head: 0,
      unknownFrom: 0,
      pool: null,
      held: new Map(),
      quantity: 0n,
      net: 0n,
      short: 0n,
    }
    this.holdings.set(currency, made)
    return made
  }

  /** The amounts of a fill: `[base, counter, fee]`, in units of their currencies. */
  amountsOf({ price, quantity, fee }: Fill, { base, counter }: Pair): [bigint, bigint, bigint] {
    const units = toUnits(quantity, base.scale)
    // Exact: the counter currency's scale has room for every price × quantity.
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
      if (match?.cost != null) transfer.learn(match.quantityUnits, match.cost, this.#usdScale)
    }
    if (fee === null || fee.isZero()) return
    const units = toUnits(fee, holding.scale)
    const isUsd = currency === valueCurrency
    const value = isUsd ? { usd: units, source: null } : this.#valueAt(holding, units, entry.atMs ?? 0)
    this.#payFee(holding, units, { entry, way: 'withdrawalFee', value })
  }

  /** Applies a stated cost to the oldest held units of unknown cost; returns the entries they came from. */
  takeStated(stated: StatedCost): CostedUnits {
    const holding = this.holding(stated.currency)
    const asked = toUnits(stated.quantity, holding.scale)
    const units = new Map<Entry, bigint>()
    let left = asked
    // However many costs are stated, no lot with a cost is visited twice, and none is moved.
    while (left > 0n) {
      holding.unknownFrom = Math.max(holding.unknownFrom, holding.head)
      if (holding.unknownFrom >= holding.lots.length) break
      const lot = holding.lots[holding.unknownFrom]
      if (lot === undefined || lot.cost !== null) {
        holding.unknownFrom += 1
        continue
      }
      const quantity = left < lot.quantity ? left : lot.quantity
      left -= quantity
      units.set(lot.entry, (units.get(lot.entry) ?? 0n) + quantity)
      this.#learn(holding, lot, quantity, stated)
    }
    const counted = { ...stated, counted: fromUnits(asked - left, holding.scale) }
    this.stated.push(counted)
    return { stated: counted, units }
  }

  /** Applies costs stated later, for those of their units that are already here. */
  takeStatedLater(costed: readonly CostedUnits[]): void {
    const here = new Set<CostedUnits>()
    for (const [currency, costs] of Map.groupBy(costed, ({ stated }) => stated.currency)) {
      const holding = this.holding(currency)
      const ofEntries = costs.flatMap((cost) => [...cost.units.keys()].map((entry) => ({ entry, cost })))
      const byEntry = Map.groupBy(ofEntries, ({ entry }) => entry)
      for (const lot of holding.lots.slice(holding.head))
        for (const { cost } of byEntry.get(lot.entry) ?? []) {
          const wanted = lot.cost === null ? (cost.units.get(lot.entry) ?? 0n) : 0n
          const quantity = wanted < lot.quantity ? wanted : lot.quantity
          if (quantity === 0n) continue
          cost.units.set(lot.entry, wanted - quantity)
          here.add(cost)
          this.#learn(holding, lot, quantity, cost.stated)
        }
    }
    for (const each of costed) if (here.has(each)) this.stated.push(each.stated)
  }

  /** Applies a stated cost to units of a lot of unknown cost. */
  #learn(holding: Holding, lot: OpenLot, quantity: bigint, { usdEach }: StatedCost): void {
    const cost = this.#usdOf(quantity, usdEach, holding.scale)
    lot.transfer?.learn(quantity, cost, this.#usdScale)
    count(lot, quantity, null, -1n)
    const { split: _split, ...whole } = lot
    const known: OpenLot = { ...whole, quantity, cost, source: 'stated' }
    if (this.#options.method === 'average') {
      this.#addToPool(holding, known)
      lot.quantity -= quantity
      if (lot.quantity === 0n) this.#dropAnywhere(holding, lot)
      return
    }
    count(known, quantity, cost, 1n)
    if (quantity === lot.quantity) Object.assign(lot, { cost, source: 'stated' })
    else {
      lot.quantity -= quantity
      lot.split ??= []
      lot.split.push(known)
    }
  }

  /** The open lots of a currency, oldest first. */
  openLots({ lots, head, pool }: Holding): OpenLot[] {
    const open = lots.slice(head).flatMap(partsOf)
    return pool === null ? open : [...open, pool]
  }

  /** The number of open lots. */
  lotCount({ lots, head }: Holding): number {
    let count = lots.length - head
    for (let at = head; at < lots.length; at += 1) {
      const { split, splitHead = 0 } = lots[at] ?? {}
      if (split !== undefined) count += split.length - splitHead
    }
    return count
  }

  lot(holding: Holding, lot: OpenLot): BookedLot {
    return new BookedLot(lot, holding, this.#usdScale)
  }

  #transfer(way: 'deposit' | 'withdrawal', holding: Holding, quantity: bigint, entry: Entry): BookedTransfer {
    const transfer = new BookedTransfer({ way, holding, quantity, entry })
    if (holding.currency === valueCurrency) transfer.learn(quantity, quantity, this.#usdScale)
    this.transfers.push(transfer)
    return transfer
  }

  #payFee(holding: Holding, units: bigint, closing: Closing): void {
    const usdScale = this.#usdScale
    this.fees.push(new BookedFee(closing.entry, holding, units, { usd: closing.value?.usd ?? null, usdScale }))
    if (units > 0n) this.#takeOut(holding, units, closing)
    // A negative fee is paid to the account.
    else this.#bringIn(holding, -units, { ...closing, value: negated(closing.value) })
  }

  /** The value of a fill in USD: by its own price if that is in USD, or else by the value of its counter currency. */
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

  /** Exact: the USD scale has room for all digits of a stated cost. */
  #usdOf(quantity: bigint, usdEach: Decimal, scale: number): bigint {
    return (quantity * toUnits(usdEach, this.#usdScale)) / powerOfTen(scale)
  }

  /** `units` of 10^-`scale` USD, rounded to `usdDecimals`. */
  #rounded(units: bigint, scale: number): bigint {
    const usdScale = this.#usdScale
    if (scale <= usdDecimals) return units * powerOfTen(usdScale - scale)
    const step = powerOfTen(scale - usdDecimals)
    // Integer division truncates towards zero, so amounts below zero, paid to the account, need a negative half.
    const half = units < 0n ? -step / 2n : step / 2n
    return ((units + half) / step) * this.#grain
  }

  #bringIn(holding: Holding, quantity: bigint, { entry, way, value }: Closing, transfer: BookedTransfer | null = null) {
    if (quantity <= 0n) return
    holding.quantity += quantity
    holding.net += quantity
    if (holding.currency === valueCurrency) return
    const held = heldBy(holding, entry.symbol)
    const cost = value?.usd ?? null
    const lot: OpenLot = { entry, held, way, quantity, cost, source: value?.source ?? null, transfer }
    if (value !== null && this.#options.method === 'average') this.#addToPool(holding, lot)
    else {
      count(lot, quantity, cost, 1n)
      holding.lots.push(lot)
    }
  }

  #addToPool(holding: Holding, lot: OpenLot): void {
    const { pool } = holding
    if (pool === null || pool.cost === null) {
      const entry = { atMs: lot.entry.atMs, id: 'average', symbol: null }
      holding.pool = { ...lot, entry, held: heldBy(holding, null), source: 'average', transfer: null }
      count(holding.pool, lot.quantity, lot.cost, 1n)
      return
    }
    count(pool, lot.quantity, lot.cost ?? 0n, 1n)
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
    this.matches.push(new BookedMatch(parts, holding, this.#usdScale))
  }

  /** The lot from which units are taken next. */
  #next(holding: Holding): OpenLot | undefined {
    const { lots, head, pool } = holding
    if (this.#options.method === 'lifo') return lots[lots.length - 1]
    const lot = lots[head]
    return lot === undefined ? (pool ?? undefined) : firstPart(lot)
  }

  /** Takes units out of a lot with their share of its cost; the rest of the cost stays, exactly. */
  #takeCost(holding: Holding, lot: OpenLot, part: bigint): bigint | null {
    if (part === lot.quantity) {
      this.#drop(holding, lot)
      count(lot, part, lot.cost, -1n)
      return lot.cost
    }
    const cost = lot.cost === null ? null : this.#share(lot.cost, part, lot.quantity)
    count(lot, part, cost, -1n)
    lot.quantity -= part
    if (lot.cost !== null && cost !== null) lot.cost -= cost
    return cost
  }

  /** Removes a used-up lot, wherever it is. */
  #dropAnywhere(holding: Holding, lot: OpenLot): void {
    if (holding.lots[holding.head] === lot) {
      this.#drop(holding, lot)
      return
    }
    const at = holding.lots.indexOf(lot, holding.head)
    holding.lots.splice(at, 1)
    if (at < holding.unknownFrom) holding.unknownFrom -= 1
  }

  #drop(holding: Holding, lot: OpenLot): void {
    if (lot === holding.pool) {
      holding.pool = null
      return
    }
    if (this.#options.method === 'lifo') {
      this.#dropLast(holding, lot)
      return
    }
    const first = holding.lots[holding.head]
    if (first !== undefined && first !== lot) {
      first.splitHead = (first.splitHead ?? 0) + 1
      return
    }
    holding.head += 1
    if (holding.head < usedMax || holding.head * 2 < holding.lots.length) return
    holding.lots.splice(0, holding.head)
    holding.unknownFrom = Math.max(0, holding.unknownFrom - holding.head)
    holding.head = 0
  }

  /** The part before the last lot takes its place. */
  #dropLast(holding: Holding, { split = [], splitHead = 0 }: OpenLot): void {
    const { lots } = holding
    lots.pop()
    const before = split.length > splitHead ? split.pop() : undefined
    if (before !== undefined) lots.push({ ...before, split, splitHead })
    holding.unknownFrom = Math.min(holding.unknownFrom, lots.length)
  }

  #share(whole: bigint, part: bigint, of: bigint): bigint {
    return shareOf(whole, part, { of, grain: this.#grain })
  }
}

/** Maximum used-up lots kept at the front before they are removed. */
const usedMax = 1_024

const negated = (value: Value | null): Value | null => (value === null ? null : { ...value, usd: -value.usd })
