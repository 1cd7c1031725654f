import { closeSync, fstatSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn, openPlainFile } from '../base/files/plain-file.ts'
import { isMissingFile } from '../base/text/error-text.ts'
import { headedLines, readOfMany, writeSynced } from './files.ts'
import {
  buildIndex,
  type Index,
  type IndexedLine,
  type IndexTable,
  offsetSince,
  type Place,
  placesOf,
  type ReadIndexAt,
  readIndex,
  readTable,
} from './joined-index.ts'
import type { LineHead } from './record.ts'

const namePattern = /^(\d{6,})\.jsonl$/

/** A joined file; its index is next to it under the same name. */
export type JoinedFile = { number: number; path: string }

const indexPath = (path: string): string => path.replace(/\.jsonl$/, '.index')
/** The path of the joined file with this number. */
export const joinedPath = (folder: string, number: number): string =>
  join(folder, `${String(number).padStart(6, '0')}.jsonl`)

/** The joined files of a folder, oldest first. */
export function listJoined(folder: string): JoinedFile[] {
  return namesIn(folder).flatMap((name) => {
    const number = namePattern.exec(name)?.[1]
    return number === undefined ? [] : [{ number: Number(number), path: join(folder, name) }]
  })
}

/** The lines of one write or run, as written. */
export type LineGroup = { atMs: number; lines: { text: string; head: LineHead }[] }

/**
 * Groups lines, in any order, by write. A first line that occurs twice, because its entry was carried over to another
 * file, counts once; a group's time is that of its first line.
 */
export class LineGroups {
  readonly #byId = new Map<string, LineGroup>()
  bytes = 0

  add(text: string, head: LineHead): void {
    const id = head.record === 'desk' ? `run ${head.id}` : head.id
    const group = this.#byId.get(id)
    if (group === undefined) this.#byId.set(id, { atMs: head.at, lines: [{ text, head }] })
    else {
      const isBegin = head.record === 'begin'
      const isKnown = group.lines.some((line) => line.text === text || (isBegin && line.head.record === 'begin'))
      if (isKnown) return
      if (isBegin) {
        group.atMs = head.at
        group.lines.unshift({ text, head })
      } else group.lines.push({ text, head })
    }
    this.bytes += text.length + 1
  }

  /** The groups in the order of their times. */
  sorted(): LineGroup[] {
    return [...this.#byId.values()].sort((left, right) => left.atMs - right.atMs)
  }
}

/**
 * Writes a joined file, which is on disk with its index when this returns. Throws the disk's error and leaves nothing
 * then.
 */
export function writeJoined(path: string, groups: readonly LineGroup[], atMs: number): void {
  const lines = groups.flatMap((group) => group.lines)
  const data = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''))
  const { bytes: index } = buildIndex(
    lines.map(({ text, head }) => ({ bytes: Buffer.byteLength(text) + 1, head })),
    atMs,
  )
  const newData = newName(path)
  const newIndex = newName(indexPath(path))
  try {
    writeSynced(newData, data)
    writeSynced(newIndex, index)
    // The index is renamed first, so that every file has one.
    renameSync(newIndex, indexPath(path))
    renameSync(newData, path)
  } catch (error) {
    for (const each of [newData, newIndex]) rmSync(each, { force: true })
    throw error
  }
}

const newName = (path: string): string => `${path}.${process.pid}.new`

/** Removes a joined file, then its index. */
export function removeJoined(path: string): void {
  rmSync(path, { force: true })
  rmSync(indexPath(path), { force: true })
}

/** Removes leftovers of a crashed process next to the joined files. Only while no other process joins. */
export function tidyJoined(folder: string): void {
  const names = new Set(namesIn(folder))
  for (const name of names) {
    // Anything but an index finds its own name here.
    const isLeft = name.endsWith('.new') || !names.has(name.replace(/\.index$/, '.jsonl'))
    // A reader may just have renamed or removed it.
    if (isLeft) rmSync(join(folder, name), { force: true })
  }
}

/** Bytes of an index read at first; most first lines are shorter. */
const headReadBytes = 2_048

/** Places this close to each other are read together, up to so many bytes. */
const gapMax = 4_096
const readMax = 1_048_576

/** The texts at sorted places. Those of orders sent one after the other are read together: thousands may be sought. */
function textsAt(places: readonly Place[], read: (offset: number, length: number) => Buffer): string[] {
  const texts: string[] = []
  for (let at = 0; at < places.length; ) {
    const from = places[at]?.offset ?? 0
    let end = at
    let to = from
    for (let next = places[at]; next !== undefined; next = places[end]) {
      const nextTo = next.offset + next.length
      if (end > at && (next.offset - to > gapMax || nextTo - from > readMax)) break
      to = Math.max(to, nextTo)
      end += 1
    }
    const bytes = read(from, to - from)
    for (const { offset, length } of places.slice(at, end))
      texts.push(bytes.toString('utf8', offset - from, offset - from + length))
    at = end
  }
  return texts
}

/**
 * Looks up entries of a joined file by its index, which is rebuilt when missing or damaged. All methods return null
 * once the file is gone, joined into another one. Throws the disk's error.
 */
export class JoinedReader {
  readonly #path: string
  #index: Index | null = null
  #table: IndexTable | null = null
  /** An index rebuilt here. */
  #made: Buffer | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** The index's first line; `newer` when a newer program wrote it. */
  index(): Index | 'newer' | null {
    if (this.#index !== null) return this.#index
    const read = withFile(indexPath(this.#path), (file) => {
      const start = readAt(file, 0, headReadBytes)
      return readIndex(start.includes(10) ? start : readAt(file, 0, fstatSync(file).size))
    })
    if (read === 'newer') return read
    const size = withFile(this.#path, (file) => fstatSync(file).size)
    if (read === null || read.dataBytes !== size) return this.#remake()
    this.#index = read
    return read
  }

  /** The lines of entries that may be under one of the keys, by `hashesOf`; those of many keys in the file's order. */
  find(hashes: readonly string[]): string[] | null {
    return this.#read((index, table, readFrom) => {
      const places = placesOf(index, table, hashes, readFrom)?.sort((left, right) => left.offset - right.offset) ?? null
      if (places === null) return null
      if (places.length === 0) return []
      return withFile(this.#path, (file) => textsAt(places, (offset, length) => readAt(file, offset, length)))
    })
  }

  /** The bytes of every entry since a time, and of some before. */
  since(sinceMs: number): Buffer | null {
    const index = this.#own()
    if (index === null) return null
    if ((index.toMs ?? Number.NEGATIVE_INFINITY) < sinceMs) return Buffer.alloc(0)
    return this.#read(({ dataBytes }, table) => {
      const from = offsetSince(table, sinceMs)
      return withFile(this.#path, (file) => readAt(file, from, dataBytes - from))
    })
  }

  /** The index's first line; null also when a newer program wrote it. */
  #own(): Index | null {
    const index = this.index()
    return index === 'newer' ? null : index
  }

  /**
   * Reads by the index. A null from `use` means that the index is damaged or the file gone; the index is then rebuilt
   * once.
   */
  #read<T>(use: (index: Index, table: IndexTable, readFrom: ReadIndexAt) => T | null): T | null {
    const index = this.#own()
    if (index === null) return null
    const read = this.#readBy(index, use)
    if (read !== null) return read
    this.#remake()
    return this.#readBy(this.#index ?? index, use)
  }

  #readBy<T>(index: Index, use: (index: Index, table: IndexTable, readFrom: ReadIndexAt) => T | null): T | null {
    const made = this.#made
    const all = (readFrom: ReadIndexAt): T | null => {
      this.#table ??= readTable(index, readFrom)
      return this.#table === null ? null : use(index, this.#table, readFrom)
    }
    return made === null
      ? withFile(indexPath(this.#path), (file) => all((offset, length) => readAt(file, offset, length)))
      : all((offset, length) => made.subarray(offset, offset + length))
  }

  /** Rebuilds the index from the file. Lines that are unreadable now count as damaged from then on. */
  #remake(): Index | 'newer' | null {
    const bytes = readOfMany(this.#path)
    if (bytes === null) return null
    // Without the texts, which are as large as the file.
    const lines: IndexedLine[] = headedLines(bytes)
      .map((line) => ({ bytes: line.bytes, head: line.head }))
      .toArray()
    if (lines.some(({ head }) => head === 'newer')) return 'newer'
    const { bytes: made, index } = buildIndex(lines, 0)
    this.#made = made
    this.#index = index
    this.#table = null
    this.#keepIndex(made)
    return index
  }

  #keepIndex(made: Buffer): void {
    const path = indexPath(this.#path)
    try {
      writeSynced(newName(path), made)
      renameSync(newName(path), path)
    } catch {
      // If the disk refuses the copy, the next reader just rebuilds it again.
      rmSync(newName(path), { force: true })
    }
  }
}

const readAt = (file: number, offset: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  let read = 0
  for (let last = length; last !== 0; read += last) last = readSync(file, bytes, read, length - read, offset + read)
  return bytes.subarray(0, read)
}

/** Null when there is no such file. */
function withFile<T>(path: string, use: (file: number) => T): T | null {
  let file: number
  try {
    file = openPlainFile(path)
  } catch (error) {
    if (isMissingFile(error)) return null
    throw error
  }
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}
