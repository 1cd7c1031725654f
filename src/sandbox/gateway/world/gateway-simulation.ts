import type { Clock } from '../../../base/clock.ts'
import { createRandom, type Random } from '../../../base/random.ts'
import { dayMs, hourMs, secondMs } from '../../../base/time-text.ts'
import type { NewGatewayOrder, PracticeOrder } from '../partner-gateway.ts'
import type { PracticeGateway } from './practice-gateway.ts'

const beatMs = 500
/** How long it takes until the next order comes, and how long an order stays in each state. */
const arrivalSeconds = { least: 8, spread: 14 }
const stateSeconds = { PENDING: { least: 3, spread: 4 }, WITHDRAWING: { least: 5, spread: 8 } }
/** An order that somebody made by hand stays PENDING for so much longer: time to say what becomes of it. */
const byHandMs = 20_000
/** How many payments come to nothing. */
const failureShare = 0.12
const pruneEveryMs = hourMs
const keepMs = 30 * dayMs

/** What a gateway does by itself. */
export type GatewaySimulation = {
  /** Lets happen what is due by now: each order takes a step at most, and one new order comes at most. */
  step(): void
}

/**
 * The gateway's users: orders come and move on, soon enough to watch. What becomes of an order follows from the world's
 * seed and the order's number alone, however often the process was started anew. Whoever takes one on by hand before
 * that is not in the way.
 */
export function createGatewaySimulation(gateway: PracticeGateway, clock: Pick<Clock, 'now'>): GatewaySimulation {
  let nextOrderMs = clock.now() + waitMs(arrival(gateway), { least: 1, spread: 4 })
  let nextPruneMs = clock.now()
  return {
    step: () => {
      const nowMs = clock.now()
      for (const order of gateway.livingOrders()) takeOn(gateway, order, nowMs)
      if (nextOrderMs <= nowMs) {
        const random = arrival(gateway)
        const order = ordinaryOrder(gateway, random)
        // Refused where the partner's account allows nothing like it: then nobody orders.
        if (order !== null) gateway.create(order)
        nextOrderMs = nowMs + waitMs(random, arrivalSeconds)
      }
      if (nextPruneMs <= nowMs) {
        gateway.forgetEndedBefore(nowMs - keepMs)
        nextPruneMs = nowMs + pruneEveryMs
      }
    },
  }
}

/** Until aborted, lets happen what is due. */
export async function runGatewaySimulation(life: GatewaySimulation, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    life.step()
    await clock.sleep(beatMs, signal)
  }
}

const arrival = (gateway: PracticeGateway): Random =>
  createRandom(gateway.seed, `gateway arrival ${gateway.orderCount + 1}`)

const waitMs = (random: Random, { least, spread }: { least: number; spread: number }): number =>
  Math.ceil(secondMs * (least + random.exponential(spread)))

function ordinaryOrder(gateway: PracticeGateway, random: Random): NewGatewayOrder | null {
  const partners = gateway.partners()
  const partner = partners[random.integer(0, partners.length - 1)]
  if (partner === undefined) return null
  return {
    partner: partner.name,
    orderType: random.chance(0.7) ? 'BUY' : 'SELL',
    ...(random.chance(0.6) ? { externalReference: `cart-${1000 + gateway.orderCount + 1}` } : {}),
    ...(random.chance(0.3) ? { subPartnerId: `shop-${random.integer(1, 9)}` } : {}),
  }
}

function takeOn(gateway: PracticeGateway, { orderId, number, last }: PracticeOrder, nowMs: number): void {
  const { orderState: state, orderStateUpdatedAt } = last
  if (state !== 'PENDING' && state !== 'WITHDRAWING') return
  const random = createRandom(gateway.seed, `gateway order ${number} ${state}`)
  const sinceMs = Number(orderStateUpdatedAt.epochNs / 1_000_000n)
  const moreMs = state === 'PENDING' && gateway.isByHand(orderId) ? byHandMs : 0
  if (sinceMs + waitMs(random, stateSeconds[state]) + moreMs > nowMs) return
  gateway.advance(orderId, state === 'PENDING' && random.chance(failureShare) ? 'FAILED' : undefined)
}
