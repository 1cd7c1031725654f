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

/** What a partner may sell, to whom and for what. */
export type Eligibility = {
  readonly currencies: readonly EligibleCurrency[]
  readonly countries: readonly EligibleCountry[]
  readonly usStates: readonly EligibleState[]
  readonly paymentMethods: readonly EligiblePaymentMethod[]
}

/** A partner who sells through the gateway. */
export type Partner = {
  readonly name: string
  /** The key in the partner's requests. */
  readonly key: string
  /** The partner's share of an order's input: 0.01 is 1%. */
  readonly feeRate: Decimal
  readonly eligibility: Eligibility
}

/** A change that the account manager makes to a partner's eligibility. */
export type EligibilityChange =
  /**
   * Enables or disables a currency of the gateway on the account; `minBuyAmount` and `maxBuyAmount` are for fiat only.
   */
  | {
      readonly kind: 'currency'
      readonly code: string
      readonly isEnabled: boolean
      readonly minBuyAmount?: Decimal
      readonly maxBuyAmount?: Decimal
    }
  /** `region` is a country's two-letter code, or `US-XX` for a state. */
  | { readonly kind: 'region'; readonly region: string; readonly isBuyAllowed: boolean }
  /** The fiat currencies that the method supports; an empty list removes it from the account. */
  | {
      readonly kind: 'paymentMethod'
      readonly paymentMethod: GatewayPaymentMethod
      readonly currencies: readonly string[]
    }

/** An order of a partner's user. The gateway's world chooses whatever is omitted, so the type alone is enough. */
export type NewGatewayOrder = {
  readonly orderType: GatewayOrderType
  /** The first partner unless given. */
  readonly partner?: string
  readonly inputCurrency?: string
  readonly inputAmount?: Decimal
  readonly outputCurrency?: string
  readonly paymentMethod?: GatewayPaymentMethod
  readonly userCountry?: string
  /** `US-XX`, only for users in the United States. */
  readonly userState?: string
  readonly externalReference?: string
  readonly subPartnerId?: string
  readonly targetWalletAddress?: string
}

/** An order in its current state. */
export type PracticeOrder = {
  readonly orderId: string
  /** Numbered from 1 in order of creation. */
  readonly number: number
  readonly partner: string
  /** The latest event. */
  readonly last: GatewayEvent
}

/** An event for the partner, in the outbox since the commit that changed the order. */
export type OutboxEvent = {
  /** Numbered from 1, in the order of the changes: a position to resume from. */
  readonly sequence: number
  readonly partner: string
  readonly madeAtMs: number
  readonly event: GatewayEvent
}

/** The outbox of events to deliver. All of them are durable, and kept for at least 30 days. */
type Outbox = {
  /** At most `count` events after this sequence number (0: from the first), oldest first. */
  after(sequence: number, count: number): readonly OutboxEvent[]
  event(eventId: string): OutboxEvent | undefined
}

/**
 * The practice gateway's world. A change resolves once it is durable together with its event, and rejects if that
 * fails; a refusal is one sentence about what is wrong, and changes nothing.
 */
export type PartnerGateway = {
  /** Undefined for an unknown key. */
  partnerOf(key: string): Partner | undefined
  partner(name: string): Partner | undefined
  partners(): readonly Partner[]
  /** Names are lower-case words of at most 40 letters, digits and hyphens; the partner gets its own key. */
  addPartner(partner: { readonly name: string; readonly feeRate?: Decimal }): Promise<Result<Partner>>
  setEligibility(partner: string, change: EligibilityChange): Promise<Result<Partner>>

  currencies(partner: Partner): readonly EligibleCurrency[]
  /** With `onlyBuyAllowed`, only those where users may buy. */
  regions(partner: Partner, onlyBuyAllowed: boolean): EligibleRegions
  paymentMethods(partner: Partner): readonly EligiblePaymentMethod[]

  createOrder(order: NewGatewayOrder): Promise<Result<PracticeOrder>>
  /** Advances the order to this state, or to the next one of a successful order. */
  advanceOrder(orderId: string, state?: GatewayOrderState): Promise<Result<PracticeOrder>>
  order(orderId: string): PracticeOrder | undefined
  /** Newest first; `before` is an order's number. */
  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[]

  readonly outbox: Outbox
  /** Calls `listener` for every event once it is durable, in order; the returned function unsubscribes. */
  onEvent(listener: (event: OutboxEvent) => void): () => void
  /** Calls `listener` when the world was reset: the outbox is empty, and sequence numbers start at 1 again. */
  onReset(listener: () => void): () => void
}

/** What identifies a world. */
export type GatewayOrigin = {
  /** Unique to this world and part of its ids, so that no id is reused after a reset. */
  readonly worldId: string
  /** All randomness in this world derives from it. */
  readonly seed: number
}

/** The last numbers assigned; 0 if none was. */
export type LastNumbers = { readonly lastOrderNumber: number; readonly lastSequence: number }

/** A world's stored state: enough to resume from. */
export type Kept = GatewayOrigin &
  LastNumbers & {
    /** When the last event was created; 0 if there is none. */
    readonly lastEventMs: number
    readonly partners: readonly Partner[]
    /** Orders that have not ended, oldest first. */
    readonly living: readonly PracticeOrder[]
  }

/**
 * Storage of a gateway's world. Writes become durable together by the time `settled` says so; reads see only durable
 * data.
 */
export type GatewayStore = {
  /** Null if no world was started. */
  load(): Kept | null
  /** Starts a new world, and deletes everything else. */
  begin(origin: GatewayOrigin): void
  putPartner(partner: Partner): void
  /** Stores the order's new state and the event about it, never one without the other. */
  putChange(order: PracticeOrder, event: OutboxEvent): void
  /** Null if everything is durable; otherwise a promise that resolves when it is, and rejects if that fails. */
  settled(): Promise<void> | null
  order(orderId: string): PracticeOrder | undefined
  /** Newest first. */
  orders(query: { readonly count: number; readonly before?: number }): readonly PracticeOrder[]
  eventsAfter(sequence: number, count: number): readonly OutboxEvent[]
  event(eventId: string): OutboxEvent | undefined
  /**
   * Deletes the oldest orders, at most a few hundred, that ended before this time, with their events; the last numbers
   * are kept.
   */
  forgetEndedBefore(atMs: number, last: GatewayOrigin & LastNumbers): void
}
