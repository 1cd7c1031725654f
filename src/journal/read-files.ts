import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { readLine } from './line.ts'
import { type JournalRecord, readRecord } from './record.ts'

/** A file's records. `torn` is a last line that never got whole; `damagedCount` counts other lines that cannot be read. */
export type FileContent = { records: JournalRecord[]; torn: string | null; damagedCount: number }

/** Everything that can be read of a file's bytes: nothing before a torn or damaged line is lost, nor after it. */
export function readContent(bytes: Uint8Array): FileContent {
  const text = new StringDecoder('utf8').end(Buffer.from(bytes))
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const records: JournalRecord[] = []
  let damagedCount = 0
  const take = (line: string): boolean => {
    const record = readRecord(readLine(line))
    if (record !== undefined) records.push(record)
    return record !== undefined
  }
  for (const line of lines) if (line !== '' && !take(line)) damagedCount += 1
  // A last line that lacks nothing but its end is whole all the same: its checksum says so.
  const isTorn = rest !== '' && !take(rest)
  return { records, torn: isTorn ? rest : null, damagedCount }
}

/** `20261120T172200123Z-4711-a81fK2.0001.jsonl`: the instance, and the number of its file. */
const namePattern = /^([\w-]+)\.(\d{4,})\.jsonl$/
export const fileName = (instance: string, number: number): string =>
  `${instance}.${String(number).padStart(4, '0')}.jsonl`
export const lockName = (instance: string): string => `${instance}.lock`

export type JournalFile = { instance: string; number: number; path: string }

/** The journal files of a folder, oldest first; none when there is no such folder. */
export async function listFiles(folder: string): Promise<JournalFile[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).sort()
  return names.flatMap((name) => {
    const [, instance, number] = namePattern.exec(name) ?? []
    if (instance === undefined || number === undefined) return []
    return [{ instance, number: Number(number), path: join(folder, name) }]
  })
}

/** Files that were closed for good are kept in here. */
export const closedFolder = (folder: string): string => join(folder, 'closed')

/** `runs` names the desks and commands whose files are there. */
export type FolderContent = { records: JournalRecord[]; troubles: string[]; runs: Set<string> }

/**
 * The records of every desk that worked in `folder`, those of closed files included unless they were last written before
 * `sinceMs`. A file that is moved away while it is looked for is found where it went.
 */
export async function readFolder(folder: string, sinceMs: number): Promise<FolderContent> {
  const content: FolderContent = { records: [], troubles: [], runs: new Set() }
  // The open ones first: what is closed meanwhile is then read twice, which does no harm, rather than not at all.
  for (const each of [folder, closedFolder(folder)]) {
    for (const { path, instance } of await listFiles(each)) {
      content.runs.add(instance)
      const read = await readOne(path, sinceMs)
      if (read === null) continue
      content.records.push(...read.records)
      if (read.torn !== null) content.troubles.push(`${path}: the last line was not written to its end; it is left out`)
      if (read.damagedCount > 0) content.troubles.push(`${path}: ${read.damagedCount} damaged lines are left out`)
    }
  }
  return content
}

async function readOne(path: string, sinceMs: number): Promise<FileContent | null> {
  try {
    if ((await stat(path)).mtimeMs < sinceMs) return null
    return readContent(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
