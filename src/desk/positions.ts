import type { Clock } from '../base/clock.ts'
import { utcDayStart } from '../base/time-text.ts'
import { exchangeNow } from '../store/clock.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import type { ReckonedPositions } from '../store/positions.ts'

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

/**
 * Has the positions reckoned at once, and again whenever fills or transfers came or a UTC day began; where they could
 * not be, at every tick until they are. Here is where history and lots come together with the screen.
 */
export function followPositions(store: DeskStore, reckon: ReckonPositions | undefined, clock: Clock): void {
  if (reckon === undefined) return
  let isDue = true
  const take = () => {
    const state = store.getState()
    const reckoned = reckon(state, timesOf(state))
    isDue = reckoned === null
    if (reckoned !== null) store.dispatch({ type: 'positionsReckoned', reckoned, atMs: clock.now() })
  }
  store.subscribe((state, before) => {
    const isNews =
      state.fills.value !== before.fills.value ||
      state.deposits.value !== before.deposits.value ||
      state.withdrawals.value !== before.withdrawals.value ||
      timesOf(state).dayStartMs !== timesOf(before).dayStartMs
    if (isNews || (isDue && state.nowMs !== before.nowMs)) take()
  })
  take()
}
