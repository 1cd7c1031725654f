import type { GatewayOrderState } from '../../domain/gateway/event.ts'
import type { InboxSource, PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { isSameGatewayEvent } from '../../wire/gateway-event.ts'
import type { ForwardStore } from './forward-store.ts'

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

/**
 * What became of it, in the same commit: `known` came before and is the same; `conflict` has a known id and another
 * body, kept beside the first, once however often it comes.
 */
export type Recorded = 'new' | 'known' | 'conflict' | 'quarantined'

/** What records events, and forgets them. */
type EventRecords = {
  /** Resolves once the whole batch is durable (fsynced), and rejects when none of it is. */
  record(batch: readonly Incoming[]): Promise<readonly Recorded[]>
  event(eventId: string): Promise<StoredEvent | null>
  /** Marks a quarantined body as read after all; its event is recorded in the same commit. */
  release(sequence: number, event: Extract<Incoming, { kind: 'event' }>, atMs: number): Promise<Recorded>
  /**
   * Takes away some of what was received before, the oldest first and never what is younger; a few thousand at most, so
   * that it is over soon. Resolves with how many; 0: nothing is left to take away.
   */
  forgetBefore(receivedAtMs: number): Promise<number>
  /**
   * An id that stays equal while its events and their numbers are, wherever the store is moved; another store in the
   * same place has another id.
   */
  identity(): Promise<string>
  close(): Promise<void>
}

/**
 * Where events are kept, and how far they were handed on. Where `record` rejects no sender may get a 2xx. Every store
 * treats copies and conflicts alike, also when several receivers write to it.
 */
export type EventStore = InboxSource & EventRecords & ForwardStore

/**
 * Text as every store keeps it: the character 0 and halves of characters, which databases do not take or take for
 * others, stand as JSON writes them, and so do quotes and backslashes, so that no two texts become one.
 */
export const toKept = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The text that `toKept` was given. */
export function fromKept(kept: string): string {
  const text: unknown = JSON.parse(`"${kept}"`)
  if (typeof text !== 'string') throw new Error('a string was kept')
  return text
}

/** The end of a list's question in SQL, with its values; `place` writes where the nth of them, from 1, goes. */
export function pageOf(query: PageQuery, place: (nth: number) => string): { text: string; values: number[] } {
  const [start, sign, order] = 'after' in query ? [query.after, '>', 'ASC'] : [query.before, '<', 'DESC']
  if (start === null) return { text: `true ORDER BY sequence ${order} LIMIT ${place(1)}`, values: [query.count] }
  const text = `sequence ${sign} ${place(1)} ORDER BY sequence ${order} LIMIT ${place(2)}`
  return { text, values: [start, query.count] }
}

/** Entries that are taken away in one step, and steps that are made in one call of `forgetBefore`. */
export const forgetStep = 500
const forgetSteps = 20

/** Makes steps until one finds nothing more, or there were enough; resolves with how many entries went. */
export async function forgetInSteps(step: () => number | Promise<number>): Promise<number> {
  let count = 0
  for (let steps = 0; steps < forgetSteps; steps += 1) {
    const gone = await step()
    if (gone === 0) break
    count += gone
  }
  return count
}

/** How many bodies came to each outcome. */
export function countRecorded(outcomes: readonly Recorded[]): Record<Recorded, number> {
  const counts: Record<Recorded, number> = { new: 0, known: 0, conflict: 0, quarantined: 0 }
  for (const outcome of outcomes) counts[outcome] += 1
  return counts
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A body as text, with the byte order mark where it begins with one. */
export const bodyText = (body: Uint8Array): string => utf8.decode(body)

/** Whether a kept body and one that came under the same id are one event, written otherwise. */
export const isSameEvent = (kept: unknown, body: Uint8Array): boolean =>
  kept instanceof Uint8Array && isSameGatewayEvent(bodyText(kept), bodyText(body))
