import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { err, ok, type Result } from '../base/result.ts'
import { diskReason } from '../base/text/error-text.ts'

/**
 * Takes a lock that the system releases when the process ends; null while it is held elsewhere. The error is the
 * disk's.
 */
export type TakeLock = (path: string) => Result<{ release(): void } | null>

/** A file that several desks and commands of an account change; `what` names its contents, such as `the drafts`. */
export type SharedFile = { path: string; what: string; takeLock: TakeLock; clock: Clock }

/** Waits about three seconds in total: another process needs a few ms for a change, and seconds for sending. */
const pauseMs = 25
const triesMax = 120

/**
 * Runs while no other process has the same lock next to the file. On error it has not run: another process keeps the
 * lock (`busyWith` says why, such as `changing its drafts`), or the disk fails.
 */
export async function inTurnOf<T>(
  { path, what, takeLock, clock }: SharedFile,
  { lockName, busyWith }: { lockName: string; busyWith: string },
  run: () => Promise<T>,
): Promise<Result<T>> {
  const refused = (reason: string) => err(`${what} in ${path} cannot be locked: ${reason}`)
  try {
    makeFolder(dirname(path))
  } catch (error) {
    return refused(diskReason(error))
  }
  // Counted instead of timed, so that a clock that is set back prolongs nothing.
  for (let tries = 0; tries <= triesMax; tries += 1) {
    if (tries > 0) await clock.sleep(pauseMs)
    const lock = takeLock(`${path}.${lockName}`)
    if (!lock.ok) return refused(lock.error)
    if (lock.value === null) continue
    try {
      return ok(await run())
    } finally {
      lock.value.release()
    }
  }
  return err(`another desk or command of this account is ${busyWith}: try again`)
}
