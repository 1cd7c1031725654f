import type { Refusal } from './results.ts'

/** What a command's handler gives back: its value, or why nothing was done. */
export type Refused = { ok: false; refusal: Refusal }
export type Done<T> = { ok: true; value: T } | Refused

export const done = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const invalid = (field: string, message: string): Refused => ({
  ok: false,
  refusal: { kind: 'invalid', field, message },
})
export const notFound = (message: string): Refused => ({ ok: false, refusal: { kind: 'notFound', message } })
export const conflict = (message: string): Refused => ({ ok: false, refusal: { kind: 'conflict', message } })
export const forbidden = (message: string): Refused => ({ ok: false, refusal: { kind: 'forbidden', message } })
export const isRefused = (value: object): value is Refused => 'ok' in value && value.ok === false
