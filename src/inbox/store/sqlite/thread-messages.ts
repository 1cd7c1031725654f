import type { EventStore } from '../event-store.ts'
import type { ToKeep } from './tables.ts'

/**
 * A batch on its way to another thread: a view of the system's buffers would be copied with all that lies around it,
 * and object by object costs more than the commit.
 */
type PackedBatch = {
  /** For each: the word for its kind, where it came from, and its ids, or the reason and nothing. */
  readonly texts: readonly string[]
  /** For each: when it came in, and how many bytes its body has. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** The bodies, one after another. */
  readonly bodies: Uint8Array<ArrayBuffer>
}

const textsEach = 4

/** Everything a store keeps of these; what is in it may be handed over without a copy. */
export function pack(batch: readonly ToKeep[]): PackedBatch {
  const texts: string[] = []
  const numbers = new Float64Array(batch.length * 2)
  let length = 0
  for (const [index, each] of batch.entries()) {
    if (each.kind === 'event') texts.push(each.kind, each.source, each.eventId, each.orderId)
    else texts.push(each.kind, each.source, each.reason, '')
    numbers[index * 2] = each.receivedAtMs
    numbers[index * 2 + 1] = each.body.byteLength
    length += each.body.byteLength
  }
  const bodies = new Uint8Array(length)
  let at = 0
  for (const { body } of batch) {
    bodies.set(body, at)
    at += body.byteLength
  }
  return { texts, numbers, bodies }
}

/** The batch that was packed; its bodies are views of the one buffer. */
export function unpack({ texts, numbers, bodies }: PackedBatch): ToKeep[] {
  let at = 0
  return Array.from({ length: numbers.length / 2 }, (_, index): ToKeep => {
    const [kind, source = '', first = '', second = ''] = texts.slice(index * textsEach, (index + 1) * textsEach)
    const end = at + (numbers[index * 2 + 1] ?? 0)
    const body = bodies.subarray(at, end)
    at = end
    const receivedAtMs = numbers[index * 2] ?? 0
    return kind === 'event'
      ? { kind, source, eventId: first, orderId: second, receivedAtMs, body }
      : { kind: 'unreadable', source, reason: first, receivedAtMs, body }
  })
}

/** What of a store can be asked across threads as it stands. */
export type Askable = Omit<EventStore, 'record' | 'listen' | 'close'>

/** To the thread; `id` comes back with the answer. */
export type ToThread =
  | { readonly kind: 'record'; readonly id: number; readonly batch: PackedBatch }
  | { readonly kind: 'ask'; readonly id: number; readonly name: keyof Askable; readonly words: readonly unknown[] }
  | { readonly kind: 'listen'; readonly isWanted: boolean }
  | { readonly kind: 'close' }

/** From the thread. `failed` has the sentence of what was thrown; `news`: something was recorded, by whomever. */
export type FromThread =
  | { readonly kind: 'open' }
  | { readonly kind: 'unusable'; readonly sentence: string }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly sentence: string }
  | { readonly kind: 'news' }
