import type { ExchangeClient } from '../../api/exchange-client.ts'
import { isNotFound } from '../../api/exchange-error.ts'
import type { NewsLevel } from '../../domain/desk-events.ts'
import { isWorking, type Order } from '../../domain/order.ts'
import type { UnsettledQuestion } from '../../domain/unsettled.ts'
import type { Settlement } from '../../journal/entry.ts'

/** What a look at the exchange says of an open entry. */
export type Finding =
  | { kind: 'settled'; settlement: Settlement; sentence: string; level: NewsLevel; order: Order | null }
  /** It is not there, or not there yet. `ifSure` is what a second such look, late enough, makes of it. */
  | { kind: 'absent'; ifSure: Finding }
  | { kind: 'asks'; question: UnsettledQuestion }

const byExchange = (how: Settlement['how'], id: string | null, evidence: string): Settlement => ({
  how,
  by: 'exchange',
  id,
  evidence,
})

/** An order that was found under the client order id of the entry. */
export function foundOrder(order: Order): Finding {
  const { orderId, clientOrderId, status } = order
  const name = orderId ?? clientOrderId
  const evidence = `the exchange lists order ${name} (${clientOrderId}) as ${status}`
  if (status === 'REJECTED') {
    const sentence = `Found: order ${name} was rejected: ${order.text ?? 'no reason given'}. Nothing was placed.`
    return { kind: 'settled', settlement: byExchange('rejected', orderId, evidence), sentence, level: 'warn', order }
  }
  const state = isWorking(order) ? 'is working' : `is ${status}`
  const sentence = `Found: order ${name} was placed and ${state}.`
  return { kind: 'settled', settlement: byExchange('placed', orderId, evidence), sentence, level: 'good', order }
}

/** No list of the exchange has the order: that it was not placed is for a person to say. */
export function absentOrder(clientOrderId: string): Finding {
  const evidence =
    `Order ${clientOrderId} is neither among the working orders nor the filled, cancelled, expired and rejected ones, nor in ` +
    'the list of the matching engine; the exchange answered each question, twice.'
  return { kind: 'absent', ifSure: { kind: 'asks', question: { evidence, verdicts: ['notPlaced'] } } }
}

export type CancelClient = Pick<ExchangeClient, 'fetchOrder' | 'fetchOrders'>

/** What the order's own status says of a cancel. Throws `ExchangeError` when the exchange does not answer. */
export async function lookAtCancel(client: CancelClient, orderId: string, signal: AbortSignal): Promise<Finding> {
  let order: Order
  try {
    order = await client.fetchOrder(orderId, signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const evidence = `the exchange knows no order ${orderId}`
    const sentence = `The exchange knows no order ${orderId}: there is nothing to cancel.`
    const settlement = byExchange('notCanceled', orderId, evidence)
    return { kind: 'settled', settlement, sentence, level: 'warn', order: null }
  }
  return isWorking(order) ? stillWorking(order, orderId) : endedOrder(order, orderId)
}

/** An order that has ended settles a cancel of it, whether it was the cancel that ended it or not. */
export function endedOrder(order: Order, orderId: string): Finding {
  const how = order.status === 'CANCELED' ? 'canceled' : 'notCanceled'
  const settlement = byExchange(how, orderId, `the exchange reports order ${orderId} as ${order.status}`)
  const sentence = `The cancel of ${orderId} is settled: the order is ${order.status}.`
  return { kind: 'settled', settlement, sentence, level: 'good', order: null }
}

function stillWorking({ status }: Order, orderId: string): Finding {
  const settlement = byExchange('notCanceled', orderId, `the exchange reports order ${orderId} as ${status}, twice`)
  const sentence = `The cancel of ${orderId} did not take effect: the order is ${status}. Cancel it again if it is to go.`
  return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'warn', order: null } }
}

/** What the list of working orders says of a cancel of all in `symbol`, or everywhere. */
export function lookAtCancelAll(working: readonly Order[], symbol: string | null): Finding {
  const left = working.filter((order) => symbol === null || order.symbol === symbol)
  const scope = symbol ?? 'every symbol'
  if (left.length === 0) {
    const sentence = `The cancel of all orders in ${scope} took effect: none is working.`
    const settlement = byExchange('canceled', null, `the exchange lists no working order in ${scope}`)
    return { kind: 'settled', settlement, sentence, level: 'good', order: null }
  }
  const many = left.length === 1 ? '1 order is' : `${left.length} orders are`
  const sentence = `After the cancel of all in ${scope} ${many} working: see the list, and cancel again what is to go.`
  const settlement = byExchange('notCanceled', null, `the exchange lists ${left.length} working in ${scope}, twice`)
  return { kind: 'absent', ifSure: { kind: 'settled', settlement, sentence, level: 'warn', order: null } }
}
