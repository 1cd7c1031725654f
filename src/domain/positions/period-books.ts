import type { Period, Rules } from '../statement/movement.ts'
import type { Line } from './lines.ts'
import type { RecordedPrices } from './own-prices.ts'
import type { PnlBooks } from './pnl.ts'
import type { LotLists } from './pnl-fields.ts'
import type { CostMethod, StatedCost, UsdValue } from './position.ts'
import { RunningBooks } from './running-books.ts'
import { type Standpoint, standpointOf } from './standpoint.ts'

export type PeriodBooksOptions = {
  period: Period
  method: CostMethod
  rules: Rules
  recorded: RecordedPrices
  /** True: matches, fees and lots are kept one by one, as many as there are. */
  hasLots: boolean
  /** Entries of the period later than this moment are counted: see `aheadCount`. */
  aheadOfMs?: number
}

/**
 * Whether a cost is stated later than the moment that it counts for already, which is known only once all lines are:
 * books of a period cannot be entered line by line then.
 */
export const isStatedLater = (costs: readonly StatedCost[], { fromMs, toMs }: Period): boolean =>
  costs.some(({ atMs }) => atMs > toMs || (fromMs > 0 && atMs >= fromMs))

/**
 * The books of a period, entered moment by moment in one go: what was held before it, what came of it, and what all
 * lines come to. However many fills there were, open lots and sums are kept, and lists where they are asked for. They
 * come to the same as `positionsOf` where no cost is stated later.
 */
export class PeriodBooks {
  readonly #options: PeriodBooksOptions
  readonly #books: RunningBooks
  #start: Standpoint | null = null
  /** Entries of the period that are later than the moment that was asked for. */
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

  /** Enters all lines of one moment, which is after the last one. Throws what `recorded` throws. */
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

  /** What was held the moment before the period, at the prices of then; nothing where it begins with the first line. */
  #takeStart(): Standpoint {
    if (this.#start !== null) return this.#start
    const beforeMs = this.#options.period.fromMs - 1
    const worthThen = (currency: string) => this.#books.worthOf(currency, beforeMs)
    this.#start = standpointOf(this.#books.positions(), worthThen)
    this.#books.beginSums()
    return this.#start
  }

  /** What the lines come to, once all of them are entered. */
  get start(): Standpoint {
    return this.#takeStart()
  }
  get fillCount(): number {
    return this.#books.fillCount
  }

  /** What a currency was worth at the end of the period. */
  worthOf(currency: string): UsdValue | null {
    return this.#books.worthOf(currency, this.#options.period.toMs)
  }

  /** What came of the period; `booked` is what all lines come to, those after it too. */
  taken(): PnlBooks & Pick<ReturnType<RunningBooks['standing']>, 'booked'> {
    this.#takeStart()
    const { positions, bySymbol, booked, all: realized, stated } = this.#books.standing(0)
    const { transfers } = this.#books.lists
    return { method: this.#options.method, positions, bySymbol, booked, stated, realized, transfers }
  }

  /** What `--lots` lists. */
  lists(): LotLists {
    return { ...this.#books.lists, lots: this.#books.openLots() }
  }

  /** What the lines leave unknown, in whole sentences. */
  missing(transfers: Parameters<RunningBooks['missing']>[0]): string[] {
    return this.#books.missing(transfers)
  }
}
