import { ExchangeError } from '../../api/errors.ts'
import { type Clock, nextTurn } from '../../base/clock.ts'
import { dayMs, durationText, hourMs, minuteMs } from '../../base/text/time-text.ts'
import type { HistoryEvent } from '../../domain/desk/events.ts'
import type { EquityPoint } from '../../domain/market/bar.ts'
import { barStart } from '../../domain/market/bars.ts'
import { usualSpans } from '../../domain/market/kept-spans.ts'
import { lateMs, newestFillFirst, newestFillMs } from '../../domain/orders/fills.ts'
import { valueCurrency } from '../../domain/positions/ledger.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile } from '../../history/history-file.ts'
import { loadBars } from './loaded-bars.ts'
import {
  type HistoryClient,
  isSameExchange,
  patiently,
  readLateFills,
  readMissingFills,
  readMissingOrders,
  readOrderCount,
  recordedFillsMax,
  recordedOrdersMax,
} from './read-all.ts'
import type { Waiting } from './waiting.ts'

/** How long it is until a disk that refused, or an exchange, is asked again. */
export const againMs = minuteMs
/** How far apart the clocks of the exchange and of this machine may be: a header says seconds, and no more is usual. */
const clocksApartMax = 5 * minuteMs
/** How far back fills that came late are looked for, each time that new ones are read. */
const lateAgainMs = hourMs + lateMs
/** Hours and days are made of old bars this often. */
const thinEveryMs = hourMs
/** Rows in one write: some ms. */
const rowsAtOnce = 200
/** Points of so many days take some ms to read. */
const equityAtOnceMs = 5 * dayMs
/** More executions than this are worth a word. */
const toldFrom = 1_000

/** How the use of a file ended: by the desk's end, because the exchange has begun anew, or because it fails. */
export type End = { kind: 'ended' } | { kind: 'anew' } | { kind: 'failed'; error: HistoryError }

export type RecordingOptions = {
  /** Reads that nobody waits for. */
  client: HistoryClient
  /** The exchange may begin anew with the ids of before, as a practice exchange does after a reset. */
  mayBeginAnew: boolean
  clock: Clock
  signal: AbortSignal
  /** A moment of the desk as the exchange dates its fills, ms since 1970. */
  toUtcMs: (atMs: number) => number
  clocks: Clocks
  isWorkingNow: (orderId: string) => boolean
  /** The desk's equity points, dated by the exchange's clock, oldest first; left out where none are computed. */
  equity?: () => readonly EquityPoint[]
  /** The symbols that value holdings; left out where there is no screen. */
  valuing?: () => ReadonlySet<string>
  /** The symbols that a person looks at, and those that value holdings: all bars of them are kept. */
  lookedAt?: () => Iterable<string>
  emit: (event: HistoryEvent) => void
  tell: (level: 'info' | 'warn', sentence: string) => void
  /** Told while another program keeps the file from being written for long, at each try. */
  onBusy: (error: HistoryError) => void
}

export type Clocks = {
  /** Whether the clocks of exchange and machine are close enough that what is dated now is dated rightly. */
  agree(): boolean
}

/** Says once that clocks do not agree, and once that they do again. */
export function clocksOf(clocksApartMs: () => number, tell: RecordingOptions['tell']): Clocks {
  let isTold = false
  return {
    agree() {
      const apartMs = clocksApartMs()
      const isClose = Math.abs(apartMs) <= clocksApartMax
      // To the nearest minute: a difference is no time to wait for, of which the last second counts.
      const aboutMs = Math.round(Math.abs(apartMs) / minuteMs) * minuteMs
      const apart = `${durationText(aboutMs)} ${apartMs > 0 ? 'ahead of' : 'behind'}`
      if (!isClose && !isTold)
        tell(
          'warn',
          `The exchange's clock is ${apart} this machine's: no prices and no equity are recorded until they agree. ` +
            'Turn on NTP, or ask the exchange.',
        )
      if (isClose && isTold) tell('info', "The exchange's clock and this machine's agree again: prices are recorded.")
      isTold = !isClose
      return isClose
    },
  }
}

/** The use of one open file until it fails or the desk ends. */
export class Recording {
  readonly #file: HistoryFile
  readonly #waiting: Waiting
  readonly #options: RecordingOptions
  /** Aborted when the file fails, and with the desk. */
  readonly #stopping = new AbortController()
  readonly #signal: AbortSignal
  #end: End = { kind: 'ended' }
  /** All that happened up to then was read, or lies in a gap; null before the first look. */
  #readToMs: number | null = null
  #isLeftOutTold = false
  readonly #otherwiseTold = new Set<string>()
  readonly #fullTold = new Set<string>()
  #isCorrected = false
  /** Aborted when there is something to read. */
  #wake = new AbortController()
  #equityToMs = 0
  #thinnedAtMs = Number.NEGATIVE_INFINITY
  readonly #openedAtMs: number
  /** The list of withdrawals whose fees are all valued; whether those of a list were, up to the last minute. */
  #feesOf: readonly Withdrawal[] | null = null
  #isWithFees = false

  constructor(file: HistoryFile, waiting: Waiting, options: RecordingOptions) {
    this.#file = file
    this.#waiting = waiting
    this.#options = options
    this.#openedAtMs = options.clock.now()
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
      this.#whetherReplaced()
      this.#file.close()
    }
    return this.#end
  }

  /** Another desk has put the damaged file aside already: the one that is there now is a new one. */
  #whetherReplaced(): void {
    if (this.#end.kind !== 'failed' || this.#end.error.kind !== 'damaged') return
    const { displaced } = this.#file
    if (displaced !== null) this.#end = { kind: 'failed', error: displaced }
  }

  /** Somebody has found that the file does not serve. */
  fail(error: HistoryError): void {
    this.#stop({ kind: 'failed', error })
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

  /** The value of the account first, then what charts keep, then the value before that. */
  async #load(): Promise<void> {
    const { emit, clock, toUtcMs, valuing } = this.#options
    const toMs = toUtcMs(clock.now())
    const fromMs = barStart(toMs - usualSpans.minutesMs, hourMs)
    const points = this.#file.equity(fromMs, toMs)
    if (points.length > 0) emit({ type: 'equityLoaded', points })
    await loadBars(this.#file, { toMs, valuing, emit, signal: this.#signal })
    for (let endMs = fromMs; endMs > toMs - usualSpans.longerForMs && !this.#signal.aborted; endMs -= equityAtOnceMs) {
      await nextTurn()
      const older = this.#file.equity(endMs - equityAtOnceMs, endMs - 1)
      if (older.length > 0) emit({ type: 'equityLoaded', points: older })
    }
  }

  async #writeEachMinute(isWell: () => void): Promise<void> {
    const { clock } = this.#options
    while (!this.#signal.aborted) {
      await this.#flush()
      isWell()
      this.#tellLeftOut()
      this.#tellOtherwise()
      if (clock.now() - this.#thinnedAtMs >= thinEveryMs && this.#options.clocks.agree()) {
        await this.#correct()
        if (this.#mayThin()) {
          this.#thinnedAtMs = clock.now()
          await this.#patiently(() => this.#noteLooks())
          while (!this.#signal.aborted && this.#thin()) await nextTurn()
        }
      }
      await clock.sleep(minuteMs, this.#signal)
    }
  }

  #tellLeftOut(): void {
    const count = this.#file.takeLeftOut()
    if (count === 0 || this.#isLeftOutTold) return
    this.#isLeftOutTold = true
    const rows = count === 1 ? '1 row' : `${count} rows`
    this.#options.tell('warn', `History: ${rows} with values that cannot be kept or read are left out.`)
  }

  /** Says each execution once that the exchange tells again with other terms. */
  #tellOtherwise(): void {
    for (const clause of this.#file.toldOtherwise) {
      if (this.#otherwiseTold.has(clause)) continue
      this.#otherwiseTold.add(clause)
      this.#options.tell('warn', `History: ${clause}.`)
    }
  }

  /** Takes out what a clock that was wrong has dated later than now: nobody knows when that was. */
  async #correct(): Promise<void> {
    const { clock, mayBeginAnew, toUtcMs, tell } = this.#options
    // A practice exchange's clock is put ahead by a person.
    if (this.#isCorrected || mayBeginAnew) return
    let count = 0
    await this.#patiently(() => {
      count = this.#file.forgetAfter(toUtcMs(clock.now()) + clocksApartMax)
    })
    this.#isCorrected = true
    if (count > 0)
      tell('warn', `History: ${count} prices and points of equity, dated after now by a wrong clock, were taken out.`)
  }

  /** What trades were worth is written by the bars of their minute first; what keeps that up is waited for an hour. */
  #mayThin(): boolean {
    const isReady = this.#isWhole && this.#isWithFees
    return isReady || this.#options.clock.now() - this.#openedAtMs >= thinEveryMs
  }

  #noteLooks(): void {
    const { clock, lookedAt, toUtcMs } = this.#options
    this.#file.noteLooks(lookedAt?.() ?? [], toUtcMs(clock.now()))
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
    await this.#fixFills()
    await this.#fixFees()
    await this.#flushAll(waiting.unreadable, (some) => this.#file.addUnreadable(some))
    await this.#flushAll(waiting.orders, (some) => this.#file.putEndedOrders(some))
    await this.#flushEquity()
  }

  /** Writes a list that others add to meanwhile. */
  async #flushAll<T>(list: T[], put: (some: readonly T[]) => void): Promise<void> {
    while (list.length > 0) {
      const some = list.slice(0, rowsAtOnce)
      await this.#patiently(() => put(some))
      list.splice(0, some.length)
    }
  }

  async #flushEquity(): Promise<void> {
    const { clock, clocks, equity, toUtcMs } = this.#options
    if (!clocks.agree()) return
    const nowMs = toUtcMs(clock.now())
    // A clock that was ahead is put back: what comes now is not older than what was written.
    this.#equityToMs = Math.min(this.#equityToMs, barStart(nowMs, minuteMs))
    const points = (equity?.() ?? []).filter(({ startMs }) => startMs >= this.#equityToMs && startMs <= nowMs)
    if (points.length === 0) return
    await this.#patiently(() => this.#file.putEquity(points))
    this.#equityToMs = points.at(-1)?.startMs ?? 0
  }

  /** Executions that are dated later than this say nothing of how far others were read. */
  #latestMs(): number {
    return this.#options.toUtcMs(this.#options.clock.now()) + clocksApartMax
  }

  /**
   * Polled executions have no gap between them: what lies before the first of them is noted, and is read in the
   * background. Until the first page of what the file lacks is there, they wait.
   */
  async #flushFills(): Promise<void> {
    const waiting = this.#waiting
    const readToMs = this.#readToMs
    if (readToMs === null) return
    const aboveMs = readToMs - lateMs
    if (waiting.isFillsCut) {
      await this.#patiently(() => this.#file.addGap({ aboveMs, belowMs: null }))
      waiting.isFillsCut = false
      this.#wake.abort()
    }
    const fills = waiting.fills.toSorted((left, right) => newestFillFirst(right, left))
    const [first] = fills
    if (first === undefined) return
    if (first.timestampMs > readToMs) {
      await this.#patiently(() => this.#file.addGap({ aboveMs, belowMs: first.timestampMs }))
      this.#wake.abort()
    }
    waiting.fills = []
    for (let at = 0; at < fills.length; at += rowsAtOnce)
      await this.#patiently(() => this.#file.putFills(fills.slice(at, at + rowsAtOnce)))
    const newestMs = newestFillMs(fills, this.#latestMs())
    if (newestMs !== null) this.#readToMs = Math.max(readToMs, Math.min(newestMs, this.#latestMs()))
  }

  /**
   * Writes what trades were worth, once all fills before them are there: what was realized by them stays as it is,
   * whatever becomes of the bars.
   */
  async #fixFills(): Promise<void> {
    for (let isMore = true; isMore; ) {
      await this.#patiently(() => {
        isMore = this.#file.isFillsWhole && this.#file.values.fixFills(rowsAtOnce)
      })
      if (isMore) await nextTurn()
    }
  }

  /** Writes the fees of withdrawals at their worth, when the fills up to them are polled and written. */
  async #fixFees(): Promise<void> {
    const [file, waiting] = [this.#file, this.#waiting]
    if (!file.isFillsWhole) return
    const { clock, toUtcMs } = this.#options
    const beforeMs = toUtcMs(clock.now()) - minuteMs
    const { withdrawals } = waiting
    if (withdrawals === null || withdrawals === this.#feesOf) return
    for (const { currency, fee, timestampMs, state } of withdrawals) {
      const isFree = fee === null || fee.isZero() || currency === valueCurrency
      if (isFree || state !== 'COMPLETED' || timestampMs === null || timestampMs > beforeMs) continue
      if (file.values.fixed(currency, timestampMs) === undefined)
        await this.#patiently(() => file.values.fix(currency, timestampMs))
    }
    if (withdrawals.every(({ timestampMs }) => (timestampMs ?? 0) <= beforeMs)) this.#feesOf = withdrawals
    this.#isWithFees = true
  }

  #patiently(work: () => void): Promise<void> {
    const { clock, onBusy } = this.#options
    return patiently(work, { clock, signal: this.#signal, onBusy })
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
    const { client, mayBeginAnew, clock, tell, emit, onBusy } = this.#options
    const file = this.#file
    const context = { clock, signal: this.#signal, onBusy }
    const isFirst = this.#readToMs === null
    if (isFirst) {
      const latest = { latestMs: this.#latestMs(), signal: this.#signal }
      if (mayBeginAnew && !(await isSameExchange(client, file, latest))) {
        this.#stop({ kind: 'anew' })
        return
      }
      const newest = file.newestFill(this.#latestMs())
      const aboveMs = newest === null ? null : newest.timestampMs - lateMs
      await this.#patiently(() => file.addGap({ aboveMs, belowMs: null }))
    }
    const before = file.fillCount()
    let isTold = false
    const onPage = (unreadableCount: number) => {
      // The first page is that of the newest.
      this.#readToMs ??= file.newestFill(this.#latestMs())?.timestampMs ?? 0
      const readCount = file.fillCount()
      emit({ type: 'historyProgress', readCount, isWhole: this.#isWhole })
      if (unreadableCount > 0) tell('warn', `History: ${unreadableCount} of the listed fills cannot be read.`)
      if (isTold || readCount - before < toldFrom) return
      isTold = true
      tell('info', 'History: all own fills are read once, in the background.')
    }
    await readMissingFills(client, file, { ...context, onPage })
    await this.#fixFills()
    emit({ type: 'historyProgress', readCount: file.fillCount(), isWhole: this.#isWhole })
    if (isTold && !this.#signal.aborted && file.isFillsWhole)
      tell('info', `History: all own fills are read, ${file.fillCount()}.`)
    if (!isFirst) await this.#readLate(context)
    this.#tellFull('fills', file.fillCount(), recordedFillsMax)
    await readMissingOrders(client, file, { ...context, isWorkingNow: this.#options.isWorkingNow })
    this.#tellFull('orders', readOrderCount(file), recordedOrdersMax)
  }

  /** Reads what came late since the last time. */
  async #readLate(context: Parameters<typeof readLateFills>[3]): Promise<void> {
    const { client, emit } = this.#options
    const file = this.#file
    const fromMs = Math.max(0, (this.#readToMs ?? 0) - lateAgainMs)
    const count = await readLateFills(client, file, fromMs, context)
    if (count > 0) emit({ type: 'historyProgress', readCount: file.fillCount(), isWhole: this.#isWhole })
  }

  /** All fills are read, and what they were worth is written. */
  get #isWhole(): boolean {
    return this.#file.isFillsWhole && this.#file.values.isComplete
  }

  /** Says once that a list is read no further. */
  #tellFull(what: 'fills' | 'orders', count: number, most: number): void {
    if (this.#fullTold.has(what) || count < most) return
    this.#fullTold.add(what)
    this.#options.tell('warn', `History: ${most} ${what} are recorded and the exchange lists more: no more are read.`)
  }
}

/** What a file fails by; anything else is a bug. */
function historyError(error: unknown): HistoryError {
  if (error instanceof HistoryError) return error
  throw error
}
