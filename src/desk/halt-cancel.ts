import type { Clock } from '../base/clock.ts'
import { mayCancel, nextMode } from '../domain/desk/mode.ts'
import { isWorking } from '../domain/orders/order.ts'
import { isUntaken } from '../domain/orders/order-outcome.ts'
import { cancelKey } from '../domain/unknown-write.ts'
import { cancelPauseMs } from '../services/blind-switch.ts'
import { cancelAtHangUp } from '../services/orders/hang-up.ts'
import type { OrderEntry } from '../services/orders/order-entry.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { feedOf, tellingFeeds } from '../store/feeds/feeds.ts'
import type { HangUpEnd } from '../store/quit.ts'
import { hangUpOf } from '../store/terminal.ts'
import { onTheirWay } from '../store/writes/passed-orders.ts'
import type { InFlight } from './in-flight.ts'

type Parts = {
  orders: Pick<OrderEntry, 'cancelAll' | 'cancel'>
  store: Pick<DeskStore, 'getState' | 'subscribe'>
  clock: Pick<Clock, 'sleep'>
  /** Aborted when the desk ends: no further try. */
  signal: AbortSignal
}

/**
 * True when a failed feed has answered: the exchange is back. An answer without a failure before it proves nothing:
 * behind a hub reads continue while nothing can be sent.
 */
const isBack = (before: DeskState, state: DeskState): boolean =>
  tellingFeeds.some((name) => feedOf(before, name).failure !== null && feedOf(state, name).failure === null)

/**
 * Cancels, by their ids, orders that were on their way at a halt and turn out to work, while the desk stays HALTED:
 * they may have arrived behind its cancel. Another cancel of all would be about what others place meanwhile. One that
 * was not sent, or refused for too many calls, is retried after a pause, but not while what came of it is looked for.
 * Call the function with the client order ids.
 */
function createLateCancel({ orders, store, clock, signal }: Parts): (ids: readonly string[]) => void {
  const awaited = new Set<string>()
  /** The exchange's ids of those whose cancel was sent, or is tried. One that arrived twice has two. */
  const canceling = new Set<string>()
  const isLeft = (clientOrderId: string, orderId: string) =>
    !signal.aborted &&
    awaited.has(clientOrderId) &&
    store.getState().orders.value?.some((order) => order.orderId === orderId && isWorking(order)) === true
  /** Its last cancel may have taken effect, and that is not looked for to the end yet. */
  const isChecked = (orderId: string) =>
    store.getState().unknownWrites.some(({ key, question }) => key === cancelKey(orderId) && question === null)
  const cancel = async (clientOrderId: string, orderId: string) => {
    for (let tries = 1; isLeft(clientOrderId, orderId); tries += 1) {
      if (!isUntaken(await orders.cancel(orderId, { isAgain: tries > 1 }))) return
      do await clock.sleep(cancelPauseMs(tries), signal)
      while (isChecked(orderId) && isLeft(clientOrderId, orderId))
    }
    canceling.delete(orderId)
  }
  const look = ({ orders: { value }, mode }: DeskState) => {
    if (mode.kind !== 'HALTED') return awaited.clear()
    for (const { clientOrderId, orderId } of awaited.size === 0 ? [] : (value?.filter(isWorking) ?? [])) {
      if (!awaited.has(clientOrderId) || orderId === null || canceling.has(orderId)) continue
      canceling.add(orderId)
      // Not inside of the change that tells of it.
      queueMicrotask(() => void cancel(clientOrderId, orderId))
    }
  }
  store.subscribe((state, before) => {
    if (state.orders !== before.orders || state.mode !== before.mode) look(state)
  })
  return (ids) => {
    for (const clientOrderId of ids) awaited.add(clientOrderId)
    look(store.getState())
  }
}

/** A cancel that is retried, until another one of the same orders replaces it. */
type Held = { symbol: string | null; replaced: AbortController }

/**
 * Cancels all orders of a symbol, of all symbols for null. On a HALTED desk a cancel that was not sent, or refused for
 * too many calls, is retried while the desk stays HALTED: whoever halts wants the orders gone, and canceling twice is
 * harmless. It retries after a pause, and at once when the exchange answers again. A later cancel of the same orders
 * replaces a waiting one. What was on its way when it left is canceled when it turns out to work.
 * Resolves when a cancel was taken or otherwise answered, or is no longer wanted.
 */
export function createHeldCancel(parts: Parts): (symbol: string | null) => Promise<void> {
  const { orders, store, clock } = parts
  const waiting = new Set<Held>()
  const cancelLate = createLateCancel(parts)
  return async (symbol) => {
    for (const held of waiting) if (symbol === null || symbol === held.symbol) held.replaced.abort()
    const held: Held = { symbol, replaced: new AbortController() }
    const over = AbortSignal.any([parts.signal, held.replaced.signal])
    const isWanted = () => store.getState().mode.kind === 'HALTED' && !over.aborted
    waiting.add(held)
    let answered = new AbortController()
    // Also during a try: one that began before the exchange was back is repeated at once.
    const unsubscribe = store.subscribe((state, before) => {
      if (isBack(before, state)) answered.abort()
    })
    try {
      for (let tries = 1; ; tries += 1) {
        answered = new AbortController()
        const late = onTheirWay(store.getState(), symbol)
        const outcome = await orders.cancelAll(symbol)
        if (!isWanted()) return
        if (!isUntaken(outcome)) return cancelLate(late)
        await clock.sleep(cancelPauseMs(tries), AbortSignal.any([over, answered.signal]))
        if (!isWanted()) return
        if (answered.signal.aborted) tries = 0
      }
    } finally {
      unsubscribe()
      waiting.delete(held)
    }
  }
}

type HangUpParts = { store: DeskStore; orders: Pick<OrderEntry, 'cancelAll'>; clock: Clock; inFlight: InFlight }

/**
 * Handles a lost terminal: nothing new is sent, including prepared follow-ups, and if set every order is canceled.
 * Resolves when that is done or its time is over; the result is also in the journal.
 */
export async function hangUp({ store, orders, clock, inFlight }: HangUpParts): Promise<HangUpEnd> {
  const before = store.getState()
  const { mode } = before
  if (!mayCancel(mode)) return { kind: 'kept' }
  const startedAtMs = clock.now()
  store.dispatch({ type: 'modeChanged', mode: nextMode(mode, 'halt'), atMs: startedAtMs })
  if (hangUpOf(before) === 'keep') return { kind: 'kept' }
  const context = { orders, clock, writesUnderWay: inFlight.count, writesEnded: inFlight.ended }
  return { kind: 'canceled', isConfirmed: await cancelAtHangUp(context), startedAtMs }
}
