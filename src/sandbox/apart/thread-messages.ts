import type { PracticeServices, PracticeWebhooks } from './practice-services.ts'

/** The webhook calls available across threads. */
export type Askable = Omit<PracticeWebhooks, 'onChange'>

/** The services' addresses and keys: sent in a message, never passed as arguments of the thread. */
export type OpenedServices = Omit<PracticeServices, 'webhooks' | 'stop'>

/** To the thread; the answer carries the same `id`. After `stop` the thread ends. */
export type ToThread =
  | { readonly kind: 'ask'; readonly id: number; readonly name: keyof Askable; readonly words: readonly unknown[] }
  | { readonly kind: 'stop' }

/**
 * From the thread. First `open`, or `unusable` with the reason why the data folder cannot be used, after which it ends.
 * After `diskFailed` calls are `refused`, until a full disk has room again and it `goesOn`. `stopped`: everything is
 * durable and closed.
 */
export type FromThread =
  | { readonly kind: 'open'; readonly services: OpenedServices }
  | { readonly kind: 'unusable'; readonly sentence: string; readonly isInUse: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly sentence: string }
  | { readonly kind: 'changed' }
  | { readonly kind: 'diskFailed'; readonly sentence: string; readonly isPassing: boolean }
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'stopped' }
