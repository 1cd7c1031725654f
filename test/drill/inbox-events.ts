import type { Random } from '../../src/base/random.ts'
import { type GatewayOrderState, gatewayOrderStates, gatewayTime } from '../../src/domain/gateway/event.ts'

/** What is to be delivered. `isEvent` false: a body that belongs into quarantine. */
export type Delivery = { id: string; orderId: string; body: string; isEvent: boolean }

export type Plan = {
  deliveries: readonly Delivery[]
  /** The state in which each order must be shown in the end. */
  endings: ReadonlyMap<string, GatewayOrderState>
}

const startMs = Date.UTC(2026, 10, 20, 12)

function body(orderId: string, step: number, state: GatewayOrderState, random: Random): string {
  const isAsText = random.chance(0.5)
  const amount = (text: string) => (isAsText ? `"${text}"` : text)
  const fields = [
    ['eventId', JSON.stringify(`${orderId}-e${step}`)],
    ['orderId', JSON.stringify(orderId)],
    ['externalReference', JSON.stringify(`reference of ${orderId}`.padEnd(80, '.'))],
    ['orderType', random.chance(0.5) ? '"BUY"' : '"SELL"'],
    ['createdAt', JSON.stringify(gatewayTime(startMs, 1).text)],
    ['orderState', JSON.stringify(state)],
    // All within one millisecond: only the nanoseconds tell which state is the later.
    ['orderStateUpdatedAt', JSON.stringify(gatewayTime(startMs, 100 + step).text)],
    ['paymentMethod', '"CARD"'],
    ['inputCurrency', '"EUR"'],
    ['inputAmount', amount('100.10')],
    ['outputCurrency', '"BTC"'],
    ['outputAmount', amount('0.00123456')],
    ...['processingFee', 'processingFeeUsd', 'partnerFee', 'partnerFeeUsd', 'networkFee', 'networkFeeUsd'].map(
      (name) => [name, amount('1.25')] as const,
    ),
    ['network', '"BTC"'],
    ['userId', JSON.stringify(`user of ${orderId}`)],
    ['targetWalletAddress', JSON.stringify('bc1q'.padEnd(120, 'x'))],
    ['transactionHash', JSON.stringify('f'.repeat(64))],
  ]
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}

/** Orders with three states each, in an order of chance, and some bodies that are no events. */
export function planOf(orders: number, random: Random): Plan {
  const deliveries: Delivery[] = []
  const endings = new Map<string, GatewayOrderState>()
  for (let index = 0; index < orders; index += 1) {
    const orderId = `order-${index}`
    const ending = random.chance(0.8) ? 'COMPLETED' : 'FAILED'
    endings.set(orderId, ending)
    const states = [...gatewayOrderStates.slice(0, 2), ending] as const
    for (const [step, state] of states.entries())
      deliveries.push({ id: `${orderId}-e${step}`, orderId, body: body(orderId, step, state, random), isEvent: true })
    if (random.chance(0.05)) deliveries.push({ id: `odd-${index}`, orderId, body: `{"odd":${index}`, isEvent: false })
  }
  for (let at = deliveries.length - 1; at > 0; at -= 1) {
    // Near ones change places: a later state overtakes an earlier one, and an order's events still come together in
    // time.
    const other = random.integer(Math.max(0, at - 200), at)
    const [left, right] = [deliveries[at], deliveries[other]]
    if (left === undefined || right === undefined) throw new Error('places outside the list')
    deliveries[at] = right
    deliveries[other] = left
  }
  return { deliveries, endings }
}
