import type { Clock } from '../base/clock.ts'
import type { OrderEntry } from '../services/orders/order-entry.ts'
import type { DeskStore } from '../store/desk.ts'

type Parts = {
  orders: Pick<OrderEntry, 'cancelAll'>
  store: Pick<DeskStore, 'getState'>
  clock: Pick<Clock, 'sleep'>
  /** Aborted when the desk ends: no try follows any more. */
  signal: AbortSignal
}

/** A cancel that was not sent is tried again, after pauses that grow by `pauseMs` up to `pauseMaxMs`. */
const pauseMs = 2_000
const pauseMaxMs = 15_000

/**
 * Cancels all orders of a symbol, of every one where it is null. On a HALTED desk a cancel that did not leave is tried
 * again until it does, as long as the desk is HALTED: who halts wants the orders gone, and to cancel twice does no
 * harm. Resolves when a cancel has left, or is no longer wanted.
 */
export async function cancelAllHeld(symbol: string | null, { orders, store, clock, signal }: Parts): Promise<void> {
  const isHalted = () => store.getState().mode.kind === 'HALTED' && !signal.aborted
  for (let tries = 1; ; tries += 1) {
    const { kind } = await orders.cancelAll(symbol)
    if (kind !== 'notSent' || !isHalted()) return
    await clock.sleep(Math.min(pauseMs * tries, pauseMaxMs), signal)
    if (!isHalted()) return
  }
}
