import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildIndex,
  hashesOf,
  type Index,
  type IndexedLine,
  type IndexTable,
  offsetSince,
  placesOf,
  readIndex,
  readTable,
} from '../../src/journal/joined-index.ts'
import { journalVersion, type LineHead, writeLine } from '../../src/journal/record.ts'
import { atMs } from './scene.ts'

const pageBytes = 4_096

const aLine = (bytes: number, head: Partial<LineHead> = {}): IndexedLine => ({
  bytes,
  head: { ...{ record: 'begin', at: atMs, id: 'a', keys: [], isEnd: false, exchange: null }, ...head },
})
/** An entry of two lines: its beginning under these names, and its end. */
const anEntry = (id: string, at: number, keys: readonly string[] = [id], bytes = 100): IndexedLine[] => [
  aLine(bytes, { id, at, keys }),
  aLine(50, { record: 'outcome', id, at, isEnd: true }),
]

/** An index as a reader has it: its bytes, what it says, and its table. */
function read(lines: readonly IndexedLine[]) {
  const { bytes, index } = buildIndex(lines, atMs)
  expect(readIndex(bytes)).toEqual(index)
  const readAt = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  const table = readTable(index, readAt)
  if (table === null) throw new Error('its table cannot be read')
  return { bytes, index, table, readAt }
}

const find = ({ index, table, readAt }: ReturnType<typeof read>, name: string) =>
  placesOf(index, table, hashesOf([name]), readAt)

test('an index says what its file holds: its length, its times, what is damaged, and whose end is elsewhere', () => {
  const { index } = read([
    aLine(40, { record: 'desk', id: 'run', at: atMs + 5 }),
    ...anEntry('a', atMs + 7),
    aLine(100, { id: 'b', at: atMs + 9 }),
    { bytes: 30, head: 'damaged' },
    aLine(20, { record: 'step', id: 'b', at: atMs + 90 }),
    aLine(100, { id: 'c', at: atMs + 3 }),
    { bytes: 1, head: 'newer' },
  ])
  expect(index).toMatchObject({
    ...{ record: 'index', version: journalVersion, at: '2026-01-05T14:00:00.000Z', dataBytes: 441, damagedCount: 2 },
    ...{ fromMs: atMs + 3, toMs: atMs + 9, open: ['b', 'c'] },
  })
})

test('the index of an empty file says that nothing is in it', () => {
  const empty = read([])
  expect(empty.index).toMatchObject({ dataBytes: 0, fromMs: null, toMs: null, damagedCount: 0, open: [] })
  expect(empty.table).toMatchObject({ times: [], pages: [] })
  expect(find(empty, 'a')).toEqual([])
})

test('a run that begins after an entry without an end leaves that entry open', () => {
  expect(read([aLine(9, { id: 'a' }), aLine(9, { record: 'desk', id: 'run' })]).index.open).toEqual(['a'])
})

test('every entry of any file is found exactly where it stands, whatever stands in the page beside it, and no other is', () => {
  fc.assert(
    fc.property(
      // A page has 204 keys.
      fc.constantFrom(0, 1, 2, 203, 204, 205, 407, 408, 409, 900),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 400 }),
      (count, keysEach, bytes) => {
        const names = (at: number) => Array.from({ length: keysEach }, (_, key) => `key ${at}.${key}`)
        const made = read(
          Array.from({ length: count }, (_, at) => anEntry(`e${at}`, atMs + at, names(at), bytes)).flat(),
        )
        for (const at of new Set([0, 1, Math.floor(count / 2), count - 2, count - 1].filter((each) => each >= 0)))
          for (const name of at < count ? names(at) : [])
            expect(find(made, name)).toEqual([{ offset: at * (bytes + 50), length: bytes + 50 }])
        expect(find(made, `key ${count}.0`)).toEqual([])
      },
    ),
    { numRuns: 30 },
  )
})

test('a name that many entries have, over several pages, finds all of them', () => {
  for (const count of [203, 204, 205, 500]) {
    const made = read([
      ...anEntry('before', atMs),
      ...Array.from({ length: count }, (_, at) => anEntry(`e${at}`, atMs + at, ['same'])).flat(),
      ...anEntry('after', atMs),
    ])
    const places = find(made, 'same') ?? []
    expect(places.map(({ offset }) => offset).toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: count }, (_, at) => (at + 1) * 150),
    )
    expect(find(made, 'before')).toEqual([{ offset: 0, length: 150 }])
    expect(find(made, 'after')).toEqual([{ offset: (count + 1) * 150, length: 150 }])
  }
})

test('a place beyond four gigabytes is kept whole', () => {
  const made = read([aLine(3_000_000_000), aLine(2_000_000_000, { id: 'b' }), ...anEntry('late', atMs)])
  expect(find(made, 'late')).toEqual([{ offset: 5_000_000_000, length: 150 }])
})

test('an index with any byte of a page changed, or cut off in it, says nothing of it: it would lose an order', () => {
  const made = read(Array.from({ length: 100 }, (_, at) => anEntry(`e${at}`, atMs + at)).flat())
  const start = made.index.headBytes + made.index.tableBytes
  expect(made.bytes.length).toBe(start + pageBytes)
  for (let at = 0; at < pageBytes; at += 1) {
    const changed = Buffer.from(made.bytes)
    changed[start + at] = (changed[start + at] ?? 0) ^ 1
    const readAt = (offset: number, length: number) => changed.subarray(offset, offset + length)
    expect(placesOf(made.index, made.table, hashesOf(['e7']), readAt)).toBeNull()
  }
  const cutBy = (count: number) => (offset: number, length: number) =>
    made.bytes.subarray(offset, Math.min(offset + length, made.bytes.length - count))
  expect(placesOf(made.index, made.table, hashesOf(['e7']), cutBy(0))).toHaveLength(1)
  expect(placesOf(made.index, made.table, hashesOf(['e7']), cutBy(1))).toBeNull()
})

test('pages lie one after the other, each with its count, its keys in order, and the first of each is in the table', () => {
  const made = read(Array.from({ length: 450 }, (_, at) => anEntry(`e${at}`, atMs + at)).flat())
  const start = made.index.headBytes + made.index.tableBytes
  const hashes = Array.from({ length: 450 }, (_, at) => hash('sha256', `e${at}`).slice(0, 16))
  hashes.sort((left, right) => (left < right ? -1 : 1))
  const counts = [0, 1, 2].map((page) => made.bytes.readUInt32LE(start + page * pageBytes + 4))
  expect(counts).toEqual([204, 204, 42])
  expect(made.table.pages).toEqual([hashes[0], hashes[204], hashes[408]])
  const written = counts.flatMap((count, page) =>
    Array.from({ length: count }, (_, at) => {
      const from = start + page * pageBytes + 8 + at * 20
      return made.bytes.toString('hex', from, from + 8)
    }),
  )
  expect(written).toEqual(hashes)
})

test('of a first line that is damaged, not whole or of a newer program nothing is believed', () => {
  const { bytes, index } = read(anEntry('a', atMs))
  expect(index.headBytes).toBe(bytes.indexOf(10) + 1)
  expect(readIndex(bytes.subarray(0, index.headBytes))).toEqual(index)
  expect(readIndex(bytes.subarray(0, index.headBytes - 1))).toBeNull()
  const changed = Buffer.from(bytes)
  changed[3] = (changed[3] ?? 0) ^ 1
  expect(readIndex(changed)).toBeNull()
  const { headBytes: _, ...said } = index
  const lineOf = (more: object) => Buffer.from(writeLine({ ...said, ...more }))
  expect(readIndex(lineOf({}))).toMatchObject({ version: journalVersion })
  expect(readIndex(lineOf({ version: journalVersion + 1 }))).toBe('newer')
  expect(readIndex(lineOf({ dataBytes: 'many' }))).toBe('newer')
})

test('a second line that is damaged is none', () => {
  const { bytes, index } = read(anEntry('a', atMs))
  const changed = Buffer.from(bytes)
  changed[index.headBytes + 3] = (changed[index.headBytes + 3] ?? 0) ^ 1
  expect(readTable(index, (offset, length) => changed.subarray(offset, offset + length))).toBeNull()
})

test('what is read since a time leaves out nothing of it, and begins one stretch early at most', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 20_000 }), stepMs: fc.nat(3) }), { maxLength: 60 }),
      fc.nat(120),
      (entries, sinceMs) => {
        let at = 0
        let offset = 0
        const starts: { at: number; offset: number }[] = []
        const lines = entries.flatMap(({ bytes, stepMs }, number) => {
          at += stepMs
          starts.push({ at, offset })
          offset += bytes + 50
          return anEntry(`e${number}`, at, [], bytes)
        })
        const from = offsetSince(read(lines).table, sinceMs)
        const first = starts.find((start) => start.at >= sinceMs)
        if (first !== undefined) {
          expect(from).toBeLessThanOrEqual(first.offset)
          // No more than a stretch, and the entry it ends in, is read for nothing.
          expect(first.offset - from).toBeLessThan(32_768 + 20_050 + 1)
        }
        expect(from === 0 || starts.some((start) => start.offset === from)).toBe(true)
      },
    ),
    { numRuns: 200 },
  )
})

test('a time of its own stands in the table for every 32 KiB, the first for the first entry', () => {
  const lines = Array.from({ length: 4 }, (_, at) => anEntry(`e${at}`, atMs + at, [], 32_768 - 50)).flat()
  expect(read(lines).table.times).toEqual([0, 1, 2, 3].map((at) => [atMs + at, at * 32_768]))
  const shorter = Array.from({ length: 4 }, (_, at) => anEntry(`e${at}`, atMs + at, [], 32_768 - 51)).flat()
  expect(read(shorter).table.times).toEqual([0, 2].map((at) => [atMs + at, at * 32_767]))
  const table: IndexTable = {
    times: [
      [10, 0],
      [20, 500],
    ],
    pages: [],
  }
  expect([5, 10, 11, 20, 21].map((sinceMs) => offsetSince(table, sinceMs))).toEqual([0, 0, 0, 0, 500])
})

test('a table that names a page which is not there finds nothing rather than something else', () => {
  const made = read(anEntry('a', atMs))
  const index: Index = { ...made.index, tableBytes: made.index.tableBytes + pageBytes }
  expect(placesOf(index, made.table, hashesOf(['a']), made.readAt)).toBeNull()
})

test('the line of a run between two entries belongs to neither', () => {
  const made = read([...anEntry('a', atMs), aLine(40, { record: 'desk', id: 'run' }), ...anEntry('b', atMs)])
  expect(find(made, 'a')).toEqual([{ offset: 0, length: 150 }])
  expect(find(made, 'b')).toEqual([{ offset: 190, length: 150 }])
})

test('a key is found by reading two pages at most, however many there are', () => {
  const made = read(Array.from({ length: 2_000 }, (_, at) => anEntry(`e${at}`, atMs + at)).flat())
  for (const name of ['e0', 'e1000', 'e1999', 'none']) {
    let count = 0
    placesOf(made.index, made.table, hashesOf([name]), (offset, length) => {
      count += 1
      return made.readAt(offset, length)
    })
    expect(count).toBeLessThanOrEqual(2)
  }
})

test('many keys are found as each of them is, and no page is read twice for them', () => {
  const made = read(Array.from({ length: 3_000 }, (_, at) => anEntry(`e${at}`, atMs + at)).flat())
  for (const count of [2, 40, 3_000]) {
    const names = Array.from({ length: count }, (_, at) => `e${at * 7}`)
    const asked: number[] = []
    const found = placesOf(made.index, made.table, hashesOf([...names, ...names]), (offset, length) => {
      asked.push(offset)
      return made.readAt(offset, length)
    })
    const each = names.flatMap((name) => find(made, name) ?? [])
    const sorted = (places: readonly { offset: number }[]) =>
      places.map(({ offset }) => offset).toSorted((a, b) => a - b)
    expect(sorted(found ?? [])).toEqual(sorted(each))
    expect(new Set(asked).size).toBe(asked.length)
  }
})
