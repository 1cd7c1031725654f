import { type Clock, nextTurn } from '../base/clock.ts'
import { utcDayStart } from '../base/time-text.ts'
import type { HistoryEvent } from '../domain/desk/events.ts'
import { zero } from '../domain/money.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { compareIds } from '../domain/orders/order.ts'
import { positionsOf } from '../domain/positions/lots.ts'
import { usdAtFromFills } from '../domain/positions/own-prices.ts'
import type { CostMethod } from '../domain/positions/position.ts'
import { realizedIn } from '../domain/positions/realized.ts'
import type { HistoryFile } from '../history/history-file.ts'
import { usdAtFrom } from '../history/usd-at.ts'
import { exchangeNow } from '../store/clock.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import type { RealizedBy, ReckonedPositions } from '../store/positions.ts'
import type { DeskHistory } from './desk-options.ts'

/** The beginnings of what counts as today and as this session, by the exchange's clock, and now. */
export type PositionTimes = { dayStartMs: number; sessionStartMs: number; nowMs: number }

/**
 * Reckons the account's positions from all that it ever did, the newest fills and transfers of the state among it; null
 * while that is not read yet.
 */
export type ReckonPositions = (state: DeskState, times: PositionTimes) => ReckonedPositions | null

const timesOf = (state: DeskState): PositionTimes => ({
  dayStartMs: utcDayStart(exchangeNow(state)),
  sessionStartMs: state.session.startedAtMs + state.ahead.exchangeMs,
  nowMs: exchangeNow(state),
})

/** Reckoning takes the desk's thread at most this share of the time: an account of many fills waits between two. */
const shareMost = 0.02

/**
 * Has the positions reckoned at once, and again whenever fills, transfers or stated costs came or a UTC day began;
 * where they could not be, at every tick until they are. Here is where history and lots come together with the screen.
 */
export function followPositions(store: DeskStore, reckon: ReckonPositions | undefined, clock: Clock): void {
  if (reckon === undefined) return
  let isDue = true
  let notBeforeMs = Number.NEGATIVE_INFINITY
  const take = () => {
    const state = store.getState()
    const startMs = clock.now()
    if (startMs < notBeforeMs) return
    const reckoned = reckon(state, timesOf(state))
    isDue = reckoned === null
    if (reckoned === null) return
    notBeforeMs = clock.now() + (clock.now() - startMs) / shareMost
    store.dispatch({ type: 'positionsReckoned', reckoned, atMs: clock.now() })
  }
  store.subscribe((state, before) => {
    const isNews =
      state.fills.value !== before.fills.value ||
      state.deposits.value !== before.deposits.value ||
      state.withdrawals.value !== before.withdrawals.value ||
      state.statedCosts !== before.statedCosts ||
      timesOf(state).dayStartMs !== timesOf(before).dayStartMs
    isDue ||= isNews
    if (isNews || (isDue && state.nowMs !== before.nowMs)) take()
  })
  take()
}

/** More than these take too long on the thread of the screen: `pitdesk pnl` reckons them. */
const fillsMost = 50_000
const fillsAtOnce = 1_000

const noGains: RealizedBy = { currency: new Map(), symbol: new Map() }

/** Positions from the recorded history, once it is whole, and from what was polled since. */
export class RecordedPositions {
  readonly #history: DeskHistory
  readonly #method: CostMethod
  readonly #signal: AbortSignal
  #isReading = false
  #file: HistoryFile | null = null
  #fills: Fill[] | null = null
  #isTooMany = false

  constructor(history: DeskHistory, method: CostMethod, signal: AbortSignal) {
    this.#history = history
    this.#method = method
    this.#signal = signal
    signal.addEventListener('abort', () => this.#file?.close(), { once: true })
  }

  /** Told by the recorder. Rejects with what a disk does to the file. */
  async observe(event: HistoryEvent): Promise<void> {
    if (event.type !== 'historyProgress' || !event.isWhole || this.#isReading) return
    this.#isReading = true
    this.#isTooMany = event.readCount > fillsMost
    const opened = await this.#history.open({ isReadOnly: true })
    if (!opened.ok || this.#signal.aborted) {
      if (opened.ok) opened.value.close()
      this.#isReading = false
      return
    }
    this.#file = opened.value
    const fills: Fill[] = []
    for (const fill of this.#isTooMany ? [] : opened.value.fills()) {
      fills.push(fill)
      if (fills.length % fillsAtOnce === 0) await nextTurn()
      if (this.#signal.aborted) return
    }
    this.#fills = fills
  }

  reckon: ReckonPositions = (state, { dayStartMs, sessionStartMs, nowMs }) => {
    const [file, fills] = [this.#file, this.#fills]
    const [rules, deposits, withdrawals] = [state.instruments.value, state.deposits.value, state.withdrawals.value]
    if (file === null || fills === null || rules === null || deposits === null || withdrawals === null) return null
    const method = this.#method
    if (this.#isTooMany) {
      const realized = { today: noGains, session: noGains, all: noGains }
      const missing = [`More than ${fillsMost} fills: not reckoned on screen, "pitdesk pnl" does it.`]
      return { method, positions: [], realized, missing }
    }
    const newest = fills.at(-1)?.execId ?? ''
    const since = (state.fills.value ?? []).filter(({ execId }) => newest === '' || compareIds(execId, newest) > 0)
    fills.push(...since.toSorted((left, right) => compareIds(left.execId, right.execId)))
    const usdAt = usdAtFromFills(fills, rules, usdAtFrom(file))
    const history = { fills, deposits, withdrawals }
    const books = positionsOf({ history, rules, method, statedCosts: state.statedCosts, usdAt })
    const gainsSince = (fromMs: number): RealizedBy => {
      const { byCurrency, bySymbol } = realizedIn(books.matches, books.fees, { fromMs, toMs: nowMs })
      const symbol = new Map(
        [...bySymbol].flatMap(([name, { unknownCount: _, ...sums }]) =>
          name === null ? [] : [[name, { ...sums, quantityOfUnknownValue: zero }] as const],
        ),
      )
      return { currency: byCurrency, symbol }
    }
    const realized = { today: gainsSince(dayStartMs), session: gainsSince(sessionStartMs), all: gainsSince(0) }
    return { method, positions: books.positions, realized, missing: books.missing }
  }
}
