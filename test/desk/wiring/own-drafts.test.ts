import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { draftsOf, followOwnDrafts, readOwnDrafts } from '../../../src/desk/wiring/own-drafts.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { JournalError, type WriteKey } from '../../../src/journal/entry.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { accountClients } from '../../fakes/account-clients.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { beatsUntil, practiceDesk } from '../../fakes/practice-desk.ts'

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

/** An open desk beside which others write to the same journal; `asked` are the ids of each look into it. */
async function besideOthers() {
  const journal = createMemoryJournal()
  const clock = new FakeClock(deskNowMs)
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const asked: string[][] = []
  let failure: JournalError | null = null
  const store = createDeskStore(deskState({ orders: { value: [], atMs: deskNowMs, failure: null } }))
  await followOwnDrafts({
    ...{ store, clock, signal: stop.signal },
    onBug(error) {
      throw error
    },
    journal: {
      history: journal.history,
      async findAll(keys: readonly WriteKey[]) {
        asked.push(keys.map(({ id }) => id))
        await settle()
        if (failure !== null) throw failure
        return await journal.findAll(keys)
      },
    },
  })
  return {
    ...{ store, asked, stop },
    begin: (clientOrderId: string) =>
      journal.begin({ kind: 'order', clientOrderId, draft: aDraft({ type: 'STOP', stopPrice }) }, deskNowMs),
    fails(error: JournalError | null) {
      failure = error
    },
    knows: (id: string) => store.getState().ownDrafts.get(id)?.stopPrice ?? null,
    async lists(...ids: string[]) {
      const orders = ids.map((clientOrderId) =>
        anOrder({ clientOrderId, orderId: clientOrderId, type: 'STOP', status: 'PENDING', leavesQuantity: zero }),
      )
      store.dispatch({ type: 'orders', orders, atMs: clock.now() })
      await settle()
      await settle()
    },
    async after(ms: number) {
      for (let passed = 0; passed < ms; passed += 500) {
        await clock.advance(500)
        store.dispatch({ type: 'ticked', nowMs: clock.now() })
        await settle()
        await settle()
      }
    },
  }
}
const stopPrice = new Decimal('62000')
const zero = new Decimal(0)

test('an open desk knows what another process of the machine asked for, as soon as the exchange lists it', async () => {
  const { begin, lists, knows, asked, after } = await besideOthers()
  await begin('watch-1')
  await lists('watch-1')
  expect(knows('watch-1')).toEqual(stopPrice)
  await lists('watch-1')
  await after(60_000)
  expect(asked).toEqual([['watch-1']])
})

test('a list may come before the line in the journal, and what is never found is not looked for without end', async () => {
  const { begin, lists, knows, asked, after } = await besideOthers()
  await lists('late', 'elsewhere')
  expect(knows('late')).toBeNull()
  await begin('late')
  await after(5_000)
  expect(knows('late')).toEqual(stopPrice)
  await after(600_000)
  expect(asked).toEqual([['late', 'elsewhere'], ['late', 'elsewhere'], ['elsewhere']])
})

test('many that come one after the other are looked up together, one look at a time', async () => {
  const { begin, lists, knows, asked, after } = await besideOthers()
  for (const id of ['a', 'b', 'c']) await begin(id)
  await lists('a')
  await lists('a', 'b')
  await lists('a', 'b', 'c')
  await after(3_000)
  expect(asked).toEqual([['a'], ['b', 'c']])
  expect(knows('c')).toEqual(stopPrice)
})

test('a journal that cannot be read for a while is asked again, until the desk ends', async () => {
  const { begin, lists, knows, asked, after, fails, stop } = await besideOthers()
  await begin('watch-1')
  fails(new JournalError('the journal cannot be read: EIO'))
  await lists('watch-1')
  await after(60_000)
  expect(knows('watch-1')).toBeNull()
  fails(null)
  await after(10_000)
  expect(knows('watch-1')).toEqual(stopPrice)
  const { length } = asked
  stop.abort()
  await lists('other')
  await after(10_000)
  expect(asked.length).toBe(length)
})

test('a desk that runs learns quantity and trigger of a stop that a command places beside it', async () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14))
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  const sandbox = await startSandbox(started, { clock, randomBytes, log: () => {} })
  const { trader, close } = accountClients(sandbox, clock)
  const journal = createMemoryJournal()
  const desk = practiceDesk(sandbox, clock, { journal })
  onTestFinished(async () => {
    await desk.stop()
    await close()
    await sandbox.stop()
  })
  desk.start()
  expect(await beatsUntil(clock, () => desk.store.getState().orders.value !== null, 100)).toBe(true)
  const draft = aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice, timeInForce: null })
  await journal.begin({ kind: 'order', clientOrderId: 'beside', draft }, clock.wallMs())
  await trader.placeOrder({ ...draft, clientOrderId: 'beside' })
  const isListed = () => desk.store.getState().orders.value?.some(({ clientOrderId }) => clientOrderId === 'beside')
  expect(await beatsUntil(clock, () => isListed() === true, 400)).toBe(true)
  expect(await beatsUntil(clock, () => desk.store.getState().ownDrafts.has('beside'), 10)).toBe(true)
  expect(desk.store.getState().ownDrafts.get('beside')).toEqual(draft)
})
