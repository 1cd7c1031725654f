import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Limits } from '../../src/domain/limits.ts'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { amount } from '../fakes/amounts.ts'
import { noLimits } from '../fakes/limits.ts'
import { aDraft } from '../fakes/orders.ts'
import { beatMs } from '../fakes/practice-desk.ts'
import { type Journey, keys, quoteAndCenter, startJourney } from './journey.tsx'
import { pause } from './keys/walk.ts'

const size = { columns: 120, rows: 40 }

/** A desk with these limits alone, on a market around 64,210.25, with the cursor on it. */
async function startLimited(limits: Partial<Limits>): Promise<Journey> {
  const journey = await startJourney(size, false, { limits: { ...noLimits, ...limits } })
  await quoteAndCenter(journey)
  return journey
}

const stage = ({ store }: Journey) => store.getState().ticket?.stage
const working = async ({ trader }: Journey) => (await trader.fetchOrders({})).entries.length

/** A limited desk whose journal is on a disk, and another process of its account. */
async function startBesideAnother(limits: Partial<Limits>) {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const time = { wallMs: () => 0 }
  const open = () => openFileJournal({ folder, exchange: 'practice', now: () => time.wallMs(), randomBytes })
  const journey = await startJourney(size, false, { limits: { ...noLimits, ...limits }, journal: await open() })
  time.wallMs = () => journey.clock.wallMs()
  await quoteAndCenter(journey)
  const other = await open()
  onTestFinished(() => other.close())
  return {
    journey,
    /** The other process sends an order and has its answer, while the desk's lists stay as they are. */
    async placesBeside(draft: OrderDraft) {
      const { store, clock } = journey
      await journey.until(() => clock.now() - (store.getState().orders.atMs ?? 0) <= beatMs)
      const sent = { ...draft, clientOrderId: 'fromAnother' }
      const entry = await other.begin({ kind: 'order', clientOrderId: sent.clientOrderId, draft }, time.wallMs())
      const { orderId, status } = await journey.trader.placeOrder(sent)
      await entry.end({ kind: 'accepted', id: orderId, status }, time.wallMs())
    },
  }
}

/** A buy well below the market, under review for longer than a key repeats. */
async function review(journey: Journey, quantity: string): Promise<void> {
  await journey.press('jj')
  await journey.press('b')
  await journey.press(`${keys.clear}${quantity}`)
  await journey.press(keys.enter)
  await pause(journey, 1_600)
}

test('over a soft limit Enter alone never sends; Y and then Enter does', async () => {
  const journey = await startLimited({ orderNotionalUsd: { soft: amount('1000'), hard: amount('50000') } })
  await review(journey, '0.05')
  const screen = await journey.sees('REVIEW')
  expect(screen.replaceAll(/[┃│║╔╗╚╝═\s]+/g, ' ')).toContain('WARN notional 3,210.45 USD is over')
  for (let press = 0; press < 3; press += 1) {
    await journey.press(keys.enter)
    await pause(journey, 1_600)
  }
  await journey.sees('Not sent: type Y, then Enter. notional 3,210.45 USD is over the soft limit')
  expect(stage(journey)).toBe('review')
  expect(await working(journey)).toBe(0)

  await journey.press('Y')
  await journey.sees('CONFIRMED')
  await pause(journey, 200)
  expect(await working(journey)).toBe(0)
  await journey.press(keys.enter)
  await journey.sees('is working')
  expect(await working(journey)).toBe(1)
})

test('a confirmation is for one review: the order that is changed asks again', async () => {
  const journey = await startLimited({ orderNotionalUsd: { soft: amount('1000'), hard: null } })
  await review(journey, '0.05')
  await journey.press('Y')
  await journey.sees('CONFIRMED')
  await journey.press(keys.escape)
  await pause(journey, 100)
  expect(stage(journey)).toBe('edit')
  await journey.press(keys.enter)
  await pause(journey, 1_600)
  await journey.press(keys.enter)
  await journey.sees('type Y, then Enter')
  expect(await working(journey)).toBe(0)
})

test('over a hard limit no review opens, whatever is pressed', async () => {
  const journey = await startLimited({ orderNotionalUsd: { soft: null, hard: amount('3000') } })
  await review(journey, '0.05')
  await journey.sees('Blocked: notional 3,210.45 USD is over the hard limit 3,000.00 USD.')
  await journey.press('Y')
  await journey.press(keys.enter)
  await pause(journey, 1_600)
  expect(stage(journey)).toBe('edit')
  expect(await working(journey)).toBe(0)
})

test('the same order again within seconds is blocked, and goes out after them', async () => {
  const journey = await startLimited({ duplicateWithinMs: 5_000 })
  await review(journey, '0.01')
  await journey.press(keys.enter)
  await journey.sees('is working')
  await journey.press('b')
  await journey.press(keys.enter)
  await journey.sees('Blocked: the same order went out')
  expect(stage(journey)).toBe('edit')
  await pause(journey, 5_000)
  await journey.press(keys.enter)
  await pause(journey, 1_600)
  await journey.press(keys.enter)
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 2)
})

test('a price far from the market is blocked by the collar', async () => {
  const journey = await startLimited({ collarPercent: { soft: amount('2'), hard: amount('5') } })
  await journey.press('b')
  await journey.press(`${keys.clear}0.01${keys.tab}`)
  await journey.press(`${keys.clear}60000`)
  await journey.press(keys.enter)
  await journey.sees('Blocked: price 60,000.00 is 6.56% from the mid 64,210.25: over the hard limit 5%.')
  await journey.press(`${keys.clear}62500`)
  await journey.press(keys.enter)
  await journey.sees('REVIEW')
  expect(stage(journey)).toBe('review')
})

test('the day and the number of open orders are counted, whoever sent what there is', async () => {
  const limits = {
    dayNotionalUsd: { soft: null, hard: amount('4000') },
    openOrders: { soft: null, hard: 2 },
  }
  const journey = await startLimited(limits)
  // Not sent by this desk: what counts is what the account filled.
  await journey.trader.placeOrder({ ...aDraft({ limitPrice: amount('64210.50') }), clientOrderId: 'filled' })
  await journey.sees('0.0500 64210.50')
  await review(journey, '0.02')
  await journey.sees('Blocked: day 4,494.70 USD with this order is over the hard limit 4,000.00 USD.')
  await journey.press(`${keys.clear}0.001`)
  for (const clientOrderId of ['one', 'two'])
    await journey.trader.placeOrder({
      ...aDraft({ limitPrice: amount('64000'), orderQuantity: amount('0.001') }),
      clientOrderId,
    })
  await journey.sees('2 Orders (2)')
  await journey.press(keys.enter)
  await journey.sees('Blocked: 3 open orders with this one are over the hard limit 2.')
})

test('an order that another process has placed since the lists were read counts for the limit, and once listed only once', async () => {
  const { journey, placesBeside } = await startBesideAnother({ openOrders: { soft: null, hard: 2 } })
  await review(journey, '0.05')
  await placesBeside(aDraft({ limitPrice: amount('60000'), orderQuantity: amount('0.01') }))
  await journey.press(keys.enter)
  await journey.sees('is working')
  await pause(journey, 10_000)
  await review(journey, '0.04')
  expect(journey.screen()).toContain('3 open orders with this one are over the hard limit 2')
  await journey.press(keys.escape)
  await journey.press(keys.escape)

  const { journey: narrower, placesBeside: another } = await startBesideAnother({ openOrders: { soft: null, hard: 1 } })
  await review(narrower, '0.05')
  await another(aDraft({ limitPrice: amount('60000'), orderQuantity: amount('0.01') }))
  await narrower.press(keys.enter)
  await narrower.sees('Not sent: 2 open orders with this one are over the hard limit 1')
  expect(await working(narrower)).toBe(1)
})

test('the same order that another process has sent a moment ago is not sent again', async () => {
  const { journey, placesBeside } = await startBesideAnother({ duplicateWithinMs: 5_000 })
  await review(journey, '0.05')
  const { ticket } = journey.store.getState()
  if (ticket?.stage !== 'review') throw new Error('no order under review')
  await placesBeside(aDraft({ limitPrice: amount(ticket.form.priceText), orderQuantity: amount('0.05') }))
  await journey.press(keys.enter)
  await journey.sees('Not sent: the same order went out 1 s ago, within the limit 5 s')
  expect(await working(journey)).toBe(1)
})
