import { doubled } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import type { OrderEntry } from './order-entry.ts'

/** After this many ms without a terminal nothing is retried. */
export const hangUpMaxMs = 20_000
const hangUpPauseMs = 500
const hangUpPauseMaxMs = 4_000

export type HangUpContext = {
  orders: Pick<OrderEntry, 'cancelAll'>
  clock: Clock
  /** How many writes are under way. */
  writesUnderWay: () => number
  /** Resolves when those that are under way have ended, each within the time that a call may take. */
  writesEnded: () => Promise<unknown>
}

/**
 * Cancels every working order because the terminal is gone. A cancel that did not go out, or had no answer, is retried
 * until `hangUpMaxMs` have passed, each try journaled like any other. An order in flight meanwhile may have arrived
 * after the cancel, so one more cancel follows. True once the exchange has confirmed the last one.
 */
export async function cancelAtHangUp(context: HangUpContext): Promise<boolean> {
  const { orders, clock, writesUnderWay, writesEnded } = context
  const startedAtMs = clock.now()
  for (let tries = 0; ; tries += 1) {
    const hadWrites = writesUnderWay() > 0
    const { kind } = await orders.cancelAll(null)
    if (kind === 'canceled' && !hadWrites) return true
    if (hadWrites) await writesEnded()
    const isOver = clock.now() - startedAtMs >= hangUpMaxMs
    // At once: a write that ended during the cancel may have left its order in the book.
    if (kind === 'canceled' && !isOver) continue
    if (isOver) return false
    await clock.sleep(doubled(hangUpPauseMs, tries, hangUpPauseMaxMs))
  }
}
