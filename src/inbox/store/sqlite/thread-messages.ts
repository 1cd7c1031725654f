import type { EventStore } from '../event-store.ts'
import type { ToKeep } from './tables.ts'

/**
 * A batch for another thread: views of the system's buffers would be copied with everything around them, and single
 * objects cost more than the commit.
 */
type PackedBatch = {
  /** For each body: its kind, its source, and its ids, or the reason and an empty text. */
  readonly texts: readonly string[]
  /** For each body: when it arrived, and its number of bytes. */
  readonly numbers: Float64Array<ArrayBuffer>
  /** The bodies, concatenated. */
  readonly bodies: Uint8Array<ArrayBuffer>
}

const textsEach = 4

/** Packs everything a store keeps of these bodies, in buffers that can be transferred without a copy. */
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

/** Unpacks a batch; its bodies are views of one buffer. */
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

/** The store's methods that are called across threads unchanged. */
export type Askable = Omit<EventStore, 'record' | 'listen' | 'close'>

/** Messages to the thread; `id` returns with the answer. */
export type ToThread =
  | { readonly kind: 'record'; readonly id: number; readonly batch: PackedBatch }
  | { readonly kind: 'ask'; readonly id: number; readonly name: keyof Askable; readonly words: readonly unknown[] }
  | { readonly kind: 'listen'; readonly isWanted: boolean }
  | { readonly kind: 'close' }

/**
 * Messages from the thread. `failed` has the sentence of the error; `news` means that something was recorded, by any
 * process.
 */
export type FromThread =
  | { readonly kind: 'open' }
  | { readonly kind: 'unusable'; readonly sentence: string }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly sentence: string }
  | { readonly kind: 'news' }
