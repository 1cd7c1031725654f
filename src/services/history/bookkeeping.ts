import { type Clock, nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { dayMs, minuteMs, secondMs } from '../../base/text/time-text.ts'
import type { FeedEvent, FillsReading, HistoryEvent } from '../../domain/desk/events.ts'
import { type Fill, newestFillFirst } from '../../domain/orders/fills.ts'
import {
  fillLine,
  inLedgerOrder,
  type Line,
  lineKey,
  mergedLines,
  transferLines,
} from '../../domain/positions/lines.ts'
import type { CostMethod, StatedCost } from '../../domain/positions/position.ts'
import { RunningBooks, type Standing } from '../../domain/positions/running-books.ts'
import type { UsdValue } from '../../domain/positions/usd-at.ts'
import type { History, Rules } from '../../domain/statement/movement.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile, HistoryOptions } from '../../history/history-file.ts'

/** The entries of the books besides fills. */
export type BookSource = Pick<History, 'deposits' | 'withdrawals'> & {
  rules: Rules
  statedCosts: readonly StatedCost[]
}

/** Beginnings of the present day and session, and now; exchange time in ms since 1970. */
export type BookTimes = { dayStartMs: number; sessionStartMs: number; nowMs: number }

export type BooksTold =
  | { kind: 'reading'; reading: FillsReading }
  | { kind: 'standing'; standing: Standing; missing: readonly string[] }
  /** Why the books cannot be kept now, as a clause. */
  | { kind: 'unknown'; why: string }

export type BookkeepingOptions = {
  open: (options: HistoryOptions) => Promise<Result<HistoryFile, HistoryError>>
  method: CostMethod
  clock: Clock
  signal: AbortSignal
  /** Null while it is not loaded. */
  source: () => BookSource | null
  times: () => BookTimes
  tell: (told: BooksTold) => void
  /** Ids of fills that contradict their orders: recorded but not counted. Missing for none. */
  heldBack?: () => ReadonlySet<string>
  /** Called when the file is damaged: its writer puts it aside and begins a new one. */
  onDamage?: (error: HistoryError) => void
}

/** Longest turn of the desk's thread, without the reading of one page. */
const sliceMs = 8
/** Lines between two looks at the clock; they take less than a ms. */
const linesAtOnce = 64
const toldEvery = 10_000
/** Maximum share of time for emitting books. */
const shareMax = 0.02
const pauseMax = 5 * secondMs
const againMs = minuteMs
/** Pause while another desk writes. */
const busyMs = secondMs
/** Maximum executions waiting for the file; if it takes none, they are counted again once it does. */
const waitingMax = 50_000
/** How far back late entries go, such as a withdrawal that ends: older books are kept to continue from. */
const earlierMs = 2 * dayMs
const earlierKept = 2
/** Maximum lots to copy: with more, all fills are entered again instead. */
const lotsCopied = 20_000

/** Books at `atMs` (exchange time), from which later lines can be entered again. */
type Earlier = { atMs: number; books: RunningBooks; lineCount: number }

/**
 * Keeps the account's books while the desk runs. Once all fills are recorded they are entered from the file, a slice at
 * a time, and later entries as they come; late ones are entered at their own time.
 */
export class Bookkeeping {
  readonly #options: BookkeepingOptions
  #file: HistoryFile | null = null
  #books: RunningBooks | null = null
  /** Earlier books, oldest first. */
  #earlier: Earlier[] = []
  /** The entered transfers and stated costs, by `lineKey`. */
  #lineKeys: string[] = []
  #lineTimes: number[] = []
  /** Polled executions that the file lacked at the last look, and whether they are entered. */
  #lastFills: readonly Fill[] = []
  readonly #polled = new Map<string, { fill: Fill; isEntered: boolean }>()
  /** Fills left out of the books. */
  #heldBack: ReadonlySet<string> = new Set()
  /** The newest execution dropped from waiting: the books continue once the file has it. */
  #lost: string | null = null
  #isWhole = false
  #recordedCount = 0
  /** True when books and file disagreed on the number of fills. */
  #isCountDoubted = false
  #isDue = false
  #news = Promise.withResolvers<void>()
  #sliceStartMs = 0
  /** Valuations of moments that the file does not have yet and may report otherwise. */
  readonly #unfixed = new Map<string, { currency: string; atMs: number; value: UsdValue | null }>()
  #isWaitingToFix = false

  constructor(options: BookkeepingOptions) {
    this.#options = options
  }

  /** Takes polled data, and the progress of recording. */
  observe(event: FeedEvent | HistoryEvent): void {
    if (event.type === 'fills') this.#observeFills(event.fills)
    if (event.type !== 'historyProgress') return
    const { readCount: count, isWhole } = event
    // Late fills, or a new file that is not whole yet and reports its own progress.
    if (this.#isWhole && count !== this.#recordedCount) this.wake()
    this.#recordedCount = count
    if (this.#isWhole) return
    this.#isWhole = isWhole
    if (isWhole) this.wake()
    else this.#options.tell({ kind: 'reading', reading: { from: 'exchange', count } })
  }

  /** Call when an entry of the books has changed. */
  wake(): void {
    this.#isDue = true
    this.#news.resolve()
  }

  /** Keeps the books until the signal is aborted. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options
    signal.addEventListener('abort', () => this.#news.resolve(), { once: true })
    while (!signal.aborted) {
      if (!this.#isDue) await this.#news.promise
      this.#news = Promise.withResolvers()
      if (signal.aborted) break
      this.#isDue = false
      await clock.sleep(await this.#guarded(), signal)
    }
    this.#close()
  }

  #observeFills(fills: readonly Fill[]): void {
    // The same listing has nothing new.
    if (fills === this.#lastFills) return
    this.#lastFills = fills
    const { size } = this.#polled
    for (const fill of fills)
      if (!this.#polled.has(fill.execId)) this.#polled.set(fill.execId, { fill, isEntered: false })
    if (this.#polled.size === size) return
    if (this.#polled.size > waitingMax) {
      this.#lost = fills.toSorted(newestFillFirst)[0]?.execId ?? null
      this.#polled.clear()
      this.#forget()
    }
    this.wake()
  }

  /** Runs one round; returns the pause before the next. Failures of the file are reported. */
  async #guarded(): Promise<number> {
    try {
      return await this.#round()
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error
      return this.#fail(error)
    }
  }

  #fail(error: HistoryError): number {
    const { kind, message } = error
    this.#close()
    this.#isDue = true
    if (kind === 'busy') return busyMs
    if (error.kind === 'damaged') {
      this.#isWhole = false
      this.#options.onDamage?.(error)
    }
    this.#options.tell({ kind: 'unknown', why: message })
    return againMs
  }

  #close(): void {
    this.#forget()
    const file = this.#file
    this.#file = null
    file?.close()
  }

  /** Discards the books: the next round begins anew. */
  #forget(): void {
    this.#books = null
    this.#earlier = []
    this.#lineKeys = []
    this.#lineTimes = []
    for (const each of this.#polled.values()) each.isEntered = false
  }

  async #round(): Promise<number> {
    const { signal, source } = this.#options
    const loaded = this.#isWhole ? source() : null
    if (loaded === null) return 0
    const file = this.#file ?? (await this.#open())
    if (signal.aborted) return 0
    const { displaced } = file
    if (displaced !== null) throw displaced
    // Entries recorded meanwhile are for the next round.
    return file.asOfNow(() => this.#reckon(file, loaded))
  }

  async #reckon(file: HistoryFile, loaded: BookSource): Promise<number> {
    const { clock, tell, times } = this.#options
    const count = file.fillCount()
    for (const id of [...this.#polled.keys()]) if (file.hasFill(id)) this.#polled.delete(id)
    const isLost = this.#lost !== null && !file.hasFill(this.#lost)
    if (isLost || !file.isFillsWhole) {
      this.#isDue = true
      if (isLost) tell({ kind: 'unknown', why: 'fills that came are not recorded yet' })
      return againMs
    }
    this.#lost = null
    const startedMs = clock.now()
    this.#holdBack()
    const lines = inLedgerOrder(transferLines(loaded), loaded.statedCosts)
    const books = this.#booksFor(lines, this.#firstOtherwise(file))
    const isComplete = await this.#enterAll(books, { file, count, lines })
    if (!isComplete || this.#books !== books) return 0
    // Executions polled during the reading may be in it.
    const entered = [...this.#polled.values()].filter(({ isEntered }) => isEntered)
    const polledCount = entered.filter(({ fill }) => !file.hasFill(fill.execId)).length
    const leftOutCount = [...this.#heldBack].filter((execId) => file.hasFill(execId)).length
    const isSame = books.fillCount - polledCount + leftOutCount === count
    if (!isSame && !this.#isCountDoubted) {
      // Another desk wrote before what was entered: everything is entered again.
      this.#isCountDoubted = true
      this.#forget()
      this.#isDue = true
      return 0
    }
    this.#isCountDoubted = !isSame
    const { dayStartMs } = times()
    this.#lookAgain()
    const missing = [...unreadText(file), ...books.missing(loaded)]
    tell({ kind: 'standing', standing: books.standing(dayStartMs), missing })
    return Math.min(pauseMax, (clock.now() - startedMs) / shareMax)
  }

  /** Begins the books anew when the fills to leave out change, which is rare. */
  #holdBack(): void {
    const now = this.#options.heldBack?.() ?? this.#heldBack
    if (now.size === this.#heldBack.size && now.isSubsetOf(this.#heldBack)) return
    this.#heldBack = now
    this.#forget()
  }

  /** The polled fills to enter. */
  #waiting(): Fill[] {
    return [...this.#polled.values()].flatMap(({ fill, isEntered }) =>
      isEntered || this.#heldBack.has(fill.execId) ? [] : [fill],
    )
  }

  async #open(): Promise<HistoryFile> {
    const opened = await this.#options.open({ isReadOnly: true })
    if (!opened.ok) throw opened.error
    this.#file = opened.value
    if (this.#options.signal.aborted) this.#close()
    return opened.value
  }

  /** The books to enter these lines in: the present ones, or earlier ones when a line was missing or is gone. */
  #booksFor(lines: readonly Line[], otherwiseMs: number): RunningBooks {
    const books = this.#books?.isOutdated === true ? null : this.#books
    const isNew = books === null
    const changedMs = isNew ? Number.NEGATIVE_INFINITY : Math.min(otherwiseMs, this.#firstChange(books, lines))
    if (books !== null && changedMs > books.atMs) return books
    this.#earlier = this.#earlier.filter(({ atMs }) => atMs < changedMs)
    const before = this.#earlier.at(-1)
    const made = before?.books.copy() ?? this.#newBooks()
    this.#books = made
    this.#lineKeys.splice(before?.lineCount ?? 0)
    this.#lineTimes.splice(before?.lineCount ?? 0)
    for (const each of this.#polled.values()) each.isEntered &&= each.fill.timestampMs <= made.atMs
    return made
  }

  #newBooks(): RunningBooks {
    const { method, source, times } = this.#options
    const { sessionStartMs, dayStartMs } = times()
    const file = this.#file
    if (file === null) throw new Error('books without a file')
    const rules: () => Rules = () => source()?.rules ?? new Map()
    const onUnfixed = (currency: string, atMs: number, value: UsdValue | null) => {
      this.#unfixed.set(`${currency} ${atMs}`, { currency, atMs, value })
    }
    const recorded = { ...file.values.prices, onUnfixed }
    return new RunningBooks({ method, rules, recorded, sessionStartMs, daysFromMs: dayStartMs - dayMs })
  }

  /** The first moment that the file values otherwise than it was counted; infinity for none. */
  #firstOtherwise(file: HistoryFile): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const [key, { currency, atMs, value }] of this.#unfixed) {
      const fixed = file.values.fixed(currency, atMs)
      if (fixed === undefined) continue
      this.#unfixed.delete(key)
      const isSame = fixed === null ? value === null : value?.usd.eq(fixed.usd) === true
      if (!isSame) firstMs = Math.min(firstMs, atMs)
    }
    return firstMs
  }

  /** Compares the books with the file again: the recorder writes once a minute. */
  #lookAgain(): void {
    if (this.#unfixed.size === 0 || this.#isWaitingToFix) return
    const { clock, signal } = this.#options
    this.#isWaitingToFix = true
    const look = async () => {
      await clock.sleep(againMs, signal)
      this.#isWaitingToFix = false
      this.wake()
    }
    void look()
  }

  /** The moment of the first new or changed line; infinity for none. */
  #firstChange(books: RunningBooks, lines: readonly Line[]): number {
    const keys = this.#lineKeys
    const at = keys.findIndex((key, index) => {
      const line = lines[index]
      return line === undefined || lineKey(line) !== key
    })
    const from = at === -1 ? keys.length : at
    const line = lines[from]
    const times = [this.#lineTimes[from] ?? Number.POSITIVE_INFINITY, line === undefined ? Infinity : (line.atMs ?? 0)]
    for (const { timestampMs } of this.#waiting()) if (timestampMs <= books.atMs) times.push(timestampMs)
    return Math.min(...times)
  }

  /** Enters the lines after the books. False when the desk ends. */
  async #enterAll(books: RunningBooks, { file, count, lines }: Entering): Promise<boolean> {
    const { signal, tell } = this.#options
    const rest = lines.slice(this.#lineKeys.length)
    const polled = this.#waiting().map(fillLine)
    const stated = rest.flatMap((line) => ('stated' in line ? [line.stated] : []))
    const others = inLedgerOrder([...rest.filter((line) => !('stated' in line)), ...polled], stated)
    this.#sliceStartMs = this.#options.clock.now()
    let [moment, entered]: [Line[], number] = [[], 0]
    for (const line of mergedLines(file.fills({ afterMs: books.atMs }), others)) {
      if ('fill' in line && this.#heldBack.has(line.id)) continue
      if (moment.length > 0 && (moment[0]?.atMs ?? 0) !== (line.atMs ?? 0)) {
        this.#enter(books, moment)
        moment = []
      }
      moment.push(line)
      entered += 1
      if (entered % linesAtOnce === 0) await this.#breathe()
      if (signal.aborted) return false
      if (entered % toldEvery === 0)
        tell({ kind: 'reading', reading: { from: 'file', count: books.fillCount, total: count } })
    }
    if (moment.length > 0) this.#enter(books, moment)
    return true
  }

  #enter(books: RunningBooks, lines: readonly Line[]): void {
    this.#remember(books, lines[0]?.atMs ?? 0)
    try {
      books.enter(lines)
    } catch (error) {
      // Discard partly entered books.
      this.#forget()
      throw error
    }
    for (const line of lines) {
      if ('fill' in line) {
        const polled = this.#polled.get(line.id)
        if (polled !== undefined) polled.isEntered = true
      } else {
        this.#lineKeys.push(lineKey(line))
        this.#lineTimes.push(line.atMs ?? 0)
      }
    }
  }

  /** Keeps a copy of the books once a day, before entering a moment that may get further entries. */
  #remember(books: RunningBooks, atMs: number): void {
    const last = this.#earlier.at(-1)
    const isRecent = atMs >= this.#options.times().nowMs - earlierMs
    if (!isRecent || books.fillCount === 0 || (last !== undefined && atMs - last.atMs < dayMs)) return
    if (books.lotCount > lotsCopied) return
    this.#earlier.push({ atMs: books.atMs, books: books.copy(), lineCount: this.#lineKeys.length })
    this.#earlier.splice(0, this.#earlier.length - earlierKept)
  }

  async #breathe(): Promise<void> {
    const { clock } = this.#options
    if (clock.now() - this.#sliceStartMs < sliceMs) return
    await nextTurn()
    this.#sliceStartMs = clock.now()
  }
}

const unreadText = ({ unreadableFills: count, toldOtherwise }: HistoryFile): string[] => [
  ...(count === 0 ? [] : [`Fills that the exchange lists and that cannot be read are left out: ${count} or fewer.`]),
  ...toldOtherwise.map((clause) => `The ${clause}.`),
]

type Entering = { file: HistoryFile; count: number; lines: readonly Line[] }
