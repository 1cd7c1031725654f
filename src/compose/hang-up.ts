import type { Clock } from '../base/clock.ts'
import { mayCancel, nextMode } from '../domain/desk/mode.ts'
import { cancelAtHangUp, type OrderEntry } from '../services/orders/order-entry.ts'
import type { DeskStore } from '../store/desk.ts'
import type { HangUpEnd } from '../store/quit.ts'
import { hangUpOf } from '../store/terminal.ts'
import type { UnderWay } from './under-way.ts'

type Parts = { store: DeskStore; orders: Pick<OrderEntry, 'cancelAll'>; clock: Clock; underWay: UnderWay }

/**
 * The desk's terminal is gone: nothing new goes out from here on, also not what is prepared and would follow, and if it
 * is so set every order is canceled. Resolves when that is done or its time is over; what it came to is in the journal
 * too.
 */
export async function hangUp({ store, orders, clock, underWay }: Parts): Promise<HangUpEnd> {
  const before = store.getState()
  const { mode } = before
  if (!mayCancel(mode)) return { kind: 'kept' }
  const startedAtMs = clock.now()
  store.dispatch({ type: 'modeChanged', mode: nextMode(mode, 'halt'), atMs: startedAtMs })
  if (hangUpOf(before) === 'keep') return { kind: 'kept' }
  const context = { orders, clock, writesUnderWay: underWay.count, writesEnded: underWay.ended }
  return { kind: 'canceled', isConfirmed: await cancelAtHangUp(context), startedAtMs }
}
