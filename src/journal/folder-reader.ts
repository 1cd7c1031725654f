import { basename } from 'node:path'
import { nextTurn } from '../base/clock.ts'
import { Entries } from './entries.ts'
import { JournalError, type WriteKey } from './entry.ts'
import {
  closedFolder,
  damagedFolder,
  type FileContent,
  firstHead,
  gapIn,
  type JournalFile,
  joinedFolder,
  linesOf,
  listFiles,
  readContent,
  readOfMany,
} from './files.ts'
import { JoinedReader, listJoined } from './joined-file.ts'
import { hashesOf, type Index } from './joined-index.ts'
import { entryName, keyName, readLineHead } from './record.ts'

/** The result of reading: the entries, clauses about what was unreadable, and the runs with unjoined files. */
export type Reading = { entries: Entries; gaps: string[]; runs: Set<string> }

/** Keys that are searched for one by one in a file that has no index. */
const manyKeys = 50

const nothingRead = (): Reading => ({ entries: new Entries(), gaps: [], runs: new Set() })

type Visit = {
  file(file: JournalFile, bytes: Buffer): void
  /** Returns false when the file was meanwhile joined into another. */
  joined(reader: JoinedReader, path: string, index: Index): boolean | Promise<boolean>
}

/** Maximum times the list of joined files is read again because one of them was joined meanwhile. */
const listingsMax = 20

/**
 * Reads all files of a journal's folder: current, closed, damaged and joined ones. Files move only in the order in
 * which they are read, so a file that moves during reading is still found. Throws the disk's error.
 */
export class FolderReader {
  readonly #folder: string
  readonly #unknownFolder: string | null
  readonly #joined = new Map<string, JoinedReader>()
  /** The unreadable parts of each file, cached while the file does not grow. */
  readonly #gaps = new Map<string, { bytes: number; gap: string | null }>()

  /** `unknownFolder` contains files without an account: while there are any, part of the journal is unknown. */
  constructor(folder: string, unknownFolder: string | null = null) {
    this.#folder = folder
    this.#unknownFolder = unknownFolder
  }

  /** Every entry since a time, with its later records. */
  async since(sinceMs: number): Promise<Reading> {
    const reading = nothingRead()
    await this.#walk({
      file({ path, instance }, bytes) {
        reading.runs.add(instance)
        takeSince(reading, path, bytes, sinceMs)
      },
      joined(reader, path) {
        const bytes = reader.since(sinceMs)
        if (bytes !== null) takeSince(reading, path, bytes, sinceMs)
        return bytes !== null
      },
    })
    return reading
  }

  /**
   * The open entries, possibly with others. An entry that is open in a joined file may have ended in another, so it is
   * looked up in all of them.
   */
  async open(): Promise<Reading> {
    const reading = nothingRead()
    const open = new Set<string>()
    await this.#walk({
      file: ({ path }, bytes) => take(reading, path, readContent(bytes)),
      joined(_reader, path, index) {
        takeIndexGap(reading, path, index)
        for (const id of index.open) open.add(id)
        return true
      },
    })
    const hashes = hashesOf([...open].map(entryName))
    await this.#walk({
      file: () => undefined,
      joined: (reader, path) => takeFound(reading, reader, path, hashes),
    })
    return reading
  }

  /** The entries of all unjoined files, and the unreadable parts of joined ones. */
  async loose(): Promise<Reading> {
    const reading = nothingRead()
    await this.#walk({
      file: ({ path }, bytes) => take(reading, path, readContent(bytes)),
      joined(_reader, path, index) {
        takeIndexGap(reading, path, index)
        return true
      },
    })
    return reading
  }

  /** The entries under the keys, possibly with others of the same files. */
  async find(keys: readonly WriteKey[]): Promise<Reading> {
    const reading = nothingRead()
    const texts = keys.map(({ id }) => JSON.stringify(id))
    const hashes = hashesOf(keys.map(keyName))
    // To search a file for each of many costs more than to read all of it.
    const areMany = keys.length > manyKeys
    await this.#walk({
      file: (file, bytes) => {
        reading.runs.add(file.instance)
        if (areMany || texts.some((text) => bytes.includes(text))) take(reading, file.path, readContent(bytes))
        else this.#takeGap(reading, file, bytes)
      },
      joined(reader, path, index) {
        takeIndexGap(reading, path, index)
        return takeFound(reading, reader, path, hashes)
      },
    })
    const unknownCount = this.#unknownFolder === null ? 0 : listFiles(this.#unknownFolder).length
    if (unknownCount > 0)
      reading.gaps.push(`${unknownCount} journal files in ${this.#unknownFolder} of an unknown account`)
    return reading
  }

  /** Throws `JournalError` when a newer program wrote to the folder, because this one could misread it. */
  async refuseNewer(): Promise<void> {
    await this.#walk({
      file: ({ path }, bytes) => {
        if (firstHead(bytes) === 'newer') throw newerError(path)
      },
      joined: () => true,
    })
  }

  async #walk(visit: Visit): Promise<void> {
    for (const place of [this.#folder, closedFolder(this.#folder), damagedFolder(this.#folder)]) {
      for (const file of listFiles(place)) {
        const bytes = await this.#bytesOf(file)
        if (bytes !== null) visit.file(file, bytes)
        await nextTurn()
      }
    }
    for (let listings = 0; listings < listingsMax; listings += 1) if (await this.#walkJoined(visit)) return
    throw new Error('its files are joined too often to be read')
  }

  /** A line that a running desk is writing may be seen half; it is complete a moment later. */
  async #bytesOf({ path }: JournalFile): Promise<Buffer | null> {
    const bytes = readOfMany(path)
    if (bytes?.at(-1) === 10) return bytes
    await nextTurn()
    return readOfMany(path)
  }

  async #walkJoined(visit: Visit): Promise<boolean> {
    const files = listJoined(joinedFolder(this.#folder))
    const paths = new Set(files.map(({ path }) => path))
    for (const path of this.#joined.keys()) if (!paths.has(path)) this.#joined.delete(path)
    for (const { path } of files) {
      const reader = this.#joined.get(path) ?? new JoinedReader(path)
      this.#joined.set(path, reader)
      const index = reader.index()
      if (index === 'newer') throw newerError(path)
      if (index === null || !(await visit.joined(reader, path, index))) return false
      await nextTurn()
    }
    return true
  }

  #takeGap({ gaps }: Reading, { path }: JournalFile, bytes: Buffer): void {
    const known = this.#gaps.get(path)
    const gap = known?.bytes === bytes.length ? known.gap : gapIn(path, lineCounts(path, bytes))
    this.#gaps.set(path, { bytes: bytes.length, gap })
    if (gap !== null) gaps.push(gap)
  }
}

const newerError = (path: string): JournalError =>
  new JournalError(`journal ${basename(path)} was written by a newer pitdesk: use that one`, { isFinal: true })

function take({ entries, gaps }: Reading, path: string, content: FileContent): void {
  if (content.newerCount > 0) throw newerError(path)
  for (const record of content.records) entries.add(record)
  const gap = gapIn(path, content)
  if (gap !== null) gaps.push(gap)
}

/** Takes the entries since a time; of the others only the unreadable parts. */
function takeSince(reading: Reading, path: string, bytes: Buffer, sinceMs: number): void {
  const { whole, rest } = linesOf(bytes)
  const lines = [...whole, rest].map((text) => ({ text, head: readLineHead(text) }))
  const wanted = new Set<string>()
  for (const { head } of lines)
    if (typeof head === 'object' && head.record === 'begin' && head.at >= sinceMs) wanted.add(head.id)
  // Empty lines replace the others, so that the last line stays last.
  const kept = lines.map(({ text, head }) => (typeof head === 'string' || wanted.has(head.id) ? text : ''))
  take(reading, path, readContent(Buffer.from(kept.join('\n'))))
}

/** Reports the lines of a joined file that were unreadable when its index was made. */
function takeIndexGap({ gaps }: Reading, path: string, { damagedCount }: Index): void {
  const gap = gapIn(path, { torn: null, damagedCount, newerCount: 0 })
  if (gap !== null) gaps.push(gap)
}

/** Entries taken per turn: some ms. */
const entriesAtOnce = 50

/**
 * Takes the entries of a joined file that may be under one of the keys; false when the file is gone. In several turns:
 * thousands of working orders may all be in the same file.
 */
async function takeFound(
  reading: Reading,
  reader: JoinedReader,
  path: string,
  hashes: readonly string[],
): Promise<boolean> {
  const lines = reader.find(hashes)
  for (const [at, text] of lines?.entries() ?? []) {
    take(reading, path, readContent(Buffer.from(text)))
    if (at % entriesAtOnce === entriesAtOnce - 1) await nextTurn()
  }
  return lines !== null
}

/** The counts of `readContent`, without parsing all of each record. */
function lineCounts(path: string, bytes: Buffer): Omit<FileContent, 'records'> {
  const { whole, rest } = linesOf(bytes)
  const heads = whole.map(readLineHead)
  if (heads.includes('newer')) throw newerError(path)
  const torn = rest !== '' && readLineHead(rest) === 'damaged' ? rest : null
  return { torn, damagedCount: heads.filter((head) => head === 'damaged').length, newerCount: 0 }
}
