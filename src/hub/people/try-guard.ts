import { isIP } from 'node:net'
import { doubled } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { minuteMs } from '../../base/time-text.ts'

/** Wrong tokens from one address that are answered at once. */
export const freeTries = 5
export const longestWaitS = 60
export const forgetAfterMs = 15 * minuteMs
/** Addresses that are remembered; the one that was quiet the longest makes room. */
const addressesMost = 10_000

/** Longer than any address: what comes instead of one takes no more memory than one. */
const textMost = 64

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  // As `URL` writes it there is no IPv4 at its end and one `::` at most.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [before = '', after] = plain.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (after === undefined) return read(before)
  const [first, last] = [read(before), read(after)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/**
 * Whom tries are counted for: an IPv4 address, also where it is written inside an IPv6 one, or the /64 of an IPv6
 * address, because who has one of those has all of it.
 */
export function triedBy(address: string): string {
  if (isIP(address) !== 6) return address.slice(0, textMost)
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** Counts wrong tokens by address. Those that are right never come here, and so are never slowed. */
export type TryGuard = {
  /**
   * Counts a wrong try. Null: it is answered like any; else the seconds that the answer tells the sender to
   * wait: 1, 2, 4 … up to `longestWaitS`.
   */
  wrong(address: string): number | null
  /** Addresses that are remembered just now. */
  readonly size: number
}

/** Remembers `most` addresses, each until it was quiet for `forgetAfterMs`. */
export function createTryGuard(clock: Pick<Clock, 'now'>, most = addressesMost): TryGuard {
  // Those that were quiet the longest come first.
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
