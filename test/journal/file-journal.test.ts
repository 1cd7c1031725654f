import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { Decimal } from '../../src/domain/money.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { closeFiles } from './closed-files.ts'
import { aFolder, aJournal, anIntent, atMs, filesIn, leaveBehind, linesOf, onlyFile, openIds } from './scene.ts'

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
  await third.begin(anIntent('own'), atMs)
  expect((await third.openElsewhere()).map(({ intent }) => intent)).toMatchObject([{ clientOrderId: 'living' }])
  expect(existsSync(join(folder, 'closed', 'gone.0001.jsonl'))).toBe(true)
  expect(openIds(await aJournal(folder))).toEqual([])
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

test('a run has a name of its own: when it began, in which process, and chance', async () => {
  const folder = aFolder()
  await aJournal(folder, { randomBytes: (count) => new Uint8Array(count).fill(0xab) })
  expect(filesIn(folder)).toEqual([`20260105T140000000Z-${process.pid}-abababababab.0001.jsonl`])
})

test('an entry has the time, the intent and the steps that it was given, under an id of its own', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const write = await journal.begin(anIntent('c1'), atMs + 1)
  const other = await journal.begin({ kind: 'cancelAll', symbol: null }, atMs + 2)
  expect(write.id).toMatch(/^[0-9a-f]{24}$/)
  expect(other.id).not.toBe(write.id)
  await write.step({ step: 'place', quantity: new Decimal(2) }, atMs + 3)
  expect(journal.open()).toMatchObject([
    { id: write.id, atMs: atMs + 1, steps: [{ step: 'place' }], outcome: null },
    { id: other.id, atMs: atMs + 2 },
  ])
  await write.end({ kind: 'rejected', reason: 'x' }, atMs + 4)
  // Said twice it changes nothing, and nothing of before is written again.
  await write.end({ kind: 'rejected', reason: 'x' }, atMs + 4)
  expect(openIds(journal)).toEqual([])
  expect(linesOf(folder).slice(0, -1)).toMatchObject([
    { record: 'desk', version: 2, exchange: 'practice', at: '2026-01-05T14:00:00.000Z' },
    { record: 'begin', at: '2026-01-05T14:00:00.001Z', id: write.id },
    { record: 'begin', at: '2026-01-05T14:00:00.002Z', id: other.id },
    { record: 'step', at: '2026-01-05T14:00:00.003Z', id: write.id, step: { step: 'place', quantity: '2' } },
    { record: 'outcome', at: '2026-01-05T14:00:00.004Z', id: write.id, outcome: { kind: 'rejected', reason: 'x' } },
  ])
})

test('what is not open is not settled, and writes nothing', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const write = await journal.begin(anIntent('c1'), atMs)
  await write.end({ kind: 'canceled' }, atMs)
  const before = linesOf(folder).length
  for (const id of ['nobody', write.id])
    await journal.settle(id, { how: 'placed', by: 'person', id: null, evidence: '' }, atMs)
  expect(linesOf(folder).length).toBe(before)
})

test('a closed entry of any desk that was refused and is there all the same is settled with all that is known of it', async () => {
  const folder = aFolder()
  const first = await aJournal(folder)
  const write = await first.begin(anIntent('c1'), atMs)
  await write.end({ kind: 'rejected', reason: 'no' }, atMs + 1)
  await first.close()
  const second = await aJournal(folder)
  const [refused] = await second.history(0)
  if (refused === undefined) throw new Error('no entry')
  const settlement = { how: 'placed', by: 'exchange', id: '7', evidence: 'listed later' } as const
  await second.settle(refused.id, settlement, atMs + 5)
  expect(await second.history(0)).toEqual([refused])
  await second.settle(refused.id, settlement, atMs + 5, refused)
  const corrected = { ...refused, settlement, endedAtMs: atMs + 5 }
  expect(await second.history(0)).toEqual([corrected])
  expect((await second.find({ kind: 'order', id: 'c1' })).entries).toEqual([corrected])
  await second.close()
  const third = await aJournal(folder)
  expect([await third.history(0), third.open()]).toEqual([[corrected], []])
})

test('a refused write that is there all the same is on record as soon as the disk takes it again', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  const write = await journal.begin(anIntent('c1'), atMs)
  await write.end({ kind: 'rejected', reason: 'no' }, atMs + 1)
  const [refused] = await journal.history(0)
  renameSync(folder, `${folder}-away`)
  const settlement = { how: 'placed', by: 'exchange', id: '7', evidence: 'listed later' } as const
  await journal.settle(write.id, settlement, atMs + 5, refused)
  expect(troubles).toEqual([expect.stringMatching(/^Not on record: order c1, resolved as placed \(7\);/)])
  renameSync(`${folder}-away`, folder)
  expect(await journal.history(0)).toMatchObject([{ settlement: { id: '7' } }])
  await journal.close()
  expect(await (await aJournal(folder)).history(0)).toMatchObject([{ id: write.id, settlement: { id: '7' } }])
})

test('a journal that cannot be read keeps nothing proven until it can be, and then calls for what waited', async () => {
  const folder = aFolder()
  const kept: boolean[] = []
  let back = 0
  const onBack = () => Promise.resolve(++back)
  const journal = await aJournal(folder, { onBack })
  journal.listen(
    () => undefined,
    (isKept) => kept.push(isKept),
  )
  writeFileSync(join(folder, 'closed'), 'a file in the place of a folder')
  await expect(journal.history(0)).rejects.toMatchObject({
    ...{ name: 'JournalError', message: expect.stringContaining(`the journal in ${folder} cannot be read: `) },
  })
  // That it can be written does not say that it can be read.
  await journal.begin(anIntent('c1'), atMs)
  expect([kept, back]).toEqual([[false], 0])
  rmSync(join(folder, 'closed'))
  await journal.history(0)
  await journal.history(0)
  expect([kept, back]).toEqual([[false, true], 1])
})

test('an entry says how long the machine had been up, where that is known', async () => {
  let upMs = 12_345.6
  const journal = await aJournal(aFolder(), { bootedMs: () => upMs })
  await journal.begin(anIntent('c1'), atMs)
  upMs = -1
  await journal.begin(anIntent('c2'), atMs + 1)
  expect(await journal.history(0)).toMatchObject([{ upMs: 12_346 }, { upMs: 0 }])
})

test('a step that is not on disk is refused, and is none', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const write = await journal.begin(anIntent('c1'), atMs)
  renameSync(folder, `${folder}-away`)
  await expect(write.step({ step: 'place', quantity: new Decimal(2) }, atMs)).rejects.toThrow('was removed or replaced')
  expect(journal.open()).toMatchObject([{ steps: [] }])
  renameSync(`${folder}-away`, folder)
})

test('history is what was begun since a time, in its order, with what the disk has not taken yet', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  for (const number of [5, 1, 3]) await journal.begin(anIntent(`c${number}`), atMs + number)
  const ids = async (since: number) =>
    (await journal.history(atMs + since)).map(({ intent }) => (intent.kind === 'order' ? intent.clientOrderId : ''))
  expect([await ids(0), await ids(3), await ids(4), await ids(6)]).toEqual([
    ['c1', 'c3', 'c5'],
    ['c3', 'c5'],
    ['c5'],
    [],
  ])
  renameSync(folder, `${folder}-away`)
  const write = journal.open()[0]
  await journal.settle(write?.id ?? '', { how: 'notPlaced', by: 'person', id: null, evidence: '' }, atMs)
  renameSync(`${folder}-away`, folder)
  expect((await journal.history(atMs + 5)).map(({ settlement }) => settlement?.how)).toEqual(['notPlaced'])
  const found = await journal.find({ kind: 'order', id: 'c5' })
  expect(found).toMatchObject({ entries: [{ settlement: { how: 'notPlaced' } }], gap: null })
})

test('a desk joins closed files as it starts and whenever a file of its own is full; a command has fewer to join', async () => {
  const folder = aFolder()
  for (let runs = 0; runs < 4; runs += 1) await (await aJournal(folder)).close()
  const joined = () => filesIn(join(folder, 'joined')).length
  expect([filesIn(join(folder, 'closed')).length, joined()]).toEqual([4, 0])
  const desk = await aJournal(folder, { joinedBy: 'desk', rotateBytes: 1_000 })
  expect([filesIn(join(folder, 'closed')).length, joined()]).toEqual([0, 1])
  for (let number = 0; number < 12; number += 1)
    await (await desk.begin(anIntent(`c${number}`), atMs)).end({ kind: 'canceled' }, atMs)
  await desk.close()
  expect(joined()).toBeGreaterThan(1)
  expect((await (await aJournal(folder)).history(0)).length).toBe(12)
})

test('closed files that cannot be joined are told, and stop nothing', async () => {
  const folder = aFolder()
  await (await aJournal(folder)).close()
  rmSync(join(folder, 'join.lock'), { force: true })
  mkdirSync(join(folder, 'join.lock'))
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  expect(troubles).toEqual(['Closed files of the journal cannot be joined: join.lock: not a plain file (EFTYPE)'])
  await journal.begin(anIntent('c1'), atMs)
})

test('a cancel that went on no record is there when its desk ends, if the disk takes it then', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  renameSync(folder, `${folder}-away`)
  await expect(journal.begin(anIntent('c1'), atMs)).rejects.toThrow('was removed or replaced')
  expect([journal.open(), troubles]).toEqual([[], []])
  const cancel = await journal.begin({ kind: 'cancelAll', symbol: null }, atMs)
  await cancel.end({ kind: 'canceled' }, atMs)
  expect(journal.open()).toEqual([])
  renameSync(`${folder}-away`, folder)
  await journal.close()
  expect(troubles.at(-1)).toBe('Back on record: cancel of all orders in every symbol, canceled')
  expect(filesIn(folder)).toEqual([])
  expect((await (await aJournal(folder)).history(0)).map(({ intent }) => intent.kind)).toEqual(['cancelAll'])
})

test('to look for what is to be taken over, and to end, writes nothing where there is nothing', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  leaveBehind(folder, '')
  const handle = await open(onlyFile(folder))
  const synced = vi.spyOn(Object.getPrototypeOf(handle), 'datasync')
  onTestFinished(() => synced.mockRestore())
  await handle.close()
  expect(await journal.adopt()).toEqual([])
  await journal.close()
  expect([synced.mock.calls.length, filesIn(folder)]).toEqual([0, []])
})

test('a file that cannot be continued in another is told', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder, { rotateBytes: 600, randomBytes: (count) => new Uint8Array(count) })
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  writeFileSync(onlyFile(folder).replace('.0001.', '.0002.'), '')
  for (const id of ['c1', 'c2']) await journal.begin(anIntent(id), atMs)
  await journal.close()
  expect(troubles).toEqual([
    'The journal could not be continued in a new file: a file of this name is in the way (EEXIST)',
  ])
})

test('a command joins closed files where there are 32 of them', async () => {
  const folder = aFolder()
  closeFiles(folder, 0, 31)
  await (await aJournal(folder)).close()
  expect(filesIn(join(folder, 'joined'))).toEqual([])
  await aJournal(folder)
  expect([filesIn(join(folder, 'joined')), filesIn(join(folder, 'closed'))]).toEqual([['000001.jsonl'], []])
})

test('a journal that is closed takes no cancel either, and is closed once', async () => {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const [first, second] = [journal.close(), journal.close()]
  expect(first).toBe(second)
  await first
  await expect(journal.begin({ kind: 'cancel', orderId: '7' }, atMs)).rejects.toThrow('the journal is closed')
  expect(journal.open()).toEqual([])
  expect(await journal.adopt()).toEqual([])
})

test('files that do not say whose they are leave every search open', async () => {
  const folder = aFolder()
  const unknownFolder = join(folder, 'unknown')
  const journal = await aJournal(folder, { unknownFolder })
  expect((await journal.find({ kind: 'order', id: 'c1' })).gap).toBeNull()
  mkdirSync(unknownFolder)
  writeFileSync(join(unknownFolder, 'a.0001.jsonl'), '')
  expect((await journal.find({ kind: 'order', id: 'c1' })).gap).toContain('of an unknown account')
})
