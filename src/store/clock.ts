import type { CallUse } from '../domain/desk/events.ts'
import { dayNowMs } from '../domain/limits.ts'

/**
 * How far other clocks are ahead of the desk's own time, in ms: the wall clock, and the exchange's. What is dated is
 * shown and compared by theirs; ages of what the desk has seen itself never are.
 */
export type Ahead = { wallMs: number; exchangeMs: number }

/** The desk's own time, and what it knows of other clocks. */
export type ClockSlice = {
  /**
   * The desk's own time as of the last tick (see `Clock`): ages are reckoned from it. Every `atMs` of the desk is in
   * it.
   */
  nowMs: number
  ahead: Ahead
  /** When the desk last stood still, as far as it noticed. */
  standstill: { fromMs: number; toMs: number } | null
  /** `skewMs`: how far the exchange's clock is ahead of the desk's time, by its last dates; null while it gave none. */
  connection: { roundTripMs: number | null; skewMs: number | null }
}

/** The clocks of a desk that starts at `nowMs`; the exchange's is taken for the wall clock's until it has told. */
export function startClock(nowMs: number, wallMs: number = nowMs): ClockSlice {
  const aheadMs = wallMs - nowMs
  return {
    nowMs,
    ahead: { wallMs: aheadMs, exchangeMs: aheadMs },
    standstill: null,
    connection: { roundTripMs: null, skewMs: null },
  }
}

/** How many ms since then the desk stood still, as far as it remembers: in them nobody was asked anything. */
export function stoodSinceMs(atMs: number, { standstill }: Pick<ClockSlice, 'standstill'>): number {
  return standstill === null ? 0 : Math.max(0, standstill.toMs - Math.max(standstill.fromMs, atMs))
}

/** What the wall clock says as of the last tick: the day and hour that a person reads. */
export const wallNow = ({ nowMs, ahead }: Pick<ClockSlice, 'nowMs' | 'ahead'>): number => nowMs + ahead.wallMs

/** What the exchange's clock says as of the last tick: for what the exchange has dated, and for its day. */
export const exchangeNow = ({ nowMs, ahead }: Pick<ClockSlice, 'nowMs' | 'ahead'>): number => nowMs + ahead.exchangeMs

/** A moment at `nowMs` of the day whose sums limit what is sent: see `dayNowMs`. */
export const limitDayNow = ({ ahead }: Pick<ClockSlice, 'ahead'>, nowMs: number): number =>
  dayNowMs(nowMs + ahead.wallMs, ahead.exchangeMs - ahead.wallMs)

/** How far the exchange's clock is ahead of the wall clock; null while it is not known. */
export const wallSkewMs = ({
  connection: { skewMs },
  ahead,
}: Pick<ClockSlice, 'ahead' | 'connection'>): number | null => (skewMs === null ? null : skewMs - ahead.wallMs)

/**
 * `wallMs`: what the wall clock says; left out where it runs with the desk's time. `calls`: how the desk's budget of
 * calls is used just now, also while nothing answers.
 */
export type TickedEvent = { type: 'ticked'; nowMs: number; wallMs?: number; calls?: CallUse }
