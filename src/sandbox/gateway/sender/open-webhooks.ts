import type { Clock } from '../../../base/clock.ts'
import type { Random } from '../../../base/random.ts'
import type { WireMode } from '../../../wire/json-write.ts'
import type { DurableExchange } from '../../persistence/durable-exchange.ts'
import { UnusableData } from '../../persistence/unusable-data.ts'
import type { GatewayWorld } from '../world.ts'
import { DeliveryTables } from './delivery-tables.ts'
import { createPost } from './post.ts'
import { resolveByDns } from './resolve.ts'
import { Sender } from './sender.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type OpenWebhooksOptions = {
  durable: DurableExchange
  world: GatewayWorld
  /** The gateway's own time, by which events are due. */
  clock: Clock
  /** The time in which answers come, which nobody puts forward. */
  realClock: Clock
  mode: WireMode
  random: Random
  log: (line: string) => void
  signal: AbortSignal
}

/** What runs in a sandbox may listen on the machine itself, and nowhere else in a private network. */
const policy = { allowsLoopback: true }

/**
 * The webhooks of a practice gateway, whose events go out until `signal` is aborted; `ended` resolves when nothing is
 * under way any more.
 */
export function openWebhooks(options: OpenWebhooksOptions): { webhooks: Webhooks; ended: Promise<void> } {
  const { durable, world, clock, realClock, mode, random, log, signal } = options
  const store = durable.join((file) => new DeliveryTables(file, () => durable.settled()))
  const post = createPost(realClock, { policy, resolve: resolveByDns })
  const sender = new Sender({ clock, world, store, post, mode, random: () => random.uniform(), log })
  const ended = sender.run(signal).catch((error: unknown) => {
    // That the disk fails, everybody hears of from the data file.
    if (!(error instanceof UnusableData)) throw error
  })
  return { webhooks: createWebhooks({ clock, world, store, sender, policy }), ended }
}
