import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isUnsyncable } from '../base/atomic-write.ts'
import { isMissingFile } from '../base/error-text.ts'
import { namesIn, readPlainFile } from '../base/plain-file.ts'
import { type JournalRecord, type LineHead, readJournalLine, readLineHead } from './record.ts'

/**
 * A file's records. `torn` is a last line that never got whole; `damagedCount` counts other lines that cannot be read,
 * `newerCount` those that a newer program wrote.
 */
export type FileContent = { records: JournalRecord[]; torn: string | null; damagedCount: number; newerCount: number }

export type Lines = { whole: string[]; rest: string }

/** The lines of a file, and what follows the last line's end. */
export function linesOf(bytes: Uint8Array): Lines {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  const restAt = text.lastIndexOf('\n') + 1
  const lines = text.slice(0, restAt).split('\n')
  return { whole: lines.filter((line) => line !== ''), rest: text.slice(restAt) }
}

/** A line of a file as text without its end; `bytes` with it. */
type HeadedLine = { text: string; bytes: number; head: LineHead | 'newer' | 'damaged' }

/** The lines of a file one after the other with their heads, the last one also where it has no end. */
export function* headedLines(bytes: Buffer): Generator<HeadedLine> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end
    const text = bytes.toString('utf8', from, to)
    yield { text, bytes: (end < 0 ? to : to + 1) - from, head: readLineHead(text) }
    from = to + 1
  }
}

/** The head of a file's first line, which says whose the file is; an empty file has none that can be read. */
export function firstHead(bytes: Buffer): HeadedLine['head'] {
  const [first] = headedLines(bytes)
  return first?.head ?? 'damaged'
}

/** Everything that can be read of a file's bytes: nothing before a torn or damaged line is lost, nor after it. */
export function readContent(bytes: Uint8Array): FileContent {
  const { whole, rest } = linesOf(bytes)
  const content: FileContent = { records: [], torn: null, damagedCount: 0, newerCount: 0 }
  const take = (line: string): 'taken' | 'damaged' => {
    const record = readJournalLine(line)
    if (record === 'damaged') return 'damaged'
    if (record === 'newer') content.newerCount += 1
    else content.records.push(record)
    return 'taken'
  }
  for (const line of whole) if (take(line) === 'damaged') content.damagedCount += 1
  // A last line that lacks nothing but its end is whole all the same: its checksum says so.
  if (rest !== '' && take(rest) === 'damaged') content.torn = rest
  return content
}

/** What of a file could not be read, as a sentence without its stop; null when all of it was. */
export function gapIn(path: string, { torn, damagedCount, newerCount }: Omit<FileContent, 'records'>): string | null {
  const name = basename(path)
  const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
  if (newerCount > 0) return `${lines(newerCount)} of journal ${name}: written by a newer pitdesk`
  if (damagedCount > 0) return `${lines(damagedCount)} of journal ${name} damaged`
  return torn === null ? null : `the last line of journal ${name} cut off`
}

/** `20261120T172200123Z-4711-a81fK2.0001.jsonl`: the run, and the number of its file. */
const namePattern = /^([\w-]+)\.(\d{4,})\.jsonl$/
export const fileName = (instance: string, number: number): string =>
  `${instance}.${String(number).padStart(4, '0')}.jsonl`
export const lockName = (instance: string): string => `${instance}.lock`

export type JournalFile = { instance: string; number: number; path: string }

/** The journal files of a folder, oldest first; none when there is no such folder. */
export function listFiles(folder: string): JournalFile[] {
  return namesIn(folder).flatMap((name) => {
    const match = namePattern.exec(name)
    return match === null ? [] : [{ instance: `${match[1]}`, number: Number(match[2]), path: join(folder, name) }]
  })
}

/** Files that were closed for good, until they are joined. */
export const closedFolder = (folder: string): string => join(folder, 'closed')
/** Closed files of which something could not be read: they are kept as they are, for a person. */
export const damagedFolder = (folder: string): string => join(folder, 'damaged')
/** Closed files joined into few, with an index each. */
export const joinedFolder = (folder: string): string => join(folder, 'joined')

/** Moves a file into a folder, which is made for the owner alone where it is missing. */
export function moveInto(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renameSync(path, join(folder, basename(path)))
}

/** A run's file is closed long before. */
const journalBytesMost = 512 * 1024 * 1024

/** The bytes of a file; null when it is no longer there. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readPlainFile(path, journalBytesMost)
  } catch (error) {
    if (isMissingFile(error)) return null
    throw error
  }
}

/** Writes a new file for the owner alone; on disk when it returns. What has that name already is removed. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * A new file's name is on disk only when its folder is. Not every file system can sync a folder; those that cannot do
 * not need it.
 */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } catch (error) {
    if (!isUnsyncable(error)) throw error
  } finally {
    closeSync(file)
  }
}
