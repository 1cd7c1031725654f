import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { WriteIntent, WriteJournal, WriteKey } from '../../src/journal/entry.ts'
import { joinFiles, joiningBy } from '../../src/journal/joining.ts'
import { aFolder, aJournal, anIntent, atMs } from './scene.ts'

const aWithdrawal = (draftId: string | null, key?: string): WriteIntent => ({
  kind: 'withdrawal',
  request: { currency: 'BTC', beneficiary: 'w', amount: new Decimal(1) },
  draftId,
  key,
})

async function outcomesOf(journal: WriteJournal, key: WriteKey) {
  const { entries, gap } = await journal.find(key)
  return { outcomes: entries.map(({ outcome }) => outcome?.kind ?? null), gap }
}

test('a write is found by its client order id, its draft and its key, whatever the time of its entry, in living and closed files', async () => {
  const folder = aFolder()
  const earlier = await aJournal(folder)
  await (await earlier.begin(anIntent('c1'), Date.UTC(2001))).end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
  await (await earlier.begin(aWithdrawal('d1', 'k1'), Date.UTC(2099))).end({ kind: 'rejected', reason: 'no' }, atMs)
  await earlier.close()
  const other = await aJournal(folder)
  await other.begin(anIntent('c2'), atMs)
  const journal = await aJournal(folder)
  await journal.begin(anIntent('c3'), atMs)
  const of = (kind: WriteKey['kind'], id: string) => outcomesOf(journal, { kind, id })
  expect(await of('order', 'c1')).toEqual({ outcomes: ['accepted'], gap: null })
  expect(await of('draft', 'd1')).toEqual({ outcomes: ['rejected'], gap: null })
  expect(await of('key', 'k1')).toEqual({ outcomes: ['rejected'], gap: null })
  expect(await of('order', 'c2')).toEqual({ outcomes: [null], gap: null })
  expect(await of('order', 'c3')).toEqual({ outcomes: [null], gap: null })
  // An id is one of its own kind: a script may call its order like somebody's draft.
  for (const [kind, id] of [
    ['order', 'd1'],
    ['key', 'c1'],
    ['draft', 'k1'],
    ['order', 'c'],
  ] as const)
    expect(await of(kind, id)).toEqual({ outcomes: [], gap: null })
})

test('whoever looks for a key and begins alone begins it once, however many processes try at once', async () => {
  const folder = aFolder()
  const path = fileURLToPath(new URL('beginner.ts', import.meta.url))
  const begun = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [path, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += String(chunk)
      })
      await once(child, 'close')
      return JSON.parse(output) as string[]
    }),
  )
  const keys = begun.flat().sort()
  expect(keys).toEqual([...new Set(keys)])
  expect(keys.length).toBe(20)
})

test('two parts of one desk take turns as well, and one that fails holds nothing up', async () => {
  const journal = await aJournal(aFolder())
  const order: string[] = []
  const first = journal.alone(async () => {
    order.push('first begins')
    await journal.begin(anIntent('c1'), atMs)
    order.push('first ends')
    throw new Error('a fault')
  })
  const second = journal.alone(() => Promise.resolve(order.push('second')))
  await expect(first).rejects.toThrow('a fault')
  await second
  expect(order).toEqual(['first begins', 'first ends', 'second'])
})

test('thousands of orders are found in many turns, though all are in one file, and each with its own words', async () => {
  const folder = aFolder()
  const earlier = await aJournal(folder)
  const ids = Array.from({ length: 600 }, (_, at) => `many${at}`)
  for (const id of ids)
    await (await earlier.begin(anIntent(id), atMs)).end({ kind: 'accepted', id: `${id}é`, status: 'OPEN' }, atMs)
  await earlier.close()
  await joinFiles({ folder, nowMs: atMs, ...joiningBy.desk, closedMin: 1 })
  const journal = await aJournal(folder)
  const wanted = ids.filter((_, at) => at % 7 !== 3)
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  const { entries } = await journal.findAll(wanted.map((id) => ({ kind: 'order', id })))
  isOver = true
  await counting
  const told = entries.map(({ intent, outcome }): [string, string] => [
    intent.kind === 'order' ? intent.clientOrderId : '',
    outcome?.kind === 'accepted' ? (outcome.id ?? '') : '',
  ])
  expect(new Map(told)).toEqual(new Map(wanted.map((id) => [id, `${id}é`])))
  expect(told).toHaveLength(wanted.length)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(wanted.length / 50))
})
