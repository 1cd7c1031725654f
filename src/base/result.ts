/**
 * The result of an operation the user can get wrong. `error` is a sentence, or contains one: what was wrong and what to
 * do next.
 */
export type Result<T, E = string> = { ok: true; value: T } | { ok: false; error: E }

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })
export const err = <E = string>(error: E): { ok: false; error: E } => ({
  ok: false,
  error,
})
