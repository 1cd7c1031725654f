import { isIP } from 'node:net'
import { doubled } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { minuteMs } from '../../base/text/time-text.ts'

/** Wrong tokens per address that are answered without a delay. */
export const freeTries = 5
export const longestWaitS = 60
export const forgetAfterMs = 15 * minuteMs
/** Maximum remembered addresses; the one idle longest is dropped. */
const addressesMax = 10_000

/** Longer than any address; bounds the memory of anything else in its place. */
const textMax = 64

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  // `URL` normalizes it: no IPv4 part at the end, and at most one `::`.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [before = '', after] = plain.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (after === undefined) return read(before)
  const [first, last] = [read(before), read(after)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/**
 * The address that tries are counted by: an IPv4 address, also inside an IPv6 one, or the /64 of an IPv6 address,
 * because its owner has all of it.
 */
export function triedBy(address: string): string {
  if (isIP(address) !== 6) return address.slice(0, textMax)
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** Counts wrong tokens by address. Valid tokens never come here, so they are never delayed. */
export type TryGuard = {
  /**
   * Counts a wrong try. Null for a normal answer, or the seconds the answer tells the sender to wait: 1, 2, 4 … up to
   * `longestWaitS`.
   */
  wrong(address: string): number | null
  /** Number of remembered addresses. */
  readonly size: number
}

/** Creates a guard for `most` addresses, each remembered until idle for `forgetAfterMs`. */
export function createTryGuard(clock: Pick<Clock, 'now'>, most = addressesMax): TryGuard {
  // Longest idle first.
  const tries = new Map<string, { readonly count: number; readonly lastMs: number }>()
  const forget = (nowMs: number): void => {
    for (const [by, { lastMs }] of tries) {
      if (nowMs - lastMs < forgetAfterMs && tries.size <= most) return
      tries.delete(by)
    }
  }
  return {
    wrong(address) {
      const by = triedBy(address)
      const nowMs = clock.now()
      forget(nowMs)
      const count = (tries.get(by)?.count ?? 0) + 1
      tries.delete(by)
      tries.set(by, { count, lastMs: nowMs })
      forget(nowMs)
      return count <= freeTries ? null : doubled(1, count - freeTries - 1, longestWaitS)
    },
    get size() {
      return tries.size
    },
  }
}
