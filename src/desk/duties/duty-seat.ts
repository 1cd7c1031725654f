import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Beat } from '../../domain/desk/duties.ts'
import { type Lock, lookAtLock, takeLock, withFolder } from '../../journal/locks.ts'
import { beatNote, removeNote, seenNote } from '../../journal/pid-note.ts'

/** The files of a seat: its lock, and a note of the process that holds the lock. */
export type SeatPlace = { lock: string; note: string }

/**
 * A seat among the processes of a profile, held by one of them at most, such as that of the duties. The lock says that
 * its holder exists; the note says which process that is, and its time when it last moved: a stopped process keeps its
 * locks.
 */
export type Seat = {
  isMine(): boolean
  /** Takes the seat if it is free; false while another process has it. The error is the disk's. */
  take(): Result<boolean>
  /** Says that this process moves, where it has the seat. */
  beat(): void
  /** Frees the seat, if it is this process's. */
  leave(): void
  /**
   * The process that has the seat; null when it is free, this process's, or its holder is unknown: it has only just
   * taken it, or a full disk kept it from saying so.
   */
  other(): Beat | null
}

export function createSeat(place: SeatPlace, clock: Pick<Clock, 'wallMs'>): Seat {
  let lock: Lock | null = null
  const beat = () => {
    if (lock !== null) beatNote(place.note, clock.wallMs())
  }
  return {
    isMine: () => lock !== null,
    take() {
      const taken = takeLock(place.lock)
      if (!taken.ok) return err(withFolder(place.lock, taken.error))
      if (taken.value === null) return ok(false)
      lock = taken.value
      // That of a killed process would be taken for this one's.
      removeNote(place.note)
      beat()
      return ok(true)
    },
    beat,
    leave() {
      if (lock === null) return
      removeNote(place.note)
      lock.release()
      lock = null
    },
    other() {
      if (lock !== null) return null
      const note = seenNote(place.note)
      return note !== null && isHeld(place.lock) ? note : null
    },
  }
}

/** True while another process holds the lock. */
function isHeld(path: string): boolean {
  const lock = lookAtLock(path)
  if (!lock.ok) return false
  lock.value?.release()
  return lock.value === null
}
