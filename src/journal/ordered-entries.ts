import { basename } from 'node:path'
import { Entries, recordsOf } from './entries.ts'
import { type JournalEntry, JournalError } from './entry.ts'
import { headedLines, joinedFolder } from './files.ts'
import { JoinedReader, listJoined } from './joined-file.ts'
import { readJournalLine } from './record.ts'

/** So many entries are told of at once. */
const pageEntries = 500

/** The lines of one entry of a joined file. */
type Group = { atMs: number; lines: string[] }

/** A joined file as it is read: nothing of it is in memory before its first entry is due. */
type Source = { fromMs: number; groups: Iterator<Group> | null; next: Group | null; path: string }

/**
 * Every entry of a journal begun since then, in the order of their times, with no more in memory than a few of the
 * joined files: for what is listed whole. `others` are the entries of all files that are not joined. Whoever calls
 * holds the lock of `keepUnjoined` meanwhile. Throws what the disk says.
 */
export function* entriesInOrder(
  folder: string,
  others: readonly JournalEntry[],
  sinceMs: number,
): Generator<readonly JournalEntry[]> {
  const sources = sourcesOf(folder, sinceMs)
  const loose = others.filter(({ atMs }) => atMs >= sinceMs).sort((left, right) => left.atMs - right.atMs)
  let page: JournalEntry[] = []
  let looseAt = 0
  for (;;) {
    const atMs = Math.min(loose[looseAt]?.atMs ?? Number.POSITIVE_INFINITY, ...sources.map(({ fromMs }) => fromMs))
    if (atMs === Number.POSITIVE_INFINITY) break
    // What was carried over to another file has the same time there: it is put together before it is told of.
    const entries = new Entries()
    for (const source of sources) takeAt(source, atMs, sinceMs, entries)
    for (; loose[looseAt]?.atMs === atMs; looseAt += 1) {
      const entry = loose[looseAt]
      if (entry !== undefined) for (const record of recordsOf(entry)) entries.add(record)
    }
    page.push(...entries.all().filter((entry) => entry.atMs >= sinceMs))
    if (page.length < pageEntries) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function sourcesOf(folder: string, sinceMs: number): Source[] {
  return listJoined(joinedFolder(folder)).flatMap(({ path }) => {
    const index = new JoinedReader(path).index()
    if (index === null || index === 'newer' || index.fromMs === null || (index.toMs ?? 0) < sinceMs) return []
    return [{ fromMs: index.fromMs, groups: null, next: null, path }]
  })
}

/** Takes everything of a source up to this time, and says what its next time is. */
function takeAt(source: Source, atMs: number, sinceMs: number, entries: Entries): void {
  while (source.fromMs <= atMs) {
    source.groups ??= groupsOf(bytesOf(source.path, sinceMs))
    if (source.next !== null) for (const line of source.next.lines) addLine(entries, line)
    const { value, done } = source.groups.next()
    source.next = done === true ? null : value
    source.fromMs = source.next?.atMs ?? Number.POSITIVE_INFINITY
  }
}

function bytesOf(path: string, sinceMs: number): Buffer {
  const bytes = new JoinedReader(path).since(sinceMs)
  // A list that is silently short would be worse than none.
  if (bytes === null)
    throw new JournalError(`journal ${basename(path)} was joined into another file meanwhile: try again`)
  return bytes
}

function addLine(entries: Entries, line: string): void {
  const record = readJournalLine(line)
  if (typeof record === 'object') entries.add(record)
}

/** The entries of a joined file's bytes, one after the other. */
function* groupsOf(bytes: Buffer): Generator<Group> {
  let group: Group | null = null
  for (const { text, head } of headedLines(bytes)) {
    if (typeof head === 'string') continue
    if (head.record === 'begin' || head.record === 'desk') {
      if (group !== null) yield group
      group = { atMs: head.at, lines: [text] }
    } else group?.lines.push(text)
  }
  if (group !== null) yield group
}
