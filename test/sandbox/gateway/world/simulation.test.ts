import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../../../src/base/random.ts'
import { gatewayOrderStates, gatewayPaymentMethods } from '../../../../src/domain/gateway/event.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { EligibilityChange, NewGatewayOrder } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { pick } from '../../../fakes/numbers.ts'
import { openWorld } from './harness.ts'
import { checkEvent, checkWorld } from './invariants.ts'

const codes = ['USD', 'EUR', 'GBP', 'JPY', 'NGN', 'BTC', 'ETH', 'XRP', 'USDC', 'XXX']
const regions = ['US', 'US-NY', 'US-TX', 'DE', 'NG', 'CN', 'ZZ']

/** An order that leaves some of it open, and now and then asks for what cannot be. */
function anyOrder(random: Random): NewGatewayOrder {
  const maybe = <Name extends string, T>(name: Name, share: number, value: T | undefined) =>
    value !== undefined && random.chance(share) ? { [name]: value } : {}
  return {
    orderType: random.chance(0.6) ? 'BUY' : 'SELL',
    ...maybe('inputCurrency', 0.3, pick(codes, random)),
    ...maybe('outputCurrency', 0.3, pick(codes, random)),
    ...maybe('inputAmount', 0.4, new Decimal(random.pareto(0.5)).toDecimalPlaces(random.integer(0, 9))),
    ...maybe('paymentMethod', 0.3, pick(gatewayPaymentMethods, random)),
    ...maybe('userCountry', 0.3, pick(['US', 'DE', 'CN', 'ZZ'], random)),
    ...maybe('userState', 0.1, pick(['US-TX', 'US-NY', 'DE-BY'], random)),
    ...maybe('externalReference', 0.3, 'x'.repeat(random.integer(0, 110))),
    ...maybe('partner', 0.2, pick(['practice', 'second', 'nobody'], random)),
  }
}

function anyChange(random: Random): EligibilityChange {
  const kind = random.integer(0, 2)
  if (kind === 0) return { kind: 'currency', code: pick(codes, random) ?? '', isEnabled: random.chance(0.8) }
  if (kind === 1) return { kind: 'region', region: pick(regions, random) ?? '', isBuyAllowed: random.chance(0.7) }
  const paymentMethod = pick(gatewayPaymentMethods, random) ?? 'CARD'
  return { kind: 'paymentMethod', paymentMethod, currencies: random.chance(0.9) ? ['USD', 'EUR', 'NGN'] : [] }
}

async function simulate(seed: number, steps: number) {
  const { world, time, events } = openWorld(seed)
  const random = createRandom(seed, 'simulation')
  const counts = { made: 0, refused: 0, moved: 0, stayed: 0 }
  await world.addPartner({ name: 'second', feeRate: new Decimal('0.025') })
  for (let step = 0; step < steps; step += 1) {
    // Sometimes the clock stands still or goes back: then changes still come one after the other.
    time.nowMs += random.chance(0.2) ? -random.integer(0, 50) : random.integer(0, 400)
    const seen = events.length
    const before = world.orders({ count: 1 })[0]
    let changes = 0
    if (random.chance(0.5)) {
      const made = await world.createOrder(anyOrder(random))
      counts[made.ok ? 'made' : 'refused'] += 1
      changes = made.ok ? 1 : 0
      if (!made.ok) expect(world.orders({ count: 1 })[0]).toEqual(before)
    } else if (random.chance(0.1)) await world.setEligibility('practice', anyChange(random))
    else {
      const order = pick(world.orders({ count: 12 }), random)
      const state = random.chance(0.4) ? pick(gatewayOrderStates, random) : undefined
      const moved = order === undefined ? undefined : await world.advanceOrder(order.orderId, state)
      counts[moved?.ok === true ? 'moved' : 'stayed'] += 1
      changes = moved?.ok === true ? 1 : 0
      if (order !== undefined && moved?.ok !== true) expect(world.order(order.orderId)).toEqual(order)
    }
    // One event for each change, and it is in the outbox and with the listeners alike.
    expect(events.length - seen).toBe(changes)
    for (const event of events.slice(seen)) {
      checkEvent(event)
      expect(world.outbox.event(event.event.eventId)).toEqual(event)
      expect(world.order(event.event.orderId)?.last).toEqual(event.event)
    }
    expect(world.outbox.after(seen, 10)).toEqual(events.slice(seen))
  }
  checkWorld(events, world.orders({ count: steps }).toReversed())
  return { events, counts }
}

test.each([1, 2, 3, 4, 5])('whatever is asked of a gateway, its orders and events agree (seed %i)', async (seed) => {
  const { counts } = await simulate(seed, 1_500)
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(60)
})

test('the same seed gives the same world, another one another', async () => {
  const [first, again, other] = [await simulate(7, 300), await simulate(7, 300), await simulate(8, 300)]
  expect(again.events).toEqual(first.events)
  expect(other.events[0]).not.toEqual(first.events[0])
})
