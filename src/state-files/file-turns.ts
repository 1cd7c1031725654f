import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { diskReason } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'

/**
 * Takes a lock that the system lets go of when the process ends; null while somebody else has it. The error is what the
 * disk says.
 */
export type TakeLock = (path: string) => Result<{ release(): void } | null>

/** A file that several desks and commands of an account change; `what` names what it holds: `the drafts`. */
export type SharedFile = { path: string; what: string; takeLock: TakeLock; clock: Clock }

/**
 * Another process is waited for about three seconds: it needs a few milliseconds for a change, and seconds for a send.
 */
const pauseMs = 25
const triesMost = 120

/**
 * Runs while no other process has the same lock beside the file. The error, and it is not run: one has it and keeps
 * it (`busyWith` says what it does: `changing its drafts`), or the disk does not let it.
 */
export async function inTurnOf<T>(
  { path, what, takeLock, clock }: SharedFile,
  { lockName, busyWith }: { lockName: string; busyWith: string },
  run: () => Promise<T>,
): Promise<Result<T>> {
  const refused = (reason: string) => err(`${what} in ${path} cannot be locked: ${reason}`)
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    return refused(diskReason(error))
  }
  // Counted and not timed: a clock that is set back meanwhile makes nobody wait for longer.
  for (let tries = 0; tries <= triesMost; tries += 1) {
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
