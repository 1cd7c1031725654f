import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aJournal, anIntent, atMs, filesIn, leaveBehind, linesOf, onlyFile, openIds } from './scene.ts'

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

test('what a desk that is gone left without an answer is unknown; what it had heard stays as it heard it', async () => {
  const folder = aFolder()
  const other = aFolder()
  const gone = await aJournal(other)
  await gone.begin(anIntent('silent'), atMs)
  await (await gone.begin(anIntent('reset'), atMs)).end({ kind: 'unknown', reason: 'reset' }, atMs)
  await (await gone.begin(anIntent('done'), atMs)).end({ kind: 'canceled' }, atMs)
  await (await aJournal(folder)).close()
  const bytes = readFileSync(onlyFile(other))
  leaveBehind(folder, bytes)
  // Whoever took it over before died before the file was put away.
  leaveBehind(folder, bytes, 'half-way')
  leaveBehind(folder, '', 'nothing')
  const journal = await aJournal(folder)
  expect(journal.open().map(({ outcome }) => outcome)).toEqual([
    { kind: 'unknown', reason: 'the desk ended before an answer was on record' },
    { kind: 'unknown', reason: 'reset' },
  ])
  expect(linesOf(folder).map(({ record }) => record)).toEqual(['desk', 'begin', 'outcome', 'begin', 'outcome'])
  expect(filesIn(join(folder, 'closed'))).toEqual(expect.arrayContaining(['gone.0001.jsonl', 'half-way.0001.jsonl']))
  // Nobody else is told of them as somebody's.
  expect(await journal.openElsewhere()).toEqual([])
})

test('entries are taken over once, however often it is asked for at once, and as this desk knows them', async () => {
  const folder = aFolder()
  const other = aFolder()
  const gone = await aJournal(other)
  await gone.begin(anIntent('c1'), atMs)
  const journal = await aJournal(folder)
  leaveBehind(folder, readFileSync(onlyFile(other)))
  const [first, second] = await Promise.all([journal.adopt(), journal.adopt()])
  expect(first).toBe(second)
  expect(first).toMatchObject([{ intent: { clientOrderId: 'c1' }, outcome: { kind: 'unknown' } }])
  expect(await journal.adopt()).toEqual([])
  // Its file comes back, as from a copy: it is known here.
  leaveBehind(folder, readFileSync(onlyFile(other)))
  expect(await journal.adopt()).toEqual([])
  expect(openIds(journal)).toEqual(['c1'])
})

test('what keeps a run from being taken over is told once for as long as it lasts, and again when it comes again', async () => {
  const folder = aFolder()
  const other = aFolder()
  const gone = await aJournal(other, { exchange: 'live' })
  await gone.begin(anIntent('c1'), atMs)
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  const path = leaveBehind(folder, readFileSync(onlyFile(other)))
  const sentence =
    'Journal gone is left alone: its 1 writes without a known outcome are of another exchange or key, ' +
    'and are not looked up here'
  for (let times = 0; times < 3; times += 1) await journal.adopt()
  expect(troubles).toEqual([sentence])
  renameSync(path, `${path}.away`)
  await journal.adopt()
  renameSync(`${path}.away`, path)
  await journal.adopt()
  expect(troubles).toEqual([sentence, sentence])
})

test('what was taken over of a run whose file cannot be put away is nobody else’s, also once it is settled', async () => {
  const folder = aFolder()
  const other = aFolder()
  const gone = await aJournal(other)
  await gone.begin(anIntent('c1'), atMs)
  const journal = await aJournal(folder)
  const troubles: string[] = []
  journal.listen((sentence) => troubles.push(sentence))
  leaveBehind(folder, readFileSync(onlyFile(other)))
  writeFileSync(join(folder, 'closed'), '')
  const [entry] = await journal.adopt()
  expect(troubles).toEqual(['Journal gone cannot be taken over: a file of this name is in the way (EEXIST)'])
  expect(await journal.openElsewhere()).toEqual([])
  await journal.settle(entry?.id ?? '', { how: 'notPlaced', by: 'person', id: null, evidence: '' }, atMs)
  expect([await journal.openElsewhere(), journal.open()]).toEqual([[], []])
})
