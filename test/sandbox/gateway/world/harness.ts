import type {
  GatewayStore,
  NewGatewayOrder,
  OutboxEvent,
  PracticeOrder,
} from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { PracticeGateway } from '../../../../src/sandbox/gateway/world/practice-gateway.ts'
import { createMemoryStore } from '../../../fakes/gateway-memory-store.ts'
import { countingBytes, noonMs } from '../../http/harness.ts'

export type Moment = { nowMs: number }

/** A gateway in memory, or on the given store, with its clock in hand and all its events written down. */
export function openWorld(seed = 1, store: GatewayStore = createMemoryStore()) {
  const time: Moment = { nowMs: noonMs }
  const world = new PracticeGateway({ store, nowMs: () => time.nowMs, randomBytes: countingBytes() })
  const events: OutboxEvent[] = []
  world.onEvent((event) => events.push(event))
  if (world.wake() === null) world.begin({ worldId: `test ${seed}`, seed }, { name: 'practice', key: 'practice-key' })
  return { world, time, events }
}

/** The order that comes of this; throws when it is refused. */
export async function ordered(world: PracticeGateway, order: NewGatewayOrder): Promise<PracticeOrder> {
  const made = await world.createOrder(order)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

/** Why it is refused; throws when it is not. */
export async function refusal(asked: Promise<{ ok: true } | { ok: false; error: string }>): Promise<string> {
  const answer = await asked
  if (answer.ok) throw new Error('it was not refused')
  return answer.error
}
