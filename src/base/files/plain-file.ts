import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { errorCode, isMissingFile } from '../text/error-text.ts'

/**
 * Something other than a readable file of this program is at its path; reading a pipe, a device or a socket may never
 * end. `code` is named like a system error code.
 */
class NotReadable extends Error {
  override readonly name = 'NotReadable'
  readonly code: 'EFTYPE' | 'EOVERFLOW'

  constructor(path: string, code: NotReadable['code']) {
    super(`${path}: ${code === 'EFTYPE' ? 'not a plain file' : 'longer than it can be'}`)
    this.code = code
  }
}

/**
 * Opens a file for reading, without ever blocking; the caller closes it. Throws system errors, and `EFTYPE` for
 * anything but a regular file.
 */
export function openPlainFile(path: string): number {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new NotReadable(path, 'EFTYPE')
}

/**
 * Whether there is something at a path. Throws system errors: what lies in a folder that may not be looked into is not
 * missing.
 */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Throws `EFTYPE` when the path is something other than a regular file. A missing file is fine. */
export function refuseOtherThanFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isFile()) throw new NotReadable(path, 'EFTYPE')
}

/**
 * Reads a file of this program. Throws system errors, `EFTYPE` for anything but a regular file, and `EOVERFLOW` for
 * more than `bytesMax` bytes.
 */
export function readPlainFile(path: string, bytesMax: number): Buffer {
  const file = openPlainFile(path)
  try {
    const { size } = fstatSync(file)
    if (size > bytesMax) throw new NotReadable(path, 'EOVERFLOW')
    const bytes = Buffer.alloc(size)
    let length = 0
    for (let count = -1; count !== 0 && length < size; length += count)
      count = readSync(file, bytes, length, size - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/** The names in a folder, sorted; empty when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}
