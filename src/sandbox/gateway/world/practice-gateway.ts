import { createListeners } from '../../../base/listeners.ts'
import { createRandom } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { GatewayEvent, GatewayOrderState } from '../../../domain/gateway/event.ts'
import type { Decimal } from '../../../domain/money.ts'
import { isSameSecret, type RandomBytes, secretText } from '../../http/token.ts'
import type {
  EligibilityChange,
  GatewayOrigin,
  GatewayStore,
  NewGatewayOrder,
  OutboxEvent,
  Partner,
  PartnerGateway,
  PracticeOrder,
} from '../partner-gateway.ts'
import { firstEvent, hasEnded, nextEvent, stepFrom } from './order-events.ts'
import { agree, choose } from './order-terms.ts'
import { newPartner, withEligibility } from './partners.ts'

type PracticeGatewayOptions = {
  readonly store: GatewayStore
  readonly nowMs: () => number
  /** For partners' keys, so it must be unpredictable. */
  readonly randomBytes: RandomBytes
}

/** The practice gateway's world; see `PartnerGateway`. `begin` or `wake` must be called first. */
export class PracticeGateway implements PartnerGateway {
  private readonly store: GatewayStore
  private readonly nowMs: () => number
  private readonly randomBytes: RandomBytes
  private readonly announcer: Announcer
  private readonly partnerByName = new Map<string, Partner>()
  /** Orders that have not ended, by id, oldest first. */
  private readonly living = new Map<string, PracticeOrder>()
  /** Orders that have just ended, not yet visible in the store. */
  private readonly ending = new Map<string, PracticeOrder>()
  /** Orders created by hand, by id, until they end or the process does. */
  private readonly byHand = new Set<string>()
  private readonly resetListeners = createListeners()
  private origin: GatewayOrigin = { worldId: '', seed: 0 }
  private lastOrderNumber = 0
  private lastSequence = 0

  constructor({ store, nowMs, randomBytes }: PracticeGatewayOptions) {
    this.store = store
    this.nowMs = nowMs
    this.randomBytes = randomBytes
    this.announcer = new Announcer(() => store.settled())
    this.announcer.listen(({ event }) => this.ending.delete(event.orderId))
  }

  /** Starts a world with this one partner; everything before is deleted. */
  begin(origin: GatewayOrigin, first: { readonly name: string; readonly key: string }): void {
    const partner = newPartner(first.name, first.key)
    if (!partner.ok) throw new Error(partner.error)
    this.origin = origin
    this.lastOrderNumber = 0
    this.lastSequence = 0
    this.partnerByName.clear()
    this.living.clear()
    this.ending.clear()
    this.byHand.clear()
    this.announcer.forget()
    this.store.begin(origin)
    this.putPartner(partner.value)
    this.resetListeners.tell()
  }

  /** Resumes the world in the store, from `sinceMs`, the time of its last event. Null if there is none. */
  wake(): { readonly sinceMs: number } | null {
    const kept = this.store.load()
    if (kept === null) return null
    this.origin = kept
    this.lastOrderNumber = kept.lastOrderNumber
    this.lastSequence = kept.lastSequence
    for (const partner of kept.partners) this.partnerByName.set(partner.name, partner)
    for (const order of kept.living) this.living.set(order.orderId, order)
    return { sinceMs: kept.lastEventMs }
  }

  /** All randomness in this world derives from this number. */
  get seed(): number {
    return this.origin.seed
  }

  /** The number of the latest order; 0 if there is none. */
  get orderCount(): number {
    return this.lastOrderNumber
  }

  /** Orders that have not ended, oldest first. */
  livingOrders(): readonly PracticeOrder[] {
    return [...this.living.values()]
  }

  partnerOf(key: string): Partner | undefined {
    return this.partners().find((partner) => isSameSecret(partner.key, key))
  }

  partner(name: string): Partner | undefined {
    return this.partnerByName.get(name)
  }

  partners(): readonly Partner[] {
    return [...this.partnerByName.values()]
  }

  async addPartner({ name, feeRate }: { readonly name: string; readonly feeRate?: Decimal }): Promise<Result<Partner>> {
    if (this.partnerByName.has(name)) return err(`partner ${name} exists already`)
    const made = newPartner(name, secretText(this.randomBytes), feeRate)
    return this.durably(made.ok ? ok(this.putPartner(made.value)) : made)
  }

  async setEligibility(name: string, change: EligibilityChange): Promise<Result<Partner>> {
    const partner = this.partner(name)
    if (partner === undefined) return err(`no partner ${name}`)
    const changed = withEligibility(partner, change)
    return this.durably(changed.ok ? ok(this.putPartner(changed.value)) : changed)
  }

  currencies({ eligibility }: Partner) {
    return eligibility.currencies
  }

  regions({ eligibility: { countries, usStates } }: Partner, onlyBuyAllowed: boolean) {
    if (!onlyBuyAllowed) return { countries, usStates }
    const isAllowed = ({ isBuyAllowed }: { isBuyAllowed: boolean }) => isBuyAllowed
    return { countries: countries.filter(isAllowed), usStates: usStates.filter(isAllowed) }
  }

  /**
   * Each with its enabled fiat currencies: one that is enabled again returns to its old place. A method without any is
   * not offered.
   */
  paymentMethods({ eligibility: { currencies, paymentMethods } }: Partner) {
    const isEnabled = (code: string) => currencies.some((each) => each.code === code)
    return paymentMethods.flatMap(({ type, supportedCurrencies }) => {
      const enabled = supportedCurrencies.filter(isEnabled)
      return enabled.length === 0 ? [] : [{ type, supportedCurrencies: enabled }]
    })
  }

  async createOrder(order: NewGatewayOrder): Promise<Result<PracticeOrder>> {
    const made = this.create(order)
    if (made.ok) this.byHand.add(made.value.orderId)
    return this.durably(made)
  }

  /** Whether this order was created by hand, so that its creator may want to decide its outcome. */
  isByHand(orderId: string): boolean {
    return this.byHand.has(orderId)
  }

  async advanceOrder(orderId: string, state?: GatewayOrderState): Promise<Result<PracticeOrder>> {
    return this.durably(this.advance(orderId, state))
  }

  /** Like `createOrder`, for simulated users: does not wait for the disk. */
  create(order: NewGatewayOrder): Result<PracticeOrder> {
    const partner = order.partner === undefined ? this.partners()[0] : this.partner(order.partner)
    if (partner === undefined) return err(`no partner ${order.partner ?? ''}`)
    const number = this.lastOrderNumber + 1
    const random = createRandom(this.origin.seed, `gateway order ${number}`)
    const terms = choose(partner, order, random)
    if (!terms.ok) return terms
    const agreed = agree(partner, terms.value)
    if (!agreed.ok) return agreed
    const event = firstEvent(this.place(), { number, terms: terms.value, agreed: agreed.value, random })
    this.lastOrderNumber = number
    return ok(this.put({ number, partner: partner.name }, event))
  }

  /** Like `advanceOrder`, for simulated users. */
  advance(orderId: string, state?: GatewayOrderState): Result<PracticeOrder> {
    const order = this.order(orderId)
    if (order === undefined) return err(`no order ${orderId}`)
    const step = stepFrom(order.last.orderState, state)
    return step.ok ? ok(this.put(order, nextEvent(this.place(), order.last, step.value))) : step
  }

  order(orderId: string): PracticeOrder | undefined {
    return this.living.get(orderId) ?? this.ending.get(orderId) ?? this.store.order(orderId)
  }

  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[] {
    return this.store.orders(query)
  }

  readonly outbox = {
    after: (sequence: number, count: number) => this.store.eventsAfter(sequence, count),
    event: (eventId: string) => this.store.event(eventId),
  }

  onEvent(listener: (event: OutboxEvent) => void): () => void {
    return this.announcer.listen(listener)
  }

  onReset(listener: () => void): () => void {
    return this.resetListeners.add(listener)
  }

  /** Deletes the oldest orders, at most a few hundred, that ended before this time, with their events. */
  forgetEndedBefore(atMs: number): void {
    const { origin, lastOrderNumber, lastSequence } = this
    this.store.forgetEndedBefore(atMs, { worldId: origin.worldId, seed: origin.seed, lastOrderNumber, lastSequence })
  }

  private place() {
    return { worldId: this.origin.worldId, sequence: this.lastSequence + 1, atMs: this.nowMs() }
  }

  private putPartner(partner: Partner): Partner {
    this.partnerByName.set(partner.name, partner)
    this.store.putPartner(partner)
    return partner
  }

  /** The only place where an order changes: its new state and the event about it are stored together. */
  private put({ number, partner }: Pick<PracticeOrder, 'number' | 'partner'>, event: GatewayEvent): PracticeOrder {
    this.lastSequence += 1
    const order: PracticeOrder = { orderId: event.orderId, number, partner, last: event }
    this.living.delete(order.orderId)
    if (hasEnded(event.orderState)) {
      this.ending.set(order.orderId, order)
      this.byHand.delete(order.orderId)
    } else this.living.set(order.orderId, order)
    const sent: OutboxEvent = { sequence: this.lastSequence, partner, madeAtMs: this.nowMs(), event }
    this.store.putChange(order, sent)
    this.announcer.add(sent)
    return order
  }

  private async durably<T>(result: Result<T>): Promise<Result<T>> {
    if (result.ok) await this.store.settled()
    return result
  }
}

/** Announces events once they are durable, in order. */
class Announcer {
  private readonly settled: () => Promise<void> | null
  private readonly listeners = createListeners<[OutboxEvent]>()
  private waiting: OutboxEvent[] = []
  private isTelling = false
  private generation = 0

  /**
   * `settled`: null if everything is durable; otherwise a promise that resolves when it is, and rejects if that fails.
   */
  constructor(settled: () => Promise<void> | null) {
    this.settled = settled
  }

  listen(listener: (event: OutboxEvent) => void): () => void {
    return this.listeners.add(listener)
  }

  add(event: OutboxEvent): void {
    this.waiting.push(event)
    if (!this.isTelling) void this.tell()
  }

  /** Drops events that were not announced yet. */
  forget(): void {
    this.generation += 1
    this.waiting = []
  }

  private async tell(): Promise<void> {
    this.isTelling = true
    while (this.waiting.length > 0) {
      const { generation, waiting } = this
      this.waiting = []
      // A disk failure is reported by the data file itself; an event that is not in it never existed.
      const isDurable = await Promise.resolve(this.settled()).then(
        () => true,
        () => false,
      )
      if (!isDurable || generation !== this.generation) continue
      for (const event of waiting) this.listeners.tell(event)
    }
    this.isTelling = false
  }
}
