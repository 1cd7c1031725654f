import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { earlierFolder, takeEarlier, unknownFolder } from '../../src/journal/earlier-folder.ts'
import { recordsOf } from '../../src/journal/entries.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { recordLine } from '../../src/journal/record.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { openFileCount } from './disk-calls.ts'
import { anIntent, atMs, isFree } from './scene.ts'

const own = 'practice'
const names = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : [])

/** The folder of a profile of an earlier program, and where the account's journal is to be. */
function aProfile() {
  const root = temporaryFolder('earlier')
  const [from, to] = [join(root, 'from'), join(root, 'to')]
  mkdirSync(join(from, 'closed'), { recursive: true })
  /** A file of a run with one entry; without an account it does not say whose it is. */
  const file = (name: string, account: string | null, folder = from) => {
    const entry = { id: `id ${name}`, atMs, intent: anIntent(name), steps: [], outcome: null, settlement: null }
    const desk = { record: 'desk', at: atMs, version: 1, exchange: account } as const
    const text = [...(account === null ? [] : [desk]), ...recordsOf(entry)].map(recordLine).join('')
    writeFileSync(join(folder, `${name}.0001.jsonl`), text)
  }
  const found = async (name: string) => {
    const { entries } = await new FolderReader(to).find([{ kind: 'order', id: name }])
    return entries.get(`id ${name}`) !== undefined
  }
  return { from, to, file, found, closed: join(from, 'closed'), take: () => takeEarlier(from, to, own, atMs) }
}

test('a profile whose name is no file’s name keeps its journal inside the folder all the same', () => {
  expect(earlierFolder('/s', 'desk-2.a_B')).toBe('/s/journal/desk-2.a_B')
  expect(earlierFolder('/s', 'x'.repeat(64))).toBe(`/s/journal/${'x'.repeat(64)}`)
  expect(earlierFolder('/s', 'x'.repeat(65))).toBe(`/s/journal/x${'78'.repeat(65)}`)
  for (const name of ['..', '.hidden', '', 'a/b', 'a b', 'a\n'])
    expect(earlierFolder('/s', name)).toBe(`/s/journal/x${Buffer.from(name).toString('hex')}`)
})

test('an account takes its own files, open and closed, and what is another’s stays', async () => {
  const { from, to, file, found, closed, take } = aProfile()
  file('mine', own)
  cpSync(join(from, 'mine.0001.jsonl'), join(from, 'mine.0002.jsonl'))
  file('done', own, closed)
  file('other', 'live')
  file('otherdone', 'live', closed)
  writeFileSync(join(from, 'mine.lock'), '')
  expect(await take()).toEqual({ accounts: new Set([own, 'live']), unknownCount: 0, isLiving: false })
  expect([await found('mine'), await found('done'), await found('other')]).toEqual([true, true, false])
  expect(names(to)).toEqual(['joined', 'mine.0001.jsonl', 'mine.0002.jsonl'])
  expect(names(from)).toEqual(['closed', 'other.0001.jsonl', 'taken'])
  expect(names(closed)).toEqual(['otherdone.0001.jsonl'])
  expect(readFileSync(join(from, 'taken'), 'utf8')).toBe('practice\n')
})

test('who took files away is known afterwards, once, also when nothing of it is left', async () => {
  const { from, file, take } = aProfile()
  expect(await take()).toEqual({ accounts: new Set(), unknownCount: 0, isLiving: false })
  expect(names(from)).toEqual(['closed'])
  writeFileSync(join(from, 'taken'), 'live\n')
  file('mine', own)
  expect((await take()).accounts).toEqual(new Set(['live', own]))
  file('more', own)
  expect((await take()).accounts).toEqual(new Set(['live', own]))
  expect(readFileSync(join(from, 'taken'), 'utf8')).toBe('live\npractice\n')
  expect((await take()).accounts).toEqual(new Set(['live', own]))
})

test('while a desk of the earlier program lives on the account nothing of it is moved', async () => {
  const { from, to, file, closed, take } = aProfile()
  file('mine', own)
  file('done', own, closed)
  const lock = takeLock(join(from, 'mine.lock'))
  if (!lock.ok || lock.value === null) throw new Error('it cannot be locked')
  const { release } = lock.value
  expect(await take()).toEqual({ accounts: new Set(), unknownCount: 0, isLiving: true })
  expect([existsSync(to), names(from), names(closed)]).toEqual([
    ...[false, ['closed', 'mine.0001.jsonl', 'mine.lock'], ['done.0001.jsonl']],
  ])
  release()
  expect((await take()).isLiving).toBe(false)
  expect(names(from)).toEqual(['closed', 'taken'])
})

test('files that do not say whose they are are set aside and counted; one that a living desk just begins is not', async () => {
  const { from, file, closed, take } = aProfile()
  file('whose', null)
  file('whosedone', null, closed)
  writeFileSync(join(from, 'empty.0001.jsonl'), '')
  file('young', null)
  const lock = takeLock(join(from, 'young.lock'))
  if (!lock.ok || lock.value === null) throw new Error('it cannot be locked')
  onTestFinished(lock.value.release)
  expect(await take()).toEqual({ accounts: new Set(), unknownCount: 3, isLiving: false })
  expect(names(unknownFolder(from))).toEqual(['empty.0001.jsonl', 'whose.0001.jsonl', 'whosedone.0001.jsonl'])
  expect(names(from)).toEqual(['closed', 'unknown', 'young.0001.jsonl', 'young.lock'])
  expect((await take()).unknownCount).toBe(3)
})

test('where a run cannot be locked nothing is moved, and the others are free again', async () => {
  const { from, to, file, take } = aProfile()
  file('first', own)
  file('second', own)
  mkdirSync(join(from, 'second.lock'))
  await expect(take()).rejects.toThrow('not a plain file')
  expect([existsSync(to), existsSync(join(from, 'taken'))]).toEqual([false, false])
  expect(isFree(join(from, 'first.lock'))).toBe(true)
})

test('a file that somebody else takes away meanwhile costs nothing', async () => {
  const { from, file, closed, take } = aProfile()
  file('done', own, closed)
  file('whose', null)
  const taking = take()
  rmSync(join(from, 'whose.0001.jsonl'))
  expect(await taking).toEqual({ accounts: new Set([own]), unknownCount: 0, isLiving: false })
})

test('an unknown file whose lock cannot be taken stays, and the folder of the account is for its owner alone', async () => {
  const { from, to, file, take } = aProfile()
  file('mine', own)
  file('whose', null)
  mkdirSync(join(from, 'whose.lock'))
  expect(await take()).toEqual({ accounts: new Set([own]), unknownCount: 0, isLiving: false })
  expect(names(from)).toEqual(['closed', 'taken', 'whose.0001.jsonl', 'whose.lock'])
  expect([to, join(from, 'taken')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
})

test('whoever sets files aside holds none of their locks on', async () => {
  const { from, file, take } = aProfile()
  const before = openFileCount()
  for (const name of ['a', 'b', 'c']) {
    file(name, null)
    await take()
  }
  expect(openFileCount()).toBeLessThanOrEqual(before)
  expect(names(unknownFolder(from))).toHaveLength(3)
})
