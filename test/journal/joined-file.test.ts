import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { JoinedReader, LineGroups, removeJoined, tidyJoined, writeJoined } from '../../src/journal/joined-file.ts'
import { hashesOf, readIndex } from '../../src/journal/joined-index.ts'
import { readLineHead, recordLine, writeLine } from '../../src/journal/record.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { diskCalls, openFileCount } from './disk-calls.ts'
import { anIntent, atMs } from './scene.ts'

/** An entry a second after the one before. */
const anEntry = (number: number): JournalEntry => ({
  ...{ id: `e${number}`, atMs: atMs + number * 1_000, intent: anIntent(`c${number}`), steps: [], settlement: null },
  outcome: number % 2 === 0 ? { kind: 'canceled' } : null,
})
const textOf = (entry: JournalEntry) => recordsOf(entry).map(recordLine).join('')

/** The lines of entries as they are put together to be written. */
function groupsOf(entries: readonly JournalEntry[]) {
  const groups = new LineGroups()
  for (const line of entries.flatMap(recordsOf).map(recordLine)) {
    const head = readLineHead(line.trimEnd())
    if (typeof head === 'string') throw new Error(head)
    groups.add(line.trimEnd(), head)
  }
  return groups.sorted()
}

/** A joined file of so many entries. */
function aFile(count: number) {
  const folder = join(temporaryFolder('joined'), 'of.jsonl')
  mkdirSync(folder)
  const path = join(folder, '000001.jsonl')
  const entries = Array.from({ length: count }, (_, number) => anEntry(number))
  writeJoined(path, groupsOf(entries), atMs)
  return { folder, path, index: join(folder, '000001.index'), entries }
}

const find = (reader: JoinedReader, number: number) => reader.find(hashesOf([`order c${number}`]))

test('a joined file and its index are on disk before either has its name, the index first', () => {
  const calls = diskCalls()
  const { folder, path } = aFile(3)
  const [data, index] = ['000001.jsonl', '000001.index'].map((name) => `${name}.${process.pid}.new`)
  expect(calls.filter((call) => !call.startsWith('remove'))).toEqual([
    ...[`sync ${data}`, `sync ${index}`, 'name 000001.index', 'name 000001.jsonl'],
  ])
  expect(readFileSync(path, 'utf8')).toBe([0, 1, 2].map((number) => textOf(anEntry(number))).join(''))
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  const from = calls.length
  removeJoined(path)
  // The other way round a file would stand there without an index.
  expect([calls.slice(from), readdirSync(folder)]).toEqual([['remove 000001.jsonl', 'remove 000001.index'], []])
  removeJoined(path)
})

test.each(['sync 000001.jsonl', 'sync 000001.index', 'name 000001.index', 'name 000001.jsonl'])(
  'what the disk refuses leaves no file that could be taken for a joined one: %s',
  (refused) => {
    const folder = temporaryFolder('joined')
    diskCalls((call) => call.startsWith(refused))
    expect(() => writeJoined(join(folder, '000001.jsonl'), groupsOf([anEntry(0)]), atMs)).toThrow(refused)
    // An index alone is tidied away by the next who joins.
    expect(readdirSync(folder)).toEqual(refused === 'name 000001.jsonl' ? ['000001.index'] : [])
  },
)

test('a reader finds each entry by its keys, and what was begun since a time', () => {
  const { path, entries, index } = aFile(150)
  const reader = new JoinedReader(path)
  // So many open entries make its first line longer than what is read of it at once.
  const said = readIndex(readFileSync(index))
  expect(said).toMatchObject({ open: entries.filter(({ outcome }) => outcome === null).map(({ id }) => id) })
  expect(reader.index()).toEqual(said)
  expect(find(reader, 7)).toEqual([textOf(anEntry(7))])
  expect(reader.find(hashesOf(['entry e149']))).toEqual([textOf(anEntry(149))])
  expect(find(reader, 150)).toEqual([])
  const bytes = readFileSync(path)
  expect(reader.since(0)).toEqual(bytes)
  const last = reader.since(atMs + 149_000)
  expect(last?.toString('utf8').endsWith(textOf(anEntry(149)))).toBe(true)
  expect(last?.length).toBeLessThan(bytes.length)
  expect(reader.since(atMs + 149_001)).toEqual(Buffer.alloc(0))
})

test('a long first line of an index is read whole', () => {
  const { path, index } = aFile(800)
  expect(readFileSync(index).indexOf(10)).toBeGreaterThan(2_048)
  const calls = diskCalls()
  const reader = new JoinedReader(path)
  expect(reader.index()).toMatchObject({ record: 'index' })
  // It is not made anew.
  expect(calls).toEqual([])
})

test('a file that is gone, joined into another, is known to be, whenever it goes', () => {
  const { path } = aFile(4)
  const [early, known] = [new JoinedReader(path), new JoinedReader(path)]
  expect(known.index()).not.toBeNull()
  expect(find(known, 1)).toHaveLength(1)
  const seen = new JoinedReader(path)
  expect(seen.index()).not.toBeNull()
  removeJoined(path)
  for (const reader of [early, seen]) expect([find(reader, 1), reader.since(0)]).toEqual([null, null])
  expect(early.index()).toBeNull()
  expect([find(known, 1), known.since(0)]).toEqual([null, null])
  // As it is while its index stands there still.
  const other = aFile(4)
  rmSync(other.path)
  const left = new JoinedReader(other.path)
  expect([left.index(), find(left, 1), left.since(0)]).toEqual([null, null, null])
})

test('a file whose data goes between the look at its index and the reading is gone as well', () => {
  const { path } = aFile(4)
  const reader = new JoinedReader(path)
  expect(find(reader, 1)).toHaveLength(1)
  rmSync(path)
  expect([find(reader, 1), find(reader, 9), reader.since(0)]).toEqual([null, [], null])
})

/** The ways in which an index may be there and not tell what stands in its file. */
const faults: [string, (of: { path: string; index: string }) => void][] = [
  ['is gone', ({ index }) => rmSync(index)],
  ['is empty', ({ index }) => writeFileSync(index, '')],
  ['has a damaged first line', ({ index }) => writeFileSync(index, changed(readFileSync(index), 5))],
  [
    'has a damaged second line',
    ({ index }) => writeFileSync(index, changed(readFileSync(index), readFileSync(index).indexOf(10) + 5)),
  ],
  ['has a damaged page', ({ index }) => writeFileSync(index, changed(readFileSync(index), -9))],
  ['is of a file that was shorter', ({ path }) => writeFileSync(path, textOf(anEntry(50)), { flag: 'a' })],
  ['is of a file that was longer', ({ path }) => writeFileSync(path, readFileSync(path).subarray(0, -1))],
]

function changed(bytes: Buffer, at: number): Buffer {
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return bytes
}

test.each(faults)('an index that %s is made anew, and kept: nothing is looked for in vain', (_, damage) => {
  const { folder, path, index } = aFile(20)
  damage({ path, index })
  const reader = new JoinedReader(path)
  for (let number = 0; number < 20; number += 1) expect(find(reader, number)).toHaveLength(1)
  expect(reader.since(0)).toEqual(readFileSync(path))
  expect(find(reader, 99)).toEqual([])
  expect(readdirSync(folder)).toEqual(['000001.index', '000001.jsonl'])
  const calls = diskCalls()
  expect(find(new JoinedReader(path), 3)).toEqual([textOf(anEntry(3))])
  expect(calls).toEqual([])
})

test.each(faults)('where the disk takes no new index one that %s costs nothing but time', (_, damage) => {
  const { folder, path, index } = aFile(20)
  damage({ path, index })
  const names = readdirSync(folder)
  diskCalls((call) => call.startsWith('name 000001.index'))
  const reader = new JoinedReader(path)
  for (let number = 0; number < 20; number += 1) expect(find(reader, number)).toHaveLength(1)
  expect(reader.since(0)).toEqual(readFileSync(path))
  expect(reader.since(atMs + 99_000)).toEqual(Buffer.alloc(0))
  expect(readdirSync(folder)).toEqual(names)
})

test('what a newer program wrote is left to it, with an index or without', () => {
  const { path, index } = aFile(2)
  const bytes = readFileSync(index)
  const [, second = ''] = bytes.toString('latin1').split('\n')
  const head = { ...JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(10))), version: 99, crc: undefined }
  writeFileSync(index, `${writeLine(head)}${second}\n`)
  const newer = readFileSync(index)
  const reader = new JoinedReader(path)
  expect([reader.index(), reader.since(0), find(reader, 1)]).toEqual(['newer', null, null])
  expect(readFileSync(index)).toEqual(newer)
  rmSync(index)
  writeFileSync(path, writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' }), { flag: 'a' })
  expect(new JoinedReader(path).index()).toBe('newer')
  expect(existsSync(index)).toBe(false)
})

test('an index that goes while the file becomes a newer program’s is not made by this one', () => {
  const { path, index } = aFile(2)
  const reader = new JoinedReader(path)
  expect(reader.index()).not.toBeNull()
  rmSync(index)
  writeFileSync(path, writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' }))
  expect(find(reader, 1)).toBeNull()
  expect(existsSync(index)).toBe(false)
})

test('what stands in the place of an index and is no file is told', () => {
  const { path, index } = aFile(2)
  rmSync(index)
  mkdirSync(index)
  expect(() => new JoinedReader(path).index()).toThrow('not a plain file')
})

test('runs that began at one moment, and an entry that has the name of a moment, all stay', () => {
  const groups = new LineGroups()
  const at = new Date(atMs).toISOString()
  const desk = (exchange: string, ms: number) => recordLine({ record: 'desk', at: ms, version: 2, exchange }).trimEnd()
  const begin = recordLine({
    ...{ record: 'begin', at: atMs, id: at, intent: { kind: 'cancel', orderId: '9' } },
  }).trimEnd()
  const lines = [desk('a', atMs), desk('b', atMs), desk('a', atMs + 1), begin, desk('a', atMs)]
  for (const line of lines) {
    const head = readLineHead(line)
    if (typeof head === 'string') throw new Error(head)
    groups.add(line, head)
  }
  const sorted = groups.sorted().map((group) => group.lines.map(({ text }) => text))
  expect(sorted).toEqual([[lines[0], lines[1]], [lines[3]], [lines[2]]])
})

test('what an index does not know of a file is not read by it', () => {
  const { path } = aFile(3)
  const whole = readFileSync(path)
  const reader = new JoinedReader(path)
  expect(reader.since(0)).toEqual(whole)
  writeFileSync(path, 'more', { flag: 'a' })
  expect(reader.since(0)).toEqual(whole)
})

test('what is read is closed again, and what is tidied away may be gone already', () => {
  const { folder, path } = aFile(3)
  const before = openFileCount()
  for (let times = 0; times < 5; times += 1) expect(find(new JoinedReader(path), 1)).toHaveLength(1)
  expect(openFileCount()).toBeLessThanOrEqual(before)
  const left = join(folder, '000001.index.7.new')
  writeFileSync(left, '')
  diskCalls((call) => {
    if (call === 'remove 000001.index.7.new') unlinkSync(left)
    return false
  })
  tidyJoined(folder)
  expect(readdirSync(folder)).toEqual(['000001.index', '000001.jsonl'])
})

test('where not even the draft of an index can be made nothing is lost', () => {
  const { path, index } = aFile(3)
  rmSync(index)
  let isFirst = true
  diskCalls((call) => {
    const isRefused = isFirst && call.endsWith('.new')
    if (isRefused) isFirst = false
    return isRefused
  })
  expect(find(new JoinedReader(path), 1)).toHaveLength(1)
  expect([isFirst, existsSync(index)]).toEqual([false, false])
})

test('a file without an entry holds nothing of any time', () => {
  const { path } = aFile(0)
  const reader = new JoinedReader(path)
  expect([reader.since(0), find(reader, 0)]).toEqual([Buffer.alloc(0), []])
})
