import type { GatewayOrderState } from '../../domain/gateway/event.ts'
import type { InboxSource, PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { isSameGatewayEvent } from '../../wire/gateway-event.ts'
import type { ForwardStore } from './forward-store.ts'

/** A received body, read as far as needed to classify it. */
export type Incoming = {
  readonly receivedAtMs: number
  /** The source address, after trusted proxies. */
  readonly source: string
  /** The exact bytes of the body. */
  readonly body: Uint8Array
} & (
  | {
      readonly kind: 'event'
      readonly eventId: string
      readonly orderId: string
      readonly orderState: GatewayOrderState
      readonly updatedAtNs: bigint
    }
  /** Not JSON, or not an event; stored as received. */
  | { readonly kind: 'unreadable'; readonly reason: string }
)

/**
 * The outcome, in the same commit: `known` is an identical event received before; `conflict` has a known id and another
 * body, stored beside the first, once however often it arrives.
 */
export type Recorded = 'new' | 'known' | 'conflict' | 'quarantined'

/** The outcome of a body; `failed` when it is not durable. */
export type Outcome = Recorded | 'failed'

/** Recording and deleting events. */
type EventRecords = {
  /** Resolves once the whole batch is durable (fsynced), and rejects when none of it is. */
  record(batch: readonly Incoming[]): Promise<readonly Recorded[]>
  event(eventId: string): Promise<StoredEvent | null>
  /** Marks a quarantined body as replayed; its event is recorded in the same commit. */
  release(sequence: number, event: Extract<Incoming, { kind: 'event' }>, atMs: number): Promise<Recorded>
  /**
   * Deletes some entries received before a moment, oldest first and never younger ones, nor events that are younger by
   * their own date: a receiver's clock may have been behind. At most a few thousand, so that it is quick. Resolves with
   * their number; 0 when none are left.
   */
  forgetBefore(receivedAtMs: number): Promise<number>
  /**
   * An id that stays the same with the store's events and numbers, wherever the store is moved; another store in its
   * place has another id.
   */
  identity(): Promise<string>
  close(): Promise<void>
}

/**
 * The store of events and of the state of forwarding. When `record` rejects, no sender may get a 2xx. All stores treat
 * copies and conflicts alike, also with several receivers.
 */
export type EventStore = InboxSource & EventRecords & ForwardStore

/**
 * What a store is opened for. Who receives makes a missing file; who reads or changes what was received needs one.
 * Reading also works on a disk that takes no writes.
 */
export type StoreUse = 'receive' | 'change' | 'read'

/**
 * Escapes text for storage: NUL and lone surrogates, which databases refuse or replace, are escaped as in JSON, and so
 * are quotes and backslashes, so that distinct texts stay distinct.
 */
export const toKept = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Reverses `toKept`. */
export function fromKept(kept: string): string {
  const text: unknown = JSON.parse(`"${kept}"`)
  if (typeof text !== 'string') throw new Error('a string was kept')
  return text
}

/** The end of a list query in SQL, with its values; `place` formats the nth placeholder, from 1. */
export function pageOf(query: PageQuery, place: (nth: number) => string): { text: string; values: number[] } {
  const [start, sign, order] = 'after' in query ? [query.after, '>', 'ASC'] : [query.before, '<', 'DESC']
  if (start === null) return { text: `true ORDER BY sequence ${order} LIMIT ${place(1)}`, values: [query.count] }
  const text = `sequence ${sign} ${place(1)} ORDER BY sequence ${order} LIMIT ${place(2)}`
  return { text, values: [start, query.count] }
}

/** Entries deleted per step, and steps per call of `forgetBefore`. */
export const forgetStep = 500
const forgetSteps = 20

/** Runs steps until one finds nothing, or the maximum; resolves with the number of deleted entries. */
export async function forgetInSteps(step: () => number | Promise<number>): Promise<number> {
  let count = 0
  for (let steps = 0; steps < forgetSteps; steps += 1) {
    const gone = await step()
    if (gone === 0) break
    count += gone
  }
  return count
}

/** Number of bodies per outcome. */
export function countRecorded(outcomes: readonly Recorded[]): Record<Recorded, number> {
  const counts: Record<Recorded, number> = { new: 0, known: 0, conflict: 0, quarantined: 0 }
  for (const outcome of outcomes) counts[outcome] += 1
  return counts
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A body as text, including a byte order mark. */
export const bodyText = (body: Uint8Array): string => utf8.decode(body)

/** True when a stored body and a received one with the same id are the same event in another form. */
export const isSameEvent = (kept: unknown, body: Uint8Array): boolean =>
  kept instanceof Uint8Array && isSameGatewayEvent(bodyText(kept), bodyText(body))
