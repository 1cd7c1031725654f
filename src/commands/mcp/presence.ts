import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { takeLock } from '../../journal/locks.ts'

/** How long an answer counts: a desk that begins is noticed that late. */
const countsMs = 5_000

/** Locks that a desk with duties, or a watch, holds for as long as it runs; one for each profile of the account. */
const isDeskLock = (name: string): boolean => /^(?:duties|watch)-.*\.lock$/.test(name)

/**
 * Says whether a desk or a watch of the account runs on this machine, as the system knows it by their locks; cheap. A
 * folder that cannot be looked into counts as one with a desk: less is asked of the exchange then.
 */
export function deskPresence(folder: string, clock: Pick<Clock, 'now'>): () => boolean {
  let known = { atMs: Number.NEGATIVE_INFINITY, isThere: true }
  return () => {
    const nowMs = clock.now()
    if (nowMs - known.atMs >= countsMs || nowMs < known.atMs) known = { atMs: nowMs, isThere: isAnyHeld(folder) }
    return known.isThere
  }
}

function isAnyHeld(folder: string): boolean {
  try {
    return readdirSync(folder)
      .filter(isDeskLock)
      .some((name) => isHeld(join(folder, name)))
  } catch (error) {
    // Without a folder there is nothing of the account yet.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

/** A desk that begins in this very moment looks again two seconds later. */
function isHeld(path: string): boolean {
  const lock = takeLock(path)
  if (!lock.ok || lock.value === null) return true
  lock.value.release()
  return false
}
