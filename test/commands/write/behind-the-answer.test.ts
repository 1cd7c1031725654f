import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import {
  type Answer,
  type Asked,
  changed,
  type RewritingProxy,
  startRewritingProxy,
} from '../../fakes/rewriting-proxy.ts'
import { type Exchange, failureIn, limitOrder, openExchange, openShell, quotes, type Shell } from '../harness.ts'

// Something between a command and its exchange that says one thing while another one is so.

let exchange: Exchange
let proxy: RewritingProxy
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  await quotes(exchange)
  proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
  shell = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
})

const asItCame = (_asked: Asked, answer: Answer): Answer => answer
const isPlacing = ({ method, path }: Asked) => method === 'POST' && path.startsWith('/orders')
const isList = ({ method, path }: Asked) => method === 'GET' && /^\/(internal\/)?orders(\?|$)/.test(path)
const line = 'order place buy 0.05 BTC-USD --limit 59000 --yes'

test('an order answered as refused while the lists are behind is found when it is asked for again, and stops a like one', async () => {
  proxy.rewrite = (asked, answer) => {
    if (isPlacing(asked)) return { status: 400, body: '{"error":"no"}' }
    if (!isList(asked)) return answer
    if (asked.path.startsWith('/internal')) return changed(answer, (page: object) => ({ ...page, orders: [] }))
    return { status: 200, body: '[]' }
  }
  const refused = await shell.run(`${line} --client-order-id aa1`)
  expect([refused.code, failureIn(refused)]).toMatchObject([4, { kind: 'rejected', clientOrderId: 'aa1' }])
  expect(await exchange.working()).toHaveLength(1)
  proxy.rewrite = asItCame
  await exchange.clock.advance(60_000)
  await quotes(exchange)
  const other = await shell.run(`${line} --client-order-id bb2`)
  expect([other.code, failureIn(other)]).toMatchObject([
    3,
    { message: expect.stringMatching(/order aa1, answered as rejected, is working as \d+: cancel it/) },
  ])
  const again = await shell.run(`${line} --client-order-id aa1`)
  expect([again.code, JSON.parse(again.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1', ordStatus: 'OPEN' }])
  expect(again.stderr.at(-1)).toMatch(
    /^Order aa1 was answered as rejected \(.*no.*\), but order \d+ is OPEN: it counts as sent\. Do not /,
  )
  expect(await exchange.working()).toHaveLength(1)
})

const atMarket = 'order place buy 0.05 BTC-USD --market --yes'
const filledOrders = async () => (await exchange.client('trader').fetchOrders({ status: 'FILLED' })).entries

test('a market order that filled behind a no and lists that are behind is not bought twice', async () => {
  proxy.rewrite = (asked, answer) => {
    if (isPlacing(asked)) return { status: 400, body: '{"error":"no"}' }
    if (!isList(asked)) return answer
    if (asked.path.startsWith('/internal')) return changed(answer, (page: object) => ({ ...page, orders: [] }))
    return { status: 200, body: '[]' }
  }
  expect((await shell.run(`${atMarket} --client-order-id aa1`)).code).toBe(4)
  proxy.rewrite = asItCame
  await exchange.clock.advance(60_000)
  await quotes(exchange)
  const again = await shell.run(`${atMarket} --client-order-id bb2`)
  expect([again.code, failureIn(again)]).toMatchObject([
    3,
    { message: expect.stringMatching(/order aa1, answered as rejected, is FILLED as \d+: change this one, or wait/) },
  ])
  expect(await filledOrders()).toHaveLength(1)
  expect((await shell.run('order place buy 0.06 BTC-USD --market --yes')).code).toBe(0)
})

test('a no to an order is held against what the engine reports, too', async () => {
  proxy.rewrite = (asked, answer) => {
    if (isPlacing(asked)) return { status: 400, body: '{"error":"no"}' }
    return isList(asked) && !asked.path.startsWith('/internal') ? { status: 200, body: '[]' } : answer
  }
  const ran = await shell.run(`${atMarket} --client-order-id aa1`)
  expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1', ordStatus: 'FILLED' }])
  expect(ran.stderr).toEqual([
    expect.stringMatching(/^Order aa1 was answered as rejected \(.*\), but order \d+ is FILLED: it counts/),
  ])
})

test('an order that is taken as it was sent has no word on stderr, and one whose answer refused it has the answer', async () => {
  expect((await shell.run(line)).stderr).toEqual([])
  proxy.rewrite = (asked, answer) => (isPlacing(asked) ? { status: 400, body: '{"error":"tick too fine"}' } : answer)
  const ran = await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes --json')
  expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([0, { ordStatus: 'OPEN', leavesQty: '0.06' }])
  expect(ran.stderr).toEqual([
    expect.stringMatching(
      /^Order \w+ was answered as rejected \(.*tick too fine.*\), but order \d+ is OPEN: it counts as sent\./,
    ),
  ])
})

test('an order answered as REJECTED that no list has is asked for by the id of the answer', async () => {
  let byId: number | null = null
  proxy.rewrite = (asked, answer) => {
    if (isPlacing(asked)) return changed(answer, (order: object) => ({ ...order, ordStatus: 'REJECTED' }))
    if (asked.path.startsWith('/internal')) return { status: 404, body: '' }
    if (isList(asked)) return { status: 200, body: '[]' }
    return byId !== null && /^\/orders\/\d+$/.test(asked.path) ? { status: byId, body: '' } : answer
  }
  const ran = await shell.run(line)
  const [live] = await exchange.working()
  expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([
    0,
    { exOrdId: Number(live?.orderId), ordStatus: 'OPEN' },
  ])
  byId = 404
  expect((await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes')).code).toBe(4)
  byId = 500
  const unseen = await shell.runThrough('order place buy 0.07 BTC-USD --limit 59000 --yes')
  expect([unseen.code, failureIn(unseen)]).toMatchObject([6, { kind: 'unknown' }])
})

/** Says REJECTED to an order, knows none by id, and has a page of older ones behind every page. */
function withoutEnd(pageMs = 0) {
  let [count, firstAtMs] = [0, 0]
  proxy.rewrite = async (asked, answer) => {
    if (isPlacing(asked)) return changed(answer, (order: object) => ({ ...order, ordStatus: 'REJECTED' }))
    if (/^\/orders\/\d+$/.test(asked.path)) return { status: 404, body: '' }
    if (!isList(asked) || !proxy.asked.some(isPlacing)) return answer
    count += 1
    if (count === 1) firstAtMs = exchange.clock.now()
    await exchange.clock.advance(pageMs)
    const toMs = Number(new URLSearchParams(asked.path.split('?')[1]).get('to') ?? exchange.clock.wallMs())
    const terms = { ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', symbol: 'BTC-USD', price: 1, leavesQty: 1 }
    const page = Array.from({ length: 100 }, (_, at) => ({
      ...terms,
      ...{ exOrdId: count * 1_000 + at, clOrdId: `x${count}a${at}`, timestamp: toMs - at - 1 },
    }))
    return { status: 200, body: JSON.stringify(page) }
  }
  return { pages: () => count, firstAtMs: () => firstAtMs }
}

test('a refusal is looked into for half a minute, however many pages the lists have', async () => {
  const { firstAtMs } = withoutEnd(300)
  const ran = await shell.runThrough(line)
  expect([ran.code, failureIn(ran)]).toMatchObject([6, { kind: 'unknown' }])
  expect(exchange.clock.now() - firstAtMs()).toBeLessThan(31_000)
})

test('a signal ends the looks after a refusal: its outcome is unknown', async () => {
  const { pages } = withoutEnd()
  const running = shell.start(line)
  await running.until(() => pages() > 3)
  const signaledAtMs = exchange.clock.now()
  running.signal('SIGTERM')
  await running.until(() => running.ran.code !== -1)
  expect([running.ran.code, failureIn(running.ran)]).toMatchObject([6, { kind: 'unknown' }])
  expect(exchange.clock.now() - signaledAtMs).toBeLessThan(2_000)
})

test('an answer that bears the id of another own order is seen through, and the right one is printed', async () => {
  const other = await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '58000'))
  proxy.rewrite = (asked, answer) =>
    isPlacing(asked) ? changed(answer, (order: object) => ({ ...order, exOrdId: Number(other.orderId) })) : answer
  const ran = await shell.run(`${line} --client-order-id aa1`)
  const [own] = (await exchange.working()).filter(({ clientOrderId }) => clientOrderId === 'aa1')
  expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([
    0,
    { clOrdId: 'aa1', exOrdId: Number(own?.orderId) },
  ])
})

test.each([
  ['emptied', (path: string) => writeFileSync(path, '')],
  ['removed', (path: string) => rmSync(path)],
])(
  'a journal that was %s does not vouch for an id: the exchange is asked, and nothing is sent again',
  async (_how, lose) => {
    expect((await shell.run(`${line} --client-order-id aa1`)).code).toBe(0)
    for (const { path } of shell.files()) if (path.endsWith('.jsonl')) lose(path)
    const again = await shell.run(`${line} --client-order-id aa1`)
    expect([again.code, JSON.parse(again.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1' }])
    expect(proxy.asked.filter(isPlacing)).toHaveLength(1)
  },
)

test('a journal that was put back from a backup does not vouch for an id that it lacks, however whole it is', async () => {
  const [state, backup] = [join(shell.home, '.local'), join(shell.home, 'backup')]
  expect((await shell.run('order place buy 0.04 BTC-USD --limit 59000 --yes')).code).toBe(0)
  cpSync(state, backup, { recursive: true })
  await exchange.clock.advance(60_000)
  await quotes(exchange)
  expect((await shell.run(`${atMarket} --client-order-id aa1`)).code).toBe(0)
  rmSync(state, { recursive: true })
  cpSync(backup, state, { recursive: true })
  // What goes on in the copy does not make it know what it lacks.
  expect((await shell.run('order place buy 0.03 BTC-USD --limit 59000 --yes')).code).toBe(0)
  // A key that may not read the engine's own list works as ever.
  proxy.rewrite = (asked, answer) => (asked.path.startsWith('/internal') ? { status: 404, body: '' } : answer)
  const again = await shell.run(`${atMarket} --client-order-id aa1`)
  expect([again.code, JSON.parse(again.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1', ordStatus: 'FILLED' }])
  expect(await filledOrders()).toHaveLength(1)
  expect((await shell.run(`${atMarket} --client-order-id bb2 --accept self-match`)).code).toBe(0)
  expect(await filledOrders()).toHaveLength(2)
})

test.each([401, 403, 404])(
  'where the key may not read the engine’s own list (%i) a new id is free on a new machine, and a refusal is told again',
  async (status) => {
    proxy.rewrite = (asked, answer) => (asked.path.startsWith('/internal') ? { status, body: '' } : answer)
    const ran = await shell.run(`${line} --client-order-id aa1`)
    expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1' }])
    await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status: 400 })
    const no = 'order place buy 0.06 BTC-USD --limit 59000 --yes --client-order-id bb2'
    const refused = failureIn(await shell.run(no))
    expect(refused).toMatchObject({ kind: 'rejected', clientOrderId: 'bb2' })
    expect(failureIn(await shell.run(no))).toEqual(refused)
  },
)

test('an id is not taken for free where a list of orders does not come to its end', async () => {
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '58000'))
  proxy.rewrite = (asked, answer) =>
    asked.path.startsWith('/internal/orders')
      ? changed(answer, (page: object) => ({ ...page, nextOrderId: 0 }))
      : answer
  const ran = await shell.run(`${line} --client-order-id aa1`)
  expect([ran.code, failureIn(ran)]).toMatchObject([
    3,
    { kind: 'notSent', clientOrderId: 'aa1', message: expect.stringContaining('a list of orders is incomplete') },
  ])
  expect(proxy.asked.some(isPlacing)).toBe(false)
  proxy.rewrite = asItCame
  expect((await shell.run(`${line} --client-order-id aa1`)).code).toBe(0)
})

test('a cancel of all tells of an order that may still arrive', async () => {
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  const lost = shell.start(`${line} --client-order-id aa1`)
  await lost.until(() => lost.ran.code !== -1)
  expect(lost.ran.code).toBe(6)
  await exchange.admin('/fault/off', {})
  const canceled = shell.start('order cancel-all --every-symbol --yes')
  await canceled.until(() => canceled.ran.code !== -1)
  expect([canceled.ran.code, failureIn(canceled.ran)]).toMatchObject([
    6,
    { kind: 'unknown', message: 'No order is listed in every symbol, but aa1 may still arrive.' },
  ])
})

test.each([
  ['never came', 'before', 6, 'No order is listed in every symbol, but aa1 may still arrive.'],
  ['came', 'after', 0, undefined],
] as const)(
  'a cancel of all waits for an order that a command beside it has sent, which %s, and is told as it ended',
  async (_how, when, code, message) => {
    await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when })
    // Its lists are behind, so that it looks for its order while the cancel goes out.
    let isBehind = true
    proxy.rewrite = (asked, answer) =>
      isBehind && isList(asked) && proxy.asked.some(isPlacing) ? { status: 503, body: '' } : answer
    const lost = shell.start(`${line} --client-order-id aa1`)
    await lost.until(() => proxy.asked.some(isPlacing))
    isBehind = false
    const canceled = shell.start('order cancel-all --every-symbol --yes')
    await canceled.until(() => canceled.ran.code !== -1)
    await lost.until(() => lost.ran.code !== -1)
    const { error } = JSON.parse(canceled.ran.stdout.at(-1) ?? '')
    expect([canceled.ran.code, error?.message]).toEqual([code, message])
  },
)

test.each([
  [401, 4, 'the exchange rejected it: the API key was refused (401)'],
  [429, 5, 'refused for too many calls: '],
] as const)(
  'an order whose refusal (%i) no list could bear out at first is told as refused once they do, and when asked again',
  async (status, code, why) => {
    await exchange.admin('/fault/status', { rate: 1, path: 'POST /orders', status })
    let isBehind = false
    proxy.rewrite = (asked, answer) => {
      if (isPlacing(asked)) isBehind = true
      if (!isBehind || !isList(asked)) return answer
      isBehind = false
      return { status: 400, body: '{}' }
    }
    const ran = await shell.runThrough(`${line} --client-order-id aa1`)
    expect(ran.stderr).toEqual([
      expect.stringMatching(/^May be live: order aa1 was refused, but that is not confirmed/),
      expect.stringMatching(/^Order aa1 was refused, and no list has it: .* Nothing was placed\.$/),
      expect.stringMatching(/ Nothing was placed\. To send it again, use a new id: this one is used up\.$/),
    ])
    for (const each of [ran, await shell.run(`${line} --client-order-id aa1`)]) {
      expect([each.code, failureIn(each).clientOrderId]).toEqual([code, 'aa1'])
      expect(failureIn(each).message.startsWith(why)).toBe(true)
    }
    expect(proxy.asked.filter(isPlacing)).toHaveLength(1)
  },
)

test('an order that a hub reports as rejected for too many calls ends as it does when asked again: with 5', async () => {
  const text = 'the exchange takes no more calls just now (429): slow down; try again in 7 s'
  type Sent = { exOrdId: number; orderQty: number }
  proxy.rewrite = (asked, answer) => {
    if (isPlacing(asked))
      return changed(answer, ({ exOrdId: _, ...sent }: Sent) => ({
        ...sent,
        ...{ ordStatus: 'REJECTED', leavesQty: sent.orderQty, text },
      }))
    if (asked.path.startsWith('/internal')) return changed(answer, (page: object) => ({ ...page, orders: [] }))
    return isList(asked) ? { ...answer, body: '[]' } : answer
  }
  for (let run = 0; run < 2; run += 1) {
    const ran = await shell.runThrough(`${line} --client-order-id aa1`)
    expect([ran.code, failureIn(ran).message]).toEqual([5, `refused for too many calls: ${text}. Nothing was placed.`])
  }
})

/** The order at 58000 comes with a side that there is not. */
const oneIsOdd = (asked: Asked, answer: Answer): Answer =>
  isList(asked) && answer.body.startsWith('[')
    ? changed(answer, (orders: { price: number }[]) =>
        orders.map((order) => (order.price === 58_000 ? { ...order, side: 'HOLD' } : order)),
      )
    : answer

test('a working order that cannot be read is counted before a cancel of all, and what rests on it is not judged', async () => {
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '58000'))
  await exchange.clock.advance(1_000)
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '58001'))
  proxy.rewrite = oneIsOdd
  const dry = await shell.run('order cancel-all --every-symbol --dry-run')
  expect(JSON.parse(dry.stdout[0] ?? '')).toEqual({ count: 2 })
  const placed = await shell.run(line)
  expect([placed.code, failureIn(placed)]).toMatchObject([3, { kind: 'notSent' }])
  expect(failureIn(placed)).toMatchObject({ message: expect.stringContaining('unreadable') })
  expect(proxy.asked.some(isPlacing)).toBe(false)
})

test('a cancel of all that nothing is listed after is held against the reports of own orders', async () => {
  const own = async (quantity: number) => {
    const ran = await shell.run(`order place buy ${quantity} BTC-USD --limit 59000 --yes`)
    expect([ran.code, ran.stderr]).toEqual([0, []])
    return Number(JSON.parse(ran.stdout[0] ?? '').exOrdId)
  }
  const gone = await own(0.05)
  const left = await own(0.06)
  expect((await shell.runThrough(`order cancel ${gone}`)).code).toBe(0)
  await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 503 })
  let isUnreadable = false
  const asksById = ({ method, path }: Asked) => method === 'GET' && /^\/orders\/\d+$/.test(path)
  proxy.rewrite = (asked, answer) => {
    if (asked.method === 'DELETE') return { status: 200, body: '' }
    if (isList(asked)) return { status: 200, body: '[]' }
    return isUnreadable && asksById(asked) ? { status: 200, body: '{}' } : answer
  }
  proxy.asked.splice(0)
  const ran = await shell.runThrough('order cancel-all --every-symbol --yes')
  expect([ran.code, failureIn(ran)]).toMatchObject([
    1,
    { message: `1 order is still working in every symbol: ${left} OPEN.` },
  ])
  expect(proxy.asked.findIndex(asksById)).toBeGreaterThan(proxy.asked.findIndex(({ method }) => method === 'DELETE'))
  expect(proxy.asked.some(({ path }) => path === `/orders/${gone}`)).toBe(false)
  // What an empty list has confirmed is on record, and says nothing of it the next time.
  expect((await shell.runThrough('order cancel-all --every-symbol --yes')).code).toBe(1)
  expect((await shell.runThrough('order cancel-all --symbol ETH-USD --yes')).code).toBe(0)
  isUnreadable = true
  const unseen = await shell.runThrough('order cancel-all --every-symbol --yes')
  expect([unseen.code, failureIn(unseen)]).toMatchObject([
    6,
    { kind: 'unknown', message: expect.stringContaining(`but ${left} of your own may still be working`) },
  ])
  proxy.rewrite = asItCame
  await exchange.admin('/fault/off', {})
  expect((await shell.runThrough('order cancel-all --every-symbol --yes')).code).toBe(0)
})

test('a cancel of all is not seen where the reads are those of an account that knows none of the own orders', async () => {
  const ran = await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')
  const { exOrdId } = JSON.parse(ran.stdout[0] ?? '')
  await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
  proxy.rewrite = (asked, answer) => {
    if (asked.method === 'DELETE') return { status: 200, body: '' }
    if (isList(asked)) return { status: 200, body: '[]' }
    return /^\/orders\/\d+$/.test(asked.path) ? { status: 404, body: '' } : answer
  }
  const unseen = await shell.runThrough('order cancel-all --every-symbol --yes')
  expect([unseen.code, failureIn(unseen)]).toMatchObject([
    6,
    { kind: 'unknown', message: expect.stringContaining(`but ${exOrdId} of your own may still be working`) },
  ])
})

test('a cancel of all is seen where the exchange has forgotten an order, but knows another own one', async () => {
  const own = async () => {
    const ran = await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes --accept repeat')
    return Number(JSON.parse(ran.stdout[0] ?? '').exOrdId)
  }
  const forgotten = await own()
  await own()
  proxy.rewrite = (asked, answer) => (asked.path === `/orders/${forgotten}` ? { status: 404, body: '' } : answer)
  expect((await shell.runThrough('order cancel-all --every-symbol --yes')).code).toBe(0)
})

test('a cancel of all is seen where the exchange tells of ended orders by their lists alone, and done daily', async () => {
  await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')
  proxy.rewrite = (asked, answer) => (/^\/orders\/\d+$/.test(asked.path) ? { status: 404, body: '' } : answer)
  for (let times = 0; times < 2; times += 1)
    expect((await shell.runThrough('order cancel-all --every-symbol --yes')).code).toBe(0)
})

test('one empty list is not the end of a cancel of all', async () => {
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '58000'))
  let isFirst = true
  proxy.rewrite = (asked, answer) => {
    if (asked.method === 'DELETE') return { status: 200, body: '{}' }
    const isBehind = isList(asked) && isFirst
    if (isList(asked)) isFirst = false
    return isBehind ? { status: 200, body: '[]' } : answer
  }
  // The cancel never arrives.
  await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
  const ran = shell.start('order cancel-all --every-symbol --yes')
  await ran.until(() => ran.ran.code !== -1)
  expect(ran.ran.code).not.toBe(0)
  expect(ran.ran.stdout.join('')).not.toContain('"canceled"')
})

test('what a command has placed it prints with the terms it has sent, as orders and order show do', async () => {
  const own = async (line: string) => JSON.parse((await shell.run(line)).stdout.join(''))
  const stop = 'order place sell 0.01 BTC-USD --stop 58000 --yes --client-order-id st1'
  const placed = await own(stop)
  expect(placed).toMatchObject({ ordStatus: 'PENDING', stopPx: '58000', orderQty: '0.01', leavesQty: '0.01' })
  expect(await own('orders')).toEqual([placed])
  expect(await own(`order show ${placed.exOrdId}`)).toEqual(placed)
  expect(await own(stop)).toEqual(placed)
  const [head = '', row = ''] = (await shell.run(`${line} --csv`)).stdout
  const cells = new Map(head.split(',').map((name, at) => [name, row.split(',')[at]]))
  expect([cells.get('orderQty'), cells.get('leavesQty'), cells.get('stopPx')]).toEqual(['0.05', '0.05', ''])
})

test('an order told as FILLED with nothing filled has no quantity of zero: it is not known', async () => {
  const { orderId } = await exchange.client('trader').placeOrder(limitOrder('BUY', '0.05', '59000'))
  proxy.rewrite = (asked, answer) =>
    asked.path === `/orders/${orderId}`
      ? changed(answer, (order: object) => ({ ...order, ordStatus: 'FILLED', cumQty: 0, leavesQty: 0.05 }))
      : answer
  const shown = JSON.parse((await shell.run(`order show ${orderId}`)).stdout.join(''))
  expect(shown).toMatchObject({ ordStatus: 'FILLED', cumQty: '0' })
  expect(shown).not.toHaveProperty('orderQty')
})

test('a price is taken with its thousands as a letter, as a ticket takes it', async () => {
  const request = async (price: string) => {
    const ran = await shell.run(`order place buy 0.01 BTC-USD ${price} --dry-run`)
    return JSON.parse(ran.stdout.join('')).request
  }
  expect(await request('--limit 59.5k')).toMatchObject({ price: '59500' })
  expect(await request('--stop 61k --limit 62k')).toMatchObject({ stopPx: '61000', price: '62000' })
})

const isCanceling = ({ method }: Asked) => method === 'DELETE'
const isByIdOf = (orderId: string, { method, path }: Asked) => method === 'GET' && path.endsWith(`/orders/${orderId}`)

/** An own order that rests, and its id; it is on record here. */
async function ownResting(): Promise<string> {
  const ran = await shell.run(line)
  return String(JSON.parse(ran.stdout[0] ?? '').exOrdId)
}

test('a cancel that a report of another order confirms is no canceled', async () => {
  const orderId = await ownResting()
  // The cancel never takes effect.
  await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 503 })
  for (const other of [{ clOrdId: 'theirs' }, { symbol: 'ETH-USD', side: 'SELL' }, { cumQty: -5, leavesQty: 5.05 }]) {
    proxy.rewrite = (asked, answer) => {
      if (isCanceling(asked)) return { status: 200, body: '' }
      if (!isByIdOf(orderId, asked)) return answer
      return changed(answer, (order: object) => ({ ...order, ordStatus: 'CANCELED', ...other }))
    }
    expect((await shell.runThrough(`order cancel ${orderId}`)).code).not.toBe(0)
    expect(await exchange.working()).toHaveLength(1)
  }
})

test('a refused cancel of an order that is seen working is told as such, whatever the refusal', async () => {
  const orderId = await ownResting()
  for (const status of [400, 401, 403]) {
    proxy.rewrite = (asked, answer) => (isCanceling(asked) ? { status, body: '{"error":"no"}' } : answer)
    await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 503 })
    const ran = await shell.runThrough(`order cancel ${orderId}`)
    expect([ran.code, failureIn(ran)]).toMatchObject([1, { message: expect.stringContaining('it is still OPEN') }])
  }
  // An exchange that knows nothing of it by its id, and lists it.
  proxy.rewrite = (asked, answer) =>
    isCanceling(asked) || isByIdOf(orderId, asked) ? { status: 404, body: '' } : answer
  const ran = await shell.runThrough(`order cancel ${orderId}`)
  expect([ran.code, failureIn(ran)]).toMatchObject([1, { message: expect.stringContaining('it is still OPEN') }])
})

test("where the day's fills have no end an order is not sent, after so many pages", async () => {
  const fill = { exOrdId: 1, side: 'BUY', symbol: 'BTC-USD', price: '59000', qty: '0.0001', fee: '0' }
  const startMs = exchange.clock.wallMs()
  let pages = 0
  proxy.rewrite = ({ path }, answer) => {
    if (!path.startsWith('/fills')) return answer
    pages += 1
    const ids = [2 * pages - 1, 2 * pages]
    const fills = ids.map((id) => ({ ...fill, tradeId: 1e9 - id, execId: 1e9 - id, timestamp: startMs - id }))
    return { status: 200, body: JSON.stringify(fills) }
  }
  const ran = await shell.run(`${line} --json`)
  expect([ran.code, failureIn(ran)]).toMatchObject([3, { kind: 'notSent' }])
  expect(pages).toBe(1_100)
  expect(await exchange.working()).toEqual([])
})

test('a search for an id through long lists says how far it is, and sends nothing before it has seen them all', async () => {
  let pages = 0
  const older = (): object[] => {
    pages += 1
    const known = { ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', price: 59000, symbol: 'BTC-USD', leavesQty: 0.01 }
    return pages > 120 ? [] : [{ ...known, exOrdId: pages, clOrdId: `q${pages}`, cumQty: 0, timestamp: 1e12 - pages }]
  }
  proxy.rewrite = (asked, answer) =>
    asked.path.startsWith('/orders?') && asked.method === 'GET' && pages <= 120
      ? changed(answer, () => older())
      : answer
  const ran = await shell.runThrough(`${line} --client-order-id aa1`)
  expect([ran.code, JSON.parse(ran.stdout[0] ?? '')]).toMatchObject([0, { clOrdId: 'aa1', ordStatus: 'OPEN' }])
  expect(ran.stderr).toEqual([
    "Looking for order aa1 in the exchange's lists: 100 pages so far. Nothing is sent meanwhile.",
  ])
})
