import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { takeLock } from '../../journal/locks.ts'

/** How long an answer is reused, in ms: a new desk is noticed up to this late. */
const countsMs = 5_000

/** Locks held by a running desk with duties, or a watch; one for each profile of the account. */
const isDeskLock = (name: string): boolean => /^(?:duties|watch)-.*\.lock$/.test(name)

/**
 * Whether a desk or watch of the account runs on this machine, by its locks; cheap. An unreadable folder counts as one
 * with a desk, so that fewer calls are made.
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

/** A desk starting at this very moment looks again two seconds later. */
function isHeld(path: string): boolean {
  const lock = takeLock(path)
  if (!lock.ok || lock.value === null) return true
  lock.value.release()
  return false
}
