import { ExchangeError } from '../../api/errors.ts'
import { type Clock, nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { dayMs, hourMs, minuteMs } from '../../base/time-text.ts'
import type { FeedEvent, HistoryEvent } from '../../domain/desk/events.ts'
import { type Bar, barSpanMs, type EquityPoint } from '../../domain/market/bar.ts'
import { hoursKeptMs, minutesKeptMs } from '../../domain/market/bar-list.ts'
import { barStart, type Look, longerBars, withLook } from '../../domain/market/bars.ts'
import type { Book } from '../../domain/market/book.ts'
import { foldLooks } from '../../domain/market/looks.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { compareIds, isWorking, listKey, type Order } from '../../domain/orders/order.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile, HistoryOptions } from '../../history/history-file.ts'
import { type HistoryClient, isSameExchange, patiently, readMissingFills, readMissingOrders } from './read-all.ts'

export type RecorderOptions = {
  open: (options: HistoryOptions) => Promise<Result<HistoryFile, HistoryError>>
  /** Reads that nobody waits for. */
  client: HistoryClient
  /** The exchange may begin anew with the ids of before, as a practice exchange does after a reset. */
  mayBeginAnew: boolean
  clock: Clock
  signal: AbortSignal
  /** A moment of the desk as the exchange dates its fills, ms since 1970. */
  toUtcMs: (atMs: number) => number
  /** The points of equity of the desk, the oldest first; none where nobody reckons them. */
  equity?: () => readonly EquityPoint[]
  emit: (event: HistoryEvent) => void
  tell: (level: 'info' | 'warn', sentence: string) => void
}

export type Recorder = {
  /** Takes in what was polled. Nothing is written before `run` comes to it. */
  observe(event: FeedEvent): void
  /** Opens the file and records until the signal; resolves when all is written and the file is closed. */
  run(): Promise<void>
}

/** The first picture, and what follows it, come first. */
const firstMs = 1_500
/** How long it is until a disk that refused, or an exchange, is asked again. */
const againMs = minuteMs
/** Hours and days are made of old bars this often. */
const thinEveryMs = hourMs
/** Bounds what was not written yet, so that a disk that stays full costs no memory: the oldest bars are left out. */
const waitingBarsMost = 50_000
/** Executions and orders that a disk does not take are read again later. */
const waitingMost = 10_000
/** Rows in one write: some ms. */
const rowsAtOnce = 200
/** Points of so many days take some ms to read. */
const equityAtOnceMs = 5 * dayMs
/** More executions than this are worth a word. */
const toldFrom = 1_000

/** What was polled and is not in the file yet. */
class Waiting {
  bars: (readonly [string, Bar])[] = []
  fills: Fill[] = []
  /** More executions came than wait here: they are to be read again. */
  isFillsCut = false
  orders: Order[] = []
  readonly #running = new Map<string, Bar>()
  readonly #books = new Map<string, { value: Book; atMs: number }>()
  #lastFills: readonly Fill[] = []

  look(event: Extract<FeedEvent, { type: 'tickers' }>, utcMs: number): void {
    const fold = (symbol: string, look: Look) => {
      const before = this.#running.get(symbol) ?? null
      const bar = withLook(before, look)
      if (before !== null && bar.startMs !== before.startMs) this.bars.push([symbol, before])
      this.#running.set(symbol, bar)
    }
    foldLooks(event, (symbol) => this.#books.get(symbol), utcMs, fold)
  }

  book(event: Extract<FeedEvent, { type: 'book' }>): void {
    this.#books.set(event.symbol, { value: event.book, atMs: event.atMs })
  }

  addFills(fills: readonly Fill[]): void {
    // The same listing again brings nothing.
    if (fills === this.#lastFills) return
    this.#lastFills = fills
    this.fills.push(...fills)
    if (this.fills.length <= waitingMost) return
    this.fills = []
    this.isFillsCut = true
  }

  addOrder(order: Order): void {
    if (this.orders.length < waitingMost) this.orders.push(order)
  }

  /** The bars so far, those of the running minute too: what is seen of it later is put beside them. */
  takeBars(): (readonly [string, Bar])[] {
    const taken = [...this.bars, ...this.#running]
    this.bars = []
    this.#running.clear()
    return taken.slice(-waitingBarsMost)
  }
}

/** Writes what is polled to the account's history, once a minute, and reads what the file lacks. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { open, clock, signal, toUtcMs, tell } = options
  const waiting = new Waiting()
  let working: ReadonlySet<string> = new Set()
  let trouble: string | null = null

  const fail = (error: unknown): HistoryError => {
    if (!(error instanceof HistoryError)) throw error
    const { message, kind } = error
    if (kind !== 'busy' && message !== trouble) {
      const ending = kind === 'newer' ? '' : '. Trading goes on; the desk tries again every minute'
      tell('warn', `No history is recorded: ${message}${ending}.`)
      trouble = message
    }
    return error
  }
  const openOne = async (putAside: HistoryOptions['putAside']): Promise<HistoryFile | HistoryError> => {
    const opened = await open(putAside === undefined ? {} : { putAside })
    if (!opened.ok) return fail(opened.error)
    const { notice } = opened.value
    if (notice !== null) tell('warn', notice)
    return opened.value
  }

  return {
    observe(event) {
      if (event.type === 'tickers') waiting.look(event, toUtcMs(event.atMs))
      if (event.type === 'book') waiting.book(event)
      if (event.type === 'fills') waiting.addFills(event.fills)
      if (event.type === 'orderEnded' && !isWorking(event.order)) waiting.addOrder(event.order)
      if (event.type === 'orders') working = new Set(event.orders.map(listKey))
    },
    async run() {
      await clock.sleep(firstMs, signal)
      let putAside: HistoryOptions['putAside']
      while (!signal.aborted) {
        const file = await openOne(putAside)
        let end: End = file instanceof HistoryError ? { kind: 'failed', error: file } : { kind: 'ended' }
        if (!(file instanceof HistoryError)) {
          const recording = new Recording(file, waiting, { ...options, isWorkingNow: (id) => working.has(id) })
          const isBack = () => {
            if (trouble !== null) tell('info', 'History is recorded again.')
            trouble = null
          }
          end = await recording.run(isBack)
          if (end.kind === 'failed') fail(end.error)
        }
        putAside = putAsideAfter(end)
        if (signal.aborted || (end.kind === 'failed' && end.error.kind === 'newer')) return
        if (putAside === undefined) await clock.sleep(againMs, signal)
      }
    },
  }
}

/** How the use of a file ended: by the desk's end, because the exchange has begun anew, or because it fails. */
type End = { kind: 'ended' } | { kind: 'anew' } | { kind: 'failed'; error: HistoryError }

const putAsideAfter = (end: End): HistoryOptions['putAside'] =>
  end.kind === 'anew' ? 'earlier' : end.kind === 'failed' && end.error.kind === 'damaged' ? 'damaged' : undefined

type RecordingOptions = RecorderOptions & { isWorkingNow: (orderId: string) => boolean }

/** The use of one open file until it fails or the desk ends. */
class Recording {
  readonly #file: HistoryFile
  readonly #waiting: Waiting
  readonly #options: RecordingOptions
  /** Aborted when the file fails, and with the desk. */
  readonly #stopping = new AbortController()
  readonly #signal: AbortSignal
  #end: End = { kind: 'ended' }
  /** Everything up to it was read, or lies in a gap; null before the first look. */
  #top: string | null = null
  /** Aborted when there is something to read. */
  #wake = new AbortController()
  #equityToMs = 0
  #thinnedAtMs = Number.NEGATIVE_INFINITY

  constructor(file: HistoryFile, waiting: Waiting, options: RecordingOptions) {
    this.#file = file
    this.#waiting = waiting
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#stopping.signal])
  }

  /** Records; the file is closed when it resolves. `isWell` is called once something could be written. */
  async run(isWell: () => void): Promise<End> {
    try {
      const works = [() => this.#load(), () => this.#readMissing(), () => this.#writeEachMinute(isWell)]
      await Promise.all(works.map((work) => this.#guarded(work)))
      if (this.#end.kind === 'ended') await this.#guarded(() => this.#flush())
    } catch (error) {
      this.#stop({ kind: 'failed', error: historyError(error) })
    } finally {
      this.#file.close()
    }
    return this.#end
  }

  #stop(end: End): void {
    if (this.#end.kind === 'ended') this.#end = end
    this.#stopping.abort()
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#stop({ kind: 'failed', error: historyError(error) })
    }
  }

  /** What a chart keeps: minutes first, then the hours before them. */
  async #load(): Promise<void> {
    const { emit, clock, toUtcMs } = this.#options
    const toMs = toUtcMs(clock.now())
    const fromMs = barStart(toMs - minutesKeptMs, hourMs)
    const points = this.#file.equity(fromMs, toMs)
    if (points.length > 0) emit({ type: 'equityLoaded', points })
    const symbols = this.#file.symbols()
    for (const symbol of symbols) {
      // A day of one symbol takes some ms.
      await nextTurn()
      if (this.#signal.aborted) return
      const bars = this.#file.bars(symbol, fromMs, toMs)
      if (bars.length > 0) emit({ type: 'barsLoaded', symbol, bars })
    }
    for (const symbol of symbols) {
      const bars = await this.#hoursBefore(symbol, fromMs)
      if (bars.length > 0) emit({ type: 'barsLoaded', symbol, bars })
    }
    for (let endMs = fromMs; endMs > toMs - hoursKeptMs && !this.#signal.aborted; endMs -= equityAtOnceMs) {
      await nextTurn()
      const older = this.#file.equity(endMs - equityAtOnceMs, endMs - 1)
      if (older.length > 0) emit({ type: 'equityLoaded', points: older })
    }
  }

  /** Bars of an hour, the oldest first, made of what there is, a day at a time. */
  async #hoursBefore(symbol: string, endMs: number): Promise<Bar[]> {
    const days: (readonly Bar[])[] = []
    let last = this.#file.barAt(symbol, endMs - 1)
    while (last !== null && last.startMs >= endMs - hoursKeptMs && !this.#signal.aborted) {
      await nextTurn()
      const fromMs = barStart(last.startMs, dayMs)
      const toMs = Math.min(endMs, fromMs + dayMs)
      const hours = [...this.#file.eachBar(symbol, fromMs, toMs - 1)].filter((bar) => barSpanMs(bar) <= hourMs)
      days.unshift(longerBars(hours, hourMs))
      last = this.#file.barAt(symbol, fromMs - 1)
    }
    return days.flat()
  }

  async #writeEachMinute(isWell: () => void): Promise<void> {
    const { clock } = this.#options
    while (!this.#signal.aborted) {
      await this.#flush()
      isWell()
      if (clock.now() - this.#thinnedAtMs >= thinEveryMs) {
        this.#thinnedAtMs = clock.now()
        while (!this.#signal.aborted && this.#thin()) await nextTurn()
      }
      await clock.sleep(minuteMs, this.#signal)
    }
  }

  /** What another desk keeps from being done now is done in an hour. */
  #thin(): boolean {
    try {
      return this.#file.thin(this.#options.toUtcMs(this.#options.clock.now()))
    } catch (error) {
      if (historyError(error).kind === 'busy') return false
      throw error
    }
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting
    const bars = waiting.takeBars()
    try {
      while (bars.length > 0) {
        const some = bars.slice(0, rowsAtOnce)
        await this.#patiently(() => this.#file.putBars(some))
        bars.splice(0, some.length)
      }
    } finally {
      waiting.bars.unshift(...bars)
    }
    await this.#flushFills()
    while (waiting.orders.length > 0) {
      const some = waiting.orders.slice(0, rowsAtOnce)
      await this.#patiently(() => this.#file.putEndedOrders(some))
      waiting.orders.splice(0, some.length)
    }
    const points = (this.#options.equity?.() ?? []).filter(({ startMs }) => startMs >= this.#equityToMs)
    if (points.length === 0) return
    await this.#patiently(() => this.#file.putEquity(points))
    this.#equityToMs = points.at(-1)?.startMs ?? 0
  }

  /**
   * Polled executions have no gap between them: one below them is noted, and is read in the background. Until the first
   * page of what the file lacks is there, they wait.
   */
  async #flushFills(): Promise<void> {
    const waiting = this.#waiting
    const top = this.#top
    if (top === null) return
    if (waiting.isFillsCut) {
      await this.#patiently(() => this.#file.addGap({ above: top, below: null }))
      waiting.isFillsCut = false
      this.#wake.abort()
    }
    const fills = waiting.fills.toSorted((left, right) => compareIds(left.execId, right.execId))
    const [first] = fills
    if (first === undefined) return
    if (compareIds(first.execId, top) > 0) {
      await this.#patiently(() => this.#file.addGap({ above: top, below: first.execId }))
      this.#wake.abort()
    }
    waiting.fills = []
    const news = fills.filter(({ execId }) => compareIds(execId, top) > 0)
    for (let at = 0; at < news.length; at += rowsAtOnce) {
      const some = news.slice(at, at + rowsAtOnce)
      await this.#patiently(() => this.#file.putFills(some))
      this.#top = some.at(-1)?.execId ?? top
    }
  }

  #patiently(work: () => void): Promise<void> {
    return patiently(work, { clock: this.#options.clock, signal: this.#signal })
  }

  /** Reads what the file lacks, again after a failure of the exchange, and now and then what may have come. */
  async #readMissing(): Promise<void> {
    const { clock, signal } = this.#options
    while (!this.#signal.aborted) {
      let pauseMs = hourMs
      this.#wake = new AbortController()
      try {
        await this.#readAll()
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        pauseMs = againMs
      }
      await clock.sleep(pauseMs, AbortSignal.any([signal, this.#stopping.signal, this.#wake.signal]))
    }
  }

  async #readAll(): Promise<void> {
    const { client, mayBeginAnew, clock, tell, emit } = this.#options
    const file = this.#file
    const context = { clock, signal: this.#signal }
    if (this.#top === null) {
      if (mayBeginAnew && !(await isSameExchange(client, file, this.#signal))) {
        this.#stop({ kind: 'anew' })
        return
      }
      await this.#patiently(() => file.addGap({ above: file.newestExecId(), below: null }))
    }
    const before = file.fillCount()
    let isTold = false
    const onPage = (unreadableCount: number) => {
      // The first page is that of the newest.
      this.#top ??= file.newestExecId() ?? '0'
      const readCount = file.fillCount()
      emit({ type: 'historyProgress', readCount, isWhole: file.isFillsWhole })
      if (unreadableCount > 0) tell('warn', `History: ${unreadableCount} of the listed fills cannot be read.`)
      if (isTold || readCount - before < toldFrom) return
      isTold = true
      tell('info', 'History: all own fills are read once, in the background.')
    }
    await readMissingFills(client, file, { ...context, onPage })
    if (isTold && !this.#signal.aborted) tell('info', `History: all own fills are read, ${file.fillCount()}.`)
    await readMissingOrders(client, file, { ...context, isWorkingNow: this.#options.isWorkingNow })
  }
}

/** What a file fails by; anything else is a bug. */
function historyError(error: unknown): HistoryError {
  if (error instanceof HistoryError) return error
  throw error
}
