import { doubled } from '../../base/backoff.ts'
import { type Clock, within } from '../../base/clock.ts'
import type { OrderEntry } from './order-entry.ts'

/** Time in ms without a terminal after which nothing is retried. */
export const hangUpMaxMs = 20_000
const hangUpPauseMs = 500
const hangUpPauseMaxMs = 4_000

export type HangUpContext = {
  orders: Pick<OrderEntry, 'cancelAll'>
  clock: Clock
  /** Number of writes in flight. */
  writesUnderWay: () => number
  /** Resolves when all writes in flight have ended; one that is repeated on a HALTED desk may not. */
  writesEnded: () => Promise<unknown>
}

/**
 * Cancels all working orders because the terminal is gone. A cancel that was not sent or not answered is retried until
 * `hangUpMaxMs`, each attempt journaled. An order in flight may arrive after the cancel, so one more cancel follows.
 * True once the exchange has confirmed the last one.
 */
export async function cancelAtHangUp(context: HangUpContext): Promise<boolean> {
  const { orders, clock, writesUnderWay, writesEnded } = context
  const startedAtMs = clock.now()
  for (let tries = 0; ; tries += 1) {
    const hadWrites = writesUnderWay() > 0
    const { kind } = await orders.cancelAll(null)
    if (kind === 'canceled' && !hadWrites) return true
    if (hadWrites) await within(writesEnded(), startedAtMs + hangUpMaxMs - clock.now(), clock)
    const isOver = clock.now() - startedAtMs >= hangUpMaxMs
    // Again at once: a write that ended during the cancel may have left its order in the book.
    if (kind === 'canceled' && !isOver) continue
    if (isOver) return false
    await clock.sleep(doubled(hangUpPauseMs, tries, hangUpPauseMaxMs))
  }
}
