import { type Decimal, exactPlus, exactSum } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import { UnitSum } from '../scaled.ts'
import {
  currenciesOf,
  isWithin,
  type Movement,
  type MovementKind,
  movementKinds,
  type Period,
  type Rules,
  strangeSentence,
} from './movement.ts'

/** What a currency's entries come to: `opening` + `changes` = `closing`, exactly. */
export type CurrencySums = {
  currency: string
  /** The sum of all entries before the period. */
  opening: Decimal
  /** The change by each kind of entry in the period, negative for outgoing. */
  byKind: Readonly<Record<MovementKind, Decimal>>
  changes: Decimal
  closing: Decimal
  /** Amounts and fees of withdrawals that are PENDING now: held, and still in the balance. */
  inFlight: Decimal
  /** The sum of all entries after the period. */
  after: Decimal
}

type Sums = { before: UnitSum; after: UnitSum; inFlight: UnitSum; byKind: Record<MovementKind, UnitSum> }

const newSums = (): Sums => ({
  ...{ before: new UnitSum(), after: new UnitSum(), inFlight: new UnitSum() },
  byKind: {
    deposit: new UnitSum(),
    withdrawal: new UnitSum(),
    withdrawalFee: new UnitSum(),
    bought: new UnitSum(),
    sold: new UnitSum(),
    tradeFee: new UnitSum(),
  },
})

type BooksOptions = {
  period: Period
  rules: Rules
  /** Entries of the period after this moment are counted in `aheadCount`. */
  aheadOfMs?: number
}

/**
 * The sums of an account's entries before, in and after a period, taken in any order. No entry is kept, so that they
 * cost the same memory for a million fills as for ten.
 */
export class StatementBooks {
  readonly #options: BooksOptions
  readonly #sums = new Map<string, Sums>()
  readonly #pairs = new Map<string, ReturnType<typeof currenciesOf>>()
  /** Number of fills taken, of all times. */
  fillCount = 0
  /** Number of fills in the period. */
  fillCountWithin = 0
  /** Number of entries in the period. */
  lineCount = 0
  aheadCount = 0

  constructor(options: BooksOptions) {
    this.#options = options
  }

  /** Takes the entries of a transfer. */
  takeTransfer(movements: readonly Movement[]): void {
    for (const { atMs, kind, currency, amount, change, state } of movements) {
      this.#sumOf(currency, kind, atMs).add(change)
      if (state === 'PENDING' && kind !== 'deposit') this.#of(currency).inFlight.add(amount)
    }
    this.#count(movements.length, movements[0]?.atMs ?? null)
  }

  /** Takes a fill; of unknown currencies it counts nowhere, which `missing` says. */
  takeFill({ symbol, side, price, quantity, fee, timestampMs: atMs }: Fill): void {
    this.fillCount += 1
    if (isWithin(this.#options.period, atMs)) this.fillCountWithin += 1
    const pair = this.#pairOf(symbol)
    if (pair === null) return
    const isBuy = side === 'BUY'
    this.#sumOf(pair.base, isBuy ? 'bought' : 'sold', atMs).add(quantity, isBuy ? 1 : -1)
    this.#sumOf(pair.counter, isBuy ? 'sold' : 'bought', atMs).addProduct(price, quantity, isBuy ? -1 : 1)
    this.#sumOf(pair.counter, 'tradeFee', atMs).add(fee, -1)
    this.#count(3, atMs)
  }

  /** What the entries of each currency come to, in any order. */
  get currencies(): CurrencySums[] {
    return [...this.#sums].map(([currency, { before, after, inFlight, byKind: sums }]) => {
      const byKind = {
        deposit: sums.deposit.value,
        withdrawal: sums.withdrawal.value,
        withdrawalFee: sums.withdrawalFee.value,
        bought: sums.bought.value,
        sold: sums.sold.value,
        tradeFee: sums.tradeFee.value,
      }
      const [opening, changes] = [before.value, exactSum(movementKinds.map((kind) => byKind[kind]))]
      const closing = exactPlus(opening, changes)
      return { currency, opening, byKind, changes, closing, inFlight: inFlight.value, after: after.value }
    })
  }

  /** A sentence per symbol whose fills count nowhere. */
  get missing(): string[] {
    return [...this.#pairs].flatMap(([symbol, pair]) => (pair === null ? [strangeSentence(symbol)] : []))
  }

  #count(lines: number, atMs: number | null): void {
    if (!isWithin(this.#options.period, atMs)) return
    this.lineCount += lines
    if ((atMs ?? 0) > (this.#options.aheadOfMs ?? Number.POSITIVE_INFINITY)) this.aheadCount += lines
  }

  #of(currency: string): Sums {
    const known = this.#sums.get(currency)
    if (known !== undefined) return known
    const made = newSums()
    this.#sums.set(currency, made)
    return made
  }

  #sumOf(currency: string, kind: MovementKind, atMs: number | null): UnitSum {
    const { fromMs, toMs } = this.#options.period
    const sums = this.#of(currency)
    return (atMs ?? 0) < fromMs ? sums.before : (atMs ?? 0) > toMs ? sums.after : sums.byKind[kind]
  }

  #pairOf(symbol: string): ReturnType<typeof currenciesOf> {
    const known = this.#pairs.get(symbol)
    if (known !== undefined) return known
    const pair = currenciesOf(symbol, this.#options.rules)
    this.#pairs.set(symbol, pair)
    return pair
  }
}
