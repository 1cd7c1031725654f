import type { Period, Rules } from '../statement/movement.ts'
import type { BookedLot } from './booked.ts'
import type { Line } from './lines.ts'
import type { RecordedPrices } from './own-prices.ts'
import type { PnlBooks } from './pnl.ts'
import type { CostMethod, StatedCost } from './position.ts'
import { type BookedLists, RunningBooks } from './running-books.ts'
import { type Standpoint, standpointOf } from './standpoint.ts'
import type { UsdValue } from './usd-at.ts'

export type PeriodBooksOptions = {
  period: Period
  method: CostMethod
  rules: Rules
  recorded: RecordedPrices
  /** True to keep matches and fees individually until they are taken. */
  hasLots: boolean
  /** Entries of the period after this moment are counted in `aheadCount`. */
  aheadOfMs?: number
}

/**
 * True when a cost is stated after a moment it already applies to, which is known only once all entries are: the books
 * of such a period cannot be built entry by entry.
 */
export const isStatedLater = (costs: readonly StatedCost[], { fromMs, toMs }: Period): boolean =>
  costs.some(({ atMs }) => atMs > toMs || (fromMs > 0 && atMs >= fromMs))

/**
 * Builds the books of a period moment by moment in one pass: the holdings before it, the results within it, and the
 * total sums. Keeps open lots and sums, and results only if requested, however many fills there are. Equal to
 * `positionsOf` when no cost is stated later.
 */
export class PeriodBooks {
  readonly #options: PeriodBooksOptions
  readonly #books: RunningBooks
  #start: Standpoint | null = null
  /** Number of entries of the period after the given moment. */
  aheadCount = 0

  constructor(options: PeriodBooksOptions) {
    const { period, method, rules, recorded, hasLots } = options
    this.#options = options
    this.#books = new RunningBooks({
      ...{ method, rules: () => rules, recorded },
      sessionStartMs: Number.POSITIVE_INFINITY,
      daysFromMs: Number.POSITIVE_INFINITY,
      kept: { fromMs: period.fromMs, what: hasLots ? 'all' : 'transfers' },
    })
  }

  /** Applies all entries of one moment, later than the previous one. Throws what `recorded` throws. */
  enter(lines: readonly Line[]): void {
    const atMs = lines[0]?.atMs ?? 0
    const { period, aheadOfMs = Number.POSITIVE_INFINITY } = this.#options
    if (atMs > period.toMs) {
      this.#books.enterLater(lines)
      return
    }
    if (atMs >= period.fromMs) this.#takeStart()
    if (atMs >= period.fromMs && atMs > aheadOfMs) this.aheadCount += lines.length
    this.#books.enter(lines)
  }

  /** The holdings right before the period at the prices of then; none when it starts with the first entry. */
  #takeStart(): Standpoint {
    if (this.#start !== null) return this.#start
    const beforeMs = this.#options.period.fromMs - 1
    const worthThen = (currency: string) => this.#books.worthOf(currency, beforeMs)
    this.#start = standpointOf(this.#books.positions(), worthThen)
    this.#books.beginSums()
    return this.#start
  }

  /** The results, once all entries are applied. */
  get start(): Standpoint {
    return this.#takeStart()
  }
  get fillCount(): number {
    return this.#books.fillCount
  }

  /** The value of a currency at the end of the period. */
  worthOf(currency: string): UsdValue | null {
    return this.#books.worthOf(currency, this.#options.period.toMs)
  }

  /** The results of the period; `booked` sums all entries, also later ones. */
  taken(): PnlBooks & Pick<ReturnType<RunningBooks['standing']>, 'booked'> {
    this.#takeStart()
    const { positions, bySymbol, booked, all: realized, stated } = this.#books.standing(0)
    const { transfers } = this.#books.lists
    return { method: this.#options.method, positions, bySymbol, booked, stated, realized, transfers }
  }

  /** The results in the period since the last call, each by itself, if requested: they are kept no longer. */
  takeLists(): BookedLists {
    return this.#books.takeLists()
  }

  /** The lots open at the end of the period, by currency, oldest first. */
  openLots(): BookedLot[] {
    return this.#books.openLots()
  }

  /** Sentences about what the entries leave unknown. */
  missing(transfers: Parameters<RunningBooks['missing']>[0]): string[] {
    return this.#books.missing(transfers)
  }
}
