import { err, ok, type Result } from '../../../base/result.ts'
import type { GatewayOrderState } from '../../../domain/gateway/event.ts'
import { isEnded } from '../../../domain/gateway/order.ts'

/** Which states may follow each; the first is that of a life that goes well. */
const following: Readonly<Record<GatewayOrderState, readonly GatewayOrderState[]>> = {
  PENDING: ['WITHDRAWING', 'FAILED'],
  WITHDRAWING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

/** The state an order goes on to: `wanted`, or the next of a life that goes well. The error is a clause. */
export function stepFrom(state: GatewayOrderState, wanted?: GatewayOrderState): Result<GatewayOrderState> {
  if (isEnded(state)) return err(`the order has ended: ${state}`)
  const allowed = following[state]
  const next = wanted ?? allowed[0]
  if (next !== undefined && allowed.includes(next)) return ok(next)
  return err(`an order that is ${state} goes on to ${allowed.join(' or ')}`)
}
