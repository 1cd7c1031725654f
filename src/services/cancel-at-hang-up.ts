import type { Clock } from '../base/clock.ts'
import type { OrderEntry } from './order-entry.ts'

/** A desk that nobody sees any more does not go on for ever: from here on nothing is tried again. */
export const hangUpMostMs = 20_000
const pauseMs = 500
const pauseMostMs = 4_000

export type HangUpContext = {
  orders: Pick<OrderEntry, 'cancelAll'>
  clock: Clock
  /** How many writes are under way. */
  writesUnderWay: () => number
  /** Resolves when those that are under way have ended, each within the time that a call may take. */
  writesEnded: () => Promise<unknown>
}

/**
 * Takes every working order back because the terminal is gone. Nobody is there to press a key again: what did not go
 * out, or had no answer, is tried anew until `hangUpMostMs` have passed, each try journaled like any other. An order
 * that was on its way meanwhile may have come after the cancel, and is taken back by one more. True once the exchange
 * has confirmed the last one.
 */
export async function cancelAtHangUp(context: HangUpContext): Promise<boolean> {
  const { orders, clock, writesUnderWay, writesEnded } = context
  const startedAtMs = clock.now()
  for (let waitMs = pauseMs; ; waitMs = Math.min(waitMs * 2, pauseMostMs)) {
    const hadWrites = writesUnderWay() > 0
    const { kind } = await orders.cancelAll(null)
    if (kind === 'canceled' && !hadWrites) return true
    if (hadWrites) await writesEnded()
    const isOver = clock.now() - startedAtMs >= hangUpMostMs
    // What has just ended is not waited out: its order may be in the book.
    if (kind === 'canceled' && !isOver) continue
    if (isOver) return false
    await clock.sleep(waitMs)
  }
}
