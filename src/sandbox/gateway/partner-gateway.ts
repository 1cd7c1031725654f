import type { Result } from '../../base/result.ts'
import type {
  EligibleCountry,
  EligibleCurrency,
  EligiblePaymentMethod,
  EligibleRegions,
  EligibleState,
} from '../../domain/gateway/eligibility.ts'
import type {
  GatewayEvent,
  GatewayOrderState,
  GatewayOrderType,
  GatewayPaymentMethod,
} from '../../domain/gateway/event.ts'
import type { Decimal } from '../../domain/money.ts'

/** What a partner may sell, to whom and against what. */
export type Eligibility = {
  readonly currencies: readonly EligibleCurrency[]
  readonly countries: readonly EligibleCountry[]
  readonly usStates: readonly EligibleState[]
  readonly paymentMethods: readonly EligiblePaymentMethod[]
}

/** One who sells through the gateway. */
export type Partner = {
  readonly name: string
  /** What the partner's requests carry. */
  readonly key: string
  /** The partner's own share of an order's input: 0.01 is 1%. */
  readonly feeRate: Decimal
  readonly eligibility: Eligibility
}

/** What the account manager changes of what a partner may do. */
export type EligibilityChange =
  /**
   * A currency of the gateway is enabled on the account or not; `minBuyAmount` and `maxBuyAmount` are for fiat only.
   */
  | {
      readonly kind: 'currency'
      readonly code: string
      readonly isEnabled: boolean
      readonly minBuyAmount?: Decimal
      readonly maxBuyAmount?: Decimal
    }
  /** `region` is a country's two letters, or `US-XX` for a state. */
  | { readonly kind: 'region'; readonly region: string; readonly isBuyAllowed: boolean }
  /** The fiat currencies the method may be used with; none takes it off the account. */
  | {
      readonly kind: 'paymentMethod'
      readonly paymentMethod: GatewayPaymentMethod
      readonly currencies: readonly string[]
    }

/**
 * What a user of a partner orders. What is left out is chosen by the gateway's world, so that an order can be had with
 * no more than its type.
 */
export type NewGatewayOrder = {
  readonly orderType: GatewayOrderType
  /** The first partner where it is left out. */
  readonly partner?: string
  readonly inputCurrency?: string
  readonly inputAmount?: Decimal
  readonly outputCurrency?: string
  readonly paymentMethod?: GatewayPaymentMethod
  readonly userCountry?: string
  /** `US-XX`, of users in the United States only. */
  readonly userState?: string
  readonly externalReference?: string
  readonly subPartnerId?: string
  readonly targetWalletAddress?: string
}

/** An order in its present state. */
export type PracticeOrder = {
  readonly orderId: string
  /** Counts from 1 in the order in which orders were made. */
  readonly number: number
  readonly partner: string
  /** What the last event said. */
  readonly last: GatewayEvent
}

/** An event for the partner, as it lies in the outbox since the very commit that changed the order. */
export type OutboxEvent = {
  /** Counts from 1, in the order of the changes: a place to go on from. */
  readonly sequence: number
  readonly partner: string
  readonly madeAtMs: number
  readonly event: GatewayEvent
}

/**
 * The events that were made, for whoever delivers them. All of them are durable. They are kept for 30 days at the
 * least.
 */
type Outbox = {
  /** At most `count` events after this sequence number (0: from the first), oldest first. */
  after(sequence: number, count: number): readonly OutboxEvent[]
  event(eventId: string): OutboxEvent | undefined
}

/**
 * The practice gateway's world. What changes it resolves once the change is durable, together with its event, and
 * rejects when it cannot be; a refusal is one sentence that says what is wrong, and changes nothing.
 */
export type PartnerGateway = {
  /** Undefined for a key that nobody has. */
  partnerOf(key: string): Partner | undefined
  partner(name: string): Partner | undefined
  partners(): readonly Partner[]
  /** Names are lower-case words of at most 40 letters, digits and hyphens; the partner gets a key of its own. */
  addPartner(partner: { readonly name: string; readonly feeRate?: Decimal }): Promise<Result<Partner>>
  setEligibility(partner: string, change: EligibilityChange): Promise<Result<Partner>>

  currencies(partner: Partner): readonly EligibleCurrency[]
  /** With `onlyBuyAllowed` just those in which users may buy. */
  regions(partner: Partner, onlyBuyAllowed: boolean): EligibleRegions
  paymentMethods(partner: Partner): readonly EligiblePaymentMethod[]

  createOrder(order: NewGatewayOrder): Promise<Result<PracticeOrder>>
  /** Takes the order on to this state, or to the next one of a life that goes well. */
  advanceOrder(orderId: string, state?: GatewayOrderState): Promise<Result<PracticeOrder>>
  order(orderId: string): PracticeOrder | undefined
  /** The newest first; `before` an order's number. */
  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[]

  readonly outbox: Outbox
  /** Calls `listener` for every event once it is durable, in their order; returns what ends that. */
  onEvent(listener: (event: OutboxEvent) => void): () => void
  /** Calls `listener` when the world began anew: the outbox is empty, sequence numbers count from 1 again. */
  onReset(listener: () => void): () => void
}

/** What tells a world from every other. */
export type GatewayOrigin = {
  /** No other world has it: ids are made of it, so that none comes again after a reset. */
  readonly worldId: string
  /** What chance does in this world follows from it alone. */
  readonly seed: number
}

/** The numbers given last; 0 when none was. */
export type LastNumbers = { readonly lastOrderNumber: number; readonly lastSequence: number }

/** What a world was left with: enough to go on from. */
export type Kept = GatewayOrigin &
  LastNumbers & {
    /** When the last event was made; 0 when none was. */
    readonly lastEventMs: number
    readonly partners: readonly Partner[]
    /** Orders that have not ended, oldest first. */
    readonly living: readonly PracticeOrder[]
  }

/**
 * Where a gateway's world is kept. What is written becomes durable together by the time `settled` says so; readers see
 * what is durable.
 */
export type GatewayStore = {
  /** Null where no world was begun. */
  load(): Kept | null
  /** A new world begins: nothing else is kept any more. */
  begin(origin: GatewayOrigin): void
  putPartner(partner: Partner): void
  /** The order in its new state and the event that tells of it, never the one without the other. */
  putChange(order: PracticeOrder, event: OutboxEvent): void
  /** Null when everything is durable; else it resolves when it is, and rejects when it cannot be. */
  settled(): Promise<void> | null
  order(orderId: string): PracticeOrder | undefined
  /** The newest first. */
  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[]
  eventsAfter(sequence: number, count: number): readonly OutboxEvent[]
  event(eventId: string): OutboxEvent | undefined
  /**
   * Forgets the oldest orders, a few hundred at most, that ended before this, with their events; the numbers given last
   * outlive them.
   */
  forgetEndedBefore(atMs: number, last: GatewayOrigin & LastNumbers): void
}
