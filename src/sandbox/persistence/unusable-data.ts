import { sqliteCode } from '../../base/text/error-text.ts'

/** The data folder cannot be used. The message is one readable sentence: what is wrong and what to do. */
export class UnusableData extends Error {
  /** Another process is using it: nothing is wrong with the data. */
  readonly isInUse: boolean
  /** The disk is full: what is on it is whole, and can be used again once there is room. */
  readonly isFull: boolean

  constructor(message: string, cause?: unknown, { isInUse = false, isFull = false } = {}) {
    super(message, { cause })
    this.name = 'UnusableData'
    this.isInUse = isInUse
    this.isFull = isFull
  }
}

const inUse = (folder: string, cause?: unknown) =>
  new UnusableData(`The data folder ${folder} is in use by another practice exchange.`, cause, { isInUse: true })

const diskFull = 'the disk is full'

/** `reason` is a clause without a final period. */
const unwritable = (folder: string, reason: string, cause?: unknown) =>
  new UnusableData(`The data folder ${folder} cannot be written: ${reason}. Correct that, or choose another.`, cause, {
    isFull: reason === diskFull,
  })

export const damaged = (folder: string, reason: string, cause?: unknown) =>
  new UnusableData(
    `The data folder ${folder} is damaged (${reason}): restore a copy, or move it away to start over.`,
    cause,
  )

export const removed = (folder: string) =>
  new UnusableData(
    `The data folder ${folder} was removed or replaced while it was in use: what was done since is not kept. ` +
      'Put it back, or start over.',
  )

export const tooNew = (folder: string, found: number, known: number) =>
  new UnusableData(
    `The data folder ${folder} was written by a newer version of this program ` +
      `(format ${found}; this one knows ${known}): use that version, or another folder.`,
  )

export const foreign = (folder: string, file: string) =>
  new UnusableData(`The file ${file} in the data folder ${folder} belongs to another program: choose another folder.`)

/** SQLite's primary result codes: locked by another; no permission, read-only, I/O error, full, cannot open. */
const busyCodes = new Set([5, 6])
const fullCode = 13
const diskCodes = new Set([3, 8, 10, fullCode, 14])

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: diskFull,
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file of this name is in the way',
  ENOENT: 'it cannot be made',
}

/** The file contains something that was never written there. */
export class WrongContent extends Error {}

/** An error of a file or its database as a sentence about the folder; any other error unchanged. */
export function explain(folder: string, error: unknown): unknown {
  if (error instanceof WrongContent) return damaged(folder, error.message, error)
  if (!(error instanceof Error) || !('code' in error)) return error
  const text = error.message
  const primary = sqliteCode(error)
  if (primary !== null) {
    if (busyCodes.has(primary)) return inUse(folder, error)
    if (!diskCodes.has(primary)) return damaged(folder, text, error)
    return unwritable(folder, primary === fullCode ? diskFull : text, error)
  }
  return unwritable(folder, systemReasons[String(error.code)] ?? text, error)
}
