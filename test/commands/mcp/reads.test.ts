import { beforeEach, expect, test } from 'vitest'
import { agentTools } from '../../../src/commands/mcp/server.ts'
import { inputSchema, outputSchema } from '../../../src/commands/mcp/tool.ts'
import { accountFolder, recordSome } from '../../history/aids.ts'
import { faultBy } from '../conform.ts'
import { type Exchange, limitOrder, openExchange, openShell, quotes, type Shell } from '../harness.ts'
import { type Agent, openAgent, type Told } from './aids.ts'

let exchange: Exchange
let shell: Shell
let agent: Agent

beforeEach(async () => {
  exchange = await openExchange()
  await quotes(exchange)
  shell = openShell(exchange.environment(), exchange.clock)
  agent = await openAgent(shell)
})

const rowsOf = ({ value }: Told): readonly Record<string, unknown>[] => (Array.isArray(value.rows) ? value.rows : [])

/** What every read is asked for. */
const questions: readonly (readonly [string, object])[] = [
  ['symbols', {}],
  ['symbols', { symbol: 'btc-usd' }],
  ['book', { symbol: 'BTC-USD' }],
  ['book', { symbol: 'BTC-USD', level: 3, depth: 1 }],
  ['tickers', {}],
  ['tickers', { symbol: 'BTC-USD' }],
  ['orders', {}],
  ['orders', { status: 'FILLED', from: '7d' }],
  ['order', { id: '3' }],
  ['fills', {}],
  ['trades', { symbol: 'BTC-USD' }],
  ['pnl', { method: 'lifo' }],
  ['balances', {}],
  ['balances', { currency: 'BTC' }],
  ['fees', {}],
  ['deposits', {}],
  ['withdrawals', {}],
  ['whitelist', { currency: 'BTC' }],
  ['status', {}],
  ['journal', {}],
  ['journal', { open: true }],
  ['order_drafts', {}],
  ['withdrawal_drafts', {}],
  ['limits', {}],
  ['history', {}],
  ['history_bars', { symbol: 'BTC-USD' }],
  ['history_equity', {}],
  ['history_fills', {}],
  ['history_orders', {}],
]

test('every read answers what the command does, by its own schema, with when it was read', async () => {
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.01', '60000.5'))
  recordSome(accountFolder(shell.environment))
  expect((await shell.runThrough('order place buy 0.01 BTC-USD --limit 59000 --yes')).code).toBe(0)
  const asked = new Set<string>()
  for (const [name, input] of questions) {
    const told = await agent.call(name, input)
    expect(told.isError, `${name}: ${told.text}`).toBe(false)
    const tool = agentTools.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    expect(faultBy(outputSchema(tool), told.value), name).toBeNull()
    expect(told.value).toMatchObject({ isStale: false, readAt: expect.any(Number), ageMs: expect.any(Number) })
    asked.add(name)
  }
  expect([...asked]).toEqual(agentTools.filter(({ kind }) => kind !== 'draft').map(({ name }) => name))
  const orders = await agent.call('orders')
  const listed: unknown = JSON.parse((await shell.runThrough('orders')).stdout.join(''))
  expect(rowsOf(orders)).toEqual(listed)
  expect(rowsOf(await agent.call('journal'))[0]).toMatchObject({ kind: 'order', result: 'accepted' })
})

test('a list is read page by page, and a cursor goes with its own question', async () => {
  for (let count = 0; count < 5; count += 1)
    await exchange.client('trader').placeOrder(limitOrder('BUY', '0.001', `${50_000 + count}`))
  const prices: unknown[] = []
  let cursor: unknown
  for (let pages = 0; pages < 3; pages += 1) {
    const page = await agent.call('orders', { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    prices.push(...rowsOf(page).map(({ price }) => price))
    cursor = page.value.nextCursor
    expect(cursor === undefined).toBe(pages === 2)
    if (pages > 0) continue
    // An order that comes in between moves nothing.
    await exchange.client('trader').placeOrder(limitOrder('BUY', '0.001', '49000'))
    const other = await agent.call('fills', { cursor })
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('ask for the first page again') })
  }
  expect(prices).toEqual(['50004', '50003', '50002', '50001', '50000'])
  const lapsed = await agent.call('orders', { limit: 2 })
  await exchange.clock.advance(301_000)
  expect(await agent.call('orders', { limit: 2, cursor: lapsed.value.nextCursor })).toMatchObject({ isError: true })
})

test('what is asked for wrongly is told of in a sentence', async () => {
  for (const [name, input, words] of [
    ['orders', { symbol: 'no symbol' }, 'a symbol is written like BTC-USD'],
    ['orders', { limit: 201 }, '200'],
    ['orders', { from: '2026-02-31' }, 'from must be a UTC time'],
    ['orders', { everything: true }, 'additional properties'],
    ['order', { id: '-1' }, 'id does not fit, it is an id of the exchange: digits'],
    ['order', {}, 'id'],
    ['order', { id: '999' }, '"kind":"rejected"'],
    ['book', { symbol: 'NO-SUCH' }, '"kind":"rejected"'],
    ['no_such_tool', {}, 'not found'],
  ] as const)
    expect(await agent.call(name, input), name).toMatchObject({
      isError: true,
      text: expect.stringContaining(words),
    })
})

test('an answer that lay there says how old it is, and the same question within a second asks nobody', async () => {
  const first = await agent.call('balances')
  const again = await agent.call('balances')
  expect(again.value.readAt).toBe(first.value.readAt)
  await exchange.clock.advance(1_000)
  expect((await agent.call('balances')).value.readAt).toBeGreaterThan(Number(first.value.readAt))
  const listed = await agent.call('tickers', { limit: 1 })
  await exchange.clock.advance(60_000)
  const later = await agent.call('tickers', { limit: 1, cursor: listed.value.nextCursor })
  expect(later.value).toMatchObject({ isStale: true, readAt: listed.value.readAt })
})

test('the status says of what was read that it is too old exactly where the answer itself would', async () => {
  const staleAfterMs = new Map(agentTools.map((tool) => [tool.name, tool.staleAfterMs]))
  for (const [name, input] of questions) await agent.call(name, input)
  const told = async () => {
    const { value } = (await agent.call('status')).value
    return JSON.parse(JSON.stringify(value)).ages.map((each: Record<string, unknown>) => [each.tool, each.isStale])
  }
  for (const waitMs of [0, 12_000, 40_000, 30_000]) {
    await exchange.clock.advance(waitMs)
    const { value } = (await agent.call('status')).value
    const { ages } = JSON.parse(JSON.stringify(value))
    for (const { tool, ageMs, isStale } of ages)
      expect([tool, isStale]).toEqual([tool, ageMs > (staleAfterMs.get(tool) ?? 0)])
  }
  expect(await told()).toContainEqual(['trades', true])
})

test('without an exchange that it can reach it says so, and ends', async () => {
  const alone = await openShell().run('mcp')
  expect(alone).toMatchObject({ code: 1, stdout: [] })
  expect(alone.stderr.join()).toContain('the practice exchange of a desk is not shared')
  const typed = await openShell(exchange.environment()).run('mcp', { isTerminal: true })
  expect(typed.stderr.join()).toContain('stdin is a terminal')
})

test('tools and what they take are kept in a file: a change of it is one that agents see', async () => {
  const lines = agentTools.map((tool) => {
    const { properties, required } = inputSchema(tool)
    const needed = Array.isArray(required) ? required : []
    const fields = Object.keys(Object(properties)).map((name) => (needed.includes(name) ? name : `${name}?`))
    return `${tool.name} (${tool.kind}): ${fields.join(' ')}`.trimEnd()
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('tools.txt')
})
