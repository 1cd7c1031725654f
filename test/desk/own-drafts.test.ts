import { expect, test } from 'vitest'
import { draftsOf, readOwnDrafts } from '../../src/desk/own-drafts.ts'
import { Decimal } from '../../src/domain/money.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'

const dayMs = 86_400_000

/** A desk that starts with these working orders, on a journal with so many orders a day; the days back that it read. */
async function start(perDay: number, days: number, working: readonly string[]) {
  const journal = createMemoryJournal()
  const begin = (clientOrderId: string, atMs: number) =>
    journal.begin({ kind: 'order', clientOrderId, draft: aDraft() }, atMs)
  await begin('ancient', deskNowMs - 900 * dayMs)
  for (let day = 0; day < days; day += 1)
    for (let number = 0; number < perDay; number += 1) await begin(`d${day}-${number}`, deskNowMs - (day + 0.5) * dayMs)
  const read: number[] = []
  const orders = working.map((clientOrderId) => anOrder({ clientOrderId, orderId: clientOrderId }))
  const store = createDeskStore(deskState({ orders: { value: orders, atMs: deskNowMs, failure: null } }))
  await readOwnDrafts({
    store,
    journal: {
      findAll: journal.findAll,
      history(sinceMs) {
        read.push(Math.round((deskNowMs - sinceMs) / dayMs))
        return journal.history(sinceMs)
      },
    },
    clock: new FakeClock(deskNowMs),
    signal: new AbortController().signal,
  })
  return { read, known: store.getState().ownDrafts }
}

test('a busy desk reads no more than a day, and every order that still works, however old', async () => {
  const { read, known } = await start(250, 3, ['ancient', 'd2-7', 'd0-1', 'elsewhere'])
  expect(read).toEqual([1])
  expect([known.has('ancient'), known.has('d2-7'), known.has('d0-1'), known.has('elsewhere')]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(known.has('d1-3')).toBe(false)
})

test('a quiet one reads back until it knows enough, a year at most', async () => {
  const { read, known } = await start(1, 300, [])
  expect(read).toEqual([1, 7, 30, 366])
  expect([known.size, known.has('ancient')]).toEqual([300, false])
})

test('of a move the rest that was placed is known, and of one that only canceled nothing', async () => {
  const journal = createMemoryJournal()
  const move = (clientOrderId: string) =>
    journal.begin({ kind: 'move', orderId: '1', clientOrderId, draft: aDraft() }, deskNowMs)
  const placed = await move('placed')
  await placed.step({ step: 'canceled', cumQuantity: new Decimal('0.02') }, deskNowMs)
  await placed.step({ step: 'place', quantity: new Decimal('0.03') }, deskNowMs)
  await move('canceled')
  const drafts = draftsOf(await journal.history(0))
  expect([...drafts]).toEqual([['placed', { ...aDraft(), orderQuantity: new Decimal('0.03') }]])
})
