import { chmodSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readPlainFile } from '../base/files/plain-file.ts'
import { errorCode, isMissingFile } from '../base/text/error-text.ts'
import type { Beat } from '../domain/desk/duties.ts'

/*
 * The note of a process that holds a lock: its id, and in the time of the file when it last moved. The lock says that
 * its holder exists, not which process that is, and a stopped process keeps its locks.
 */

/** More than the id of any process. */
const bytesMax = 1_024

/** Says that this process moves, at wall clock time `wallMs`. */
export function beatNote(path: string, wallMs: number): void {
  const seconds = wallMs / 1_000
  try {
    // Costs no write of data, so that it may be often, and on a full disk too.
    utimesSync(path, seconds, seconds)
  } catch (error) {
    if (isMissingFile(error)) writeNote(path, seconds)
  }
}

/** A note that cannot be written says nothing: without it the others only know that the lock is held. */
function writeNote(path: string, seconds: number): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 })
    utimesSync(path, seconds, seconds)
  } catch {
    removeNote(path)
  }
}

/** Removes the note, that of a killed process too, which would be taken for this one's. */
export function removeNote(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // As with a note that cannot be written.
  }
}

/** The note with whether it could be beaten at all. On a read-only disk a process that moves looks as if it did not. */
export function seenNote(path: string): Beat | null {
  const note = readNote(path)
  return note !== null && isReadOnly(path) ? { ...note, isUnseen: true } : note
}

/** A disk that turned read-only by a fault admits to it only when it is written to: the mode is set to what it is. */
function isReadOnly(path: string): boolean {
  try {
    chmodSync(path, statSync(path).mode)
    return false
  } catch (error) {
    return errorCode(error) === 'EROFS'
  }
}

/** The process that the note names; null when none can be read. Only to be believed while its lock is held. */
export function readNote(path: string): Beat | null {
  try {
    const text = readPlainFile(path, bytesMax).toString('utf8').trim()
    return /^[1-9]\d{0,9}$/.test(text) ? { pid: Number(text), beatMs: Math.round(statSync(path).mtimeMs) } : null
  } catch {
    return null
  }
}
