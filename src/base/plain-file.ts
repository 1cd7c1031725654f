import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { isMissingFile } from './error-text.ts'

/**
 * What stands in the place of a file of this program and is none: reading a pipe, a device or a socket may never end.
 * `code` is as the system's own errors have it.
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
 * Opens a file for reading; closing it is up to the caller. Throws what the system says, and `EFTYPE` for anything that
 * is not a plain file: nothing is waited for.
 */
export function openPlainFile(path: string): number {
  // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new NotReadable(path, 'EFTYPE')
}

/** Throws `EFTYPE` where something other than a plain file has this path. A missing file is fine. */
export function refuseOtherThanFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isFile()) throw new NotReadable(path, 'EFTYPE')
}

/**
 * The bytes of a file of this program. Throws what the system says, `EFTYPE` for anything that is not a plain file, and
 * `EOVERFLOW` for more than `bytesMost`.
 */
export function readPlainFile(path: string, bytesMost: number): Buffer {
  const file = openPlainFile(path)
  try {
    const { size } = fstatSync(file)
    if (size > bytesMost) throw new NotReadable(path, 'EOVERFLOW')
    const bytes = Buffer.alloc(size)
    let length = 0
    for (let count = -1; count !== 0 && length < size; length += count)
      count = readSync(file, bytes, length, size - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/** The names in a folder, sorted; none when there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}
