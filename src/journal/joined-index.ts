import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { journalVersion, type LineHead, readLine, writeLine } from './record.ts'

/*
 * The index of a joined file. Its first line is JSON with a checksum: what the file contains. The second line: the
 * offsets of times in the file, and the first hash of each page. Then pages of a fixed size, each with a checksum: the
 * hashes of keys in order, each with the place of the entry that the key started. A start reads only the first line of
 * each index, a lookup needs three short reads, and damage is detected.
 */

const pageBytes = 4_096
const pageHeadBytes = 8
const slotBytes = 20
const slotsMax = Math.floor((pageBytes - pageHeadBytes) / slotBytes)
/** Bytes of the file between two indexed times. */
const timeStepBytes = 32_768

const count = z.int().nonnegative()
const head = z.object({
  at: z.string(),
  record: z.literal('index'),
  version: z.int(),
  /** Size of the joined file. */
  dataBytes: count,
  /** Times of the first and last entry; null for a file without entries. */
  fromMs: z.number().nullable(),
  toMs: z.number().nullable(),
  /** Number of unreadable lines when the index was made. */
  damagedCount: count,
  /** Ids of entries that do not end in this file. */
  open: z.array(z.string()),
  /** Length of the second line. */
  tableBytes: count,
})
const table = z.object({
  at: z.string(),
  record: z.literal('table'),
  /** Times of some entries and their offsets; entries are in the order of their times. */
  times: z.array(z.tuple([z.number(), count])),
  /** The first hash of each page. */
  pages: z.array(z.string()),
})

/** The first line of an index; `headBytes` is its length. */
export type Index = z.infer<typeof head> & { headBytes: number }
export type IndexTable = Pick<z.infer<typeof table>, 'times' | 'pages'>

/** The place of an entry in the joined file. */
export type Place = { offset: number; length: number }

/** A key by its hash, and where its entry is. */
type Slot = { hash: string; place: Place }

/** 64 bits of a key's hash in hexadecimal; collisions are resolved by reading the entry. */
const hashOf = (name: string): string => hash('sha256', name).slice(0, 16)

/** A line of a joined file, or why it is unreadable; `bytes` includes its line end. */
export type IndexedLine = { bytes: number; head: LineHead | 'newer' | 'damaged' }

/** Builds the index of a file with these lines, in which each entry's lines must be together. */
export function buildIndex(lines: Iterable<IndexedLine>, atMs: number): { bytes: Buffer; index: Index } {
  const slots: Slot[] = []
  const times: [number, number][] = []
  const sum = { fromMs: null as number | null, toMs: null as number | null, damagedCount: 0, open: [] as string[] }
  let offset = 0
  let place: Place = { offset: 0, length: 0 }
  let open: string | null = null
  const endGroup = () => {
    if (open !== null) sum.open.push(open)
    open = null
  }
  for (const { bytes, head: line } of lines) {
    if (typeof line === 'string') sum.damagedCount += 1
    else if (line.record === 'begin' || line.record === 'desk') {
      endGroup()
      if (line.record === 'begin') open = line.id
      place = { offset, length: 0 }
      for (const name of line.keys) slots.push({ hash: hashOf(name), place })
      sum.fromMs = Math.min(sum.fromMs ?? line.at, line.at)
      sum.toMs = Math.max(sum.toMs ?? line.at, line.at)
      if (offset - (times.at(-1)?.[1] ?? -timeStepBytes) >= timeStepBytes) times.push([line.at, offset])
    } else if (line.isEnd) open = null
    offset += bytes
    place.length += bytes
  }
  endGroup()
  const { pages, firsts } = pagesOf(slots)
  const at = new Date(atMs).toISOString()
  const second = writeLine({ at, record: 'table', times, pages: firsts })
  const tableBytes = Buffer.byteLength(second)
  const said = { at, record: 'index' as const, version: journalVersion, dataBytes: offset, ...sum, tableBytes }
  const first = writeLine(said)
  const bytes = Buffer.concat([Buffer.from(first + second), ...pages])
  return { bytes, index: { ...said, headBytes: Buffer.byteLength(first) } }
}

/** The slots by their hashes, in pages, with the first hash of each page. */
function pagesOf(slots: readonly Slot[]): { pages: Buffer[]; firsts: string[] } {
  const sorted = slots.toSorted((left, right) => (left.hash < right.hash ? -1 : 1))
  const pages: Buffer[] = []
  const firsts: string[] = []
  for (let from = 0; from < sorted.length; from += slotsMax) {
    const page = sorted.slice(from, from + slotsMax)
    firsts.push(...page.slice(0, 1).map((slot) => slot.hash))
    pages.push(pageOf(page))
  }
  return { pages, firsts }
}

function pageOf(slots: readonly Slot[]): Buffer {
  const page = Buffer.alloc(pageBytes)
  page.writeUInt32LE(slots.length, 4)
  for (const [index, { hash: name, place }] of slots.entries()) {
    const at = pageHeadBytes + index * slotBytes
    page.write(name, at, 'hex')
    page.writeUIntLE(place.offset, at + 8, 6)
    page.writeUInt32LE(place.length, at + 14)
  }
  page.writeUInt32LE(crc32(page.subarray(4)), 0)
  return page
}

/**
 * Reads the first line of an index; `newer` when a newer program wrote it, null when it is damaged or longer than
 * `bytes`.
 */
export function readIndex(bytes: Buffer): Index | 'newer' | null {
  const end = bytes.indexOf(10)
  const value = readLine(bytes.toString('utf8', 0, end))
  if (value === undefined) return null
  const read = head.safeParse(value)
  return read.success && read.data.version <= journalVersion ? { ...read.data, headBytes: end + 1 } : 'newer'
}

/** Reads `length` bytes of an index at `offset`. */
export type ReadIndexAt = (offset: number, length: number) => Buffer

/** The second line of an index; null when it is damaged. */
export function readTable({ headBytes, tableBytes }: Index, readAt: ReadIndexAt): IndexTable | null {
  const read = table.safeParse(readLine(readAt(headBytes, tableBytes).toString('utf8').trimEnd()))
  return read.success ? read.data : null
}

/** What keys are looked up by, sorted. */
export const hashesOf = (names: readonly string[]): readonly string[] => [...new Set(names.map(hashOf))].sort()

/** The part of a hash that is compared first, as a number. */
const hashHead = (hashed: string): number => Number.parseInt(hashed.slice(0, 8), 16)

/** Pages that may have one of these hashes. The same hash may also end the page before the first one it starts. */
function pagesWith(pages: readonly string[], wanted: readonly string[]): number[] {
  let next = 0
  return [...pages.keys()].filter((page) => {
    const [first = '', last] = [pages[page], pages[page + 1]]
    while (next < wanted.length && (wanted[next] ?? '') < first) next += 1
    const least = wanted[next]
    return least !== undefined && (last === undefined || least <= last)
  })
}

/** Places where one of the keys may be, each page read once however many they are; null when a page is damaged. */
export function placesOf(
  index: Index,
  { pages }: IndexTable,
  hashes: readonly string[],
  readAt: ReadIndexAt,
): Place[] | null {
  const wanted = new Set(hashes)
  const heads = new Set(hashes.map(hashHead))
  const places: Place[] = []
  const start = index.headBytes + index.tableBytes
  for (const page of pagesWith(pages, hashes)) {
    const bytes = readAt(start + page * pageBytes, pageBytes)
    if (bytes.length < pageBytes || bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return null
    const slots = bytes.readUInt32LE(4)
    for (let at = pageHeadBytes; at < pageHeadBytes + slots * slotBytes; at += slotBytes) {
      if (!heads.has(bytes.readUInt32BE(at)) || !wanted.has(bytes.toString('hex', at, at + 8))) continue
      places.push({ offset: bytes.readUIntLE(at + 8, 6), length: bytes.readUInt32LE(at + 14) })
    }
  }
  return places
}

/** Offset from which every entry since a time can be read; may be a little too early, never too late. */
export const offsetSince = ({ times }: IndexTable, sinceMs: number): number =>
  times.findLast(([atMs]) => atMs < sinceMs)?.[1] ?? 0
