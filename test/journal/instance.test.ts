import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import {
  type Adoption,
  adoptInstances,
  InstanceReader,
  listInstances,
  readInstance,
} from '../../src/journal/instance.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { type JournalRecord, recordLine, writeLine } from '../../src/journal/record.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { anIntent, atMs } from './scene.ts'

const anEntry = (id: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ id, atMs, intent: anIntent(id), steps: [], outcome: null, settlement: null, ...more },
})
const ended = (id: string) => anEntry(id, { outcome: { kind: 'canceled' } })
const desk = (exchange: string): JournalRecord => ({ record: 'desk', at: atMs, version: 2, exchange })
const linesOf = (...records: readonly JournalRecord[]) => records.map(recordLine).join('')
const newerLine = writeLine({ at: new Date(atMs).toISOString(), record: 'of 2030', id: 'a' })

const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** A folder with files of runs, and what came of taking them over. */
function aFolder() {
  const folder = temporaryFolder('instances')
  const troubles: string[] = []
  const kept: string[] = []
  return {
    ...{ folder, troubles, kept },
    put(name: string, text: string) {
      writeFileSync(join(folder, name), text)
      writeFileSync(join(folder, `${name.split('.')[0]}.lock`), '')
    },
    adopt: (more: Partial<Adoption> = {}) =>
      adoptInstances({
        ...{ folder, own: 'own', exchange: 'practice', onTrouble: (sentence) => troubles.push(sentence) },
        keep(entries) {
          kept.push(...entries.map(({ id }) => id))
          return Promise.resolve()
        },
        ...more,
      }),
    lock(name: string) {
      const lock = takeLock(join(folder, name))
      if (!lock.ok || lock.value === null) throw new Error('it cannot be locked')
      onTestFinished(lock.value.release)
    },
  }
}

test('the files of a run are read in the order of their numbers, however many digits they have', () => {
  const { folder, put } = aFolder()
  put('b.10000.jsonl', linesOf(desk('later')))
  put('b.9999.jsonl', linesOf(desk('earlier'), ...recordsOf(anEntry('x'))))
  put('a.0001.jsonl', linesOf(...recordsOf(ended('y'))))
  const instances = listInstances(folder)
  expect(instances.map(({ name, files }) => [name, ...files.map(({ number }) => number)])).toEqual([
    ['a', 1],
    ['b', 9_999, 10_000],
  ])
  const [first, second] = instances.map((each) => readInstance(each))
  expect(first).toMatchObject({ exchange: null, open: [], isNewer: false })
  expect(second).toMatchObject({ exchange: 'later', open: [{ id: 'x' }], isNewer: false })
  put('b.10000.jsonl', newerLine)
  expect(instances.map((each) => readInstance(each).isNewer)).toEqual([false, true])
})

test('a file is read again when it has grown, and not while it has not; one that is gone holds nothing', () => {
  const { folder, put } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('x'))))
  put('b.0001.jsonl', linesOf(...recordsOf(anEntry('z'))))
  const reader = new InstanceReader()
  const open = (instances = listInstances(folder)) =>
    reader.read(instances).map((each) => each.open.map(({ id }) => id).join())
  expect(open()).toEqual(['x', 'z'])
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('y'))))
  expect(open()).toEqual(['x', 'z'])
  appendFileSync(join(folder, 'a.0001.jsonl'), linesOf(...recordsOf(anEntry('more'))))
  expect(open()).toEqual(['y,more', 'z'])
  // Of a run that was away everything is read anew.
  const before = listInstances(folder)
  rmSync(join(folder, 'a.0001.jsonl'))
  expect(open(before)).toEqual(['', 'z'])
  expect(new InstanceReader().read(before).map((each) => each.open.length)).toEqual([0, 1])
  expect(open()).toEqual(['z'])
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('u')), ...recordsOf(anEntry('less'))))
  expect(open()).toEqual(['u,less', 'z'])
})

test('what a run left open is taken over once, and its files go where closed ones lie, with its lock', async () => {
  const { folder, put, adopt, kept, troubles, lock } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(ended('done'))))
  put('a.0002.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('open'))))
  put('silent.0001.jsonl', '')
  put('own.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('mine'))))
  put('living.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('theirs'))))
  lock('living.lock')
  await adopt()
  expect([kept, troubles]).toEqual([['open'], []])
  expect(names(join(folder, 'closed'))).toEqual(['a.0001.jsonl', 'a.0002.jsonl', 'silent.0001.jsonl'])
  expect(names(folder)).toEqual([
    ...['adopt.lock', 'closed', 'living.0001.jsonl', 'living.lock', 'own.0001.jsonl', 'own.lock'],
  ])
  await adopt()
  expect([kept, names(join(folder, 'damaged'))]).toEqual([['open'], []])
})

test('what cannot be read of a run is kept apart and told, file by file', async () => {
  const { folder, put, adopt, troubles } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice')))
  put('a.0002.jsonl', `${linesOf(desk('practice'))}no line\n`)
  await adopt()
  expect(troubles).toEqual([
    'Part of an earlier journal cannot be read, 1 line of journal a.0002.jsonl damaged: ' +
      `it is kept in ${join(folder, 'damaged')}`,
  ])
  expect([names(join(folder, 'closed')), names(join(folder, 'damaged'))]).toEqual([['a.0001.jsonl'], ['a.0002.jsonl']])
})

test('what is another account’s or a newer program’s stays, and is told where something of it is open', async () => {
  const { folder, put, adopt, kept, troubles, lock } = aFolder()
  put('a.0001.jsonl', linesOf(desk('live'), ...recordsOf(anEntry('x')), ...recordsOf(anEntry('y'))))
  put('b.0001.jsonl', linesOf(desk('live'), ...recordsOf(ended('z'))))
  put('c.0001.jsonl', linesOf(desk('practice'), ...recordsOf(ended('u'))) + newerLine)
  await adopt()
  expect([kept, troubles]).toEqual([
    [],
    [
      'Journal a is left alone: its 2 writes without a known outcome are of another exchange or key, ' +
        'and are not looked up here',
      'Journal c is left alone: it was written by a newer pitdesk',
    ],
  ])
  expect(names(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([
    ...['a.0001.jsonl', 'b.0001.jsonl', 'c.0001.jsonl'],
  ])
  // Their own desks can have them at once.
  for (const name of ['a.lock', 'b.lock', 'c.lock', 'adopt.lock']) lock(name)
})

test('entries that cannot be kept stay where they are, told, for another time', async () => {
  const { folder, put, adopt, kept, troubles } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('x'))))
  put('b.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('y'))))
  await adopt({ keep: () => Promise.reject(new Error('the disk is full')) })
  expect(troubles).toEqual(['a', 'b'].map((name) => `Journal ${name} cannot be taken over: the disk is full`))
  expect(names(join(folder, 'closed'))).toEqual([])
  // And one whose lock file was taken away meanwhile is no trouble.
  await adopt({
    keep(entries) {
      kept.push(...entries.map(({ id }) => id))
      rmSync(join(folder, 'a.lock'), { force: true })
      return Promise.resolve()
    },
  })
  expect([kept, troubles.length]).toEqual([['x', 'y'], 2])
})

test('a run whose lock cannot be taken is told and left, and the next one is taken over', async () => {
  const { folder, put, adopt, kept, troubles } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('x'))))
  put('b.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('y'))))
  rmSync(join(folder, 'a.lock'))
  mkdirSync(join(folder, 'a.lock'))
  await adopt()
  expect([kept, troubles]).toEqual([['y'], ['Journal a cannot be taken over: a.lock: not a plain file (EFTYPE)']])
})

test('while another desk takes over nothing is done; where nobody can, that is told', async () => {
  const { folder, put, adopt, kept, troubles, lock } = aFolder()
  put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('x'))))
  lock('adopt.lock')
  await adopt()
  expect([kept, troubles]).toEqual([[], []])
  const other = aFolder()
  mkdirSync(join(other.folder, 'adopt.lock'))
  other.put('a.0001.jsonl', linesOf(desk('practice'), ...recordsOf(anEntry('x'))))
  await other.adopt()
  await other.adopt({ folder: join(other.folder, 'a.0001.jsonl') })
  expect([other.kept, other.troubles]).toEqual([
    [],
    [
      'Journals of ended desks cannot be taken over: adopt.lock: not a plain file (EFTYPE)',
      'Journals of ended desks cannot be taken over: adopt.lock: a file is in the place of a folder (ENOTDIR)',
    ],
  ])
  expect(names(folder)).toContain('a.0001.jsonl')
})
