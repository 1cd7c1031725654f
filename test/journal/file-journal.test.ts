import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { aFolder, aJournal, anIntent, atMs, filesIn, leaveBehind, onlyFile, openIds } from './scene.ts'

test('files are for the owner alone, folders too, and hold the intent before begin resolves', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  await journal.begin(anIntent('c1'), atMs)
  expect(readFileSync(onlyFile(folder), 'utf8')).toContain('"clientOrderId":"c1"')
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('what is begun and what ends is synced to the disk before anybody hears of it', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const handle = await open(onlyFile(folder))
  const synced = vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  onTestFinished(() => synced.mockRestore())
  await handle.close()
  const entry = await journal.begin(anIntent('c1'), atMs)
  expect(synced).toHaveBeenCalledTimes(1)
  await entry.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
  expect(synced).toHaveBeenCalledTimes(2)
})

test('an outcome closes an entry, no answer leaves it open, a settlement closes it', async () => {
  const journal = await aJournal(aFolder())
  const accepted = await journal.begin(anIntent('c1'), atMs)
  const unknown = await journal.begin(anIntent('c2'), atMs)
  await accepted.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
  await unknown.end({ kind: 'unknown', reason: 'reset' }, atMs)
  expect(openIds(journal)).toEqual(['c2'])
  await journal.settle(unknown.id, { how: 'placed', by: 'exchange', id: '2', evidence: 'listed' }, atMs)
  expect(journal.open()).toEqual([])
  expect((await journal.history(0)).map(({ outcome, settlement }) => [outcome?.kind, settlement?.how])).toEqual([
    ['accepted', undefined],
    ['unknown', 'placed'],
  ])
})

test('a damaged line in the middle costs that line alone, and is told', async () => {
  const folder = aFolder()
  const first = await aJournal(folder)
  await first.begin(anIntent('c1'), atMs)
  await first.begin(anIntent('c2'), atMs)
  const text = readFileSync(onlyFile(folder), 'utf8').replace('"clientOrderId":"c1"', '"clientOrderId":"cX"')
  const other = aFolder()
  await (await aJournal(other)).close()
  leaveBehind(other, text)
  const journal = await aJournal(other)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  expect(openIds(journal)).toEqual(['c2'])
  expect(troubles).toEqual([expect.stringContaining('1 line of journal gone.0001.jsonl damaged')])
  expect(readFileSync(join(other, 'damaged', 'gone.0001.jsonl'), 'utf8')).toBe(text)
})

test('two desks keep files apart; a third takes over from one that is gone, and leaves the one that lives alone', async () => {
  const folder = aFolder()
  const living = await aJournal(folder)
  await living.begin(anIntent('living'), atMs)
  const bytes = readFileSync(onlyFile(folder), 'utf8')
  leaveBehind(folder, bytes.replaceAll('"clientOrderId":"living"', '"clientOrderId":"living"'))
  const other = aFolder()
  const dying = await aJournal(other)
  await dying.begin(anIntent('orphan'), atMs)
  leaveBehind(folder, readFileSync(onlyFile(other)))
  const third = await aJournal(folder)
  expect(openIds(third)).toEqual(['orphan'])
  expect(third.open()[0]?.outcome?.kind).toBe('unknown')
  expect(openIds(living)).toEqual(['living'])
  expect((await third.openElsewhere()).map(({ intent }) => intent)).toMatchObject([{ clientOrderId: 'living' }])
  expect(existsSync(join(folder, 'closed', 'gone.0001.jsonl'))).toBe(true)
  expect(openIds(await aJournal(folder))).toEqual([])
})

test('entries of another account in the same folder are left for its own desks', async () => {
  const folder = aFolder()
  const other = aFolder()
  const dying = await aJournal(other, { exchange: 'https://elsewhere.example' })
  await dying.begin(anIntent('theirs'), atMs)
  await (await aJournal(folder)).close()
  const path = leaveBehind(folder, readFileSync(onlyFile(other)))
  const journal = await aJournal(folder)
  expect(journal.open()).toEqual([])
  expect(await journal.openElsewhere()).toEqual([])
  expect(existsSync(path)).toBe(true)
  expect(openIds(await aJournal(folder, { exchange: 'https://elsewhere.example' }))).toEqual(['theirs'])
})

test('a file that grows too large is continued in another, with the open entries carried over; no write is lost', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder, { rotateBytes: 4_000 })
  const open = await journal.begin(anIntent('stays'), atMs)
  await open.end({ kind: 'unknown', reason: 'reset' }, atMs)
  const ids = Array.from({ length: 200 }, (_, index) => `c${index}`)
  await Promise.all(
    ids.map(async (id) => {
      const write = await journal.begin(anIntent(id), atMs)
      await write.end({ kind: 'accepted', id, status: 'OPEN' }, atMs)
    }),
  )
  // A new file stands before the next write is taken.
  await (await journal.begin(anIntent('last'), atMs)).end({ kind: 'accepted', id: 'last', status: 'OPEN' }, atMs)
  // What is full and continued elsewhere is put away.
  expect(filesIn(join(folder, 'closed')).length).toBeGreaterThan(0)
  expect(filesIn(folder).length).toBe(1)
  expect(readFileSync(onlyFile(folder), 'utf8')).toContain('"clientOrderId":"stays"')
  const history = await journal.history(0)
  expect(history.length).toBe(202)
  expect(history.filter(({ outcome }) => outcome?.kind === 'accepted').length).toBe(201)
  await journal.settle(open.id, { how: 'notPlaced', by: 'person', id: null, evidence: '' }, atMs)
  expect((await new FolderReader(folder).since(0)).gaps).toEqual([])
})

// Which of the two is on the disk first is the disk's to say: lines of several lengths meet it either way.
test.each([10_000, 100_000, 500_000, 1_000_000, 2_000_000, 4_000_000])(
  'an outcome of %i letters that is written while its file is continued does not stay open in the next',
  async (length) => {
    const folder = aFolder()
    const journal = await aJournal(folder, { rotateBytes: 1_500 })
    const [one, other] = [await journal.begin(anIntent('a'), atMs), await journal.begin(anIntent('b'), atMs)]
    const full = one.end({ kind: 'rejected', reason: 'x'.repeat(1_000) }, atMs)
    await nextTurn()
    await Promise.all([full, other.end({ kind: 'rejected', reason: 'y'.repeat(length) }, atMs)])
    await (await journal.begin(anIntent('c'), atMs)).end({ kind: 'canceled' }, atMs)
    expect(await (await aJournal(folder)).openElsewhere()).toEqual([])
  },
)

test('many intents at once reach the disk together and in whole lines', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  await Promise.all(Array.from({ length: 300 }, (_, index) => journal.begin(anIntent(`c${index}`), atMs)))
  expect(journal.open().length).toBe(300)
  const { entries, gaps } = await new FolderReader(folder).since(0)
  expect(gaps).toEqual([])
  expect(entries.all().length).toBe(300)
})

test('a journal that was closed takes no intent, and says so', async () => {
  const journal = await aJournal(aFolder())
  await journal.close()
  await expect(journal.begin(anIntent('late'), atMs)).rejects.toThrow('the journal is closed')
  expect(journal.open()).toEqual([])
})

test('a desk that ends with nothing open puts its files away; one with something open leaves them to the next', async () => {
  const folder = aFolder()
  const clean = await aJournal(folder)
  await (await clean.begin(anIntent('c1'), atMs)).end({ kind: 'canceled' }, atMs)
  await clean.close()
  expect(filesIn(folder)).toEqual([])
  expect(filesIn(join(folder, 'closed')).length).toBe(1)
  const open = await aJournal(folder)
  await (await open.begin(anIntent('c2'), atMs)).end({ kind: 'unknown', reason: 'reset' }, atMs)
  await open.close()
  expect(openIds(await aJournal(folder))).toEqual(['c2'])
})

test('a torn last line hides nothing before it, and is a gap as long as it is there', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  await journal.begin(anIntent('c1'), atMs)
  const path = onlyFile(folder)
  const size = statSync(path).size
  appendFileSync(path, '{"at":"2026')
  const torn = await journal.find({ kind: 'order', id: 'c1' })
  expect([torn.entries.length, torn.gap]).toEqual([1, expect.stringContaining('cut off')])
  truncateSync(path, size)
  await journal.begin(anIntent('c2'), atMs)
  expect(await journal.find({ kind: 'order', id: 'c1' })).toMatchObject({ entries: [{}], gap: null })
  expect((await journal.history(0)).length).toBe(2)
})
