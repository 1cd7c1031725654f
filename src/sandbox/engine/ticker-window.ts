import { dayMs, minuteMs } from '../../base/text/time-text.ts'

/** Trades up to a moment: `atMs` is the entry's last trade, `ticks` its price, `lots` the entry's sum. */
type TradeEntry = { atMs: number; ticks: number; lots: number }
export type TickerWindowState = {
  lastTicks: number | null
  /** The last price before the oldest entry. */
  beforeTicks: number | null
  entries: readonly TradeEntry[]
}

export const windowMs = dayMs

/**
 * Last price, and volume and price over a sliding 24 hours. Exact to the millisecond while the window holds up to
 * `entriesMax` trades; beyond that, trades of the same minute are merged, so that memory is bounded and the window's
 * edge exact to the minute. Volumes are bigint, because a day's can exceed the safe integers.
 */
export class TickerWindow {
  private lastTicksSeen: number | null
  private beforeTicks: number | null
  private entries: TradeEntry[]
  /** Index of the oldest entry still in the window as of the last trade. */
  private head = 0
  private sumLots = 0n
  private readonly entriesMax: number

  constructor(state: TickerWindowState = { lastTicks: null, beforeTicks: null, entries: [] }, entriesMax = 10_000) {
    this.lastTicksSeen = state.lastTicks
    this.beforeTicks = state.beforeTicks
    this.entries = state.entries.map((entry) => ({ ...entry }))
    this.entriesMax = entriesMax
    for (const entry of this.entries) this.sumLots += BigInt(entry.lots)
  }

  get lastTicks(): number | null {
    return this.lastTicksSeen
  }

  /** Times must not decrease. */
  add(atMs: number, ticks: number, lots: number): void {
    this.lastTicksSeen = ticks
    this.entries.push({ atMs, ticks, lots })
    this.sumLots += BigInt(lots)
    this.dropOld(atMs - windowMs)
    if (this.entries.length - this.head > this.entriesMax) this.drawTogether()
  }

  /** Base volume traded after `atMs` − 24 h. `atMs` must not precede the last trade. Changes nothing. */
  volumeLots(atMs: number): bigint {
    let lots = this.sumLots
    for (let index = this.head; index < this.entries.length; index++) {
      const entry = this.entries[index]
      if (entry === undefined || entry.atMs > atMs - windowMs) break
      lots -= BigInt(entry.lots)
    }
    return lots
  }

  /** The price 24 hours before `atMs`, otherwise the first one since; null before the first trade. */
  priceTicks(atMs: number): number | null {
    let ticks = this.beforeTicks
    for (let index = this.head; index < this.entries.length; index++) {
      const entry = this.entries[index]
      if (entry === undefined || entry.atMs > atMs - windowMs) break
      ticks = entry.ticks
    }
    return ticks ?? this.entries[this.head]?.ticks ?? null
  }

  state(): TickerWindowState {
    return {
      lastTicks: this.lastTicksSeen,
      beforeTicks: this.beforeTicks,
      entries: this.entries.slice(this.head).map((entry) => ({ ...entry })),
    }
  }

  private dropOld(untilMs: number): void {
    for (let oldest = this.entries[this.head]; oldest !== undefined && oldest.atMs <= untilMs; ) {
      this.beforeTicks = oldest.ticks
      this.sumLots -= BigInt(oldest.lots)
      this.head += 1
      oldest = this.entries[this.head]
    }
    // Removed in batches, so that a trade costs the same however long the day was.
    if (this.head > 1_000 && this.head * 2 > this.entries.length) {
      this.entries.splice(0, this.head)
      this.head = 0
    }
  }

  private drawTogether(): void {
    const drawn: TradeEntry[] = []
    for (const entry of this.entries.slice(this.head)) {
      const last = drawn.at(-1)
      const isSameMinute = last !== undefined && Math.floor(last.atMs / minuteMs) === Math.floor(entry.atMs / minuteMs)
      const sum = isSameMinute ? last.lots + entry.lots : 0
      if (isSameMinute && Number.isSafeInteger(sum)) {
        drawn[drawn.length - 1] = { atMs: entry.atMs, ticks: entry.ticks, lots: sum }
      } else drawn.push(entry)
    }
    this.entries = drawn
    this.head = 0
  }
}
