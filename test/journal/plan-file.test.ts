import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { PlanEvent } from '../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../src/domain/plans/terms.ts'
import {
  type FilePlanRecord,
  isPlanOwned,
  lostText,
  missingText,
  openPlanRecord,
  readPlans,
} from '../../src/journal/plan-file.ts'
import { shortenRecord } from '../../src/journal/plan-shortening.ts'
import { recordLine, writeLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { diskCalls, openFileCount } from './disk-calls.ts'
import { atMs } from './scene.ts'

const d = (text: string) => new Decimal(text)
const terms: PlanTerms = {
  kind: 'oco',
  symbol: 'BTC-USD',
  side: 'SELL',
  quantity: d('0.1'),
  stopPrice: d('63000'),
  stopLimit: null,
  targetPrice: d('66000.5'),
  nearBy: d('99'),
  backBy: d('198'),
}
const begun: PlanEvent = { event: 'begun', planId: 'p1', atMs, terms }
const sending: Extract<PlanEvent, { event: 'sending' }> = {
  event: 'sending',
  planId: 'p1',
  atMs: atMs + 1,
  clientOrderId: 'c1',
  role: 'stop',
  slice: null,
  draft: aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice: d('63000') }),
  replaces: null,
}

async function aRecord(folder: string): Promise<FilePlanRecord> {
  const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })
  if (!opened.ok || opened.value === 'busy') throw new Error('not opened')
  const record = opened.value
  onTestFinished(() => record.close())
  return record
}

/** A record of one plan with one order, closed again. */
async function aKeptPlan(): Promise<{ folder: string; path: string }> {
  const folder = join(temporaryFolder('plans'), 'account')
  const record = await aRecord(folder)
  await record.append(begun)
  await record.append(sending)
  await record.close()
  return { folder, path: join(folder, 'plans.jsonl') }
}

const kept = (folder: string) => {
  const read = readPlans(folder)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

test('what was kept is read back exactly, by the next desk and by a command', async () => {
  const { folder } = await aKeptPlan()
  const [plan] = kept(folder).plans.values()
  expect(plan?.terms).toEqual(terms)
  expect(plan?.orders).toMatchObject([{ clientOrderId: 'c1', standing: 'sent', role: 'stop' }])
  const again = await aRecord(folder)
  expect([...again.plans.keys()]).toEqual(['p1'])
  await again.append({ event: 'cancelAsked', planId: 'p1', atMs, how: 'leave' })
  expect(kept(folder).plans.get('p1')?.cancel).toBe('leave')
})

test('a last line that was cut off is left out, stays apart from the next one, and holds nothing', async () => {
  const { folder, path } = await aKeptPlan()
  writeFileSync(path, readFileSync(path).subarray(0, -9))
  expect(kept(folder).plans.get('p1')?.orders).toEqual([])
  const record = await aRecord(folder)
  await record.append({ ...sending, clientOrderId: 'c2' })
  await record.close()
  const again = await aRecord(folder)
  expect(again.plans.get('p1')).toMatchObject({ hold: null, orders: [{ clientOrderId: 'c2' }] })
})

test('a last line that lacks nothing but its end is there', async () => {
  const { folder, path } = await aKeptPlan()
  writeFileSync(path, readFileSync(path).subarray(0, -1))
  expect(kept(folder)).toMatchObject({ isTorn: false, damagedCount: 0 })
  expect(kept(folder).plans.get('p1')?.orders).toMatchObject([{ clientOrderId: 'c1' }])
  const record = await aRecord(folder)
  await record.append({ event: 'canceling', planId: 'p1', atMs, clientOrderId: 'c1' })
  expect(kept(folder)).toMatchObject({ isTorn: false, damagedCount: 0 })
  expect(kept(folder).plans.get('p1')?.orders).toHaveLength(1)
})

test.each([
  ['emptied', (path: string) => writeFileSync(path, '')],
  ['removed', (path: string) => rmSync(path)],
  [
    'put back from before the plan',
    (path: string) => writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0]}\n`),
  ],
])('a record that was %s says once which plan it lacks, and uses no number again', async (_how, damage) => {
  const { folder, path } = await aKeptPlan()
  damage(path)
  expect(kept(folder)).toMatchObject({ missingNumber: 1, lastNumber: 1 })
  const record = await aRecord(folder)
  expect([record.missingNumber, record.lastNumber]).toEqual([1, 1])
  await record.close()
  expect(kept(folder)).toMatchObject({ missingNumber: 0, lastNumber: 1 })
  // A folder put back whole knows no more than its record.
  rmSync(join(folder, 'plans-last'))
  expect(kept(folder)).toMatchObject({ missingNumber: 0, lastNumber: 1 })
  expect(missingText(12)).toBe(
    'The record of plans was emptied or is an older one: it has nothing of plan p12, which was begun here. ' +
      'Nothing carries out what it lacks. Look at your orders at the exchange.',
  )
})

test.each([
  ['was cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -9))],
  ['was damaged', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"c1"', '"c9"'))],
])('a record put back from before a plan says what it lacks, though a line of it %s once', async (_how, damage) => {
  const { folder, path } = await aKeptPlan()
  damage(path)
  await (await aRecord(folder)).close()
  const before = readFileSync(path)
  const record = await aRecord(folder)
  await record.append({ ...begun, planId: 'p2' })
  await record.close()
  writeFileSync(path, before)
  expect((await aRecord(folder)).missingNumber).toBe(2)
})

test('a damaged line is told of once, and is no missing plan after that, though it began the last plan', async () => {
  const { folder, path } = await aKeptPlan()
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 2).join('\n').replace('"oco"', '"oca"'))
  appendFileSync(path, '\n')
  const first = await aRecord(folder)
  expect(first).toMatchObject({ damagedCount: 1, toldDamagedCount: 0, missingNumber: 0, lastNumber: 1 })
  await first.close()
  expect(await aRecord(folder)).toMatchObject({ damagedCount: 1, toldDamagedCount: 1, missingNumber: 0, lastNumber: 1 })
})

test('the last number is kept as soon as a plan begins, and again where its file was removed', async () => {
  const folder = join(temporaryFolder('plans'), 'account')
  const path = join(folder, 'plans.jsonl')
  const record = await aRecord(folder)
  await record.append(begun)
  await record.close()
  rmSync(join(folder, 'plans-last'))
  const again = await aRecord(folder)
  await again.close()
  const text = readFileSync(path)
  writeFileSync(path, '')
  expect(kept(folder)).toMatchObject({ missingNumber: 1 })
  writeFileSync(path, text)
  const third = await aRecord(folder)
  await third.append({ ...begun, planId: 'p2' })
  await third.close()
  writeFileSync(path, text)
  expect(kept(folder)).toMatchObject({ missingNumber: 2 })
})

test.each(['', 'no number', '2x', 'x2', '02', '1234567890123456'])('a last number of %j is none', async (text) => {
  const { folder } = await aKeptPlan()
  writeFileSync(join(folder, 'plans-last'), text)
  expect(kept(folder)).toMatchObject({ missingNumber: 0, lastNumber: 1 })
})

test('a pipe in the place of the last number is not written to, where nobody may ever read', async () => {
  const folder = join(temporaryFolder('plans'), 'account')
  const path = join(folder, 'plans-last')
  mkdirSync(folder)
  execFileSync('mkfifo', [path])
  // Open for both ends, so that a write is seen and does not wait.
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(pipe))
  const record = await aRecord(folder)
  await record.append(begun)
  expect(() => readSync(pipe, Buffer.alloc(8))).toThrow('EAGAIN')
  await record.close()
})

test('a first record says whose it is, for the owner alone, and its folder is on disk with it', async () => {
  const folder = join(temporaryFolder('plans'), 'account')
  const calls = diskCalls()
  const record = await aRecord(folder)
  expect(calls).toContain('sync account')
  expect(readFileSync(join(folder, 'plans.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1)
  expect(kept(folder)).toMatchObject({ exchange: 'practice', lastNumber: 0, toldDamagedCount: 0, lost: [] })
  expect(kept(folder).plans.size).toBe(0)
  await record.close()
  // Once is enough.
  await aRecord(folder)
  expect(readFileSync(join(folder, 'plans.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(1)
  expect(kept(join(folder, 'none'))).toMatchObject({ exchange: null, lastNumber: 0 })
})

test('whether somebody runs the plans of an account is seen, and nothing is left of the look', async () => {
  const folder = join(temporaryFolder('plans'), 'account')
  mkdirSync(folder)
  expect(isPlanOwned(folder)).toEqual({ ok: true, value: false })
  expect(readdirSync(folder)).toEqual([])
  const record = await aRecord(folder)
  expect(isPlanOwned(folder)).toEqual({ ok: true, value: true })
  await record.close()
  expect([isPlanOwned(folder), isPlanOwned(folder)]).toEqual(Array(2).fill({ ok: true, value: false }))
  expect((await aRecord(folder)).plans.size).toBe(0)
})

test('a folder that cannot be looked into is not one without plans that run', () => {
  const folder = join(temporaryFolder('plans'), 'circle')
  symlinkSync('circle', folder)
  expect(isPlanOwned(folder)).toEqual({ ok: false, error: 'plans.lock: links that lead in a circle (ELOOP)' })
})

test('a lock that cannot be looked at is told with what the disk says, and no plan runs', async () => {
  const folder = join(temporaryFolder('plans'), 'account')
  mkdirSync(join(folder, 'plans.lock'), { recursive: true })
  expect(isPlanOwned(folder)).toEqual({ ok: false, error: 'plans.lock: not a plain file (EFTYPE)' })
  expect(await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })).toEqual({
    ok: false,
    error:
      `The plans in ${join(folder, 'plans.jsonl')} cannot be opened: plans.lock: not a plain file (EFTYPE). ` +
      'No plan runs here.',
  })
})

test('a record that cannot be opened is told with what the disk says, and is free for who tries again', async () => {
  const root = temporaryFolder('plans')
  const inTheWay = join(root, 'file')
  writeFileSync(inTheWay, '')
  const at = (folder: string) => openPlanRecord({ folder, exchange: 'practice', now: () => atMs })
  const said = (folder: string, what: string, why: string) => ({
    ...{
      ok: false,
      error: `The plans in ${join(folder, 'plans.jsonl')} cannot be ${what}: ${why}. No plan runs here.`,
    },
  })
  expect(await at(inTheWay)).toEqual(said(inTheWay, 'opened', 'a file of this name is in the way (EEXIST)'))
  const folder = join(root, 'account')
  mkdirSync(join(folder, 'plans.jsonl'), { recursive: true })
  expect(await at(folder)).toEqual(said(folder, 'read', 'not a plain file (EFTYPE)'))
  rmSync(join(folder, 'plans.jsonl'), { recursive: true })
  let isRefused = true
  diskCalls((call) => isRefused && call === 'sync account')
  const before = openFileCount()
  expect(await at(folder)).toEqual(said(folder, 'opened', 'the disk fails (EIO)'))
  expect(openFileCount()).toBeLessThanOrEqual(before)
  isRefused = false
  expect((await aRecord(folder)).plans.size).toBe(0)
})

test('what the disk does not take is refused, and is not among the plans', async () => {
  const { folder, path } = await aKeptPlan()
  const record = await aRecord(folder)
  renameSync(path, `${path}-away`)
  await expect(record.append({ ...begun, planId: 'p2' })).rejects.toMatchObject({
    ...{ name: 'JournalError', message: 'the record of plans cannot be written: its file was removed or replaced' },
  })
  expect([[...record.plans.keys()], record.lastNumber]).toEqual([['p1'], 1])
  renameSync(`${path}-away`, path)
  await record.append({ ...begun, planId: 'p3' })
  await record.append({ ...begun, planId: 'p2' })
  expect(record.lastNumber).toBe(3)
  expect([...kept(folder).plans.keys()]).toEqual(['p1', 'p3', 'p2'])
})

test('a damaged line holds the open plans once, until a person has looked', async () => {
  const { folder, path } = await aKeptPlan()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"c1"', '"c9"'))
  const first = await aRecord(folder)
  const why = 'its record has a line that cannot be read: look at its orders at the exchange'
  expect(first.plans.get('p1')?.hold).toBe(why)
  expect(first).toMatchObject({ exchange: 'practice', damagedCount: 1, toldDamagedCount: 0, isTorn: false })
  await first.close()
  // Nobody has looked yet.
  const record = await aRecord(folder)
  expect([record.plans.get('p1')?.hold, record.toldDamagedCount]).toEqual([why, 1])
  await record.append({ event: 'resumed', planId: 'p1', atMs })
  await record.close()
  expect((await aRecord(folder)).plans.get('p1')?.hold).toBeNull()
})

test('a damaged line holds nothing that has ended', async () => {
  const { folder, path } = await aKeptPlan()
  appendFileSync(path, 'no line at all\n')
  appendFileSync(path, recordLine({ event: 'ended', planId: 'p1', at: atMs, how: 'done', why: '-' }))
  expect((await aRecord(folder)).plans.get('p1')).toMatchObject({ hold: null, ended: { how: 'done' } })
})

test.each([
  ['a line that it does not know', writeLine({ event: 'dreamt', at: new Date(atMs).toISOString(), planId: 'p1' })],
  [
    'a file of a newer version',
    writeLine({ event: 'file', at: new Date(atMs).toISOString(), version: 3, exchange: 'x' }),
  ],
])('%s is from a newer program: nothing is read and nothing is written', async (_, line) => {
  const { folder, path } = await aKeptPlan()
  appendFileSync(path, line)
  const before = readFileSync(path, 'utf8')
  const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })
  expect(opened).toEqual({
    ok: false,
    error: `The plans in ${path} were written by a newer pitdesk: use that one. No plan runs here.`,
  })
  expect(isPlanOwned(folder)).toEqual({ ok: true, value: false })
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('one desk at a time goes on with the plans of an account', async () => {
  const { folder } = await aKeptPlan()
  const record = await aRecord(folder)
  expect(await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })).toEqual({ ok: true, value: 'busy' })
  await record.close()
  expect((await aRecord(folder)).plans.size).toBe(1)
})

/** A record of many plans: every second one has ended, all have an order. */
async function aLongRecord(ended: number): Promise<{ folder: string; path: string }> {
  const { folder, path } = await aKeptPlan()
  const record = await aRecord(folder)
  const all: Promise<void>[] = []
  for (let number = 2; number <= ended + 1; number += 1) {
    const planId = `p${number}`
    all.push(record.append({ ...begun, planId }), record.append({ ...sending, planId, clientOrderId: `c${number}` }))
    all.push(record.append({ event: 'ended', planId, atMs: atMs + number, how: 'done', why: 'All of it has left' }))
  }
  await Promise.all(all)
  await record.close()
  return { folder, path }
}

const idsIn = (folder: string) => [...kept(folder).plans.keys()]

test('plans that ended long ago leave the record, a line of each stays beside it, and no number is used again', async () => {
  const { folder, path } = await aLongRecord(201)
  const newest = Array.from({ length: 100 }, (_, at) => `p${at + 103}`)
  // It was shortened as it grew: nothing waits for the next desk, and no lines of what left are in it.
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1 + 2 + 3 * 100)
  // What is open stays however old it is, with all its lines.
  expect(idsIn(folder)).toEqual(['p1', ...newest])
  expect(kept(folder)).toMatchObject({ lastNumber: 202, damagedCount: 0, isTorn: false })
  expect(kept(folder).plans.get('p1')?.orders).toHaveLength(1)
  const past = readFileSync(join(folder, 'plans-ended.jsonl'), 'utf8').trimEnd().split('\n')
  expect(past.map((line) => JSON.parse(line).planId)).toEqual(Array.from({ length: 101 }, (_, at) => `p${at + 2}`))
  expect(JSON.parse(past[0] ?? '')).toMatchObject({
    ...{ event: 'past', how: 'done', why: 'All of it has left', ids: ['c2'], entered: '0.1', exited: '0' },
    ...{ at: new Date(atMs + 2).toISOString(), begun: new Date(atMs).toISOString() },
  })
  // The next desk goes on with it, and adds to the file that is there.
  const record = await aRecord(folder)
  expect(record.lastNumber).toBe(202)
  await record.append({ ...begun, planId: 'p203' })
  expect(idsIn(folder).at(-1)).toBe('p203')
  expect(readFileSync(path, 'utf8').split('\n')[0]).toContain('"version":2')
})

test('a number is not used again though the plan that had it has left, and nobody has had one since', async () => {
  const { folder, path } = await aKeptPlan()
  const line = (lastNumber: number) =>
    recordLine({ event: 'file', at: atMs, version: 2, exchange: 'practice', lastNumber })
  writeFileSync(path, line(500) + readFileSync(path, 'utf8'))
  expect(kept(folder).lastNumber).toBe(500)
  expect((await aRecord(folder)).lastNumber).toBe(500)
})

test('the end of one plan more than stay shortens the record at once', async () => {
  const { folder, path } = await aLongRecord(200)
  const record = await aRecord(folder)
  await record.append({ ...begun, planId: 'p300' })
  expect(kept(folder).plans.size).toBe(202)
  await record.append({ event: 'ended', planId: 'p300', atMs: atMs + 300, how: 'done', why: '-' })
  await record.close()
  expect(kept(folder).plans.size).toBe(101)
  const calls = diskCalls()
  const head = recordLine({ event: 'file', at: atMs, version: 2, exchange: 'practice' })
  await (await shortenRecord({ folder, path, head, gone: [] })).close()
  expect(calls).toEqual([...['remove plans.jsonl.new', 'sync plans.jsonl.new', 'name plans.jsonl', 'sync account']])
  rmSync(path)
  // Made anew it would be one without its plans.
  await expect(shortenRecord({ folder, path, head, gone: [] })).rejects.toThrow('ENOENT')
  expect(readdirSync(folder)).not.toContain('plans.jsonl')
})

test('a disk that fails once the shortened record is in its place costs no line after it', async () => {
  const { folder } = await aLongRecord(200)
  const record = await aRecord(folder)
  await record.append({ ...begun, planId: 'p400' })
  diskCalls((call) => call === 'sync account')
  await record.append({ event: 'ended', planId: 'p400', atMs: atMs + 400, how: 'done', why: '-' })
  await record.append({ event: 'said', planId: 'p1', atMs, why: 'it waits', refused: 'x' })
  await record.close()
  expect(kept(folder).plans.get('p1')?.said).toEqual({ why: 'it waits', refused: 'x' })
  expect(kept(folder).plans.size).toBe(101)
})

test('a line that comes at whatever moment of a shortening is on record', async () => {
  for (const turns of [0, 1, 2, 4, 8]) {
    const { folder } = await aLongRecord(200)
    const record = await aRecord(folder)
    await record.append({ ...begun, planId: 'p400' })
    await record.append({ event: 'ended', planId: 'p400', atMs: atMs + 400, how: 'done', why: '-' })
    for (let turn = 0; turn < turns; turn += 1) await nextTurn()
    await record.append({ event: 'said', planId: 'p1', atMs, why: 'it waits', refused: 'x' })
    expect(kept(folder).plans.get('p1')?.said).toEqual({ why: 'it waits', refused: 'x' })
    expect(kept(folder).plans.size).toBe(101)
    await record.close()
  }
})

test('a record that is closed holds no file open', async () => {
  const { folder } = await aLongRecord(3)
  const before = openFileCount()
  for (let times = 0; times < 3; times += 1) await (await aRecord(folder)).close()
  expect(openFileCount()).toBeLessThanOrEqual(before)
})

test('plans that end at the same moment shorten the record once, and lose nothing that is written meanwhile', async () => {
  const { folder } = await aLongRecord(198)
  const record = await aRecord(folder)
  const ids = ['p301', 'p302', 'p303', 'p304']
  await Promise.all(ids.map((planId) => record.append({ ...begun, planId })))
  const ends = ids.map((planId) => record.append({ event: 'ended', planId, atMs: atMs + 900, how: 'done', why: '-' }))
  await Promise.all(ends)
  await Promise.all(['p305', 'p306'].map((planId) => record.append({ ...begun, planId })))
  await record.close()
  expect(idsIn(folder)).toEqual(expect.arrayContaining(['p1', ...ids, 'p305', 'p306']))
  const past = readFileSync(join(folder, 'plans-ended.jsonl'), 'utf8').trimEnd().split('\n')
  const left = past.map((line) => JSON.parse(line).planId)
  expect(new Set(left).size).toBe(left.length)
})

test('a program that dies while it shortens the record leaves the old one, whole, and the next shortens it', async () => {
  const { folder, path } = await aLongRecord(200)
  const before = readFileSync(path, 'utf8')
  const one = (event: PlanEvent) => recordLine({ ...event, at: event.atMs, atMs: undefined })
  const more = one({ ...begun, planId: 'p300' }) + one({ event: 'ended', planId: 'p300', atMs, how: 'done', why: '-' })
  writeFileSync(path, before + more)
  // As it lies there between the line beside it and the rename: half of the new record, and a line too many.
  writeFileSync(`${path}.new`, before.slice(0, 5_000))
  writeFileSync(join(folder, 'plans-ended.jsonl'), one({ ...begun, planId: 'p2' }))
  expect(idsIn(folder)).toHaveLength(202)
  const record = await aRecord(folder)
  expect(record.plans.size).toBe(101)
  expect(idsIn(folder)).toHaveLength(101)
  expect(record.lastNumber).toBe(300)
})

test('a last line that lacks only its line end is in the shortened record like any other', async () => {
  const { folder, path } = await aLongRecord(200)
  const more = [{ ...begun, planId: 'p300' }, { event: 'ended', planId: 'p300', atMs, how: 'done', why: '-' } as const]
  const last = { ...begun, planId: 'p301' }
  const lines = [...more, last].map((event) => recordLine({ ...event, at: event.atMs, atMs: undefined }))
  appendFileSync(path, lines.join('').slice(0, -1))
  expect(idsIn(folder)).toContain('p301')
  const record = await aRecord(folder)
  expect([...record.plans.keys()]).toContain('p301')
  await record.append({ ...sending, planId: 'p301', clientOrderId: 'c301' })
  await record.close()
  expect(kept(folder)).toMatchObject({ lost: [], damagedCount: 0 })
  expect(kept(folder).plans.get('p301')?.orders).toHaveLength(1)
})

test('a damaged line that was told of does not come back by the shortened record, and one that was not holds first', async () => {
  const { folder, path } = await aLongRecord(200)
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [...lines.slice(0, 5), 'no line at all', ...lines.slice(5)].join('\n'))
  const record = await aRecord(folder)
  expect(record.plans.get('p1')?.hold).toContain('cannot be read')
  await record.append({ ...begun, planId: 'p202' })
  await record.append({ event: 'ended', planId: 'p202', atMs: atMs + 202, how: 'done', why: '-' })
  await record.append({ event: 'resumed', planId: 'p1', atMs })
  await record.close()
  expect(kept(folder)).toMatchObject({ damagedCount: 0 })
  const again = await aRecord(folder)
  expect(again.plans.get('p1')?.hold).toBeNull()
  expect(again.plans.size).toBe(101)
})

test('a plan whose beginning cannot be read is lost until it ends', async () => {
  const { folder, path } = await aKeptPlan()
  const line = (event: string, more: object) => recordLine({ event, planId: 'p5', at: atMs, ...more })
  appendFileSync(path, line('held', { why: 'odd' }))
  expect(kept(folder)).toMatchObject({ lost: ['p5'], lastNumber: 5 })
  expect(lostText('p5')).toBe(
    'The beginning of plan p5 cannot be read: nothing carries it out. Look at its orders at the exchange.',
  )
  appendFileSync(path, line('ended', { how: 'done', why: '-' }))
  expect(kept(folder)).toMatchObject({ lost: [], lastNumber: 5 })
  appendFileSync(path, recordLine({ event: 'ended', planId: 'p6', at: atMs, how: 'done', why: '-' }))
  expect(kept(folder)).toMatchObject({ lost: [], lastNumber: 6 })
})

test('a plan whose beginning cannot be read is said, and its name is not given to another', async () => {
  const { folder, path } = await aKeptPlan()
  const [head = '', begunLine = '', ...more] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [head, begunLine.replace('63000', '53000'), ...more].join('\n'))
  expect(kept(folder)).toMatchObject({ lost: ['p1'], damagedCount: 1, lastNumber: 1 })
  const record = await aRecord(folder)
  expect(record.lost).toEqual(['p1'])
  await record.append({ ...begun, planId: 'p2' })
  await record.append({ event: 'ended', planId: 'p2', atMs, how: 'nothing', why: 'ended by a person' })
  expect(kept(folder)).toMatchObject({ lost: ['p1'], toldDamagedCount: 1, lastNumber: 2 })
})

test('plans of another account run nowhere, and are left as they are', async () => {
  const { folder, path } = await aKeptPlan()
  const before = readFileSync(path, 'utf8')
  const opened = await openPlanRecord({ folder, exchange: 'https://other.example/v3 0123456789ab', now: () => atMs })
  expect(opened.ok ? '' : opened.error).toBe(
    `The plans in ${path} are of another account (practice): none of them runs here. ` +
      'Move the file away, and look at the orders of both accounts.',
  )
  expect(readFileSync(path, 'utf8')).toBe(before)
  // Nothing of it is held: the account's own desk goes on.
  expect([...(await aRecord(folder)).plans.keys()]).toEqual(['p1'])
})
