import type { PracticeServices, PracticeWebhooks } from './practice-services.ts'

/** What can be asked of the webhooks across threads. */
export type Askable = Omit<PracticeWebhooks, 'onChange'>

/** Where the services are, and their keys: these cross in a message and are in no argument of the thread. */
export type OpenedServices = Omit<PracticeServices, 'webhooks' | 'stop'>

/** To the thread; `id` comes back with the answer. After `stop` it ends. */
export type ToThread =
  | { readonly kind: 'ask'; readonly id: number; readonly name: keyof Askable; readonly words: readonly unknown[] }
  | { readonly kind: 'stop' }

/**
 * From the thread. First `open`, or `unusable` with what the data folder cannot serve for, and its end. `diskFailed`
 * comes once; what is asked after it is `refused`. `stopped`: everything is durable and closed.
 */
export type FromThread =
  | { readonly kind: 'open'; readonly services: OpenedServices }
  | { readonly kind: 'unusable'; readonly sentence: string; readonly isInUse: boolean }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly sentence: string }
  | { readonly kind: 'changed' }
  | { readonly kind: 'diskFailed'; readonly sentence: string }
  | { readonly kind: 'stopped' }
