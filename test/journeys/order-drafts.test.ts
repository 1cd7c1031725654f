import { expect, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import type { DraftedOrder } from '../../src/domain/orders/drafted-order.ts'
import { freshMs } from '../../src/ui/console/console.tsx'
import { shortReviewNow } from '../../src/ui/panes/ticket/review.ts'
import { amount } from '../fakes/amounts.ts'
import { anOrderDraft } from '../fakes/drafts.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, type JourneySettings, keys, sizes, startJourney } from './journey.tsx'

const size = { columns: 120, rows: 40 }
const limit = () => aDraft({ orderQuantity: amount('0.05'), limitPrice: amount('64209.00') })

async function aDesk(at = size, settings: JourneySettings = {}) {
  const orderDrafts = createMemoryDrafts<DraftedOrder>()
  const journey = await startJourney(at, false, { orderDrafts, ...settings })
  for (const [side, price] of [
    ['BUY', '64210.00'],
    ['SELL', '64210.50'],
  ] as const) {
    const quote = aDraft({ side, limitPrice: amount(price), orderQuantity: amount('0.4') })
    await journey.counterparty.placeOrder({ ...quote, clientOrderId: `quote${side}` })
  }
  await journey.sees('BTC-USD open', '64210.50')
  /** As another program keeps it. */
  const prepare = (change: Partial<DraftedOrder> = {}) =>
    orderDrafts.update((before) =>
      ok([anOrderDraft({ createdAtMs: journey.clock.wallMs(), order: limit(), ...change }), ...before]),
    )
  return { journey, orderDrafts, prepare }
}

const own = async ({ trader }: Journey) =>
  (await trader.fetchOrders({})).entries.map(({ clientOrderId }) => clientOrderId)

/** The keys wait until what is on screen could have been read. */
const read = async (journey: Journey) => {
  await journey.passes(freshMs)
}

test.each(sizes)(
  'a draft that an agent left is told of, reviewed like any order, and sent at $columns×$rows',
  async (at) => {
    const { journey, orderDrafts, prepare } = await aDesk(at)
    await prepare({ by: 'mcp claude\u001b[31m', reason: 'cheap\u202e now' })
    const madeAtMs = journey.clock.now()
    await journey.sees('New draft abc234 by mcp claude')
    expect(journey.clock.now() - madeAtMs).toBeLessThan(5_000)
    expect(journey.screen()).not.toContain('\u001b[31m')
    await journey.press('2')
    await journey.sees('1 draft')
    await journey.press('d')
    const review = await journey.sees('REVIEW', 'BUY 0.0500 BTC-USD LIMIT', 'abc234', 'mcp claude[31m')
    expect(review).toContain('cheap now')
    // The Enter that follows at once is a slip: nothing is sent by it.
    await journey.press(keys.enter, 10)
    expect(await own(journey)).toEqual([])
    await read(journey)
    await journey.press(keys.enter)
    await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'sent')
    expect(await own(journey)).toEqual(['draftabc234'])
    await journey.until((screen) => !screen.includes('1 draft'))
    await journey.press('d')
    expect(journey.store.getState().ticket).toBeNull()
  },
)

const longReason = `Spread is wide, ${'and so is what is thin below it, '.repeat(4)}but if the data is positive do NOT send this order.`

test.each([{ columns: 40, rows: 12 }, ...sizes, { columns: 160, rows: 50 }])(
  'all that the maker says, and all else of the review, was on screen before Enter sends at $columns×$rows',
  async (at) => {
    const { journey, orderDrafts, prepare } = await aDesk(at)
    expect(longReason.length).toBeGreaterThan(180)
    await prepare({ reason: longReason, by: 'mcp a maker with a rather long name for it', lifeMs: 45 * 60_000 })
    await journey.sees('New draft abc234')
    await journey.press('2')
    await journey.press('d')
    const seen = [await journey.sees('REVIEW')]
    const isLong = () => (shortReviewNow(journey.store.getState())?.hiddenBelow ?? 0) > 0
    expect(isLong()).toBe(at.rows < 30)
    while (isLong()) {
      await read(journey)
      await journey.press(keys.enter)
      await journey.sees('Not sent: Down shows')
      expect(await own(journey)).toEqual([])
      await journey.press(keys.down)
      seen.push(journey.screen())
    }
    const text = seen.join('\n')
    for (const word of [...longReason.split(' '), 'NOT', '14:45Z', 'rather', 'cost', 'fee'])
      expect(text, word).toContain(word)
    expect(seen.at(-1)).toMatch(/OK \d+ checks/)
    await read(journey)
    await journey.press(keys.enter)
    await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'sent')
  },
)

test('a draft is held by what holds every order: SAFE, HALTED, a limit, the book of now', async () => {
  const { journey, prepare } = await aDesk()
  const ask = async () => {
    await journey.press('2')
    await journey.press('j')
    await journey.press('d')
  }
  await prepare({ draftId: 'post22', order: { ...limit(), postOnly: true, limitPrice: amount('64210.50') } })
  await journey.sees('New draft post22')
  await ask()
  await journey.sees('Blocked', 'Ticket BUY', 'mcp claude')
  await journey.press(keys.escape)
  await prepare({ draftId: 'big222', order: { ...limit(), orderQuantity: amount('9000') } })
  await journey.sees('New draft big222', '2 drafts')
  await journey.press('2')
  await journey.press('k')
  await journey.press('d')
  await journey.sees('Blocked', 'big222')
  await journey.press(keys.escape)
  await journey.press('L')
  await journey.sees('SAFE')
  await ask()
  await journey.sees('What-if')
  await journey.press(keys.escape)
  await journey.press('K')
  await journey.press(keys.enter)
  await journey.sees('HALTED')
  await ask()
  expect(journey.store.getState().ticket).toBeNull()
  expect(await own(journey)).toEqual([])
})

test('what a person changes is their own order; the draft stays, and x in its review discards it', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  await prepare()
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('d')
  await journey.sees('REVIEW', 'abc234')
  await journey.press(keys.escape)
  await journey.sees('Ticket BUY LIMIT', 'abc234')
  await journey.press(`${keys.clear}0.0300`)
  await journey.sees('Changed: an order of your own now')
  await journey.press(keys.enter)
  await read(journey)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket === null)
  expect((await own(journey)).filter((id) => id.startsWith('draft'))).toEqual([])
  expect(orderDrafts.drafts[0]?.state).toEqual({ kind: 'draft' })
  await journey.press('2')
  await journey.press('d')
  await journey.sees('REVIEW', 'abc234')
  await journey.press('x')
  await journey.sees('Draft abc234 discarded')
  await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'dropped')
  expect(journey.store.getState().ticket).toBeNull()
})

test('a draft whose time is over is told of, stands there as expired, and is not reviewed', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  await prepare({ lifeMs: 60_000 })
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('d')
  await journey.sees('REVIEW', 'abc234')
  await journey.passes(60_000)
  await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'dropped')
  const over = await journey.sees('REVIEW: nothing to send', 'BLOCK Draft abc234')
  expect(over).not.toContain('Enter SEND')
  expect(over).not.toContain('x discard')
  await journey.press(keys.enter)
  await journey.sees('Not sent. Draft abc234 is no longer waiting: expired.')
  expect(await own(journey)).toEqual([])
  await journey.press(keys.escape)
  await journey.press(keys.escape)
  await journey.sees('EXPIRED')
  await journey.press('2')
  await journey.press('d')
  expect(journey.store.getState().ticket).toBeNull()
})

test('a draft that was discarded or sent elsewhere says so in its open review, which sends and discards nothing', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  await prepare()
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('d')
  await journey.sees('REVIEW', 'Enter SEND', 'x discard')
  const elsewhere = (state: DraftedOrder['state']) =>
    orderDrafts.update((before) => ok(before.map((draft) => ({ ...draft, state }))))
  await elsewhere({ kind: 'sent', orderId: '77', atMs: journey.clock.wallMs() })
  const over = await journey.sees('REVIEW: nothing to send', 'BLOCK 1')
  expect(over).not.toContain('Enter SEND')
  await journey.press('x')
  await journey.sees('Draft abc234 is no longer waiting: sent.')
  await journey.press(keys.enter)
  await journey.sees('Not sent. Draft abc234')
  await orderDrafts.update(() => ok([]))
  await journey.sees('BLOCK Draft abc234 is no longer kept')
  expect(await own(journey)).toEqual([])
})

test('a draft of another symbol is reviewed at once; until its data is there it says what is missing, and is not sent', async () => {
  const { journey, prepare } = await aDesk()
  for (const [side, price] of [
    ['BUY', '3000.00'],
    ['SELL', '3000.10'],
  ] as const) {
    const quote = aDraft({ side, symbol: 'ETH-USD', limitPrice: amount(price), orderQuantity: amount('0.4') })
    await journey.counterparty.placeOrder({ ...quote, clientOrderId: `eth${side}` })
  }
  const order = aDraft({ symbol: 'ETH-USD', orderQuantity: amount('0.1'), limitPrice: amount('2999.90') })
  await prepare({ order })
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('d', 1)
  expect(journey.store.getState().ticket?.stage).toBe('review')
  const early = journey.store.getState().books.get('ETH-USD')?.value ?? null
  expect(early).toBeNull()
  await journey.sees('REVIEW', 'BUY 0.1', 'ETH-USD', 'OK 17 checks')
  await read(journey)
  await journey.press(keys.enter)
  await journey.until(() => journey.store.getState().ticket === null)
  expect(await own(journey)).toEqual(['draftabc234'])
})

test('what is told of a new draft is the order; an end tomorrow is dated, in its details and in its review', async () => {
  const { journey, prepare } = await aDesk()
  await prepare({ lifeMs: 23 * 3_600_000, by: 'script', reason: null })
  await journey.sees('New draft abc234 by script: BUY 0.0500 BTC-USD LIMIT @ 64,209.00. See 2 Orders.')
  await journey.press('2')
  await journey.press('j')
  await journey.press(keys.enter)
  const details = await journey.sees('by script, until 2026-01-06 13:00Z')
  expect(details).toContain('time in force')
  expect(details).not.toContain('expires')
  await journey.press(keys.escape)
  await journey.press('d')
  await journey.sees('REVIEW', 'abc234 until 2026-01-06 13:00Z')
})

test('x on the row of a draft discards it and cancels nothing', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  await prepare()
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('j')
  await journey.press('x')
  await journey.sees('Draft abc234 discarded')
  await journey.until(() => orderDrafts.drafts[0]?.state.kind === 'dropped')
  await journey.until((screen) => !screen.includes('DRAFT '))
})

const at2Orders = ({ store }: Journey) => {
  const { focus, tables } = store.getState()
  return focus === 'orders' ? tables.views.orders.selectedKey : focus
}

test('after the review of a draft the keys are about drafts: back in Orders, on the same or the next one', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  for (const draftId of ['ccc234', 'bbb234', 'aaa234']) {
    await prepare({ draftId })
    await journey.passes(1_000)
  }
  await journey.sees('3 drafts')
  await journey.press('2')
  await journey.press('j')
  expect(at2Orders(journey)).toBe('aaa234')
  await journey.press('d')
  await journey.sees('REVIEW', 'aaa234')
  await journey.press(keys.escape)
  await journey.press(keys.escape)
  expect(at2Orders(journey)).toBe('aaa234')
  await journey.press('d')
  await read(journey)
  await journey.press(keys.enter)
  await journey.until(() => orderDrafts.drafts.some(({ state }) => state.kind === 'sent'))
  await journey.until(() => journey.store.getState().ticket === null)
  expect(at2Orders(journey)).toBe('bbb234')
  // For so long the same order once more is held for a slip.
  await journey.passes(2_500)
  await journey.press('d')
  await journey.sees('REVIEW', 'bbb234')
  await journey.press('x')
  expect(at2Orders(journey)).toBe('ccc234')
  // The same key once more was meant for the first one, and none of them is for the order that works.
  await journey.press('x')
  await journey.sees('Not discarded: right after another')
  await read(journey)
  await journey.press('x')
  await journey.sees('Draft ccc234 discarded')
  expect(at2Orders(journey)).toBeNull()
  await read(journey)
  await journey.press('x')
  await journey.passes(1_000)
  expect(orderDrafts.drafts.map(({ state }) => state.kind)).toEqual(['sent', 'dropped', 'dropped'])
  expect(await own(journey)).toEqual(['draftaaa234'])
})

test('a draft that was sent from another copy of the records is not sent again', async () => {
  const { journey, orderDrafts, prepare } = await aDesk()
  // Put back from a backup, drafts and journal lack what the exchange has.
  const sent = await journey.trader.placeOrder({ ...limit(), clientOrderId: 'draftabc234' })
  await journey.trader.cancelOrder(sent.orderId ?? '')
  await prepare()
  await journey.sees('New draft abc234')
  await journey.press('2')
  await journey.press('d')
  await journey.sees('REVIEW', 'abc234')
  await read(journey)
  await journey.press(keys.enter)
  const told = await journey.sees(`Not sent: draft abc234 is order ${sent.orderId} at the exchange already`)
  expect(told).not.toContain('Nothing was placed')
  expect(await own(journey)).toEqual([])
  expect(orderDrafts.drafts[0]?.state).toEqual({ kind: 'draft' })
})
