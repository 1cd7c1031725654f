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

/** The disk's code of an error such as `ENOSPC`; empty where it is none of a disk. */
export const diskCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** What the disk said, as a clause for a sentence: what it means, and its own words. */
export function diskReason(error: unknown): string {
  const own = error instanceof Error ? error.message : String(error)
  const meaning = meanings[diskCode(error)] ?? sqliteMeaning(error)
  return meaning === undefined ? own : `${meaning} (${own})`
}

const sqliteMeaning = (error: unknown): string | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? sqliteMeanings[error.errcode & 0xff]
    : undefined

/** True for an error of the disk or of a database on it, and not of the program. */
export const isDiskError = (error: unknown): boolean =>
  diskCode(error) in meanings || sqliteMeaning(error) !== undefined
