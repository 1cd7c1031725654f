import type { WriteEvent } from '../../domain/desk/events.ts'
import { isOpenEnded } from '../../domain/orders/exposure.ts'
import { scopeText } from '../../domain/orders/order.ts'
import type { ModeSlice } from '../mode.ts'
import type { WritesSlice } from './writes.ts'

/**
 * The client order ids of orders on their way, or of unknown outcome, in a symbol or in all; those of earlier desks
 * among them. A cancel of all may not meet them.
 */
export function onTheirWay(
  { sentOrders, unknownWrites }: Pick<WritesSlice, 'sentOrders' | 'unknownWrites'>,
  symbol: string | null,
): string[] {
  const isMeant = (of: string | null) => symbol === null || of === null || of === symbol
  const unknown = unknownWrites.filter((write) => write.kind === 'order' && isMeant(write.symbol))
  const sent = sentOrders.filter((order) => isOpenEnded(order) && isMeant(order.draft.symbol))
  return [...new Set([...unknown.map(({ key }) => key), ...sent.map(({ clientOrderId }) => clientOrderId)])]
}

/** The record of passed orders after a write event. A cancel of all that never left has passed none. */
export function withPassedOrders<S extends ModeSlice & WritesSlice>(state: S, event: WriteEvent): S {
  if (event.type === 'cancelAllSent') {
    const { symbol, atMs } = event
    const open = new Set(onTheirWay(state, null))
    const before = state.passedOrders.filter(({ clientOrderId }) => open.has(clientOrderId))
    const isHalted = state.mode.kind === 'HALTED'
    const passed = onTheirWay(state, symbol).map((clientOrderId) => ({ clientOrderId, symbol, isHalted, atMs }))
    return { ...state, passedOrders: [...before, ...passed] }
  }
  if (event.type !== 'cancelNotSent' || event.all === undefined) return state
  const { symbol, sentAtMs } = event.all
  const passedOrders = state.passedOrders.filter((each) => each.symbol !== symbol || each.atMs !== sentAtMs)
  return { ...state, passedOrders }
}

/** The cancel of all that an order was on its way at, in words; null without one. */
export function passedByOf({ passedOrders }: Pick<WritesSlice, 'passedOrders'>, clientOrderId: string): string | null {
  const passed = passedOrders.findLast((each) => each.clientOrderId === clientOrderId)
  return passed === undefined ? null : `the cancel of all orders of ${scopeText(passed.symbol)}`
}

/** True for an order that a HALTED desk cancels by itself once it turns out to work. */
export const isFollowed = ({ mode, passedOrders }: ModeSlice & WritesSlice, clientOrderId: string): boolean =>
  mode.kind === 'HALTED' && passedOrders.some((each) => each.clientOrderId === clientOrderId && each.isHalted)
