/** What an error says; of anything else that was thrown, its text. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What was thrown as an error: itself where it is one, else one with its text. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** What a disk's error codes mean to whoever reads of it. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any more',
  EROFS: 'the disk is read-only',
  EIO: 'the disk fails',
  ENODEV: 'the disk is gone',
  ENXIO: 'the disk is gone',
  ESTALE: 'the disk is gone',
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
  EFTYPE: 'not a plain file',
  EOVERFLOW: 'longer than such a file can be',
  EEXIST: 'a file of this name is in the way',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** SQLite's own codes, where it is a database that the disk refuses. */
const sqliteMeanings: Readonly<Record<number, string>> = {
  8: 'the disk is read-only',
  10: 'the disk fails',
  13: 'the disk is full',
  14: 'the file cannot be opened',
}

/** The code of an error of the system, such as `ENOSPC` or `ECONNRESET`; empty where it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Like `errorCode`, for an error that must come from the system; anything else is thrown on. */
export function systemCode(error: unknown): string {
  const code = errorCode(error)
  if (code === '') throw error
  return code
}

/**
 * What the disk said, as a clause for a sentence that names the file: what it means, and its code; its own words where
 * that is not known.
 */
export function diskReason(error: unknown): string {
  const code = errorCode(error)
  const number = sqliteCode(error)
  const meaning = meanings[code] ?? (number === null ? undefined : sqliteMeanings[number])
  if (meaning === undefined) return errorText(error)
  return `${meaning} (${number === null ? code : `SQLite ${number}`})`
}

/** SQLite's primary code of an error, such as 5 for busy; null where it is not one of SQLite. */
export const sqliteCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null

/** True when the disk said that there is no such file. */
export const isMissingFile = (error: unknown): boolean => errorCode(error) === 'ENOENT'

/** True when the disk refused because something has that name already. */
export const isTakenName = (error: unknown): boolean => errorCode(error) === 'EEXIST'
