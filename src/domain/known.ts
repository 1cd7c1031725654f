/** A value the checks rest on, or why it cannot be relied on: never seen, or older than its limit. */
export type Known<T> = { kind: 'fresh'; value: T } | { kind: 'missing' } | { kind: 'stale'; ageMs: number }

/** Why a value cannot be relied on, in words; null when it can. */
export function unreliable(name: string, known: Known<unknown>): string | null {
  if (known.kind === 'fresh') return null
  return known.kind === 'missing' ? `${name} not here yet` : `${name} ${Math.floor(known.ageMs / 1000)} s old`
}
