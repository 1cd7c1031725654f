import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Exchange, limitOrder, openExchange, openShell, quotes, type Shell, told } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

/** Orders that rest, and their ids. */
async function resting(count: number, symbol = 'BTC-USD'): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const order = await exchange.client('trader').placeOrder(limitOrder('BUY', '0.001', `${10_000 + at}`, symbol))
    ids.push(order.orderId ?? '')
  }
  return ids
}

test('what stays open after a cancel of all is listed with its ids, and nothing else is claimed', async () => {
  const ids = await resting(2)
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt-freeze' })
  const ran = await shell.runThrough('order cancel-all --every-symbol --yes')
  expect(told(ran)).toEqual({
    code: 1,
    kind: 'failed',
    message: `2 orders are still working in every symbol: ${ids[1]} OPEN, ${ids[0]} OPEN.`,
    todo: 'Look at pitdesk orders, and cancel again: it does no harm.',
  })
  const { working: left } = JSON.parse(ran.stdout[0] ?? '')
  expect(left.map(({ exOrdId }: { exOrdId: number }) => String(exOrdId))).toEqual([ids[1], ids[0]])
  expect(ran.stderr[0]).toBe('2 orders are still working: checking.')
  expect(ran.stdout.join()).not.toContain('canceled')
})

test('of a pending stop that stays the quantity and trigger are told, and never that nothing of it is left', async () => {
  await quotes(exchange)
  const placed = await shell.run('order place sell 0.01 BTC-USD --stop 55000 --yes --accept soft-limit --json')
  expect(placed.code).toBe(0)
  const terms = { stopPx: '55000', orderQty: '0.01', leavesQty: '0.01' }
  expect(JSON.parse((await shell.run('orders --json')).stdout.join(''))).toMatchObject([terms])
  await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 503 })
  const ran = await shell.runThrough('order cancel-all --every-symbol --yes')
  expect(JSON.parse(ran.stdout[0] ?? '').working).toMatchObject([terms])
  // Another machine has no journal of it, and this one may have none that can be opened: what is left is unknown.
  const file = join(shell.home, 'in-the-way')
  writeFileSync(file, '')
  for (const more of [{}, { XDG_STATE_HOME: file }]) {
    const other = openShell({ ...exchange.environment(), ...more }, exchange.clock)
    const { working } = JSON.parse((await other.runThrough('order cancel-all --every-symbol --yes')).stdout[0] ?? '')
    expect(working).toMatchObject([{ ordStatus: 'PENDING', ordType: 'STOP' }])
    expect(working[0]).not.toHaveProperty('leavesQty')
  }
})

test('orders that go a moment later are waited for', async () => {
  await resting(2)
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt-freeze' })
  const running = shell.start('order cancel-all --every-symbol --yes')
  await running.until(() => running.ran.stderr.length > 0)
  await exchange.admin('/symbol/status', { symbol: 'BTC-USD', status: 'halt' })
  await exchange.client('trader').cancelAllOrders('BTC-USD')
  await running.until(() => running.ran.code !== -1)
  expect({ code: running.ran.code, answer: JSON.parse(running.ran.stdout[0] ?? '') }).toEqual({
    code: 0,
    answer: { outcome: 'canceled' },
  })
})

test('no read that fails keeps the cancel from leaving; what cannot be looked at is unknown', async () => {
  await resting(3)
  await exchange.admin('/fault/status', { rate: 1, path: 'GET *', status: 503 })
  const ran = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
  expect(told(ran)).toMatchObject({
    code: 6,
    kind: 'unknown',
    message: expect.stringMatching(/^whether orders are still working in BTC-USD is unknown: /),
  })
  await exchange.admin('/fault/off', {})
  expect(await exchange.working()).toEqual([])
})

test('a count that fails, or takes long, leaves the question without a number', async () => {
  await resting(3)
  const line = 'order cancel-all --symbol BTC-USD'
  const known = await shell.runThrough(line, { isTerminal: true, typed: 'no\n' })
  expect(known.stderr[0]).toContain('Cancel all 3 working orders in BTC-USD on LIVE environment')
  expect(known.code).toBe(3)
  const none = await shell.runThrough('order cancel-all --symbol ETH-USD', { isTerminal: true, typed: 'no\n' })
  expect(none.stderr[0]).toContain('Cancel any working order, of which none is listed, in ETH-USD on LIVE environment')
  for (const fault of ['/fault/stall', '/fault/status', '/fault/malformed']) {
    await exchange.admin(fault, { rate: 1, path: 'GET /orders' })
    const asked = await shell.runThrough(line, { isTerminal: true, typed: 'no\n' })
    expect(asked.stderr[0]).toMatch(/^Cancel all working orders in BTC-USD on LIVE environment\nType yes/)
    await exchange.admin('/fault/off', {})
  }
  expect((await shell.runThrough(line, { isTerminal: true, typed: 'yes\n' })).code).toBe(0)
  expect(await exchange.working()).toEqual([])
})

test('without a journal cancels go out unrecorded, and it is told of', async () => {
  const [first] = await resting(3)
  const file = join(shell.home, 'in-the-way')
  writeFileSync(file, '')
  const blocked = openShell({ ...exchange.environment(), XDG_STATE_HOME: file }, exchange.clock)
  const one = await blocked.runThrough(`order cancel ${first}`)
  expect({ code: one.code, said: one.stderr }).toEqual({
    code: 0,
    said: expect.arrayContaining([
      expect.stringMatching(
        /^Only cancels are sent, and are not on record: the journal in .* cannot be opened: .*ENOTDIR/,
      ),
      expect.stringMatching(`^Not on record: cancel of order ${first}, canceled; the journal in `),
    ]),
  })
  expect(await exchange.working()).toHaveLength(2)
  expect((await blocked.runThrough('order cancel-all --every-symbol --yes')).code).toBe(0)
  expect(await exchange.working()).toEqual([])
  expect(told(await blocked.runThrough('order place buy 0.01 BTC-USD --limit 59000 --yes'))).toMatchObject({ code: 3 })
})

test('of several ids the gravest outcome is the exit code, and each has its own', async () => {
  const [first, second] = await resting(2)
  const ran = await shell.runThrough(`order cancel ${first} 999999 ${second}`)
  expect(told(ran)).toMatchObject({
    code: 4,
    kind: 'rejected',
    message: expect.stringContaining('Order 999999 not canceled'),
  })
  expect(JSON.parse(ran.stdout[0] ?? '').orders).toEqual([
    { exOrdId: Number(first), outcome: 'canceled' },
    { exOrdId: 999999, outcome: 'refused' },
    { exOrdId: Number(second), outcome: 'canceled' },
  ])
  const gone = openShell(
    { ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' },
    exchange.clock,
  )
  expect(told(await gone.runThrough('order cancel 1 2'))).toMatchObject({ code: 5, kind: 'unreachable' })
  expect(told(await gone.runThrough('order cancel-all --every-symbol --yes'))).toMatchObject({
    code: 5,
    kind: 'unreachable',
  })
})

test('of an order that has ended nobody knows how until the exchange says it', async () => {
  const [first] = await resting(1)
  await exchange.client('trader').cancelOrder(first ?? '')
  await exchange.admin('/fault/status', { rate: 1, path: 'GET *', status: 503 })
  expect(told(await shell.runThrough(`order cancel ${first}`))).toMatchObject({
    code: 6,
    kind: 'unknown',
    message: expect.stringMatching(
      new RegExp(`^Order ${first} has ended, final state unknown \\(the exchange refused, `),
    ),
  })
  await exchange.admin('/fault/off', {})
  expect(await shell.runThrough(`order cancel ${first}`)).toMatchObject({
    code: 0,
    stdout: [expect.stringContaining('"canceled"')],
  })
})

test('one order that had filled is told of as such, and one whose answer was lost by what is seen', async () => {
  const [first, second] = await resting(2)
  await exchange.client('counterparty').placeOrder(limitOrder('SELL', '0.001', '10001'))
  expect(told(await shell.runThrough(`order cancel ${second}`))).toMatchObject({
    code: 4,
    kind: 'rejected',
    message: `Order ${second} not canceled: it is FILLED.`,
  })
  await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
  expect(told(await shell.runThrough(`order cancel ${first}`))).toMatchObject({
    code: 1,
    kind: 'failed',
    message: `Order ${first} not canceled: it is still OPEN.`,
  })
  await exchange.admin('/fault/off', {})
  await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'after' })
  expect((await shell.runThrough(`order cancel ${first}`)).code).toBe(0)
})

test.each([401, 409])(
  'a cancel of all that is refused with %i is told with the ids of what is seen working',
  async (status) => {
    const ids = await resting(2)
    await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status })
    const ran = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
    expect(told(ran)).toMatchObject({
      code: 1,
      kind: 'failed',
      message: expect.stringMatching(
        new RegExp(`^the exchange refused .*\\. 2 orders are still working: ${ids[1]} OPEN, ${ids[0]} OPEN\\.$`),
      ),
    })
    expect(JSON.parse(ran.stdout[0] ?? '').working).toHaveLength(2)
  },
)

test('a cancel of all that is refused where nothing can be seen is a rejection', async () => {
  await resting(1)
  await exchange.admin('/fault/status', { rate: 1, path: '*', status: 401 })
  const ran = await shell.runThrough('order cancel-all --symbol BTC-USD --yes')
  expect(told(ran)).toMatchObject({ code: 4, message: expect.stringContaining('Orders may still be working.') })
})

test.each([404, 409])(
  'a cancel answered with %i of an order that is seen working says what is seen',
  async (status) => {
    const [id = ''] = await resting(1)
    await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status })
    const ran = await shell.runThrough(`order cancel ${id}`)
    expect(told(ran)).toMatchObject({
      code: 1,
      kind: 'failed',
      message: expect.stringMatching(
        new RegExp(`^Order ${id} not canceled: it is still OPEN, the exchange refused it \\(`),
      ),
    })
  },
)

test('a cancel that is accepted, of an order that no id leads to and that stays listed, is told as one that works', async () => {
  const [id = ''] = await resting(1)
  const between = await startRewritingProxy(exchange.sandbox.exchangeUrl)
  between.rewrite = ({ method, path }, answer) =>
    path === `/orders/${id}` ? { ...answer, status: method === 'DELETE' ? 200 : 404, body: '' } : answer
  await exchange.admin('/fault/status', { rate: 1, path: 'DELETE *', status: 503 })
  const here = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: between.url }, exchange.clock)
  const ran = await here.runThrough(`order cancel ${id}`)
  expect(ran.stderr.join('\n')).toContain(`The cancel of ${id} did not take effect: order is OPEN.`)
  expect(told(ran)).toMatchObject({ code: 1, kind: 'failed', message: `Order ${id} not canceled: it is still OPEN.` })
})

test('a cancel that is accepted, of an order that neither an id nor a list leads to, stays unknown', async () => {
  const [id = ''] = await resting(1)
  const between = await startRewritingProxy(exchange.sandbox.exchangeUrl)
  between.rewrite = ({ method, path }, answer) =>
    method === 'GET' && path === `/orders/${id}` ? { ...answer, status: 404, body: '' } : answer
  const here = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: between.url }, exchange.clock)
  expect(told(await here.runThrough(`order cancel ${id}`))).toMatchObject({
    code: 6,
    message: expect.stringContaining(`Order ${id} may still be working`),
  })
})

test('a scope that is given twice is told apart from one that is missing', async () => {
  expect(told(await shell.run('order cancel-all --symbol BTC-USD --every-symbol --yes'))).toMatchObject({
    code: 2,
    message: '--symbol and --every-symbol are both given: use one of them',
  })
  expect(told(await shell.run('order cancel-all --yes')).message).toMatch(/^scope missing: /)
})

test('a cancel of all in a symbol that is not listed is not sent, unless an order works in it or that cannot be seen', async () => {
  const proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
  const behind = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
  await resting(1)
  const sent = () => proxy.asked.filter(({ method }) => method === 'DELETE').length
  for (const symbol of ['btc', 'BTCUSD'])
    for (const flag of ['--yes', '--dry-run'])
      expect(told(await behind.run(`order cancel-all --symbol ${symbol} ${flag}`))).toMatchObject({
        code: 3,
        message: expect.stringMatching(
          `^not sent: unknown symbol ${symbol.toUpperCase()}, did you mean "BTC-USD".*\\? Nothing was canceled\\.$`,
        ),
      })
  expect(sent()).toBe(0)
  proxy.rewrite = ({ path }, answer) => (path === '/symbols' ? { status: 200, body: '[]' } : answer)
  expect((await behind.runThrough('order cancel-all --symbol BTC-USD --yes')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(0)
  proxy.rewrite = ({ path }, answer) => (path === '/symbols' ? { status: 503, body: '' } : answer)
  await behind.runThrough('order cancel-all --symbol btc --yes')
  expect(sent()).toBe(2)
})

test('a symbol without its flag cancels nothing, and is told with the command for each symbol that may be meant', async () => {
  await resting(1)
  const asked = async (words: string) => told(await shell.run(`order cancel-all ${words}`))
  const wrong = 'Nothing was canceled: it takes only flags; a symbol goes after --symbol, and --every-symbol is for all'
  const type = (scope: string, message = wrong) => {
    const [one, other] = scope.split(' or ').map((each) => `pitdesk order cancel-all ${each}`)
    return { code: 2, message, todo: `Type ${other === undefined ? one : `${one} or ${other}`}.` }
  }
  expect(await asked('btc-usd --yes')).toMatchObject(type('--symbol BTC-USD --yes'))
  expect(await asked('all --yes')).toMatchObject(type('--every-symbol --yes'))
  // One that is only like the word is not the word: its stops may be all that protects it.
  const like = (word: string, symbol: string) => `${wrong}; unknown symbol ${word}, did you mean "${symbol}"?`
  expect(await asked('eht-usd')).toMatchObject(type('--symbol ETH-USD', like('eht-usd', 'ETH-USD')))
  expect(await asked('btc')).toMatchObject(type('--symbol BTC-USD', like('btc', 'BTC-USD')))
  // Two scopes: neither is taken for the one that is meant.
  expect(await asked('eth-usd --every-symbol')).toMatchObject(type('--symbol ETH-USD or --every-symbol'))
  expect(await asked('eth-usd --symbol BTC-USD')).toMatchObject(type('--symbol ETH-USD or --symbol BTC-USD'))
  expect(await asked('all --symbol BTC-USD')).toMatchObject(type('--every-symbol or --symbol BTC-USD'))
  expect(await asked('--symbol btc --yes')).toMatchObject({
    todo: 'Type pitdesk order cancel-all --symbol BTC-USD --yes. List them with pitdesk symbols.',
  })
  expect(await exchange.working()).toHaveLength(1)
})

test('of several ids all leave before the first is answered, each on record, and each answer is its own', async () => {
  const proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
  const behind = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
  const ids = [...(await resting(2)), '999999']
  const [first = '', second = ''] = ids
  const cancels = () => proxy.asked.filter(({ method }) => method === 'DELETE')
  let answerFirst = () => {}
  const isHeld = new Promise<void>((resolve) => {
    answerFirst = resolve
  })
  proxy.rewrite = async ({ method, path }, answer) => {
    if (method === 'DELETE' && path.endsWith(first)) await isHeld
    return answer
  }
  const running = behind.start(`order cancel ${ids.join(' ')}`)
  await running.until(() => cancels().length === ids.length)
  answerFirst()
  await running.until(() => running.ran.code !== -1)
  expect(told(running.ran)).toMatchObject({ code: 4, message: expect.stringMatching(/^Order 999999 not canceled: /) })
  expect(JSON.parse(running.ran.stdout[0] ?? '').orders).toEqual([
    { exOrdId: Number(first), outcome: 'canceled' },
    { exOrdId: Number(second), outcome: 'canceled' },
    { exOrdId: 999999, outcome: 'refused' },
  ])
  const { stdout } = await behind.run('journal --json')
  const recorded = stdout.map((line) => JSON.parse(line))
  expect(JSON.stringify(recorded)).toMatch(new RegExp(`${ids.join('.*')}|${ids.toReversed().join('.*')}`))
})

test('a cancel without an answer hides neither the refusal of another one nor what took effect', async () => {
  const [first = '', second = ''] = await resting(2)
  await exchange.admin('/fault/drop', { rate: 1, path: `DELETE *${first}`, when: 'before' })
  const ran = await shell.runThrough(`order cancel ${first} 999999 ${second}`)
  expect(told(ran)).toMatchObject({ code: 4, kind: 'rejected' })
  expect(JSON.parse(ran.stdout[0] ?? '').orders).toEqual([
    { exOrdId: Number(first), outcome: 'working', ordStatus: 'OPEN' },
    { exOrdId: 999999, outcome: 'refused' },
    { exOrdId: Number(second), outcome: 'canceled' },
  ])
})

test('a cancel without an answer, of an order that no id and no list has, is told as one of an unknown order', async () => {
  await exchange.admin('/fault/drop', { rate: 1, path: 'DELETE *', when: 'before' })
  const ran = await shell.runThrough('order cancel 999999')
  expect(told(ran)).toMatchObject({
    ...{
      code: 4,
      kind: 'rejected',
      message: expect.stringMatching(/^Order 999999 not canceled: the exchange knows no/),
    },
  })
  expect(ran.stderr[0]).toContain('there is nothing to cancel')
  expect(JSON.parse((await shell.run('journal --open --json')).stdout[0] ?? '')).toEqual([])
})

test('an order that is called canceled by its id, and goes on being listed as working, is told of as what was seen', async () => {
  const [first = '', second = ''] = await resting(2)
  const between = await startRewritingProxy(exchange.sandbox.exchangeUrl)
  const isList = (path: string) => /^\/orders(\?|$)/.test(path)
  const before = { text: '', swallows: first }
  between.rewrite = ({ method, path }, answer) => {
    if (method !== 'GET' || !isList(path)) return answer
    before.text ||= answer.body
    const listed: { exOrdId: number }[] = JSON.parse(before.text)
    return { ...answer, body: JSON.stringify(listed.filter(({ exOrdId }) => String(exOrdId) === before.swallows)) }
  }
  const here = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: between.url }, exchange.clock)
  expect((await here.runThrough('orders --json')).code).toBe(0)
  const ran = await here.runThrough(`order cancel ${first} ${second}`)
  expect(told(ran)).toMatchObject({
    code: 6,
    kind: 'unknown',
    message: `Order ${first} is reported as CANCELED by its id, and still listed as OPEN: it may still be working.`,
    todo: 'Cancel again: it does no harm.',
  })
  expect(JSON.parse(ran.stdout[0] ?? '').orders).toEqual([
    { exOrdId: Number(first), outcome: 'unknown' },
    { exOrdId: Number(second), outcome: 'canceled' },
  ])
  const [behind = ''] = await resting(1)
  before.text = ''
  before.swallows = behind
  await here.runThrough('orders --json')
  const running = here.start(`order cancel ${behind}`)
  const lists = () => between.asked.filter(({ method, path }) => method === 'GET' && isList(path)).length
  const beforeIt = lists()
  await running.until(() => lists() - beforeIt >= 3)
  before.swallows = ''
  await running.until(() => running.ran.code !== -1)
  expect(running.ran.code).toBe(0)
})
