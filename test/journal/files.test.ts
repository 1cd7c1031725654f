import fs, { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  fileName,
  firstHead,
  gapIn,
  headedLines,
  linesOf,
  listFiles,
  moveInto,
  readContent,
  readIfThere,
  readOfMany,
  syncFolder,
  writeSynced,
} from '../../src/journal/files.ts'
import { joinedPath, LineGroups, listJoined, removeJoined, tidyJoined } from '../../src/journal/joined-file.ts'
import { type JournalRecord, type LineHead, readLineHead, recordLine, writeLine } from '../../src/journal/record.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { diskCalls, openFileCount } from './disk-calls.ts'
import { anIntent, atMs } from './scene.ts'

const begin: JournalRecord = { record: 'begin', at: atMs, id: 'a', intent: anIntent('é1') }
const line = recordLine(begin)
const desk = recordLine({ record: 'desk', at: atMs, version: 2, exchange: 'practice' })

test('the lines of a file and what follows the last end; empty lines are none', () => {
  expect(linesOf(Buffer.from('a\n\nb\nc'))).toEqual({ whole: ['a', 'b'], rest: 'c' })
  expect(linesOf(Buffer.from('a\n'))).toEqual({ whole: ['a'], rest: '' })
  expect(linesOf(Buffer.alloc(0))).toEqual({ whole: [], rest: '' })
})

test('a line counts its bytes, its end among them where it has one', () => {
  const bytes = Buffer.from(`${line}${line.trimEnd()}`)
  const length = Buffer.byteLength(line)
  expect([...headedLines(bytes)].map((each) => [each.bytes, each.text])).toEqual([
    [length, line.trimEnd()],
    [length - 1, line.trimEnd()],
  ])
  expect([...headedLines(Buffer.alloc(0))]).toEqual([])
  expect([...headedLines(Buffer.from('\na'))].map((each) => [each.bytes, each.text])).toEqual([
    [1, ''],
    [1, 'a'],
  ])
  expect(firstHead(Buffer.from(desk + line))).toMatchObject({ record: 'desk', exchange: 'practice' })
  expect(firstHead(Buffer.alloc(0))).toBe('damaged')
})

test('a last line without its end counts when it is whole, and is torn when it is not', () => {
  const newer = writeLine({ at: '2026-01-05T14:00:00.000Z', record: 'of 2030', id: 'a' })
  expect(readContent(Buffer.from(`${line}damaged\n${newer}${line.trimEnd()}`))).toEqual({
    ...{ records: [begin, begin], torn: null, damagedCount: 1, newerCount: 1 },
  })
  expect(readContent(Buffer.from(`${line}${line.slice(0, 30)}`))).toEqual({
    ...{ records: [begin], torn: line.slice(0, 30), damagedCount: 0, newerCount: 0 },
  })
  expect(readContent(Buffer.from(newer.trimEnd()))).toMatchObject({ newerCount: 1, torn: null })
})

test('what cannot be read is told by the worst of it, with how many lines', () => {
  const gap = (torn: string | null, damagedCount: number, newerCount: number) =>
    gapIn('/a/run.0001.jsonl', { torn, damagedCount, newerCount })
  expect(gap(null, 0, 0)).toBeNull()
  expect(gap('x', 0, 0)).toBe('the last line of journal run.0001.jsonl cut off')
  expect(gap('x', 1, 0)).toBe('1 line of journal run.0001.jsonl damaged')
  expect(gap(null, 2, 0)).toBe('2 lines of journal run.0001.jsonl damaged')
  expect(gap(null, 2, 3)).toBe('3 lines of journal run.0001.jsonl: written by a newer pitdesk')
})

test('files of the journal are known by their names, others in the folder are left out', () => {
  const folder = temporaryFolder('files')
  expect([fileName('run', 7), fileName('run', 12_345)]).toEqual(['run.0007.jsonl', 'run.12345.jsonl'])
  for (const name of ['run-b.0002.jsonl', 'run-a.0010.jsonl', 'run.1.jsonl', 'xrun.0001.jsonl.new', 'a b.0001.jsonl'])
    writeFileSync(join(folder, name), '')
  expect(listFiles(folder)).toEqual([
    { instance: 'run-a', number: 10, path: join(folder, 'run-a.0010.jsonl') },
    { instance: 'run-b', number: 2, path: join(folder, 'run-b.0002.jsonl') },
  ])
  expect(listFiles(join(folder, 'none'))).toEqual([])
})

test('joined files are known by their numbers, and what was left half-way beside them is tidied away', () => {
  const folder = temporaryFolder('joined')
  const names = [
    '000002.jsonl',
    '000002.index',
    '000001.jsonl',
    '000009.index',
    '000003.jsonl.7.new',
    '12.jsonl',
    'notes',
    'x000004.jsonl',
    '000005.index.old',
  ]
  for (const name of names) writeFileSync(join(folder, name), '')
  expect(listJoined(folder).map(({ number }) => number)).toEqual([1, 2])
  expect(joinedPath(folder, 2)).toBe(join(folder, '000002.jsonl'))
  tidyJoined(folder)
  expect(readdirSync(folder).toSorted()).toEqual([
    '000001.jsonl',
    '000002.index',
    '000002.jsonl',
    '000005.index.old',
    '12.jsonl',
    'notes',
    'x000004.jsonl',
  ])
  removeJoined(joinedPath(folder, 2))
  expect(readdirSync(folder).toSorted()).toEqual([
    '000001.jsonl',
    '000005.index.old',
    '12.jsonl',
    'notes',
    'x000004.jsonl',
  ])
})

test('what is written is for the owner alone, in the place of what was there, and moved with its name', () => {
  const folder = temporaryFolder('written')
  const path = join(folder, 'file')
  writeFileSync(path, 'much longer than what comes', { mode: 0o644 })
  writeSynced(path, Buffer.from('whole'))
  expect(readFileSync(path, 'utf8')).toBe('whole')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const kept = join(folder, 'deep', 'kept')
  moveInto(kept, path)
  expect(readIfThere(join(kept, 'file'))?.toString()).toBe('whole')
  expect(readIfThere(path)).toBeNull()
  expect(statSync(kept).mode & 0o777).toBe(0o700)
  mkdirSync(path)
  expect(() => readIfThere(path)).toThrow()
})

test('what is written is synced before it is called written, in whatever parts the disk takes it, and closed', () => {
  const folder = temporaryFolder('parts')
  const path = join(folder, 'file')
  const before = openFileCount()
  const calls = diskCalls((call) => call === 'sync refused')
  const { writeSync } = fs
  const parts = vi
    .spyOn(fs, 'writeSync')
    .mockImplementation(((file: number, bytes: Uint8Array, from: number) =>
      writeSync(file, bytes, from, Math.min(3, bytes.length - from))) as never)
  syncBuiltinESMExports()
  writeSynced(path, Buffer.from('a whole text'))
  parts.mockRestore()
  syncBuiltinESMExports()
  expect([readFileSync(path, 'utf8'), calls.at(-1)]).toEqual(['a whole text', 'sync file'])
  expect(() => writeSynced(join(folder, 'refused'), Buffer.from('x'))).toThrow('sync refused')
  syncFolder(folder)
  expect(calls.at(-1)).toBe(`sync ${basename(folder)}`)
  expect(openFileCount()).toBeLessThanOrEqual(before)
})

test.each([
  ['EISDIR', true],
  ['EPERM', true],
  ['EINVAL', true],
  ['EIO', false],
  ['ENOSPC', false],
])('a system that cannot sync a folder (%s) needs it not; a disk that fails is told: %s', (code, isWell) => {
  const folder = temporaryFolder('synced')
  diskCalls((call) => call.startsWith('sync'), code)
  if (isWell) syncFolder(folder)
  else expect(() => syncFolder(folder)).toThrow('sync')
})

test('one of many files that cannot be read is named, and one that is missing is none', () => {
  const folder = temporaryFolder('files')
  mkdirSync(join(folder, 'a.0001.jsonl'))
  expect(() => readOfMany(join(folder, 'a.0001.jsonl'))).toThrow('a.0001.jsonl: not a plain file (EFTYPE)')
  expect(readOfMany(join(folder, 'b.0001.jsonl'))).toBeNull()
})

test('a file longer than any journal is not read', () => {
  const path = join(temporaryFolder('long'), 'file')
  writeFileSync(path, '')
  truncateSync(path, 512 * 1024 * 1024 + 1)
  expect(() => readIfThere(path)).toThrow('longer than it can be')
})

const headOf = (text: string): LineHead => {
  const head = readLineHead(text)
  if (typeof head === 'string') throw new Error(head)
  return head
}

test('lines of one write come together, its beginning first, each once, in the order of time', () => {
  const groups = new LineGroups()
  const add = (record: JournalRecord) => {
    const text = recordLine(record).trimEnd()
    groups.add(text, headOf(text))
    return text
  }
  const outcome = add({ record: 'outcome', at: atMs + 9, id: 'a', outcome: { kind: 'canceled' } })
  const first = add({ ...begin, at: atMs + 5 })
  add({ record: 'outcome', at: atMs + 9, id: 'a', outcome: { kind: 'canceled' } })
  add({ ...begin, at: atMs + 6 })
  const run = add({ record: 'desk', at: atMs + 7, version: 2, exchange: 'practice' })
  const other = add({ ...begin, id: 'b', at: atMs + 1 })
  expect(groups.sorted().map((group) => ({ atMs: group.atMs, lines: group.lines.map(({ text }) => text) }))).toEqual([
    { atMs: atMs + 1, lines: [other] },
    { atMs: atMs + 5, lines: [first, outcome] },
    { atMs: atMs + 7, lines: [run] },
  ])
  expect(groups.bytes).toBe([outcome, first, run, other].reduce((sum, text) => sum + text.length + 1, 0))
})
