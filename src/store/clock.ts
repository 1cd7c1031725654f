import type { CallUse } from '../domain/desk/events.ts'
import { dayNowMs } from '../domain/limits.ts'

/**
 * How far the wall clock and the exchange's clock are ahead of desk time, in ms. Dates are shown and compared by these
 * clocks; ages of the desk's own observations are not.
 */
export type Ahead = { wallMs: number; exchangeMs: number }

/** Desk time, and what is known of other clocks. */
export type ClockSlice = {
  /** Desk time at the last tick (see `Clock`), for ages. Every `atMs` of the desk is in desk time. */
  nowMs: number
  ahead: Ahead
  /** The last time the desk was stopped, if it noticed. */
  standstill: { fromMs: number; toMs: number } | null
  /** `skewMs`: how far the exchange's clock is ahead of desk time by its last dates, in ms; null while unknown. */
  connection: { roundTripMs: number | null; skewMs: number | null }
}

/** The clocks of a desk that starts at `nowMs`; the exchange's is taken to be the wall clock until its first date. */
export function startClock(nowMs: number, wallMs: number): ClockSlice {
  const aheadMs = wallMs - nowMs
  return {
    nowMs,
    ahead: { wallMs: aheadMs, exchangeMs: aheadMs },
    standstill: null,
    connection: { roundTripMs: null, skewMs: null },
  }
}

/** Time in ms since `atMs` that the desk was stopped, if it remembers: nothing was polled in it. */
export function stoodSinceMs(atMs: number, { standstill }: Pick<ClockSlice, 'standstill'>): number {
  return standstill === null ? 0 : Math.max(0, standstill.toMs - Math.max(standstill.fromMs, atMs))
}

/** Wall clock time at the last tick: the day and hour that the user reads. */
export const wallNow = ({ nowMs, ahead }: Pick<ClockSlice, 'nowMs' | 'ahead'>): number => nowMs + ahead.wallMs

/** Exchange time at the last tick: for dates by the exchange, and its day. */
export const exchangeNow = ({ nowMs, ahead }: Pick<ClockSlice, 'nowMs' | 'ahead'>): number => nowMs + ahead.exchangeMs

/** A moment of the day whose sums limit writes, at `nowMs`: see `dayNowMs`. */
export const limitDayNow = ({ ahead }: Pick<ClockSlice, 'ahead'>, nowMs: number): number =>
  dayNowMs(nowMs + ahead.wallMs, ahead.exchangeMs - ahead.wallMs)

/** How far the exchange's clock is ahead of the wall clock, in ms; null when unknown. */
export const wallSkewMs = ({
  connection: { skewMs },
  ahead,
}: Pick<ClockSlice, 'ahead' | 'connection'>): number | null => (skewMs === null ? null : skewMs - ahead.wallMs)

/**
 * `wallMs`: wall clock time; missing when it runs with desk time. `calls`: the present use of calls, also without
 * answers.
 */
export type TickedEvent = { type: 'ticked'; nowMs: number; wallMs?: number; calls?: CallUse }
