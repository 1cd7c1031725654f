import { watch } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { nextStatuses, type OrderStatus } from '../../../src/domain/orders/order.ts'
import { DurableExchange } from '../../../src/sandbox/persistence/durable-exchange.ts'
import { seeded } from '../../bench/book-workload.ts'
import { runs } from '../../fakes/runs.ts'
import { crashImage, newFolder, stateOf } from './scene.ts'
import { type Answer, buildVictim, Victim } from './victim.ts'

const killCount = runs(14, 50)
const people = ['trader', 'counterparty'] as const
type Person = (typeof people)[number]
type WireOrder = { exOrdId: number; clOrdId: string; ordStatus: OrderStatus; cumQty: string; side: string }
type WireFill = {
  exOrdId: number
  execId: number
  side: string
  price: string
  qty: string
  fee: string
  symbol: string
}
type WireTransfer = { withdrawalId: string; amount: string; fee: string; state: string }

/** What the exchange told, and so has to stand by. */
const told = {
  orders: new Map<number, WireOrder & { person: Person }>(),
  withdrawals: new Map<string, Person>(),
  fills: new Map<number, WireFill>(),
}
const random = seeded(20_261_121)
/** Apart from `random`, which many hands draw from in whatever order: which kills there are is the same each time. */
const schedule = seeded(runs(20_260_646, 20_260_312))
let folder: string
let victim: Victim
let orderCount = 0

beforeAll(async () => {
  await buildVictim()
  folder = newFolder()
})
afterAll(() => victim.kill())

/** Notes what an answer says of orders. */
function hear(person: Person, answer: Answer | null): void {
  if (answer?.status !== 200) return
  const list = Array.isArray(answer.json) ? answer.json : [answer.json]
  for (const each of list as WireOrder[])
    if (each !== null && 'ordStatus' in each) told.orders.set(each.exOrdId, { ...each, person })
}

/** One random request of a person; false when the exchange is gone. */
async function act(person: Person): Promise<boolean> {
  const draw = random(100)
  if (draw < 60) {
    orderCount += 1
    const side = random(2) === 0 ? 'BUY' : 'SELL'
    const price = 64_000 + random(40) * 10 + (side === 'BUY' ? -100 : 100)
    const kind = random(10) === 0 ? { ordType: 'MARKET' } : { ordType: 'LIMIT', price }
    const order = { clOrdId: `c${orderCount}`, symbol: 'BTC-USD', side, orderQty: `0.000${1 + random(9)}`, ...kind }
    const answer = await victim.call(person, 'POST', '/orders', order)
    hear(person, answer)
    return answer !== null
  }
  const ids = [...told.orders.keys()]
  const id = ids[Math.max(0, ids.length - 1 - random(60))] ?? 1
  if (draw < 75) {
    const answer = await victim.call(person, 'DELETE', `/orders/${id}`)
    const order = told.orders.get(id)
    if (answer?.status === 200 && order !== undefined) told.orders.set(id, { ...order, ordStatus: 'CANCELED' })
    return answer !== null
  }
  if (draw < 90) {
    const answer = await victim.call(
      person,
      'GET',
      ['/orders', '/orders?status=FILLED', `/orders/${id}`][random(3)] ?? '',
    )
    hear(person, answer)
    return answer !== null
  }
  if (draw < 97) {
    const answer = await victim.call(person, 'GET', '/fills?limit=50')
    for (const fill of (answer?.json ?? []) as WireFill[]) told.fills.set(fill.execId, fill)
    return answer !== null
  }
  const [entry] = await victim.list<{ whitelistId: string }>(person, '/whitelist/USD').catch(() => [])
  const withdrawal = { currency: 'USD', amount: 1 + random(5), beneficiary: entry?.whitelistId }
  const answer = await victim.call(person, 'POST', '/withdrawals', withdrawal)
  if (answer?.status === 200) told.withdrawals.set((answer.json as WireTransfer).withdrawalId, person)
  return answer !== null
}

/** Every order of a person, page by page; ids ascend, so none is there twice. */
async function allOrders(person: Person): Promise<WireOrder[]> {
  const orders: WireOrder[] = []
  for (let after = 0; ; ) {
    const answer = await victim.call(person, 'GET', `/internal/orders?limit=1000&orderId=${after}`)
    const page = answer?.json as { nextOrderId: number; orders: WireOrder[] }
    orders.push(...page.orders)
    if (page.orders.length < 1_000) return orders
    after = page.nextOrderId
  }
}

async function allFills(person: Person): Promise<WireFill[]> {
  const fills: WireFill[] = []
  for (let upTo = ''; ; ) {
    const page = await victim.list<WireFill>(person, `/fills?limit=1000${upTo}`)
    fills.push(...page)
    if (page.length < 1_000) return fills
    upTo = `&toExecId=${(page.at(-1)?.execId ?? 0) - 1}`
  }
}

/** Whether one status may come after the other, by any number of steps. */
const mayLeadTo = (before: OrderStatus, after: OrderStatus): boolean =>
  before === after || nextStatuses[before].some((next) => next !== before && mayLeadTo(next, after))

/** Everything the exchange told still holds, and it agrees with itself. */
async function verify(): Promise<void> {
  for (const person of people) {
    const [orders, fills] = await Promise.all([allOrders(person), allFills(person)])
    const byId = new Map(orders.map((order) => [order.exOrdId, order]))
    expect(orders.map(({ exOrdId }) => exOrdId)).toEqual([...byId.keys()].sort((left, right) => left - right))
    expect(new Set(orders.map(({ clOrdId }) => clOrdId)).size).toBe(orders.length)
    const filled = new Map<number, Decimal>()
    for (const { exOrdId, qty } of fills) filled.set(exOrdId, (filled.get(exOrdId) ?? new Decimal(0)).plus(qty))
    for (const { exOrdId, cumQty } of orders)
      if (!(filled.get(exOrdId) ?? new Decimal(0)).eq(cumQty))
        throw new Error(`order ${exOrdId}: ${cumQty} is not its fills`)
    expect(new Set(fills.map(({ execId }) => execId)).size).toBe(fills.length)
    const execIds = new Map(fills.map((fill) => [fill.execId, fill]))
    for (const before of told.orders.values()) {
      if (before.person !== person) continue
      const now = byId.get(before.exOrdId)
      if (now === undefined) throw new Error(`order ${before.exOrdId} is gone: ${JSON.stringify(before)}`)
      const isLegal = mayLeadTo(before.ordStatus, now.ordStatus) && new Decimal(now.cumQty).gte(before.cumQty)
      if (!isLegal) throw new Error(`${JSON.stringify(before)} became ${JSON.stringify(now)}`)
      for (const fill of told.fills.values())
        if (fill.exOrdId === before.exOrdId) expect(execIds.get(fill.execId)).toEqual(fill)
    }
    const withdrawals = await victim.list<WireTransfer>(person, '/withdrawals')
    const ids = new Set(withdrawals.map(({ withdrawalId }) => withdrawalId))
    for (const [id, owner] of told.withdrawals) if (owner === person) expect(ids.has(id)).toBe(true)
    await checkMoney(person, fills, withdrawals)
  }
}

/** The dollars are what the person began with, changed by exactly what fills and withdrawals say. */
async function checkMoney(person: Person, fills: WireFill[], withdrawals: WireTransfer[]): Promise<void> {
  let expected = new Decimal(person === 'trader' ? 25_000 : 250_000)
  for (const { side, price, qty, fee } of fills) {
    const notional = new Decimal(price).times(qty)
    expected = side === 'BUY' ? expected.minus(notional) : expected.plus(notional)
    expected = expected.minus(fee)
  }
  for (const { amount, fee, state } of withdrawals)
    if (state === 'COMPLETED') expected = expected.minus(amount).minus(fee)
  const answer = await victim.call(person, 'GET', '/accounts/primary/USD')
  expect(answer?.json).toMatchObject({ balance: expected.toFixed() })
}

/**
 * Several people at once ask for whatever, until so many answers have come and the exchange is killed under their
 * hands.
 */
async function trade(answers: number): Promise<void> {
  let left = answers
  const hands = Array.from({ length: 12 }, async (_, index) => {
    while (await act(people[index % 2] ?? 'trader')) {
      left -= 1
      if (left === 0) await victim.kill()
    }
  })
  await Promise.all(hands)
  await victim.kill()
}

/** Kills it at its first write to the folder after so many that are let go by, which is while it starts. */
async function killWhileStarting(writes: number): Promise<void> {
  const starting = victim.started().catch(() => {})
  let left = writes
  const watcher = watch(folder, () => {
    left -= 1
    if (left < 0) victim.process.kill('SIGKILL')
  })
  await starting
  await victim.kill()
  watcher.close()
}

/** Fewer than a start on a folder with data needs. */
const startStatements = 20

test(`killed ${killCount} times under load, at any moment, it forgets nothing it told, doubles nothing, and its books balance`, async () => {
  let startKills = 0
  let deathsAtStart = 0
  for (let kill = 0; kill < killCount; kill++) {
    const market = kill % 3 === 2 ? 'on' : 'off'
    const moment = schedule(10)
    if (moment === 0) {
      startKills += 1
      victim = new Victim(folder, market)
      await killWhileStarting(schedule(12))
      continue
    }
    if (moment === 1) {
      deathsAtStart += 1
      victim = new Victim(folder, market, schedule(startStatements))
      await expect(victim.started()).rejects.toThrow('it did not start')
      continue
    }
    victim = new Victim(folder, market)
    await victim.started()
    if (market === 'off') await verify()
    await trade(1 + schedule(300))
    if (kill % 5 !== 0) continue
    const image = crashImage(folder)
    const replayed = DurableExchange.open(image)
    const state = stateOf(replayed)
    replayed.close()
    const fromSnapshot = DurableExchange.open(image)
    expect(stateOf(fromSnapshot)).toBe(state)
    fromSnapshot.close()
  }
  victim = new Victim(folder, 'off')
  await victim.started()
  await verify()
  expect([startKills, deathsAtStart]).toEqual(runs([3, 3], [7, 8]))
  expect(told.orders.size).toBeGreaterThan(runs(300, 1_500))
  expect(told.fills.size).toBeGreaterThan(runs(60, 300))
  expect(told.withdrawals.size).toBeGreaterThan(runs(4, 20))
  const second = new Victim(folder, 'off')
  await expect(second.started()).rejects.toThrow(`The data folder ${folder} is in use by another practice exchange.`)
  expect(second.process.exitCode).toBe(1)
  await victim.stop()
})
