import type { Clock } from '../base/clock.ts'
import { mayCancel, nextMode } from '../domain/desk/mode.ts'
import { cancelAtHangUp } from '../services/orders/hang-up.ts'
import type { OrderEntry } from '../services/orders/order-entry.ts'
import type { DeskStore } from '../store/desk.ts'
import type { HangUpEnd } from '../store/quit.ts'
import { hangUpOf } from '../store/terminal.ts'
import type { InFlight } from './in-flight.ts'

type Parts = { store: DeskStore; orders: Pick<OrderEntry, 'cancelAll'>; clock: Clock; inFlight: InFlight }

/**
 * Handles a lost terminal: nothing new is sent, including prepared follow-ups, and if set every order is canceled.
 * Resolves when that is done or its time is over; the result is also in the journal.
 */
export async function hangUp({ store, orders, clock, inFlight }: Parts): Promise<HangUpEnd> {
  const before = store.getState()
  const { mode } = before
  if (!mayCancel(mode)) return { kind: 'kept' }
  const startedAtMs = clock.now()
  store.dispatch({ type: 'modeChanged', mode: nextMode(mode, 'halt'), atMs: startedAtMs })
  if (hangUpOf(before) === 'keep') return { kind: 'kept' }
  const context = { orders, clock, writesUnderWay: inFlight.count, writesEnded: inFlight.ended }
  return { kind: 'canceled', isConfirmed: await cancelAtHangUp(context), startedAtMs }
}
