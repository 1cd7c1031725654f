import { createRandom } from '../../../../src/base/random.ts'
import { type GatewayEvent, type GatewayOrderState, gatewayTime } from '../../../../src/domain/gateway/event.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { OutboxEvent, Partner, PartnerGateway } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import type { AttemptResult } from '../../../../src/sandbox/gateway/sender/delivery.ts'
import { DeliveryTables } from '../../../../src/sandbox/gateway/sender/delivery-tables.ts'
import type { Post } from '../../../../src/sandbox/gateway/sender/post.ts'
import { WebhookSender } from '../../../../src/sandbox/gateway/sender/webhook-sender.ts'
import { createWebhooks } from '../../../../src/sandbox/gateway/sender/webhooks.ts'
import { DurableExchange } from '../../../../src/sandbox/persistence/durable-exchange.ts'
import { readGatewayEvent } from '../../../../src/wire/gateway-event.ts'
import { type FakeClock, settle } from '../../../fakes/fake-clock.ts'

export const startMs = Date.UTC(2026, 2, 10, 12)
export const hourMs = 3_600_000
export const answered = (status: number): AttemptResult => ({ kind: 'answered', status, excerpt: '' })
export const refused = { kind: 'failed', reason: 'the connection was refused' } as const

const one = new Decimal(1)
function eventOf(eventId: string, orderId: string, orderState: GatewayOrderState, atMs: number): GatewayEvent {
  const time = gatewayTime(atMs, 0)
  return {
    ...{ eventId, orderId, orderState, createdAt: time, orderStateUpdatedAt: time, orderType: 'BUY' },
    ...{ externalReference: null, subPartnerId: null, paymentMethod: 'CARD', userId: 'user-1' },
    ...{ inputCurrency: 'USD', inputAmount: new Decimal('100.10'), outputCurrency: 'BTC', outputAmount: one },
    ...{ amountUsd: null, processingFee: one, processingFeeUsd: one, partnerFee: one, partnerFeeUsd: one },
    ...{ networkFee: one, networkFeeUsd: one, network: 'BTC', userCountry: null, userState: null },
    ...{ targetWalletAddress: 'bc1', transactionHash: null },
  }
}

/** Partners and an outbox, made by hand. */
export class HandWorld implements Pick<PartnerGateway, 'partner' | 'partners' | 'outbox' | 'onEvent' | 'onReset'> {
  readonly events: OutboxEvent[] = []
  private readonly eventListeners = new Set<(event: OutboxEvent) => void>()
  private readonly resetListeners = new Set<() => void>()
  private readonly names = ['practice', 'acme']

  partners(): readonly Partner[] {
    const nothing = { currencies: [], countries: [], usStates: [], paymentMethods: [] }
    return this.names.map((name) => ({ name, key: `key of ${name}`, feeRate: one, eligibility: nothing }))
  }

  partner(name: string): Partner | undefined {
    return this.partners().find((each) => each.name === name)
  }

  readonly outbox = {
    after: (sequence: number, count: number) => this.events.filter((each) => each.sequence > sequence).slice(0, count),
    event: (eventId: string) => this.events.find((each) => each.event.eventId === eventId),
  }

  onEvent(listener: (event: OutboxEvent) => void): () => void {
    this.eventListeners.add(listener)
    return () => this.eventListeners.delete(listener)
  }

  onReset(listener: () => void): () => void {
    this.resetListeners.add(listener)
    return () => this.resetListeners.delete(listener)
  }

  reset(): void {
    this.events.length = 0
    for (const listener of this.resetListeners) listener()
  }

  make(
    eventId: string,
    atMs: number,
    order: { orderId?: string; state?: GatewayOrderState; partner?: string } = {},
  ): void {
    const { orderId = 'order-1', state = 'PENDING', partner = 'practice' } = order
    const event = eventOf(eventId, orderId, state, atMs)
    const made = { sequence: this.events.length + 1, partner, madeAtMs: atMs, event }
    this.events.push(made)
    for (const listener of this.eventListeners) listener(made)
  }
}

export type Sent = { atMs: number; url: string; eventId: string; body: string }
/** How the other side answers; `sent` is what it was sent before, this time included. */
export type Behaviour = (sent: Sent, sentBefore: readonly Sent[]) => AttemptResult | Promise<AttemptResult>

/** A sender on a data folder, on a fake clock, whose posts end in the hands of a test. */
export function openSender(folder: string, options: { clock: FakeClock; world: HandWorld; behave: Behaviour }) {
  const { clock, world, behave } = options
  const durable = DurableExchange.open(folder)
  if (durable.note === null) durable.establish('world')
  const store = durable.join((file) => new DeliveryTables(file, () => durable.settled()))
  const sent: Sent[] = []
  const stop = new AbortController()
  const post: Post = async (url, body, signal) => {
    const read = readGatewayEvent(body)
    const each = { atMs: clock.now(), url, eventId: read.ok ? read.value.eventId : read.error, body }
    sent.push(each)
    const broken = new Promise<AttemptResult>((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'stopped' }), { once: true })
    })
    const result = await Promise.race([behave(each, sent), broken])
    return { result, latencyMs: clock.now() - each.atMs }
  }
  const random = createRandom(7, 'webhooks')
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const sender = new WebhookSender({ clock, world, store, post, mode: 'strings', random: () => random.uniform(), log })
  const webhooks = createWebhooks({ clock, world, store, sender, policy: { allowsLoopback: true } })
  const running = sender.run(stop.signal)
  const close = async () => {
    stop.abort()
    await running
    durable.close()
  }
  return { durable, store, sender, webhooks, sent, lines, close }
}

/** Some turns of the event loop, for what a call has set off. */
export const turns = async (count = 10): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await settle()
}
