import type { HttpFailure } from './errors.ts'
import { notSent } from './http-call.ts'
import { isDecision, isOrderOrMoney } from './hub-interface.ts'
import type { TransportOptions, TransportRequest } from './transport.ts'

const readOnly = notSent('readOnly', 'the desk may only read now: nothing was sent')
const halted = notSent('halted', 'the desk was halted: nothing was sent')

/**
 * Why the desk itself does not send a request at this moment; null when it does. Asked when a call is made, and again
 * right before its first byte: everything but GET needs permission, and a halt stops orders and money.
 */
export function heldBack(
  { mayWrite, mayDecide = () => false, isHalted = () => false }: TransportOptions,
  { method, path }: TransportRequest,
): HttpFailure | null {
  if (method === 'GET') return null
  if (!mayWrite() && !(isDecision(method, path) && mayDecide())) return readOnly
  return isOrderOrMoney({ method, path }) && isHalted() ? halted : null
}
