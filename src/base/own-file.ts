import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { inspect } from 'node:util'
import { systemCode } from './error-text.ts'
import { plainText } from './plain-text.ts'
import { err, ok, type Result } from './result.ts'

/**
 * Who may do what with a file that decides where money and keys go. Root counts as its owner. `trusted`: only the owner
 * may change it; anybody may read it. `secret`: it is this user's own, and nobody else may even read it. `shared
 * secret`: as secret, or root's and readable by one group, as services get their keys.
 */
export type OwnFileRule = 'trusted' | 'secret' | 'shared secret'

/** Links on the way to a file that are followed, as many as the system itself follows. */
const linksMost = 40

/** This user's number; null on Windows, which knows neither owners nor modes in this sense: nothing is judged there. */
const ownUid = (): number | null => process.getuid?.() ?? null

const isOurs = ({ uid }: Stats, own: number): boolean => uid === own || uid === 0
const othersWrite = ({ mode }: Stats): boolean => (mode & 0o022) !== 0
/** Where others may add entries, but an entry is exchanged by its owner alone, as in /tmp. */
const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0
const modeText = ({ mode }: Stats): string => `mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`

/**
 * Reads a text file that nobody else may have written. Judged are the opened file, so that it cannot be exchanged in
 * between, and every folder and link on the way to it. Null where there is no file. The error follows the path in a
 * sentence and never repeats what is in the file.
 */
export function readOwnFile(
  path: string,
  { rule, bytesMost }: { readonly rule: OwnFileRule; readonly bytesMost: number },
): Result<string | null> {
  const file = openFile(path)
  if (!file.ok || file.value === null) return file.ok ? ok(null) : file
  try {
    const wrong = fileComplaint(path, file.value, rule)
    return wrong === null ? textOf(file.value, bytesMost) : err(wrong)
  } finally {
    closeSync(file.value)
  }
}

/** What keeps a file from being read by `readOwnFile`, or null; for a check that does not need the text. */
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
 * Why others could put files of theirs into a folder that is there, or null. It follows the folder's path in a
 * sentence.
 */
export function ownFolderComplaint(path: string): string | null {
  const own = ownUid()
  const stat = statSync(path, { throwIfNoEntry: false })
  if (own === null || stat === undefined) return null
  if (!isOurs(stat, own)) return `belongs to another user (uid ${stat.uid})`
  if (othersWrite(stat)) return `can be written to by others (${modeText(stat)}): chmod go-w it`
  return placeComplaint(path, own)
}

/** Null when nothing is there. */
function openFile(path: string): Result<number | null> {
  try {
    // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
    return ok(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(null)
    return err(code === 'EACCES' ? 'may not be read by you' : `cannot be opened (${code})`)
  }
}

function textOf(file: number, bytesMost: number): Result<string> {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, bytesMost) + 1)
  let length = 0
  // It may have grown since: no more is read than was looked at, and one byte to tell.
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, null)
    length += count
    if (count === 0 || length === bytes.length) break
  }
  if (length > bytesMost) return err(`is longer than ${bytesMost / 1_024} KiB`)
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

/**
 * The first place on the way to a path where somebody else could put another file in its stead, in words; null when
 * there is none.
 */
function placeComplaint(path: string, own: number): string | null {
  try {
    // Not made plain by words: what `..` means behind a link only the links tell.
    return walk((isAbsolute(path) ? path : `${process.cwd()}/${path}`).split('/'), own)
  } catch (error) {
    return `cannot be checked (${systemCode(error)})`
  }
}

/** Goes from the root along the names, links followed, and judges each folder that is gone through. */
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
    if (links > linksMost) return 'is behind too many links'
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
 * Keeps what is known of a crash in `folder` (mode 0600) and returns the file's path, or null when it cannot be
 * written. Keys are a type that prints as dots, so that none can be in it.
 */
export function writeCrashFile(folder: string, error: unknown, atMs: number): string | null {
  const time = new Date(atMs).toISOString().replaceAll(':', '-')
  const path = join(folder, `crash-${time}.log`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${time} node ${process.version}\n${inspect(error, { depth: 6 })}\n`, { mode: 0o600 })
    return path
  } catch {
    // The disk may be what failed: the message on the terminal has to do.
    return null
  }
}
