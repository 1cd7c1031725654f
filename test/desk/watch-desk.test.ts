import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { feedNeeds } from '../../src/store/feed-needs.ts'
import { accountClients } from '../fakes/account-clients.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'
import { beat, beatsUntil, type DeskOptions, practiceDesk } from '../fakes/practice-desk.ts'

/** A watch on an exchange of its own, without a console around it. */
async function aWatch(more: Partial<DeskOptions> = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14))
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  const sandbox = await startSandbox(started, { clock, randomBytes, log: () => {} })
  const { trader, close } = accountClients(sandbox, clock)
  const journal = createMemoryJournal()
  const desk = practiceDesk(sandbox, clock, { role: 'watch', journal, ...more })
  onTestFinished(async () => {
    await desk.stop()
    await close()
    await sandbox.stop()
  })
  desk.start()
  const state = () => desk.store.getState()
  expect(await beatsUntil(clock, () => state().orders.value !== null, 200)).toBe(true)
  return { clock, trader, journal, state, desk }
}

const resting = () => aDraft({ orderQuantity: new Decimal('0.01'), limitPrice: new Decimal('50000') })

test('a watch asks for what its duties need, and for no book, queue, fee or whitelist', async () => {
  const { clock, state } = await aWatch()
  for (let beats = 0; beats < 600; beats += 1) await beat(clock)
  const { orders, fills, balances, tickers, instruments, withdrawals, deposits } = state()
  for (const feed of [orders, fills, balances, tickers, instruments, withdrawals, deposits])
    expect(feed.atMs).not.toBeNull()
  expect([state().books.size, state().fees.atMs, state().whitelist.atMs]).toEqual([0, null, null])
  // As slowly as a screen that shows none of them.
  const { book, queue, fees, whitelist, otherBook, otherQueue, ...asked } = feedNeeds(state())
  expect(new Set(Object.values(asked))).toEqual(new Set(['hidden']))
})

test('a watch looks for a write without an answer, and records what it finds', async () => {
  const journal = createMemoryJournal()
  const draft = resting()
  const entry = await journal.begin({ kind: 'order', clientOrderId: 'mine', draft }, Date.UTC(2026, 0, 5, 14))
  await entry.end({ kind: 'unknown', reason: 'no answer' }, Date.UTC(2026, 0, 5, 14))
  const { clock, trader } = await aWatch({ journal })
  await trader.placeOrder({ ...draft, clientOrderId: 'mine' })
  expect(journal.open()).toHaveLength(1)
  expect(await beatsUntil(clock, () => journal.open().length === 0, 1_000)).toBe(true)
})

test('an alert on a bid has its book asked for, also that of the symbol of the profile', async () => {
  const { clock, state, desk } = await aWatch()
  const watch = { symbol: 'BTC-USD', price: 'bid', comparison: '>', level: new Decimal(1), priceScale: 2 } as const
  const act = { kind: 'watch', watch: { ...watch, isAtOnce: false, repeats: false } } as const
  desk.store.dispatch({ type: 'alertsActed', act, atMs: clock.now() })
  expect(await beatsUntil(clock, () => state().books.has('BTC-USD'), 200)).toBe(true)
})

test('a watch that stood still for too long takes orders back with its first answer, journaled like any cancel', async () => {
  const { clock, trader, journal, state } = await aWatch({ blind: { afterMs: 60_000, symbols: 'all' } })
  await trader.placeOrder({ ...resting(), clientOrderId: 'mine' })
  const stop = { side: 'BUY', type: 'STOP', stopPrice: new Decimal('90000'), limitPrice: null } as const
  await trader.placeOrder({ ...resting(), ...stop, clientOrderId: 'protective' })
  expect(await beatsUntil(clock, () => state().orders.value?.length === 2, 400)).toBe(true)
  clock.standStill(61_000)
  expect(await beatsUntil(clock, () => state().orders.value?.length === 0, 400)).toBe(true)
  expect(await beatsUntil(clock, () => state().log.some(({ text }) => text.startsWith('After the outage')), 200)).toBe(
    true,
  )
  expect(
    state()
      .log.map(({ text }) => text)
      .join('\n'),
  ).toMatch(/No answer for 6\d s: canceling all working orders/)
  const entries = await journal.history(0)
  expect(entries.filter(({ intent }) => intent.kind === 'cancelAll')).toHaveLength(1)
})

test('a watch that only watches takes nothing back', async () => {
  const { clock, trader, state } = await aWatch({ blind: { afterMs: 60_000, symbols: 'all' }, isMonitor: true })
  await trader.placeOrder({ ...resting(), clientOrderId: 'mine' })
  clock.standStill(61_000)
  for (let beats = 0; beats < 100; beats += 1) await beat(clock)
  expect(state().orders.value).toHaveLength(1)
})
