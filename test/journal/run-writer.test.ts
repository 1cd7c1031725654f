import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { JournalError } from '../../src/journal/entry.ts'
import { readContent } from '../../src/journal/files.ts'
import { takeLock } from '../../src/journal/locks.ts'
import type { JournalRecord } from '../../src/journal/record.ts'
import { RunWriter, type RunWriterOptions } from '../../src/journal/run-writer.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { diskCalls, openFileCount } from './disk-calls.ts'
import { anIntent, atMs, isFree } from './scene.ts'

const begin = (id: string): JournalRecord => ({ record: 'begin', at: atMs, id, intent: anIntent(id) })
const desk: JournalRecord = { record: 'desk', at: atMs, version: 2, exchange: 'practice' }
const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
const recordsIn = (path: string) => readContent(readFileSync(path)).records

/** A writer of the run `run`, and what it tells. */
function aWriter(more: Partial<RunWriterOptions> = {}) {
  const folder = join(temporaryFolder('writer'), 'account')
  const troubles: string[] = []
  let rotated = 0
  const writer = new RunWriter({
    ...{ folder, exchange: 'practice', run: 'run', now: () => atMs, rotateBytes: 1_000_000 },
    before: () => Promise.resolve(),
    carry: () => [],
    onTrouble: (sentence) => troubles.push(sentence),
    onRotated: () => {
      rotated += 1
    },
    ...more,
  })
  onTestFinished(() => writer.close(() => false))
  return { folder, writer, troubles, rotations: () => rotated, path: (name: string) => join(folder, name) }
}

test('the first file is there before anything is written, for the owner alone, with its name on disk', async () => {
  const { writer, folder, path } = aWriter()
  const calls = diskCalls()
  expect(writer.isOpen).toBe(false)
  await Promise.all([writer.open(), writer.open(), writer.append([begin('a')])])
  expect(writer.isOpen).toBe(true)
  expect(calls).toContain('sync account')
  expect(names(folder)).toEqual(['run.0001.jsonl', 'run.lock'])
  expect(recordsIn(path('run.0001.jsonl'))).toEqual([desk, begin('a')])
  expect([folder, path('run.0001.jsonl')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600])
  expect(takeLock(path('run.lock'))).toEqual({ ok: true, value: null })
  await writer.append([begin('b'), begin('c')])
  expect(recordsIn(path('run.0001.jsonl'))).toHaveLength(4)
})

test('where this program may not write nothing is made, and it can be tried again', async () => {
  let refusal: Error | null = new JournalError('newer', { isFinal: true })
  const before = () => (refusal === null ? Promise.resolve() : Promise.reject(refusal))
  const { writer, folder } = aWriter({ before })
  await expect(writer.open()).rejects.toBe(refusal)
  refusal = new Error('odd')
  await expect(writer.append([begin('a')])).rejects.toMatchObject({
    ...{ name: 'JournalError', message: `the journal in ${folder} cannot be opened: odd`, isFinal: false },
  })
  expect(names(folder)).toEqual([])
  refusal = null
  await writer.append([begin('a')])
  expect(names(folder)).toEqual(['run.0001.jsonl', 'run.lock'])
})

test('a first file that is not known to be on disk is none: nothing of it is left, and the next is tried', async () => {
  const { writer, folder } = aWriter()
  let isRefused = true
  diskCalls((call) => isRefused && call === 'sync account')
  const message = `the journal in ${folder} cannot be opened: the disk fails (EIO)`
  await expect(writer.open()).rejects.toMatchObject({ name: 'JournalError', message })
  expect([names(folder), writer.isOpen]).toEqual([[], false])
  isRefused = false
  await writer.append([begin('a')])
  expect(names(folder)).toEqual(['run.0002.jsonl', 'run.lock'])
})

test('a lock that another has, or that cannot be taken, is not taken away', async () => {
  const { writer, folder, path } = aWriter()
  mkdirSync(path('run.lock'), { recursive: true })
  const reason = 'run.lock: not a plain file (EFTYPE)'
  await expect(writer.open()).rejects.toThrow(`the journal in ${folder} cannot be opened: ${reason}`)
  rmSync(path('run.lock'), { recursive: true })
  const lock = takeLock(path('run.lock'))
  if (!lock.ok || lock.value === null) throw new Error('it cannot be locked')
  await expect(writer.open()).rejects.toThrow('the lock of run run is taken')
  expect(names(folder)).toEqual(['run.lock'])
  lock.value.release()
  await writer.open()
})

test('what the disk does not take is refused', async () => {
  const { writer, path } = aWriter()
  await writer.open()
  rmSync(path('run.0001.jsonl'))
  await expect(writer.append([begin('a')])).rejects.toMatchObject({
    ...{
      name: 'JournalError',
      message: expect.stringMatching(/^the journal was removed or replaced: put .* back, or restart the desk$/),
    },
  })
})

test('a full file is continued in another, which begins with what is open; what comes meanwhile waits for it', async () => {
  const { writer, folder, path, rotations, troubles } = aWriter({ rotateBytes: 600, carry: () => [begin('open')] })
  await writer.append([begin('a')])
  await writer.append([begin('b')])
  await writer.append([begin('c')])
  expect(recordsIn(path('run.0002.jsonl'))).toEqual([desk, begin('open'), begin('c')])
  expect(names(folder)).toEqual(['closed', 'run.0002.jsonl', 'run.lock'])
  expect(recordsIn(path('closed/run.0001.jsonl'))).toEqual([desk, begin('a'), begin('b')])
  expect([rotations(), troubles]).toEqual([1, []])
})

test('where what is open fills a file by itself, the next one has room for as much again', async () => {
  const many = Array.from({ length: 20 }, (_, at) => begin(`open${at}`))
  const { writer, path, rotations } = aWriter({ rotateBytes: 600, carry: () => many })
  await writer.append([begin('a'), begin('b')])
  await writer.append([begin('c')])
  expect(recordsIn(path('run.0002.jsonl'))).toHaveLength(22)
  for (let at = 0; at < 18; at += 1) await writer.append([begin(`more${at}`)])
  expect(rotations()).toBe(1)
  for (let at = 0; at < 5; at += 1) await writer.append([begin(`last${at}`)])
  expect(rotations()).toBe(2)
})

test('what is carried over has nothing that had ended by then', async () => {
  let isEnded = false
  const { writer, path } = aWriter({ rotateBytes: 600, carry: () => (isEnded ? [] : [begin('a')]) })
  await writer.open()
  await writer.append([begin('a'), begin('b')]).then(() => {
    isEnded = true
  })
  await writer.append([begin('c')])
  expect(recordsIn(path('run.0002.jsonl'))).toEqual([desk, begin('c')])
})

test('a file that cannot be continued is used on, told, and continued later', async () => {
  const { writer, folder, path, rotations, troubles } = aWriter({ rotateBytes: 600 })
  await writer.open()
  writeFileSync(path('run.0002.jsonl'), '')
  await writer.append([begin('a'), begin('b')])
  await writer.append([begin('c')])
  const reason = 'a file of this name is in the way (EEXIST)'
  expect(troubles).toEqual([`The journal could not be continued in a new file: ${reason}`])
  await writer.append([begin('d')])
  expect(recordsIn(path('closed/run.0001.jsonl'))).toEqual([desk, begin('a'), begin('b'), begin('c')])
  expect(recordsIn(path('run.0003.jsonl'))).toEqual([desk, begin('d')])
  expect([rotations(), names(folder)]).toEqual([1, ['closed', 'run.0002.jsonl', 'run.0003.jsonl', 'run.lock']])
})

test('a new file that cannot take over what is open is closed and leaves nothing, however often it is tried', async () => {
  let isRefused = true
  const carry = () => {
    if (isRefused) throw new Error('odd')
    return [begin('open')]
  }
  const { writer, folder, path, troubles } = aWriter({ rotateBytes: 600, carry })
  await writer.open()
  const openFiles = openFileCount()
  await writer.append([begin('a'), begin('b')])
  for (const id of ['c', 'd', 'e']) await writer.append([begin(id)])
  isRefused = false
  await writer.append([begin('f')])
  expect(troubles).toEqual(Array(3).fill('The journal could not be continued in a new file: odd'))
  const [own] = names(folder).filter((name) => name.endsWith('.jsonl'))
  expect(names(folder)).toEqual(['closed', own, 'run.lock'])
  expect(recordsIn(path(own ?? ''))).toEqual([desk, begin('open'), begin('f')])
  expect(openFileCount()).toBe(openFiles)
})

test('a full file that cannot be put away is told, and stays; nothing is joined', async () => {
  const { writer, path, rotations, troubles } = aWriter({ rotateBytes: 600 })
  await writer.open()
  writeFileSync(path('closed'), '')
  await writer.append([begin('a'), begin('b')])
  await writer.append([begin('c')])
  await writer.close(() => true)
  const reason = 'a file of this name is in the way (EEXIST)'
  expect(troubles).toEqual([
    `A full file of the journal could not be put away: ${reason}`,
    `The journal of this run could not be put away: ${reason}`,
  ])
  expect([recordsIn(path('run.0001.jsonl')).length, recordsIn(path('run.0002.jsonl')).length]).toEqual([3, 2])
  expect(rotations()).toBe(0)
  // Whoever comes next can take it over.
  expect(isFree(path('run.lock'))).toBe(true)
})

test.each([
  [true, ['closed'], ['run.0001.jsonl']],
  [false, ['run.0001.jsonl', 'run.lock'], []],
])(
  'a run ends with its file put away when all of it is settled (%s), else left to the next',
  async (isSettled, left, closed) => {
    const { writer, folder, path, troubles } = aWriter()
    const last = writer.append([begin('a')])
    // As long as it is not on disk nobody knows what is open.
    await writer.close(() => isSettled && recordsIn(path('run.0001.jsonl')).length === 2)
    await last
    expect([names(folder), names(path('closed')), troubles, writer.isOpen]).toEqual([left, closed, [], false])
    await expect(writer.append([begin('b')])).rejects.toMatchObject({
      name: 'JournalError',
      message: 'the journal is closed',
    })
    await expect(writer.open()).rejects.toThrow('the journal is closed')
    if (!isSettled) expect(isFree(path('run.lock'))).toBe(true)
    await writer.close(() => true)
    expect(names(folder)).toEqual(expect.arrayContaining(left))
  },
)

test('a file is full when it has as many bytes as it may have', async () => {
  const { writer, path } = aWriter()
  await writer.append([begin('a')])
  const rotateBytes = statSync(path('run.0001.jsonl')).size
  for (const [bytes, count] of [
    [rotateBytes, 1],
    [rotateBytes + 1, 0],
  ] as const) {
    const other = aWriter({ rotateBytes: bytes })
    await other.writer.append([begin('a')])
    await other.writer.close(() => false)
    expect(other.rotations()).toBe(count)
  }
})

test('a run that ends while its file is filled is not continued', async () => {
  const { writer, path, folder, troubles } = aWriter({ rotateBytes: 600 })
  await writer.open()
  const last = writer.append([begin('a'), begin('b')])
  await writer.close(() => true)
  await last
  expect([names(folder), names(path('closed')), troubles]).toEqual([['closed'], ['run.0001.jsonl'], []])
})

test('what is to be removed and is gone already is no trouble', async () => {
  const { writer, path, troubles } = aWriter()
  await writer.open()
  rmSync(path('run.lock'))
  await writer.close(() => true)
  expect([names(path('')), troubles]).toEqual([['closed'], []])
  const other = aWriter()
  diskCalls((call) => {
    if (call !== 'sync account') return false
    for (const name of names(other.folder)) unlinkSync(other.path(name))
    return true
  })
  await expect(other.writer.open()).rejects.toThrow('cannot be opened: the disk fails (EIO)')
})

test('a run that ends as its file is made, full or refused leaves nothing half done', async () => {
  const made = aWriter()
  const opening = made.writer.open()
  await made.writer.close(() => true)
  await opening
  expect(names(made.folder)).toEqual(['closed'])
  const refused = aWriter({ before: () => Promise.reject(new Error('odd')) })
  const failing = refused.writer.open()
  await refused.writer.close(() => true)
  await expect(failing).rejects.toThrow('odd')
  const never = aWriter()
  await never.writer.close(() => true)
  expect(names(never.folder)).toEqual([])
  const full = aWriter({ rotateBytes: 600 })
  await full.writer.append([begin('a'), begin('b')])
  await full.writer.close(() => true)
  expect([names(full.folder), names(full.path('closed'))]).toEqual([['closed'], ['run.0001.jsonl', 'run.0002.jsonl']])
})
