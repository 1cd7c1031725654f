import { utcDayStart } from '../../base/text/time-text.ts'
import { zero } from '../../domain/money.ts'
import { beyondSentence } from '../../domain/orders/beyond-order.ts'
import type { CostMethod } from '../../domain/positions/position.ts'
import type { RealizedParts } from '../../domain/positions/realized.ts'
import {
  Bookkeeping,
  type BookkeepingOptions,
  type BookSource,
  type BooksTold,
  type BookTimes,
} from '../../services/history/bookkeeping.ts'
import { exchangeNow } from '../../store/clock.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import type { PositionsEvent, RealizedBy } from '../../store/positions.ts'
import type { DeskOptions } from '../desk-options.ts'
import { type Booked, createBalanceCheck } from './balance-check.ts'

const timesOf = (state: DeskState): BookTimes => ({
  dayStartMs: utcDayStart(exchangeNow(state)),
  sessionStartMs: state.session.startedAtMs + state.ahead.exchangeMs,
  nowMs: exchangeNow(state),
})

/** The exchange's data for the books; null while some of it is not loaded. */
function sourceOf({ instruments, deposits, withdrawals, statedCosts }: DeskState): BookSource | null {
  if (instruments.value === null || deposits.value === null || withdrawals.value === null) return null
  return { rules: instruments.value, deposits: deposits.value, withdrawals: withdrawals.value, statedCosts }
}

const isNews = (state: DeskState, before: DeskState): boolean =>
  state.instruments.value !== before.instruments.value ||
  state.deposits.value !== before.deposits.value ||
  state.withdrawals.value !== before.withdrawals.value ||
  state.statedCosts !== before.statedCosts ||
  timesOf(state).dayStartMs !== timesOf(before).dayStartMs

function gainsOf({ byCurrency, bySymbol }: RealizedParts): RealizedBy {
  const symbol = [...bySymbol].flatMap(([name, sums]) =>
    name === null ? [] : [[name, { ...sums, quantityOfUnknownValue: zero }] as const],
  )
  return { currency: byCurrency, symbol: new Map(symbol) }
}

function eventOf(told: BooksTold, method: CostMethod, atMs: number): PositionsEvent {
  if (told.kind === 'reading') return { type: 'positionsReading', reading: told.reading }
  if (told.kind === 'unknown') return { type: 'positionsUnknown', why: told.why, atMs }
  const { positions, stated } = told.standing
  const bySymbol = new Map(
    [...told.standing.bySymbol].flatMap(([symbol, held]) => (symbol === null ? [] : [[symbol, held] as const])),
  )
  const { today, session, all } = told.standing
  const realized = { today: gainsOf(today), session: gainsOf(session), all: gainsOf(all) }
  const reckoned = { method, positions, bySymbol, realized, stated, missing: told.missing }
  return { type: 'positionsReckoned', reckoned, atMs }
}

type KeptOptions = Pick<DeskOptions, 'clock'> & Required<Pick<DeskOptions, 'history' | 'costMethod'>>

/**
 * Keeps the account's books for the screen, from the recorded history and polled data. This is where history and lots
 * meet the store.
 */
export function keepPositions(
  { history, costMethod: method, clock }: KeptOptions,
  { store, signal, onDamage }: { store: DeskStore; signal: AbortSignal } & Pick<BookkeepingOptions, 'onDamage'>,
): Bookkeeping {
  const check = createBalanceCheck()
  let doubts: readonly string[] = []
  let standing: (Extract<BooksTold, { kind: 'standing' }> & Booked) | null = null
  /** Adds the differences between books and balances. */
  const dispatch = (told: BooksTold) => {
    const beyond = store.getState().beyondFills.map(beyondSentence)
    const whole = told.kind === 'standing' ? { ...told, missing: [...told.missing, ...doubts, ...beyond] } : told
    store.dispatch(eventOf(whole, method, clock.now()))
  }
  const books = new Bookkeeping({
    open: history.open,
    method,
    clock,
    signal,
    source: () => sourceOf(store.getState()),
    times: () => timesOf(store.getState()),
    heldBack: () => new Set(store.getState().beyondFills.map(({ fill }) => fill.execId)),
    ...(onDamage === undefined ? {} : { onDamage }),
    tell(told) {
      standing = told.kind === 'standing' ? { ...told, atMs: clock.now(), booked: told.standing.booked } : null
      dispatch(told)
    },
  })
  store.subscribe((state, before) => {
    if (isNews(state, before) || state.beyondFills !== before.beyondFills) books.wake()
    if (standing === null) return
    const known = doubts
    if (state.balances !== before.balances || state.nowMs !== before.nowMs) doubts = check(state, standing)
    if (doubts !== known || state.beyondFills !== before.beyondFills) dispatch(standing)
  })
  return books
}
