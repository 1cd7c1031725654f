import { describe, expect, test } from 'vitest'
import { arrived } from '../../src/store/feeds/feed.ts'
import { leftAtHangUp, leftBehind } from '../../src/store/quit.ts'
import { deskNowMs, deskState, orderFrom, unknownOrder } from '../fakes/desk-state.ts'
import { aDraft, anOrder } from '../fakes/orders.ts'
import { heldPlan, protectedPlan, somePlans } from '../fakes/plans.ts'
import { aDesk, type Desk, startMs } from './desk.ts'

const overlayOf = ({ store }: Desk) => store.getState().overlay?.kind ?? null
const list = (desk: Desk, count: number, atMs: number) =>
  desk.store.dispatch({
    type: 'orders',
    orders: Array.from({ length: count }, (_, at) => anOrder({ orderId: `${at + 1}`, clientOrderId: `c${at}` })),
    atMs,
  })

test('a desk with working orders asks before it ends, one without does not', () => {
  const empty = aDesk()
  empty.commands.quit()
  expect(empty.sent).toEqual(['exit'])
  const desk = aDesk()
  list(desk, 2, startMs)
  desk.commands.quit()
  expect(desk.sent).toEqual([])
  expect(overlayOf(desk)).toBe('confirmQuit')
  desk.commands.confirmQuit()
  expect(desk.sent).toEqual(['exit'])
})

test('a desk whose order has no answer yet asks before it ends, also where another symbol was chosen meanwhile', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY')
  desk.store.dispatch({ type: 'ticketSending' })
  desk.store.dispatch({ type: 'orderSent', draft: aDraft(), clientOrderId: 'mine', atMs: startMs })
  desk.store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: startMs })
  desk.commands.quit()
  expect([desk.sent, overlayOf(desk)]).toEqual([[], 'confirmQuit'])
})

test('a desk that only watches can cancel nothing and does not ask', () => {
  const desk = aDesk('MONITOR')
  list(desk, 2, startMs)
  desk.commands.quit()
  expect(desk.sent).toEqual(['exit'])
})

describe('canceling first', () => {
  /** A desk with two working orders whose person wants them canceled before it ends, at `startMs` + 1 s. */
  const canceling = () => {
    const desk = aDesk()
    list(desk, 2, startMs)
    desk.commands.quit()
    desk.wait(1_000)
    desk.commands.cancelAndQuit()
    return desk
  }
  const all = 'cancel all every symbol'

  test('it ends once a list that came after the cancel has none, and not at the exchange saying yes', () => {
    const desk = canceling()
    desk.store.dispatch({
      type: 'cancelAllOutcome',
      outcome: { kind: 'canceled', symbol: null, tally: { before: 2, canceled: 2, otherwise: [] } },
      atMs: startMs + 1_100,
    })
    expect(desk.sent).toEqual([all])
    // An order in an auction that is frozen stays.
    list(desk, 1, startMs + 1_500)
    expect(desk.sent).toEqual([all])
    list(desk, 0, startMs + 2_000)
    expect(desk.sent).toEqual([all, 'exit'])
    list(desk, 0, startMs + 3_000)
    expect(desk.sent).toEqual([all, 'exit'])
  })

  test('it waits where the list has an entry that nobody can read', () => {
    const desk = canceling()
    const unreadable = [{ fields: { exOrdId: '64' }, atMs: null, reason: 'its ordType is not known' }]
    desk.store.dispatch({ type: 'orders', orders: [], unreadable, atMs: startMs + 2_000 })
    expect(desk.sent).toEqual([all])
    desk.store.dispatch({ type: 'orders', orders: [], unreadable: [], atMs: startMs + 3_000 })
    expect(desk.sent).toEqual([all, 'exit'])
  })

  test('Esc stays: the cancels go on, and their end ends nothing', () => {
    const desk = canceling()
    desk.commands.closeOverlay()
    list(desk, 0, startMs + 2_000)
    expect(desk.sent).toEqual([all])
    expect(overlayOf(desk)).toBeNull()
  })

  test('it waits for what has no known outcome, and Enter leaves all the same', () => {
    const desk = canceling()
    const outcome = { kind: 'unknown', symbol: null, reason: 'time-out', cause: 'noAnswer' } as const
    desk.store.dispatch({ type: 'cancelAllOutcome', outcome, atMs: startMs + 1_100 })
    list(desk, 0, startMs + 2_000)
    expect(desk.sent).toEqual([all])
    desk.commands.confirmQuit()
    expect(desk.sent).toEqual([all, 'exit'])
  })

  test('an order that was on its way is waited for', () => {
    const desk = aDesk()
    list(desk, 1, startMs)
    const draft = aDraft()
    desk.store.dispatch({ type: 'orderSent', draft, clientOrderId: 'late', atMs: startMs })
    desk.commands.quit()
    desk.wait(1_000)
    desk.commands.cancelAndQuit()
    list(desk, 0, startMs + 2_000)
    expect(desk.sent).toEqual([all])
    const order = anOrder({ clientOrderId: 'late', orderId: '9' })
    desk.store.dispatch({ type: 'orderOutcome', draft, outcome: { kind: 'accepted', order }, atMs: startMs + 2_100 })
    expect(desk.sent).toEqual([all])
    desk.commands.cancelAndQuit()
    list(desk, 0, startMs + 4_000)
    expect(desk.sent).toEqual([all, all, 'exit'])
  })

  test('without working orders there is nothing to cancel: nothing is sent', () => {
    const desk = aDesk()
    desk.commands.cancelAndQuit()
    expect(desk.sent).toEqual([])
    expect(desk.store.getState().notice?.text).toBe('No working orders to cancel: Enter quits.')
  })
})

describe('what a desk leaves behind', () => {
  const desk = deskState({ unknownWrites: [] })

  test('nothing is told of an empty desk, and not known is told as such', () => {
    expect(leftBehind({ ...desk, orders: arrived([], deskNowMs) })).toEqual([])
    expect(leftBehind({ ...desk, orders: { value: null, atMs: null, failure: null } })).toEqual([
      'Working orders on PRACTICE unknown: the list has not loaded.',
    ])
  })

  test('orders by symbol, the place in words, and the age of a list that is old', () => {
    expect(leftBehind(desk)).toEqual(['3 orders stay working on PRACTICE: BTC-USD 2, XLM-USD 1.'])
    const venue = { profileName: 'main', kind: 'live' } as const
    const old = { ...desk, venue, orders: arrived([orderFrom({})], deskNowMs - 42_000) }
    expect(leftBehind(old)).toEqual(['1 order stays working on LIVE main: BTC-USD 1 (as of 42 s ago).'])
    const many = Array.from({ length: 9 }, (_, at) => orderFrom({ orderId: `${at}`, symbol: `S${at}-USD` }))
    expect(leftBehind({ ...desk, orders: arrived(many, deskNowMs) })[0]).toMatch(/S5-USD 1, 3 more symbols\.$/)
  })

  test('every write without a known outcome by its id, one on its way too', () => {
    const sent = { clientOrderId: 'late', draft: aDraft(), atMs: deskNowMs, stage: 'inFlight' } as const
    expect(leftBehind({ ...desk, unknownWrites: [unknownOrder], sentOrders: [sent] })[1]).toBe(
      'Outcomes unknown: order a81fK2x10Dd5, order late. Do not resubmit: the desk checks them at the next start.',
    )
  })

  test('a list with entries that nobody can read, or that did not come whole, is not an empty one', () => {
    const entry = { fields: { exOrdId: '64' }, atMs: null, reason: 'its ordType is not known' }
    const gaps = (more: object) => ({ orders: { entries: [], isWhole: true, toldKeys: [], ...more } })
    const empty = { ...desk, orders: arrived([], deskNowMs) }
    expect(leftBehind({ ...empty, unreadable: gaps({ entries: [entry] }) })).toEqual([
      'No working orders known on PRACTICE. 1 entry of the list unreadable.',
    ])
    expect(leftBehind({ ...desk, unreadable: gaps({ isWhole: false }) })).toEqual([
      '3 orders stay working on PRACTICE: BTC-USD 2, XLM-USD 1. The list is incomplete: there may be more.',
    ])
  })

  test('after a hang-up that cancels: what the exchange said, and what was seen since', () => {
    const startedAtMs = deskNowMs - 5_000
    const end = { kind: 'canceled', isConfirmed: true, startedAtMs } as const
    expect(leftAtHangUp({ ...desk, orders: arrived([], deskNowMs) }, end)).toEqual([
      'Hang-up: the exchange accepted the cancel of all orders (on_hangup).',
      'No working orders on PRACTICE.',
    ])
    const unseen = { ...desk, orders: arrived([orderFrom({})], deskNowMs - 6_000) }
    expect(leftAtHangUp(unseen, { ...end, isConfirmed: false })).toEqual([
      'Hang-up: the exchange did not confirm the cancel of all orders (on_hangup).',
      'Orders may still be working on PRACTICE: the list was not seen since.',
    ])
    expect(leftAtHangUp(desk, { kind: 'kept' })).toEqual(leftBehind(desk))
  })
})

test('a desk that carries out a plan of which nothing rests asks before it ends, and says so', () => {
  const desk = aDesk()
  list(desk, 0, startMs)
  const bare = heldPlan()
  desk.store.dispatch({ type: 'plans', owner: 'otherDesk', plans: [bare] })
  desk.commands.quit()
  expect(desk.sent).toEqual(['exit'])
  desk.store.dispatch({ type: 'plans', owner: 'desk', plans: [bare] })
  desk.commands.quit()
  expect([desk.sent, overlayOf(desk)]).toEqual([['exit'], 'confirmQuit'])
  expect(leftBehind({ ...desk.store.getState(), practice: null })).toContain(
    '1 plan is NOT PROTECTED: nothing rests for it, and nothing follows while no desk or watch runs.',
  )
  const two = { ...desk.store.getState(), practice: null, plans: somePlans(bare, heldPlan('p3')) }
  expect(leftBehind(two)).toContain(
    '2 plans are NOT PROTECTED: nothing rests for them, and nothing follows while no desk or watch runs.',
  )
})

test('on its own practice exchange a desk names the plans that stand still with it', () => {
  const desk = deskState({
    practice: { verbs: [], accounts: [] },
    plans: somePlans(),
    orders: arrived([], deskNowMs),
    unknownWrites: [],
  })
  const still = '2 open plans stand still with the practice exchange until the next start.'
  expect(leftBehind(desk)).toEqual([still])
  expect(leftBehind({ ...desk, plans: somePlans(protectedPlan()) })).toEqual([
    '1 open plan stands still with the practice exchange until the next start.',
  ])
  expect(leftBehind({ ...desk, practice: null }).join()).not.toContain('stand still')
  expect(leftBehind({ ...desk, orders: arrived([orderFrom({})], deskNowMs) })).toEqual([
    '1 order stays working on PRACTICE: BTC-USD 1.',
    still,
  ])
})
