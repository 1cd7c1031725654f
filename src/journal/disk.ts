import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { diskCode } from '../base/disk-error.ts'

/** True when the disk said that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => diskCode(error) === 'ENOENT'

/** The names in a folder, sorted; none when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The bytes of a file; null when it is not there any more. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Writes a new file for the owner alone; on disk when it returns. What has that name already is removed. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A new file's name is on disk only when its folder is. Not every system can do that, and those that cannot need it
 * not.
 */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL'].includes(diskCode(error))) throw error
  } finally {
    closeSync(file)
  }
}
