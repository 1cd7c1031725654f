import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import type { PlanEvent } from '../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../src/domain/plans/terms.ts'
import { openPlanRecord, type PlanRecord, readPlans } from '../../src/journal/plan-file.ts'
import { writeLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
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
const sending: PlanEvent = {
  event: 'sending',
  planId: 'p1',
  atMs: atMs + 1,
  clientOrderId: 'c1',
  role: 'stop',
  slice: null,
  draft: aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice: d('63000') }),
  replaces: null,
}

async function aRecord(folder: string): Promise<PlanRecord> {
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

test('a damaged line holds the open plans once, until a person has looked', async () => {
  const { folder, path } = await aKeptPlan()
  writeFileSync(path, readFileSync(path, 'utf8').replace('"c1"', '"c9"'))
  const record = await aRecord(folder)
  expect(record.plans.get('p1')?.hold).toContain('cannot be read')
  await record.append({ event: 'resumed', planId: 'p1', atMs })
  await record.close()
  expect((await aRecord(folder)).plans.get('p1')?.hold).toBeNull()
})

test.each([
  ['a line that it does not know', writeLine({ event: 'dreamt', at: new Date(atMs).toISOString(), planId: 'p1' })],
  [
    'a file of a newer version',
    writeLine({ event: 'file', at: new Date(atMs).toISOString(), version: 2, exchange: 'x' }),
  ],
])('%s is from a newer program: nothing is read and nothing is written', async (_, line) => {
  const { folder, path } = await aKeptPlan()
  appendFileSync(path, line)
  const before = readFileSync(path, 'utf8')
  const opened = await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })
  expect(opened).toEqual({ ok: false, error: expect.stringContaining('written by a newer pitdesk') })
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('one desk at a time goes on with the plans of an account', async () => {
  const { folder } = await aKeptPlan()
  const record = await aRecord(folder)
  expect(await openPlanRecord({ folder, exchange: 'practice', now: () => atMs })).toEqual({ ok: true, value: 'busy' })
  await record.close()
  expect((await aRecord(folder)).plans.size).toBe(1)
})
