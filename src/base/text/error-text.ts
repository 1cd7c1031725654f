/** The message of an error, or the text of any other thrown value. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A thrown value as an error: itself, or an error with its text. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** The meanings of disk error codes, as users read them. */
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
  ELOOP: 'links that lead in a circle',
  ENOTDIR: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
  EFTYPE: 'not a plain file',
  EOVERFLOW: 'longer than such a file can be',
  EEXIST: 'a file of this name is in the way',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** The same for SQLite's codes, when the disk fails a database. */
const sqliteMeanings: Readonly<Record<number, string>> = {
  8: 'the disk is read-only',
  10: 'the disk fails',
  13: 'the disk is full',
  14: 'the file cannot be opened',
}

/** The code of a system error, such as `ENOSPC` or `ECONNRESET`; empty when there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Like `errorCode`, for an error that must come from the system; throws any other error again. */
export function systemCode(error: unknown): string {
  const code = errorCode(error)
  if (code === '') throw error
  return code
}

/**
 * A disk error as a clause for a sentence that names the file: its meaning and code, or its own message when the
 * meaning is not known.
 */
export function diskReason(error: unknown): string {
  const code = errorCode(error)
  const number = sqliteCode(error)
  const meaning = meanings[code] ?? (number === null ? undefined : sqliteMeanings[number])
  if (meaning === undefined) return errorText(error)
  return `${meaning} (${number === null ? code : `SQLite ${number}`})`
}

/** SQLite's primary result code, such as 5 for busy; null when it is not an SQLite error. */
export const sqliteCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null

/** True when the file does not exist. */
export const isMissingFile = (error: unknown): boolean => errorCode(error) === 'ENOENT'

/** True when the name is already taken. */
export const isTakenName = (error: unknown): boolean => errorCode(error) === 'EEXIST'
