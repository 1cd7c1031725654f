import { basename } from 'node:path'
import { errorText } from '../base/text/error-text.ts'
import { type JournalEntry, JournalError, nameIntent, type Settlement } from './entry.ts'
import { headedLines, joinedFolder } from './files.ts'
import { JoinedReader, listJoined } from './joined-file.ts'
import { type JournalRecord, readJournalLine } from './record.ts'

/**
 * Entries built from added records, in the order of their first record. A record that occurs twice, because its entry
 * was carried over to another file, changes nothing.
 */
export class Entries {
  readonly #byId = new Map<string, JournalEntry>()

  add(record: JournalRecord): void {
    if (record.record === 'desk') return
    const entry = this.#byId.get(record.id)
    if (record.record === 'begin') {
      const { id, at: atMs, up, intent } = record
      const begun = { id, atMs, ...(up === undefined ? {} : { upMs: up }), intent }
      if (entry === undefined) this.#byId.set(id, { ...begun, steps: [], outcome: null, settlement: null })
      return
    }
    // The entry's first line was damaged, so the rest is meaningless.
    if (entry === undefined) return
    this.#byId.set(record.id, withRecord(entry, record))
  }

  get(id: string): JournalEntry | undefined {
    return this.#byId.get(id)
  }

  forget(id: string): void {
    this.#byId.delete(id)
  }

  all(): JournalEntry[] {
    return [...this.#byId.values()]
  }
}

function withRecord(entry: JournalEntry, record: Exclude<JournalRecord, { record: 'desk' | 'begin' }>): JournalEntry {
  switch (record.record) {
    case 'step': {
      const others = entry.steps.filter(({ step }) => step !== record.step.step)
      return { ...entry, steps: [...others, record.step] }
    }
    case 'outcome':
      // An `unknown` from an older copy must not replace a known outcome.
      if (entry.outcome !== null && record.outcome.kind === 'unknown') return entry
      return { ...entry, outcome: record.outcome, ...endedAt(entry, record.at) }
    case 'settled':
      if (entry.settlement !== null) return entry
      return { ...entry, settlement: record.settlement, ...endedAt(entry, record.at) }
  }
}

/** An older copy of an end may have the time of its beginning. */
const endedAt = ({ atMs, endedAtMs = atMs }: JournalEntry, ms: number): Pick<JournalEntry, 'endedAtMs'> =>
  ms > endedAtMs ? { endedAtMs: ms } : {}

/** The records of an entry, for carrying it over to another file. */
export function recordsOf(entry: JournalEntry): JournalRecord[] {
  const { id, atMs: at, upMs, intent, steps, outcome, settlement, endedAtMs = at } = entry
  const up = upMs === undefined ? {} : { up: upMs }
  const records: JournalRecord[] = [{ record: 'begin', at, ...up, id, intent }]
  for (const step of steps) records.push({ record: 'step', at, id, step })
  if (outcome !== null) records.push({ record: 'outcome', at: endedAtMs, id, outcome })
  if (settlement !== null) records.push({ record: 'settled', at: endedAtMs, id, settlement })
  return records
}

/** The resolutions of the file in words for the user. */
const resolvedAs: Readonly<Record<Settlement['how'], string>> = {
  placed: 'placed',
  rejected: 'rejected',
  canceled: 'canceled',
  notCanceled: 'not canceled',
  notPlaced: 'not placed',
}

/** The end of an entry, as far as this desk knows. */
function endOf({ intent, outcome, settlement }: JournalEntry): string {
  if (settlement !== null) {
    const { how, id } = settlement
    return `resolved as ${resolvedAs[how]}${id === null ? '' : ` (${id})`}`
  }
  if (outcome === null) return 'sent'
  switch (outcome.kind) {
    case 'accepted':
      return `accepted${outcome.id === null ? '' : ` as ${outcome.id}`}`
    case 'unknown':
      return 'sent, no answer'
    case 'notSent':
      // The reason says where the order of a move was canceled all the same.
      return intent.kind === 'move' ? `not sent: ${outcome.reason}` : 'not sent'
    default:
      return outcome.kind
  }
}

/** Entries that the disk failed to store; they are stored with the next successful write. */
export class LateRecords {
  readonly #entries = new Map<string, JournalEntry>()
  readonly #told = new Set<string>()
  readonly #tell: (sentence: string) => void

  /**
   * `tell` receives sentences, without their period, about writes that were or may have been sent without a record, and
   * about when they are recorded.
   */
  constructor(tell: (sentence: string) => void) {
    this.#tell = tell
  }

  get all(): readonly JournalEntry[] {
    return [...this.#entries.values()]
  }

  /**
   * Keeps an entry with everything known about it. Without a `refusal` nothing is reported, because its outcome is
   * reported in a moment.
   */
  keep(entry: JournalEntry | undefined, refusal: unknown = null): void {
    if (entry === undefined) return
    this.#entries.set(entry.id, entry)
    if (refusal === null) return
    this.#told.add(entry.id)
    const { kind } = entry.intent
    const next = kind === 'cancel' || kind === 'cancelAll' ? '' : '. Do not resubmit'
    const reason = errorText(refusal)
    this.#tell(`Not on record: ${nameIntent(entry.intent)}, ${endOf(entry)}; ${reason}${next}`)
  }

  /** The disk has stored these entries; changes since then stay. */
  taken(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (this.#entries.get(entry.id) !== entry) continue
      this.#entries.delete(entry.id)
      if (this.#told.delete(entry.id)) this.#tell(`Back on record: ${nameIntent(entry.intent)}, ${endOf(entry)}`)
    }
  }
}

/** Entries returned at once. */
const pageEntries = 500

/** The lines of one entry of a joined file. */
type Group = { atMs: number; lines: string[] }

/**
 * A joined file as it is read: nothing of it is in memory before its first entry is due. `lines` are those of the entry
 * that begins at `fromMs`; of an end, which is later than everything, there are none.
 */
type Source = { fromMs: number; lines: readonly string[]; groups: Iterator<Group, Group> }

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
  const loose = others.toSorted((left, right) => left.atMs - right.atMs).values()
  let page: JournalEntry[] = []
  let next = loose.next().value
  const dueMs = () => Math.min(next?.atMs ?? Number.POSITIVE_INFINITY, ...sources.map(({ fromMs }) => fromMs))
  for (let atMs = dueMs(); atMs < Number.POSITIVE_INFINITY; atMs = dueMs()) {
    // What was carried over to another file has the same time there: it is put together before it is reported.
    const entries = new Entries()
    for (const source of sources) takeAt(source, atMs, entries)
    for (; next?.atMs === atMs; next = loose.next().value) for (const record of recordsOf(next)) entries.add(record)
    page.push(...entries.all().filter((entry) => entry.atMs >= sinceMs))
    if (page.length < pageEntries) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function sourcesOf(folder: string, sinceMs: number): Source[] {
  return listJoined(joinedFolder(folder)).map(({ path }) => {
    const index = new JoinedReader(path).index()
    if (index === null || index === 'newer') throw changedError(path)
    return { fromMs: index.fromMs ?? Number.POSITIVE_INFINITY, lines: [], groups: groupsOf(path, sinceMs) }
  })
}

/** Takes everything of a source up to this time, and says what its next time is. */
function takeAt(source: Source, atMs: number, entries: Entries): void {
  while (source.fromMs <= atMs) {
    for (const line of source.lines) addLine(entries, line)
    const { value } = source.groups.next()
    source.fromMs = value.atMs
    source.lines = value.lines
  }
}

function bytesOf(path: string, sinceMs: number): Buffer {
  const bytes = new JoinedReader(path).since(sinceMs)
  if (bytes === null) throw changedError(path)
  return bytes
}

/** A list that is silently short would be worse than none. */
const changedError = (path: string): JournalError =>
  new JournalError(`journal ${basename(path)} was joined into another file meanwhile: try again`)

function addLine(entries: Entries, line: string): void {
  const record = readJournalLine(line)
  if (typeof record === 'object') entries.add(record)
}

/** The entries of a joined file one after the other; first what stands before any, and last its end. */
function* groupsOf(path: string, sinceMs: number): Generator<Group, Group> {
  let group: Group = { atMs: Number.NEGATIVE_INFINITY, lines: [] }
  for (const { text, head } of headedLines(bytesOf(path, sinceMs))) {
    if (typeof head === 'object' && head.record === 'begin') {
      yield group
      group = { atMs: head.at, lines: [text] }
    } else group.lines.push(text)
  }
  yield group
  return { atMs: Number.POSITIVE_INFINITY, lines: [] }
}
