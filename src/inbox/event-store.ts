import type { GatewayOrderState } from '../domain/gateway/event.ts'

/** A body as it came, read as far as the receiver must to say what it is. */
export type Incoming = {
  readonly receivedAtMs: number
  /** The address it came from, after trusted proxies. */
  readonly source: string
  /** The body, byte for byte. */
  readonly body: Uint8Array
} & (
  | {
      readonly kind: 'event'
      readonly eventId: string
      readonly orderId: string
      readonly orderState: GatewayOrderState
      readonly updatedAtNs: bigint
    }
  /** Not JSON, or not an event: kept as it came. */
  | { readonly kind: 'unreadable'; readonly reason: string }
)

/** What became of it, in the same commit: `known` came before and is the same; `conflict` has a known id and another body, kept beside the first, once however often it comes. */
export type Recorded = 'new' | 'known' | 'conflict' | 'quarantined'

export type StoredEvent = {
  /** Ascending in the order of recording: a place to go on from. */
  readonly sequence: number
  readonly eventId: string
  readonly orderId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly body: string
  /** How often the same event came again. */
  readonly copies: number
  /** Bodies that came under the same id and differ from the first. */
  readonly conflicts: number
}

export type QuarantinedBody = {
  readonly sequence: number
  readonly receivedAtMs: number
  readonly source: string
  readonly reason: string
  readonly body: Uint8Array
  /** Set once a replay has read it as an event. */
  readonly replayedAtMs: number | null
}

/** Sums over what is kept now. */
export type StoreCounts = {
  readonly events: number
  readonly copies: number
  /** Bodies kept beside the first of their id. */
  readonly conflicts: number
  /** Bodies in quarantine, read after all or not. */
  readonly quarantined: number
}

/** A place in a list: at most `count` entries after `after` (a sequence number), oldest first, or before `before`, newest first. */
export type PageQuery = { readonly count: number } & ({ readonly after: number } | { readonly before: number | null })

/**
 * Where events are kept. `record` resolves once everything of the batch is durable (fsynced), and rejects when nothing of it is: then
 * nobody may be told yes. Every store decides alike about what came before, also when several receivers write to it.
 */
export type EventStore = {
  record(batch: readonly Incoming[]): Promise<readonly Recorded[]>
  events(query: PageQuery & { readonly orderId?: string }): Promise<readonly StoredEvent[]>
  event(eventId: string): Promise<StoredEvent | null>
  /** Bodies that came under a known id and differ, oldest first. */
  conflictsOf(
    eventId: string,
  ): Promise<readonly { readonly receivedAtMs: number; readonly source: string; readonly body: string }[]>
  quarantine(query: PageQuery): Promise<readonly QuarantinedBody[]>
  /** Marks a quarantined body as read after all; its event is recorded in the same commit. */
  release(sequence: number, event: Extract<Incoming, { kind: 'event' }>, atMs: number): Promise<Recorded>
  counts(): Promise<StoreCounts>
  /** Takes away what was received before; never what is younger than the limit that the caller holds. Resolves with how many. */
  forgetBefore(receivedAtMs: number): Promise<number>
  /** Calls `listener` soon after anything new is there, whoever recorded it; returns what ends that. */
  listen(listener: () => void): () => void
  close(): Promise<void>
}
