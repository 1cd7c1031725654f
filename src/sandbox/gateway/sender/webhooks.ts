import type { Clock } from '../../../base/clock.ts'
import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { DeliveryRange } from '../../../domain/gateway/delivery.ts'
import type { WireMode } from '../../../wire/exact-json.ts'
import type { DurableExchange } from '../../persistence/durable-exchange.ts'
import { UnusableData } from '../../persistence/unusable-data.ts'
import type { PartnerGateway } from '../partner-gateway.ts'
import type { Attempt, DeliveriesQuery, Delivery, DeliveryStore, Endpoint } from './delivery.ts'
import { DeliveryTables } from './delivery-tables.ts'
import { type AddressPolicy, createPost, readEndpointUrl, resolveByDns } from './post.ts'
import { WebhookSender } from './webhook-sender.ts'

/** `partner` is the first one unless given, `name` the URL's host and port. */
type NewEndpoint = { readonly url: string; readonly partner?: string; readonly name?: string }

/** Why something was not done: a field with what is wrong, or something that does not exist. */
export type WebhookRefusal =
  | { readonly kind: 'invalid'; readonly field: 'url' | 'name'; readonly message: string }
  | { readonly kind: 'notFound'; readonly what: 'partner' | 'webhook endpoint' | 'delivery'; readonly name: string }

/**
 * `tried` at once; the others were skipped: already delivered, in progress, of a removed endpoint, or so old that their
 * event is gone.
 */
type Retried = { readonly tried: number; readonly passedOver: number }

/** An account manager's actions on a partner's webhooks. */
export type Webhooks = {
  /**
   * Resolves once the endpoint is durable. An existing name of the partner is moved to the URL, and its pending
   * deliveries are tried there at once.
   */
  register(endpoint: NewEndpoint): Promise<Result<Endpoint, WebhookRefusal>>
  /** Pending deliveries of the endpoint are given up. */
  remove(endpointId: number): Promise<Result<Endpoint, WebhookRefusal>>
  endpoints(): readonly Endpoint[]
  /** The endpoint of a delivery, even a removed one. */
  endpointOf(delivery: Delivery): Endpoint | undefined
  deliveries(query: DeliveriesQuery): readonly Delivery[]
  delivery(id: number): Delivery | undefined
  /** Of one delivery, oldest first. */
  attempts(deliveryId: number): readonly Attempt[]
  /**
   * Attempts deliveries now, regardless of their schedule. Delivered ones within a range are skipped; one that is named
   * alone is sent again.
   */
  retry(ranges: readonly DeliveryRange[]): Result<Retried, WebhookRefusal>
  /** Starts everything due by now, after the clock was advanced. */
  catchUp(): void
  /** Calls `listener` after any change; the returned function unsubscribes. */
  onChange(listener: () => void): () => void
}

type WebhooksOptions = {
  clock: Clock
  world: Pick<PartnerGateway, 'partner' | 'partners' | 'outbox'>
  store: DeliveryStore
  sender: WebhookSender
  policy: AddressPolicy
}

const nameLengthMax = 40

/** The partners' webhooks of this sender. */
export function createWebhooks({ clock, world, store, sender, policy }: WebhooksOptions): Webhooks {
  const missing = (what: 'partner' | 'webhook endpoint' | 'delivery', name: string) =>
    err<WebhookRefusal>({ kind: 'notFound', what, name })
  const pendingOf = (endpointId: number): Delivery[] =>
    [...store.pending()].filter((delivery) => delivery.endpointId === endpointId)

  const named = (partner: string, name: string): Endpoint | undefined =>
    store.endpoints().find((each) => each.partner === partner && each.name === name)

  /** Returns whether the delivery is attempted now. */
  const tryNow = (delivery: Delivery, isAlone: boolean): boolean => {
    if (store.activeEndpoint(delivery.endpointId) === undefined) return false
    if (delivery.state.kind === 'delivered' && !isAlone) return false
    return world.outbox.event(delivery.eventId) !== undefined && sender.hurry(delivery)
  }

  return {
    register: async ({ url: written, partner, name }) => {
      const owner = partner === undefined ? world.partners()[0] : world.partner(partner)
      if (owner === undefined) return missing('partner', partner ?? '')
      const url = readEndpointUrl(written, policy)
      if (!url.ok) return err({ kind: 'invalid', field: 'url', message: url.error })
      const called = name ?? new URL(url.value).host
      if (called === '' || (name !== undefined && called.length > nameLengthMax))
        return err({ kind: 'invalid', field: 'name', message: `must have 1 to ${nameLengthMax} characters` })
      const known = named(owner.name, called)
      if (known === undefined)
        store.addEndpoint({ name: called, partner: owner.name, url: url.value, registeredAtMs: clock.now() })
      else {
        store.moveEndpoint(known.id, url.value)
        for (const delivery of pendingOf(known.id)) sender.hurry(delivery)
      }
      sender.changed()
      await store.settled()
      const endpoint = named(owner.name, called)
      return endpoint === undefined ? missing('webhook endpoint', called) : ok(endpoint)
    },
    remove: async (endpointId) => {
      const endpoint = store.activeEndpoint(endpointId)
      if (endpoint === undefined) return missing('webhook endpoint', String(endpointId))
      store.removeEndpoint(endpointId)
      for (const delivery of pendingOf(endpointId)) sender.giveUp(delivery)
      sender.changed()
      await store.settled()
      return ok(endpoint)
    },
    endpoints: () => store.endpoints(),
    endpointOf: ({ endpointId }) => store.endpoint(endpointId),
    deliveries: (query) => store.deliveries(query),
    delivery: (id) => store.delivery(id),
    attempts: (deliveryId) => store.attempts(deliveryId),
    retry: (ranges) => {
      const ids = ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
      const known = ids.flatMap((id) => store.delivery(id) ?? [])
      const isAlone = ids.length === 1
      if (isAlone && known.length === 0) return missing('delivery', String(ids[0]))
      const tried = known.filter((delivery) => tryNow(delivery, isAlone)).length
      return ok({ tried, passedOver: known.length - tried })
    },
    catchUp: () => sender.catchUp(),
    onChange: (listener) => sender.onChange(listener),
  }
}

type OpenWebhooksOptions = {
  durable: DurableExchange
  world: PartnerGateway
  /** The gateway's own clock, by which events are due. */
  clock: Clock
  /** The clock that measures answers, which is never advanced artificially. */
  realClock: Clock
  mode: WireMode
  random: Random
  log: (line: string) => void
  signal: AbortSignal
}

/** A sandbox's endpoints may be on this machine, but nowhere else in a private network. */
const policy = { allowsLoopback: true }

/**
 * The webhooks of a practice gateway, which sends events until `signal` is aborted; `ended` resolves when no attempt is
 * in progress any more.
 */
export function openWebhooks(options: OpenWebhooksOptions): { webhooks: Webhooks; ended: Promise<void> } {
  const { durable, world, clock, realClock, mode, random, log, signal } = options
  const store = durable.join((file) => new DeliveryTables(file, () => durable.settled()))
  const post = createPost(realClock, { policy, resolve: resolveByDns })
  const sender = new WebhookSender({ clock, world, store, post, mode, random: () => random.uniform(), log })
  const ended = sender.run(signal).catch((error: unknown) => {
    // A disk failure is reported by the data file itself.
    if (!(error instanceof UnusableData)) throw error
  })
  return { webhooks: createWebhooks({ clock, world, store, sender, policy }), ended }
}
