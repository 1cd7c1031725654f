import { isUtf8 } from 'node:buffer'
import { plainText } from '../../base/text/plain-text.ts'
import { gatewayOrderStates, readGatewayTime } from '../../domain/gateway/event.ts'
import type { QuarantinedBody } from '../../domain/gateway/inbox-source.ts'
import { checkGatewayEvent } from '../../wire/gateway-event.ts'
import { bodyText, type EventStore, type Incoming, type Recorded } from '../store/event-store.ts'

const longestReason = 300

/**
 * Classifies a body without converting values: an event of the interface, or something to store as it is, with the
 * reason.
 */
export function readIncoming(body: Uint8Array, source: string, receivedAtMs: number): Incoming {
  const unreadable = (reason: string): Incoming => ({
    receivedAtMs,
    source,
    body,
    kind: 'unreadable',
    reason: plainText(reason).slice(0, longestReason),
  })
  if (!isUtf8(body)) return unreadable('the body is not UTF-8 text')
  const checked = checkGatewayEvent(bodyText(body))
  if (!checked.ok) return unreadable(checked.error)
  const fields = checked.value
  const eventId = fields.get('eventId')?.text ?? ''
  const orderId = fields.get('orderId')?.text ?? ''
  const state = fields.get('orderState')?.text
  const orderState = gatewayOrderStates.find((each) => each === state)
  if (orderState === undefined) throw new Error('a checked event has no state')
  const updatedAt = fields.get('orderStateUpdatedAt')?.text ?? ''
  return {
    receivedAtMs,
    source,
    body,
    kind: 'event',
    eventId,
    orderId,
    orderState,
    // Computed on demand: not every store needs it, and the text was already checked.
    get updatedAtNs() {
      const time = readGatewayTime(updatedAt)
      if (time === undefined) throw new Error('a checked event has no time')
      return time.epochNs
    },
  }
}

/** The result of reading a quarantined body again. */
export type Replay =
  | { readonly kind: 'recorded'; readonly as: Recorded; readonly eventId: string; readonly orderId: string }
  /** Still not an event. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Already replayed earlier. */
  | { readonly kind: 'before' }

/**
 * Reads a quarantined body again with this version, and records it when it is an event. Rejects when the store fails.
 */
export async function replayBody(
  store: Pick<EventStore, 'release'>,
  kept: QuarantinedBody,
  atMs: number,
): Promise<Replay> {
  if (kept.replayedAtMs !== null) return { kind: 'before' }
  const read = readIncoming(kept.body, kept.source, kept.receivedAtMs)
  if (read.kind === 'unreadable') return { kind: 'unreadable', reason: read.reason }
  const { eventId, orderId } = read
  return { kind: 'recorded', as: await store.release(kept.sequence, read, atMs), eventId, orderId }
}

/** The quarantined body with this number; null when there is none. */
export async function quarantinedBody(
  store: Pick<EventStore, 'quarantine'>,
  sequence: number,
): Promise<QuarantinedBody | null> {
  const [body] = await store.quarantine({ after: sequence - 1, count: 1 })
  return body?.sequence === sequence ? body : null
}
