import { existsSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nextTurn } from '../base/clock.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { err, ok, type Result } from '../base/result.ts'
import { diskReason } from '../base/text/error-text.ts'
import {
  closedFolder,
  damagedFolder,
  joinedFolder,
  linesOf,
  listFiles,
  moveInto,
  readOfMany,
  syncFolder,
} from './files.ts'
import { joinedPath, LineGroups, listJoined, removeJoined, tidyJoined, writeJoined } from './joined-file.ts'
import { type Lock, takeLock } from './locks.ts'
import { type LineHead, readLineHead } from './record.ts'

/** With this many closed files, all of them are joined at once. */
const crowd = 1_000
/** Approximate maximum size of a joined file, which bounds the memory and time of joining. */
const joinedBytesMax = 8 * 1024 * 1024
/** Size classes: eight joined files of one class are joined again. */
const sizeClasses = [64 * 1024, 512 * 1024, 4 * 1024 * 1024]
const classCount = 8
/** After this many bytes, other work of this process runs. */
const stretchBytes = 262_144

export type Joining = {
  folder: string
  /** Minimum number of closed files to join; fewer are read one by one. */
  closedMin: number
  /** Approximate maximum bytes read at once: a command must not keep its user waiting for work a desk can do. */
  bytesMax: number
  nowMs: number
}

/**
 * Joins closed files into a few larger ones, each with an index, and small joined files into larger ones. Lines are
 * copied unchanged, sorted by the time of their entries. A file is removed only after its lines are on disk in another,
 * so at any instant every line exists once or twice. Only for one process at a time. Throws the disk's error.
 */
export async function joinFiles({ folder, closedMin, bytesMax, nowMs }: Joining): Promise<void> {
  const joined = joinedFolder(folder)
  const closed = listFiles(closedFolder(folder))
  if (closed.length >= closedMin) {
    tidyJoined(joined)
    // So many remain only when joining was impossible for long; reading them one by one every time would cost more.
    const most = closed.length < crowd ? bytesMax : Number.POSITIVE_INFINITY
    await joinOthers({ folder, bytesMax: most, nowMs }, closed)
  }
  // Unreadable parts stay where the index refers to them.
  const ways = { remove: removeJoined, setAside: () => undefined }
  for (const sizeMax of sizeClasses) {
    const small = ofClass(sizesOf(joined), sizeMax)
    const bytes = small.reduce((sum, file) => sum + file.bytes, 0)
    if (small.length < classCount || bytes > bytesMax) continue
    await new Joiner(joined, nowMs, ways).join(
      small.map(({ path }) => path),
      bytesMax,
    )
  }
}

/** Prevents all processes from joining files of the journal until released; waits briefly for one that is joining. */
export function keepUnjoined(folder: string): Lock | null {
  if (!existsSync(joinedFolder(folder))) return null
  const lock = takeLock(lockPath(folder), joinWaitMs)
  // If the disk allows no lock, no one can join either.
  return lock.ok ? lock.value : null
}

const lockPath = (folder: string): string => join(folder, 'join.lock')
const joinWaitMs = 2_000

/** Joins files unless another process is doing it. Failure costs only time; the error is a sentence. */
export async function joinInTurn(joining: Joining): Promise<Result<null>> {
  const refused = (reason: string) => err(`Closed files of the journal cannot be joined: ${reason}`)
  const turn = takeLock(lockPath(joining.folder))
  if (!turn.ok) return refused(turn.error)
  if (turn.value === null) return ok(null)
  try {
    await joinFiles(joining)
    return ok(null)
  } catch (error) {
    return refused(diskReason(error))
  } finally {
    turn.value.release()
  }
}

/** A command has little time and leaves small files; a desk has time and leaves large ones. */
export const joiningBy: Record<'command' | 'desk', Pick<Joining, 'closedMin' | 'bytesMax'>> = {
  command: { closedMin: 32, bytesMax: 4 * 1024 * 1024 },
  desk: { closedMin: 4, bytesMax: Number.POSITIVE_INFINITY },
}

/** Joins closed files of another folder into this one, however few. Throws the disk's error. */
export async function joinOthers(
  { folder, bytesMax, nowMs }: Omit<Joining, 'closedMin'>,
  files: readonly { path: string }[],
): Promise<void> {
  if (files.length === 0) return
  const joined = joinedFolder(folder)
  makeFolder(joined)
  const ways: Ways = {
    remove: (path) => rmSync(path),
    // A closed file with unreadable parts is kept for manual inspection.
    setAside: (path) => moveInto(damagedFolder(folder), path),
  }
  const paths = files.map(({ path }) => path)
  await new Joiner(joined, nowMs, ways).join(paths, bytesMax)
}

type Sized = { path: string; bytes: number }

const sizesOf = (joined: string): Sized[] =>
  listJoined(joined).map(({ path }) => ({ path, bytes: statSync(path).size }))

/** The files of the size class that ends at `sizeMax`. */
function ofClass(files: readonly Sized[], sizeMax: number): Sized[] {
  const sizeMin = sizeClasses[sizeClasses.indexOf(sizeMax) - 1] ?? 0
  return files.filter(({ bytes }) => bytes >= sizeMin && bytes < sizeMax)
}

type Ways = { remove: (path: string) => void; setAside: (path: string) => void }

/** Joins files one after another, writing a joined file whenever there is enough for one. */
class Joiner {
  readonly #joined: string
  readonly #nowMs: number
  readonly #ways: Ways
  #groups = new LineGroups()
  #taken: string[] = []

  constructor(joined: string, nowMs: number, ways: Ways) {
    this.#joined = joined
    this.#nowMs = nowMs
    this.#ways = ways
  }

  async join(paths: readonly string[], bytesMax: number): Promise<void> {
    refuseWithoutRoom(this.#joined, Math.min(bytesOf(paths), bytesMax, joinedBytesMax))
    let read = 0
    let stretch = 0
    for (const path of paths) {
      const bytes = readOfMany(path)
      if (bytes === null) continue
      read += bytes.length
      stretch += bytes.length
      this.#take(path, bytes)
      if (this.#groups.bytes >= joinedBytesMax) this.#write()
      if (read >= bytesMax) break
      if (stretch < stretchBytes) continue
      stretch = 0
      await nextTurn()
    }
    this.#write()
  }

  #take(path: string, bytes: Buffer): void {
    const { whole, rest } = linesOf(bytes)
    const lines: { text: string; head: LineHead }[] = []
    for (const text of rest === '' ? whole : [...whole, rest]) {
      const head = readLineHead(text)
      // Left to the newer program.
      if (head === 'newer') return
      if (head === 'damaged') {
        this.#ways.setAside(path)
        return
      }
      lines.push({ text, head })
    }
    for (const { text, head } of lines) this.#groups.add(text, head)
    this.#taken.push(path)
  }

  #write(): void {
    if (this.#taken.length === 0) return
    const number = Math.max(0, ...listJoined(this.#joined).map((file) => file.number)) + 1
    writeJoined(joinedPath(this.#joined, number), this.#groups.sorted(), this.#nowMs)
    syncFolder(this.#joined)
    for (const path of this.#taken) this.#ways.remove(path)
    this.#groups = new LineGroups()
    this.#taken = []
  }
}

const bytesOf = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Like the disk's own error. */
class NoRoom extends Error {
  override readonly name = 'NoRoom'
  readonly code = 'ENOSPC'
}

/**
 * Throws before anything is read where the disk has no room for so many bytes of lines: on a full disk each command
 * would read all of them first, for nothing.
 */
function refuseWithoutRoom(folder: string, bytes: number): void {
  if (roomIn(folder) < bytes) throw new NoRoom(`no room for ${bytes} bytes`)
}

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // A disk that does not say tells when it is written to.
    return Number.POSITIVE_INFINITY
  }
}
