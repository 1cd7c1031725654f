import type { HttpFailure } from './errors.ts'
import { notSent } from './http-call.ts'
import { isDecision, isOrderOrMoney } from './hub-interface.ts'
import type { TransportOptions, TransportRequest } from './transport.ts'

const readOnly = notSent('readOnly', 'the desk may only read now: nothing was sent')
const notLeading = notSent('notLeading', 'this hub does not lead just now: nothing was sent')
const halted = notSent('halted', 'the desk was halted: nothing was sent')

/**
 * Why the desk itself does not send a request at this moment; null when it does. Asked when a call is made, and again
 * right before its first byte, since it may wait for its turn: everything but GET needs permission, a halt stops orders
 * and money, and whoever sends may be stopped meanwhile.
 */
export function heldBack(
  { mayWrite, isLeading = () => true, mayDecide = () => false, isHalted = () => false }: TransportOptions,
  { method, path, stoppedNow = () => null }: TransportRequest,
): HttpFailure | null {
  if (method === 'GET') return null
  if (!mayWrite() && !(isDecision(method, path) && mayDecide())) return readOnly
  if (!isLeading()) return notLeading
  if (isOrderOrMoney({ method, path }) && isHalted()) return halted
  const reason = stoppedNow()
  return reason === null ? null : notSent('stopped', reason)
}
