import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryHistory } from '../../../src/sandbox/core/history.ts'
import { alice, bob, Floor } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

const ids = (orders: readonly { exOrdId: number }[]) => orders.map(({ exOrdId }) => exOrdId)

/**
 * 1 cancelled, 2 filled, 3 open, 4 part filled, 5 pending, 6 refused, 7 of another symbol; each 1 ms after the last.
 */
function sevenOrders(): number[] {
  const cancelled = floor.buy(alice, '1', '50000')
  floor.cancel(alice, cancelled)
  const filled = floor.sell(alice, '1', '60000')
  floor.buy(bob, '1', '60000')
  const open = floor.buy(alice, '1', '51000')
  const part = floor.sell(alice, '2', '60000')
  floor.buy(bob, '1', '60000')
  const pending = floor.buy(alice, '1', undefined, { stopPx: '90000' })
  const refused = floor.buy(alice, '1', '50000.1')
  const other = floor.buy(alice, '1', '0.01', { symbol: 'ETH-BTC' })
  return ids([cancelled, filled, open, part, pending, refused, other])
}

describe('orders', () => {
  test('come newest first, working and ended ones together, of the account alone', () => {
    const all = sevenOrders()
    expect(ids(floor.read.orders({ account: alice, limit: 100 }))).toEqual(all.toReversed())
    expect(ids(floor.read.orders({ account: alice, limit: 3 }))).toEqual(all.toReversed().slice(0, 3))
    expect(floor.read.orders({ account: bob, limit: 100 })).toHaveLength(2)
    expect(floor.read.order(bob, all[0] ?? 0)).toBeUndefined()
    expect(floor.read.order(bob, all[2] ?? 0)).toBeUndefined()
  })

  test('are chosen by status, symbol and time', () => {
    const [cancelled, filled, open, part, pending, refused, other] = sevenOrders()
    const chosen = (more: object) => ids(floor.read.orders({ account: alice, limit: 100, ...more }))
    expect(chosen({ statuses: ['OPEN', 'PART_FILLED', 'PENDING'] })).toEqual([other, pending, part, open])
    expect(chosen({ statuses: ['CANCELED', 'REJECTED'] })).toEqual([refused, cancelled])
    expect(chosen({ symbol: 'ETH-BTC' })).toEqual([other])
    const fromMs = floor.order(alice, { exOrdId: filled ?? 0 }).timestamp
    const toMs = floor.order(alice, { exOrdId: pending ?? 0 }).timestamp
    expect(chosen({ fromMs, toMs })).toEqual([pending, part, open, filled])
    expect(chosen({ fromMs: fromMs + 1, toMs: toMs - 1 })).toEqual([part, open])
  })

  test('that filled or part-filled are the trades', () => {
    const [, filled, , part] = sevenOrders()
    expect(ids(floor.read.trades({ account: alice, limit: 100 }))).toEqual([part, filled])
    expect(ids(floor.read.trades({ account: alice, symbol: 'ETH-BTC', limit: 100 }))).toEqual([])
  })

  test('by ascending id and an exclusive cursor lose and double nothing, whatever happens between the pages', () => {
    const all = sevenOrders()
    const seen: number[] = []
    for (let afterId = 0; ; ) {
      const page = ids(floor.read.ordersAfter({ account: alice, afterId, limit: 2 }))
      if (page.length === 0) break
      seen.push(...page)
      afterId = page.at(-1) ?? 0
      if (seen.length < 8) all.push(floor.buy(alice, '1', '40000').exOrdId)
      floor.run('cancelOrders', { account: alice })
    }
    expect(seen).toEqual(all)
    const fromMs = floor.order(alice, { exOrdId: all[3] ?? 0 }).timestamp
    expect(ids(floor.read.ordersAfter({ account: alice, afterId: 0, fromMs, limit: 100 }))).toEqual(all.slice(3))
  })

  test('paged back by time with inclusive bounds lose nothing, with many in one millisecond', () => {
    const placed: number[] = []
    for (let count = 0; count < 40; count++) {
      if (count % 7 !== 0) floor.nowMs -= 1
      placed.push(floor.buy(alice, '0.0005', '30000').exOrdId)
    }
    const seen = new Set<number>()
    for (let toMs = floor.nowMs; ; ) {
      const page = floor.read.orders({ account: alice, toMs, limit: 10 })
      const sizeBefore = seen.size
      for (const order of page) seen.add(order.exOrdId)
      toMs = page.at(-1)?.timestamp ?? 0
      if (seen.size === sizeBefore) break
    }
    expect([...seen].sort((left, right) => left - right)).toEqual(placed)
  })
})

describe('fills', () => {
  test('come newest first and are chosen by symbol, time and execution', () => {
    for (const price of ['60000', '60001', '60002', '60003']) {
      floor.sell(bob, '1', price)
      floor.buy(alice, '1', price)
    }
    floor.sell(bob, '1', '0.05', { symbol: 'ETH-BTC' })
    floor.buy(alice, '1', '0.05', { symbol: 'ETH-BTC' })
    const all = floor.read.fills({ account: alice, limit: 100 })
    expect(all.map(({ price }) => price.toFixed())).toEqual(['0.05', '60003', '60002', '60001', '60000'])
    const chosen = (more: object) => floor.read.fills({ account: alice, limit: 100, ...more })
    expect(chosen({ symbol: 'ETH-BTC' })).toEqual(all.slice(0, 1))
    expect(chosen({ limit: 2 })).toEqual(all.slice(0, 2))
    const [, third, second] = all
    expect(chosen({ fromExecId: second?.execId, toExecId: third?.execId })).toEqual([third, second])
    expect(chosen({ fromMs: second?.timestamp, toMs: third?.timestamp })).toEqual([third, second])
    expect(chosen({ fromExecId: (second?.execId ?? 0) + 1, toExecId: (third?.execId ?? 0) - 1 })).toEqual([])
    expect(new Set(all.map(({ execId }) => execId)).size).toBe(5)
  })
})

describe('level 3', () => {
  test('shows each order in the order of its queue; level 2 is its sum, and depth cuts levels', () => {
    const first = floor.buy(alice, '1', '60000')
    const second = floor.buy(bob, '2', '60000')
    const third = floor.buy(bob, '3', '59999')
    const l3 = floor.read.l3('BTC-USD')
    expect(l3?.bids.map(({ px, qty, num }) => [px.toFixed(), qty.toFixed(), num])).toEqual([
      ['60000', '1', first.exOrdId],
      ['60000', '2', second.exOrdId],
      ['59999', '3', third.exOrdId],
    ])
    expect(floor.book().bids).toEqual(['60000 3 2', '59999 3 1'])
    expect(floor.read.l2('BTC-USD', 1)?.bids).toHaveLength(1)
    expect(floor.read.l3('BTC-USD', 1)?.bids).toHaveLength(2)
    expect(floor.read.top('BTC-USD')).toEqual({
      bidTicks: 120_000,
      bidLots: 30_000,
      askTicks: null,
      askLots: 0,
      lastTicks: null,
    })
    expect(floor.read.l2('NO-PE')).toBeUndefined()
  })
})

test('a history in memory keeps the newest of each account', () => {
  const history = new MemoryHistory(10)
  const order = { account: 1, symbol: 'S', status: 'FILLED', atMs: 0, cumLots: 1 }
  for (let id = 1; id <= 25; id++) history.addOrder({ ...order, id } as Parameters<MemoryHistory['addOrder']>[0])
  const kept = history.orders({ account: 1, limit: 100 })
  expect(kept.length).toBeLessThanOrEqual(10)
  expect(kept.at(0)?.id).toBe(25)
  expect(history.order(1, 1)).toBeUndefined()
})
