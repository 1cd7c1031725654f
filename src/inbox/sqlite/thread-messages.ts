import type { EventStore } from '../event-store.ts'
import type { PackedBatch } from './packed-batch.ts'

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
