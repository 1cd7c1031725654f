import { ok, type Result } from '../base/result.ts'

/**
 * Creates a reader whose values are kept within the latest date that they can have: `within` gives the value itself
 * where all dates can be. The same value gives the same object again, as polled reads do, also where some cannot be.
 */
export function datedReader<T extends object>(
  read: (json: string) => Result<T>,
  dateMaxMs: () => number,
  within: (value: T, dateMaxMs: number) => T,
): (json: string) => Result<T> {
  let last: { value: T; kept: T } | null = null
  return (json) => {
    const result = read(json)
    if (!result.ok) return result
    const { value } = result
    const kept = within(value, dateMaxMs())
    if (kept === value) return result
    // A date that was refused is as good as ever while the text is the same: it is held against clocks with the next.
    if (last?.value !== value) last = { value, kept }
    return ok(last.kept)
  }
}
