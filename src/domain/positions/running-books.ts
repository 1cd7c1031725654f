import { pushAll } from '../../base/push-all.ts'
import { utcDayStart } from '../../base/text/time-text.ts'
import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import { currenciesOf, type History, type Rules, strangeSentence } from '../statement/movement.ts'
import type { BookedFee, BookedLot, BookedMatch, BookedTransfer } from './booked.ts'
import { Ledger, valueCurrency } from './ledger.ts'
import { enter, fillDecimals, fitsIn, type Line, pairsOf } from './lines.ts'
import { type Books, bookedIn, bookLater, heldBySymbol, missingOf, openLotsIn, positionsIn } from './lots.ts'
import { type RecordedPrices, usdOfHolding, usdOfTrade } from './own-prices.ts'
import type { CostMethod, CountedCost, Position } from './position.ts'
import { type RealizedParts, RealizedSums } from './realized.ts'
import type { UsdAt, UsdValue } from './usd-at.ts'

export type RunningOptions = {
  method: CostMethod
  rules: () => Rules
  recorded: RecordedPrices
  /** Start of the session for its gains. */
  sessionStartMs: number
  /** Gains of earlier UTC days are not separated by day. */
  daysFromMs: number
  /** Results kept individually from a moment on, besides the sums; none by default. */
  kept?: { fromMs: number; what: 'transfers' | 'all' }
}

/** Individual results, in the order of the books. */
export type BookedLists = Pick<Books, 'matches' | 'fees' | 'transfers'>

const nothingKept = () => ({
  matches: [] as BookedMatch[],
  fees: [] as BookedFee[],
  transfers: [] as BookedTransfer[],
})

/** The present results of running books. */
export type Standing = {
  positions: readonly Position[]
  bySymbol: ReadonlyMap<string | null, readonly Position[]>
  /** The sums of all entries by currency: the expected balances. */
  booked: ReadonlyMap<string, Decimal>
  today: RealizedParts
  session: RealizedParts
  all: RealizedParts
  stated: readonly CountedCost[]
}

/** Initial decimals of a currency, and extra ones when increased, so that increases are rare. */
const scaleFirst = 8
const scaleMore = 2

/** Number of days with separate gains; clocks that disagree about midnight need two. */
const daysKept = 3

/**
 * Builds the account's books moment by moment without keeping every result: only open lots and sums, however many fills
 * there are. Equal to `positionsOf`.
 */
export class RunningBooks {
  readonly #options: RunningOptions
  #ledger: Ledger
  #pairs: ReturnType<typeof pairsOf>
  #all = new RealizedSums()
  #session = new RealizedSums()
  readonly #days = new Map<number, RealizedSums>()
  /** The last own fill against USD, by currency. */
  readonly #last = new Map<string, Fill>()
  /** The last applied moment; earlier entries need other books. */
  atMs = Number.NEGATIVE_INFINITY
  /** Number of applied fills, including those of unknown currencies. */
  fillCount = 0
  #kept = nothingKept()

  constructor(options: RunningOptions) {
    this.#options = options
    const usdScale = 2 * scaleFirst
    const scaleOf = () => scaleFirst
    this.#ledger = new Ledger({ method: options.method, usdAt: this.#usdAt, usdScale, scaleOf })
    this.#pairs = pairsOf(this.#ledger, options.rules)
  }

  readonly #usdAt: UsdAt = (currency, atMs) =>
    usdOfTrade(this.#last.get(currency), this.#options.recorded, currency, atMs)

  /** Applies all entries of one moment, later than the previous one, in order. Throws what `recorded` throws. */
  enter(lines: readonly Line[]): void {
    for (const line of lines) if ('fill' in line) this.#price(line.fill)
    for (const line of lines) {
      this.#makeRoom(line)
      const pair = 'fill' in line ? this.#pairs.of(line.fill.symbol) : null
      // Half a million lots may be open: the line would keep its whole fill in memory.
      enter(this.#ledger, line, pair, { atMs: line.atMs, id: line.id, symbol: line.symbol })
      this.#drain(line.atMs ?? 0)
      if ('fill' in line) this.fillCount += 1
    }
    this.atMs = lines[0]?.atMs ?? (lines.length > 0 ? 0 : this.atMs)
  }

  /** Restarts the total sums from here. */
  beginSums(): void {
    this.#all = new RealizedSums()
  }

  /** Applies entries after the requested moment, which change the booked sums only. */
  enterLater(lines: readonly Line[]): void {
    for (const line of lines) {
      this.#makeRoom(line)
      bookLater(line, 'fill' in line ? this.#pairs.of(line.fill.symbol) : null, this.#ledger)
      if ('fill' in line) this.fillCount += 1
    }
  }

  /** The value of a held currency at a moment after the last entry. */
  worthOf(currency: string, atMs: number): UsdValue | null {
    return usdOfHolding(this.#last.get(currency), this.#options.recorded, currency, atMs)
  }

  /** The kept results: see the options. */
  get lists(): BookedLists {
    return this.#kept
  }

  /** The results kept since the last call, which are kept no longer. */
  takeLists(): BookedLists {
    const taken = this.#kept
    this.#kept = nothingKept()
    return taken
  }

  /** The open lots by currency, oldest first. */
  openLots(): BookedLot[] {
    return openLotsIn(this.#ledger)
  }

  /** The positions of all currencies of the entries, sorted. */
  positions(): Position[] {
    return positionsIn(this.#ledger)
  }

  /** Number of open lots; copying takes about a microsecond each. */
  get lotCount(): number {
    let count = 0
    for (const holding of this.#ledger.holdings.values()) count += this.#ledger.lotCount(holding)
    return count
  }

  /** Copies the books, to continue separately. */
  copy(): RunningBooks {
    const made = new RunningBooks(this.#options)
    made.#ledger = this.#ledger.copy(made.#usdAt)
    made.#pairs = pairsOf(made.#ledger, this.#options.rules)
    for (const symbol of this.#pairs.keys()) made.#pairs.of(symbol)
    made.#all = this.#all.copy()
    made.#session = this.#session.copy()
    for (const [day, sums] of this.#days) made.#days.set(day, sums.copy())
    for (const [currency, fill] of this.#last) made.#last.set(currency, fill)
    made.atMs = this.atMs
    made.fillCount = this.fillCount
    return made
  }

  /** True when skipped fills have known currencies by now. */
  get isOutdated(): boolean {
    return this.#strange().some((symbol) => currenciesOf(symbol, this.#options.rules()) !== null)
  }

  standing(dayStartMs: number): Standing {
    const ledger = this.#ledger
    return {
      positions: this.positions(),
      bySymbol: heldBySymbol(ledger),
      booked: bookedIn(ledger),
      today: (this.#days.get(dayStartMs) ?? new RealizedSums()).parts(),
      session: this.#session.parts(),
      all: this.#all.parts(),
      stated: [...ledger.stated],
    }
  }

  /** Sentences about what these books leave unknown. */
  missing(transfers: Pick<History, 'deposits' | 'withdrawals'>): string[] {
    return missingOf(transfers, this.#ledger, this.#strange().map(strangeSentence))
  }

  #strange(): string[] {
    return [...this.#pairs].flatMap(([symbol, pair]) => (pair === null ? [symbol] : []))
  }

  #price(fill: Fill): void {
    const pair = this.#pairs.of(fill.symbol)
    if (pair?.counter.currency === valueCurrency) this.#last.set(pair.base.currency, fill)
  }

  #makeRoom(line: Line): void {
    const widen = (currency: string, decimals: number) => {
      const scale = currency === valueCurrency ? this.#ledger.usdScale : this.#ledger.holding(currency).scale
      if (decimals > scale) this.#ledger.widen(currency, decimals + scaleMore)
    }
    if ('fill' in line) {
      const pair = this.#pairs.of(line.fill.symbol)
      if (pair === null || fitsIn(line.fill, pair.base.scale, pair.counter.scale)) return
      const [base, counter] = fillDecimals(line.fill)
      widen(pair.base.currency, base)
      widen(pair.counter.currency, counter)
    } else if ('deposit' in line) widen(line.deposit.currency, line.deposit.amount.decimalPlaces())
    else if ('withdrawal' in line) {
      const { currency, amount, fee } = line.withdrawal
      widen(currency, Math.max(amount.decimalPlaces(), fee?.decimalPlaces() ?? 0))
    } else {
      const { currency, quantity, usdEach } = line.stated
      widen(currency, quantity.decimalPlaces())
      // Keeps all digits of the stated cost.
      widen(valueCurrency, this.#ledger.holding(currency).scale + usdEach.decimalPlaces())
    }
  }

  /** Adds the last entry's results to the sums, because those of a million fills are not kept. */
  #drain(atMs: number): void {
    const { matches, fees, transfers } = this.#ledger
    this.#keep(atMs)
    transfers.length = 0
    if (matches.length === 0 && fees.length === 0) return
    this.#addTo(this.#all)
    const { sessionStartMs, daysFromMs } = this.#options
    if (atMs >= sessionStartMs) this.#addTo(this.#session)
    if (atMs >= daysFromMs) this.#addTo(this.#day(utcDayStart(atMs)))
    matches.length = 0
    fees.length = 0
  }

  #addTo(sums: RealizedSums): void {
    const { matches, fees } = this.#ledger
    for (const match of matches) sums.addMatch(match)
    for (const fee of fees) sums.addFee(fee)
  }

  #keep(atMs: number): void {
    const { kept } = this.#options
    if (kept === undefined || atMs < kept.fromMs) return
    const { matches, fees, transfers } = this.#ledger
    pushAll(this.#kept.transfers, transfers)
    if (kept.what === 'transfers') return
    // One sale may match a million lots, more than a call's arguments allow.
    for (const match of matches) this.#kept.matches.push(match)
    pushAll(this.#kept.fees, fees)
  }

  #day(startMs: number): RealizedSums {
    const known = this.#days.get(startMs)
    if (known !== undefined) return known
    const made = new RealizedSums()
    this.#days.set(startMs, made)
    // Entries are sorted by time, and so are days.
    for (const day of [...this.#days.keys()].slice(0, -daysKept)) this.#days.delete(day)
    return made
  }
}
