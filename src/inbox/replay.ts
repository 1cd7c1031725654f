import type { QuarantinedBody } from '../domain/gateway/inbox-source.ts'
import type { EventStore, Recorded } from './event-store.ts'
import { readIncoming } from './receiver/read-incoming.ts'

/** What a second reading of a quarantined body came to. */
export type Replay =
  | { readonly kind: 'recorded'; readonly as: Recorded; readonly eventId: string; readonly orderId: string }
  /** It is still no event. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** An earlier replay has taken it up. */
  | { readonly kind: 'before' }

/**
 * Reads a quarantined body as this version understands events, and takes it up when it is one. Rejects when the store
 * does.
 */
export async function replayBody(store: EventStore, kept: QuarantinedBody, atMs: number): Promise<Replay> {
  if (kept.replayedAtMs !== null) return { kind: 'before' }
  const read = readIncoming(kept.body, kept.source, kept.receivedAtMs)
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: read.reason }
  const { eventId, orderId } = read
  return { kind: 'recorded', as: await store.release(kept.sequence, read, atMs), eventId, orderId }
}

/** The body of that number; null when there is none. */
export async function quarantinedBody(store: EventStore, sequence: number): Promise<QuarantinedBody | null> {
  const [body] = await store.quarantine({ after: sequence - 1, count: 1 })
  return body?.sequence === sequence ? body : null
}
