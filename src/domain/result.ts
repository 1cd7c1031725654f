/** The result of something a person can get wrong. `error` is a sentence: what was wrong and what to do next. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: string }

export const ok = <T>(value: T): Result<T> => ({ ok: true, value })
export const err = (error: string): { ok: false; error: string } => ({
  ok: false,
  error,
})
