import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isUnsyncable } from '../base/files/atomic-write.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { namesIn, readPlainFile } from '../base/files/plain-file.ts'
import { diskReason, errorCode, isMissingFile } from '../base/text/error-text.ts'
import type { RemovedHow } from './append-file.ts'
import { type JournalRecord, type LineHead, readJournalLine, readLineHead } from './record.ts'

/**
 * The contents of a file. `torn` is an incomplete last line; `damagedCount` counts other unreadable lines, `newerCount`
 * lines written by a newer program.
 */
export type FileContent = { records: JournalRecord[]; torn: string | null; damagedCount: number; newerCount: number }

export type Lines = { whole: string[]; rest: string }

/** Splits a file into its lines and the rest after the last line end. */
export function linesOf(bytes: Uint8Array): Lines {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  const restAt = text.lastIndexOf('\n') + 1
  const lines = text.slice(0, restAt).split('\n')
  return { whole: lines.filter((line) => line !== ''), rest: text.slice(restAt) }
}

/** A line of a file: `text` without its line end, `bytes` with it. */
type HeadedLine = { text: string; bytes: number; head: LineHead | 'newer' | 'damaged' }

/** Yields the lines of a file with their heads, including a last line without an end. */
export function* headedLines(bytes: Buffer): Generator<HeadedLine> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end
    const text = bytes.toString('utf8', from, to)
    yield { text, bytes: (end < 0 ? to : to + 1) - from, head: readLineHead(text) }
    from = to + 1
  }
}

/** The head of a file's first line, which names its account; an empty file counts as damaged. */
export function firstHead(bytes: Buffer): HeadedLine['head'] {
  const [first] = headedLines(bytes)
  return first?.head ?? 'damaged'
}

/** Reads all readable records of a file, also those before and after a torn or damaged line. */
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
  // A last line that lacks only its line end is complete, by its checksum.
  if (rest !== '' && take(rest) === 'damaged') content.torn = rest
  return content
}

/** The unreadable parts of a file, as a sentence without its period; null when there are none. */
export function gapIn(path: string, { torn, damagedCount, newerCount }: Omit<FileContent, 'records'>): string | null {
  const name = basename(path)
  const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
  if (newerCount > 0) return `${lines(newerCount)} of journal ${name}: written by a newer pitdesk`
  if (damagedCount > 0) return `${lines(damagedCount)} of journal ${name} damaged`
  return torn === null ? null : `the last line of journal ${name} cut off`
}

/** `20261120T172200123Z-4711-a81fK2.0001.jsonl`: the run, and the number of its file. */
const namePattern = /^([\w-]+)\.(\d{4,})\.jsonl$/
/** A run's file by its number: see `namePattern`. */
export const fileName = (instance: string, number: number): string =>
  `${instance}.${String(number).padStart(4, '0')}.jsonl`
/** The file that a run holds locked for as long as it lives. */
export const lockName = (instance: string): string => `${instance}.lock`

export type JournalFile = { instance: string; number: number; path: string }

/** The journal files of a folder, oldest first; empty when there is no such folder. */
export function listFiles(folder: string): JournalFile[] {
  return namesIn(folder).flatMap((name) => {
    const match = namePattern.exec(name)
    return match === null ? [] : [{ instance: `${match[1]}`, number: Number(match[2]), path: join(folder, name) }]
  })
}

/** Closed files that are not joined yet. */
export const closedFolder = (folder: string): string => join(folder, 'closed')
/** Closed files with unreadable parts, kept unchanged for manual inspection. */
export const damagedFolder = (folder: string): string => join(folder, 'damaged')
/** Closed files joined into a few larger ones, each with an index. */
export const joinedFolder = (folder: string): string => join(folder, 'joined')

/**
 * Why nothing is read or written in a journal whose folder went while it was open, and the remedy, as a clause. Nothing
 * is begun anew in its place by itself: what was lost with it may be on its way at the exchange.
 */
export const removedText = (folder: string, how: RemovedHow = 'was removed or replaced'): string =>
  `the journal ${how}: put ${folder} back, or restart the desk`

/** Moves a file into a folder, which is created for the owner alone if missing. */
export function moveInto(folder: string, path: string): void {
  makeFolder(folder)
  renameSync(path, join(folder, basename(path)))
}

/** Far above the size at which a run closes a file. */
const journalBytesMax = 512 * 1024 * 1024

/** The bytes of a file; null when it no longer exists. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readPlainFile(path, journalBytesMax)
  } catch (error) {
    if (isMissingFile(error)) return null
    throw error
  }
}

/** A file of a journal that the disk does not give. */
class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** True when the disk does not give a journal, instead of a fault of this program. */
export const isOfDisk = (error: unknown): boolean => error instanceof UnreadableFile || errorCode(error) !== ''

/**
 * Reads one of the many files of a journal; null when there is none. The error names the file, because the sentences
 * about a journal name its folder only.
 */
export function readOfMany(path: string): Buffer | null {
  try {
    return readIfThere(path)
  } catch (error) {
    throw new UnreadableFile(`${basename(path)}: ${diskReason(error)}`, { cause: error })
  }
}

/** Writes a file for the owner alone, replacing an existing one; it is on disk when this returns. */
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
 * Syncs a folder, which puts the names of its new files on disk. File systems that cannot sync folders do not need it.
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
