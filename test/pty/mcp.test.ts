import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { limitOrder, openExchange, quotes } from '../commands/harness.ts'
import { nodeArgv, stderrOf } from '../fakes/child-program.ts'
import { aHome, builtForTests, environmentOf, program, writtenIn } from './program.ts'

// The built program in the hands of the official client, and of one that writes what it likes.

builtForTests()
const home = aHome('mcp')

async function anExchange() {
  const exchange = await openExchange()
  await quotes(exchange)
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.1', '50000'))
  return { exchange, env: { ...environmentOf(home), ...exchange.environment() } }
}

test.each(['2025-11-25', '2026-07-28'])('the official client, at version %s, reads and drafts', async (version) => {
  const { exchange, env } = await anExchange()
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [`${program}/pitdesk.js`, 'mcp'], env, stderr: 'pipe' },
  })
  const client = new Client(
    { name: 'official', version: '1' },
    version === '2026-07-28' ? { versionNegotiation: { mode: { pin: version } } } : {},
  )
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['orders', 'draft_order', 'status']))
  // The client holds what it gets against the output schema itself.
  const orders = await client.callTool({ name: 'orders', arguments: {} })
  expect(orders.structuredContent).toMatchObject({ from: 'exchange', rows: [{ price: '50000' }] })
  const order = { side: 'SELL', quantity: '0.01', symbol: 'BTC-USD', limitPrice: '61000' }
  const drafted = await client.callTool({ name: 'draft_order', arguments: order })
  expect(drafted.structuredContent).toMatchObject({ value: { isSent: false, draft: { by: 'mcp official' } } })
  expect(await exchange.working()).toHaveLength(1)
  await client.close()
  expect(writtenIn(home).join('\n')).not.toContain(exchange.token('trader'))
})

async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, nodeArgv(program, 'mcp'), { env, stdio: 'pipe' })
  const log = stderrOf(child)
  const ended = once(child, 'close').then(([code]) => code as unknown)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stdin.on('error', () => undefined)
  const said = async (words: string) => {
    while (!out.includes(words) && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), ended])
    return out
  }
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  write({
    ...{ id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  await said('"id":1')
  return { child, log, ended, write, said }
}

describe('by lines', () => {
  test('it ends with 0 when stdin is closed, and says nothing but the protocol', async () => {
    const { env } = await anExchange()
    const { child, ended, write, said, log } = await start(env)
    write({ id: 2, method: 'tools/call', params: { name: 'status', arguments: {} } })
    const out = await said('"id":2')
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    child.stdin.end()
    expect(await ended).toBe(0)
    expect(log()).toBe('pitdesk mcp: LIVE environment, reads and drafts; nothing is sent from here\n')
  })

  test('a signal ends it, and so does a reader that left', async () => {
    const { env } = await anExchange()
    const first = await start(env)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const second = await start(env)
    second.child.stdout.destroy()
    second.write({ id: 2, method: 'tools/list', params: {} })
    expect(await second.ended).toBe(0)
  })

  test('50 MB without a line end are refused', async () => {
    const { env } = await anExchange()
    const { child, ended, log } = await start(env)
    const piece = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 50 && child.exitCode === null; count += 1)
      if (!child.stdin.write(piece)) await Promise.race([once(child.stdin, 'drain').catch(() => null), ended])
    expect(await ended).toBe(1)
    expect(log()).toContain('a message was longer than 1048576 bytes: ended')
    expect(log()).not.toContain('crashed')
  })
})
