import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { isMissingFile } from '../base/error-text.ts'
import { ok, type Result } from '../base/result.ts'
import type { Beat } from '../domain/desk/duties.ts'
import { type Lock, takeLock } from '../journal/locks.ts'

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
    if (lock === null) return
    const seconds = clock.wallMs() / 1_000
    try {
      // Costs no write of data, so that it may be often, and on a full disk too.
      utimesSync(place.note, seconds, seconds)
    } catch (error) {
      if (isMissingFile(error)) writeNote(place.note, seconds)
    }
  }
  return {
    isMine: () => lock !== null,
    take() {
      const taken = takeLock(place.lock)
      if (!taken.ok) return taken
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
      const note = readNote(place.note)
      return note !== null && isHeld(place.lock) ? note : null
    },
  }
}

/** True while another process holds the lock. */
function isHeld(path: string): boolean {
  const lock = takeLock(path)
  if (!lock.ok) return false
  lock.value?.release()
  return lock.value === null
}

/** A note that cannot be written says nothing: without it the others only know that the seat is taken. */
function writeNote(path: string, seconds: number): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 })
    utimesSync(path, seconds, seconds)
  } catch {
    removeNote(path)
  }
}

function removeNote(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // As with a note that cannot be written.
  }
}

function readNote(path: string): Beat | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[1-9]\d{0,9}$/.test(text) ? { pid: Number(text), beatMs: Math.round(statSync(path).mtimeMs) } : null
  } catch {
    return null
  }
}
