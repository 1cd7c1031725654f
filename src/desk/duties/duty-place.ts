import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { madeFolder } from '../../base/files/make-folder.ts'
import { isThere } from '../../base/files/plain-file.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { diskReason } from '../../base/text/error-text.ts'
import type { Seen, WatchStatus } from '../../domain/desk/duties.ts'
import { type Lock, lookAtLock, takeLock, withFolder } from '../../journal/locks.ts'
import { seenNote } from '../../journal/pid-note.ts'
import { namedFile } from '../../state-files/json-file.ts'
import { createWatchFile } from '../../state-files/watch-file.ts'
import type { Account } from '../account/account-folder.ts'
import type { SeatPlace } from './duty-seat.ts'

/** Files by which the processes of a profile know who has the duties. */
export type DutyPlace = {
  watchLock: string
  statusFile: string
  /** The seat of the process that has the duties. */
  duties: SeatPlace
  /** The seat of the desk that gets them next. */
  next: SeatPlace
}

export function dutyPlace({ folder, profileName }: Pick<Account, 'folder' | 'profileName'>): DutyPlace {
  const name = namedFile(profileName)
  const lock = name.replace(/\.json$/, '.lock')
  return {
    watchLock: join(folder, `watch-${lock}`),
    statusFile: join(folder, `watch-${name}`),
    duties: { lock: join(folder, `duties-${lock}`), note: join(folder, `duties-${name}`) },
    next: { lock: join(folder, `next-${lock}`), note: join(folder, `next-${name}`) },
  }
}

/**
 * A watch that runs: its last status, null when unreadable. On a full disk no new one is written while the watch goes
 * on: `writtenMs` is when this one was, and its beat is the later one by the note of who has the duties.
 */
export type SeenWatch = { status: (WatchStatus & Seen) | null; writtenMs: number }

/** Whether a watch runs, by its lock; null when none does. The error says why that cannot be seen, with the path. */
export async function seeWatch(place: DutyPlace): Promise<Result<SeenWatch | null>> {
  const lock = heldWatch(place.watchLock)
  if (!lock.ok) return lock
  if (lock.value === 'free') return ok(null)
  const status = await createWatchFile(place.statusFile).read()
  if (status === null) return ok({ status, writtenMs: 0 })
  const note = seenNote(place.duties.note)
  const own = note?.pid === status.pid ? note : null
  const seen = own?.isUnseen === true ? { isUnseen: true } : {}
  const beatMs = Math.max(status.beatMs, own?.beatMs ?? 0)
  return ok({ status: { ...status, ...seen, beatMs }, writtenMs: status.beatMs })
}

function heldWatch(path: string): Result<'held' | 'free'> {
  try {
    if (!isThere(path)) return ok('free')
  } catch (error) {
    return err(withFolder(path, `${basename(path)}: ${diskReason(error)}`))
  }
  const lock = lookAtLock(path)
  if (!lock.ok) return err(withFolder(path, lock.error))
  lock.value?.release()
  return ok(lock.value === null ? 'held' : 'free')
}

/** Wait for a lock that is only looked at, in ms. */
const glanceMs = 500

/**
 * Makes this process the watch; null when another one is. The error is the file error. The status of the previous watch
 * is removed, because it would be taken for this one's.
 */
export function claimWatch(place: DutyPlace): Result<Lock | null> {
  const made = madeFolder(dirname(place.watchLock))
  if (!made.ok) return made
  const lock = takeLock(place.watchLock, glanceMs)
  if (!lock.ok) return err(withFolder(place.watchLock, lock.error))
  if (lock.value === null) return lock
  try {
    rmSync(place.statusFile, { force: true })
    return lock
  } catch (error) {
    lock.value.release()
    return err(`${place.statusFile}: ${diskReason(error)}`)
  }
}
