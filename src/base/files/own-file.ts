import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { inspect } from 'node:util'
import { err, ok, type Result } from '../result.ts'
import { diskReason, systemCode } from '../text/error-text.ts'
import { plainText } from '../text/plain-text.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Required access rights of a file that decides where money and keys go. Root counts as its owner. `trusted`: only the
 * owner may change it, anyone may read it. `secret`: owned by this user, and no one else may read it. `shared secret`:
 * like secret, or owned by root and readable by one group, as services get their keys.
 */
export type OwnFileRule = 'trusted' | 'secret' | 'shared secret'

/** Maximum number of symbolic links followed on a path, as in the system itself. */
const linksMax = 40

/** This user's uid; null on Windows, which has no such owners and modes, so nothing is checked there. */
const ownUid = (): number | null => process.getuid?.() ?? null

const isOurs = ({ uid }: Stats, own: number): boolean => uid === own || uid === 0
const othersWrite = ({ mode }: Stats): boolean => (mode & 0o022) !== 0
/** Sticky, such as /tmp: others may add entries, but only an entry's owner may replace it. */
const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0
const modeText = ({ mode }: Stats): string => `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`

/**
 * Reads a text file that no one else may have written. Checks the opened file, so that it cannot be replaced in
 * between, and every folder and link of its path. Null when there is no file. The error continues a sentence that
 * starts with the path, and never contains the file's text.
 */
export function readOwnFile(
  path: string,
  { rule, bytesMax }: { readonly rule: OwnFileRule; readonly bytesMax: number },
): Result<string | null> {
  const file = openFile(path)
  if (!file.ok || file.value === null) return file.ok ? ok(null) : file
  try {
    const wrong = fileComplaint(path, file.value, rule)
    return wrong === null ? textOf(file.value, bytesMax) : err(wrong)
  } finally {
    closeSync(file.value)
  }
}

/** Why `readOwnFile` would refuse the file, or null; for checks that do not need the text. */
export function ownFileComplaint(path: string, rule: OwnFileRule): string | null {
  const file = openFile(path)
  if (!file.ok) return file.error
  if (file.value === null) return 'does not exist'
  try {
    return fileComplaint(path, file.value, rule)
  } finally {
    closeSync(file.value)
  }
}

/**
 * Why others could put their own files into an existing folder, or null. Continues a sentence that starts with the
 * folder's path.
 */
export function ownFolderComplaint(path: string): string | null {
  const own = ownUid()
  let stat: Stats | undefined
  try {
    stat = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOTDIR' ? null : `cannot be looked at: ${diskReason(error)}`
  }
  if (own === null || stat === undefined) return null
  if (!isOurs(stat, own)) return `belongs to another user (uid ${stat.uid})`
  if (othersWrite(stat)) return `can be written to by others (${modeText(stat)}): chmod go-w it`
  return placeComplaint(path, own)
}

/** Whether a missing file is behind a link to nothing: whoever made that meant a file to count. */
function isBehindDeadLink(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat !== undefined) return stat.isSymbolicLink() && !existsSync(path)
  const folder = dirname(path)
  return folder !== path && isBehindDeadLink(folder)
}

/** Null when there is no file. */
function openFile(path: string): Result<number | null> {
  try {
    // Without O_NONBLOCK, opening a pipe without a writer would block.
    return ok(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' && isBehindDeadLink(path)) return err('is behind a link to nothing')
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(null)
    return err(code === 'EACCES' ? 'may not be read by you' : `cannot be opened (${code})`)
  }
}

function textOf(file: number, bytesMax: number): Result<string> {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, bytesMax) + 1)
  let length = 0
  // The file may have grown since fstat: read at most that size and one byte more, which shows that it did.
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, null)
    length += count
    if (count === 0 || length === bytes.length) break
  }
  if (length > bytesMax) return err(`is longer than ${bytesMax / 1_024} KiB`)
  return length === bytes.length ? err('changed while it was read') : ok(bytes.toString('utf8', 0, length))
}

function fileComplaint(path: string, file: number, rule: OwnFileRule): string | null {
  const stat = fstatSync(file)
  if (!stat.isFile()) return 'is not a plain file'
  const own = ownUid()
  if (own === null) return null
  return modeComplaint(stat, own, rule) ?? placeComplaint(path, own)
}

function modeComplaint(stat: Stats, own: number, rule: OwnFileRule): string | null {
  switch (rule) {
    case 'secret':
      if (stat.uid !== own) return 'belongs to another user: a key file has to be your own'
      return (stat.mode & 0o177) === 0
        ? null
        : `has ${modeText(stat)}, open to more than its owner's reading and writing: chmod 600 it`
    case 'shared secret':
      if (!isOurs(stat, own)) return `belongs to another user (uid ${stat.uid})`
      return (stat.mode & (stat.uid === 0 ? 0o027 : 0o077)) === 0
        ? null
        : `has ${modeText(stat)}, so that others can read or change the key: chmod 600 it`
    case 'trusted':
      if (!isOurs(stat, own)) return `belongs to another user (uid ${stat.uid})`
      return othersWrite(stat) ? `can be changed by others (${modeText(stat)}): chmod go-w it` : null
  }
}

/** The first part of a path where someone else could replace a file, as a clause; null when there is none. */
function placeComplaint(path: string, own: number): string | null {
  try {
    // Not normalized as text: after a symbolic link, `..` is relative to the link's target.
    return walk((isAbsolute(path) ? path : `${process.cwd()}/${path}`).split('/'), own)
  } catch (error) {
    return `cannot be checked (${systemCode(error)})`
  }
}

/** Walks from the root along the names, following links, and checks each folder on the way. */
function walk(names: string[], own: number): string | null {
  let folder = '/'
  let links = 0
  for (let rest = names.filter((name) => name !== ''); rest.length > 0; ) {
    const [name = '', ...more] = rest
    rest = more
    if (name === '..') folder = dirname(folder)
    if (name === '..' || name === '.') continue
    const wrong = folderComplaint(folder, own)
    if (wrong !== null) return wrong
    const place = join(folder, name)
    const stat = lstatSync(place)
    if (!isOurs(stat, own)) return `is behind ${plainText(place)}, which belongs to another user (uid ${stat.uid})`
    if (!stat.isSymbolicLink()) {
      folder = place
      continue
    }
    links += 1
    if (links > linksMax) return 'is behind too many links'
    const target = readlinkSync(place)
    if (isAbsolute(target)) folder = '/'
    rest = [...target.split('/').filter((part) => part !== ''), ...more]
  }
  return null
}

function folderComplaint(folder: string, own: number): string | null {
  const stat = lstatSync(folder)
  if (!isOurs(stat, own)) return `is in ${plainText(folder)}, which belongs to another user (uid ${stat.uid})`
  if (!othersWrite(stat) || isSticky(stat)) return null
  return `is in ${plainText(folder)}, which others can write to (${modeText(stat)}): chmod go-w ${plainText(folder)}`
}

/**
 * Writes a crash report to `folder` (mode 0600) and returns its path, or null when it cannot be written. Contains no
 * keys: their type prints as dots.
 */
export function writeCrashFile(folder: string, error: unknown, atMs: number): string | null {
  const time = new Date(atMs).toISOString().replaceAll(':', '-')
  const path = join(folder, `crash-${time}.log`)
  try {
    makeFolder(folder)
    writeFileSync(path, `${time} node ${process.version}\n${inspect(error, { depth: 6 })}\n`, { mode: 0o600 })
    return path
  } catch {
    // The disk may be what failed; the message on the terminal must be enough.
    return null
  }
}
