import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { linesTo } from '../../fakes/output.ts'
import { httpCall } from '../../sandbox/http/harness.ts'
import { runSandboxCommand } from './sandbox-command.ts'

const stateHome = mkdtempSync(join(tmpdir(), 'pitdesk-state-'))
afterAll(() => rmSync(stateHome, { recursive: true, force: true }))

/** A process that only remembers what was written. */
function fakeIo() {
  const printed: string[] = []
  const complained: string[] = []
  const ended = new AbortController()
  let onPrint = () => {}
  const firstPrint = new Promise<void>((resolve) => {
    onPrint = resolve
  })
  const io = {
    environment: { XDG_STATE_HOME: stateHome },
    stdout: { isTTY: false, columns: 80 },
    ...linesTo((line) => {
      printed.push(line)
      onPrint()
    }),
    printError: (line: string) => complained.push(line),
    signal: ended.signal,
  }
  return { io, printed, complained, ended, firstPrint }
}

const anyPorts = ['--port', '0', '--gateway-port', '0', '--admin-port', '0']

test('the first line tells where everything is, in the order programs rely on, and a signal ends it', async () => {
  const { io, printed, ended, firstPrint } = fakeIo()
  const done = runSandboxCommand([...anyPorts, '--market', 'off', '--seed', '3', '--wire', 'strings'], io)
  await firstPrint
  const line = printed[0] ?? ''
  const first = JSON.parse(line) as { exchange: string; accounts: Array<{ token: string }> }
  expect(Object.keys(first)).toEqual(['exchange', 'gateway', 'admin', 'adminToken', 'accounts', 'partnerKey'])
  const loopback = (path: string) => expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}$`))
  const account = (name: string, twoFactor: boolean) => ({
    name,
    token: expect.stringMatching(/^[\w-]{32}$/),
    twoFactor,
  })
  expect(first).toEqual({
    exchange: loopback('/v3'),
    gateway: loopback(''),
    admin: loopback(''),
    adminToken: expect.stringMatching(/^[\w-]{32}$/),
    accounts: [
      account('trader', true),
      account('counterparty', true),
      account('no2fa', false),
      account('unverified', true),
    ],
    partnerKey: expect.stringMatching(/^[\w-]{32}$/),
  })
  expect(line).toMatch(/"accounts":\[\{"name":"trader","token":"[^"]+","twoFactor":true\},/)
  const headers = { 'X-API-Token': first.accounts[0]?.token ?? '' }
  const fees = await httpCall(first.exchange, { path: '/v3/fees', headers })
  expect(fees.json).toEqual({ makerRate: '0.001', takerRate: '0.002', volumeInUSD: '0' })
  ended.abort('SIGTERM')
  expect(await done).toBe(0)
  await expect(httpCall(first.exchange, { path: '/v3/fees', headers })).rejects.toThrow(/ECONNREFUSED/)
  expect(printed).toHaveLength(1)
})

test('a signal before the start is over still ends it', async () => {
  const { io, ended } = fakeIo()
  ended.abort('SIGINT')
  expect(await runSandboxCommand([...anyPorts, '--market', 'off'], io)).toBe(0)
})

test('--data keeps the exchange: the next start has the same keys, and a second one beside it is told to wait', async () => {
  const data = join(stateHome, 'kept')
  const argv = [...anyPorts, '--market', 'off', '--data', data]
  const lines: string[] = []
  for (let start = 1; start <= 2; start++) {
    const first = fakeIo()
    const done = runSandboxCommand(argv, first.io)
    await first.firstPrint
    lines.push((first.printed[0] ?? '').replaceAll(/:\d+/g, ''))
    const second = fakeIo()
    expect(await runSandboxCommand(argv, second.io)).toBe(1)
    const sentence = `pitdesk sandbox: The data folder ${data} is in use by another practice exchange.`
    expect([second.complained, second.printed]).toEqual([[sentence], []])
    first.ended.abort('SIGTERM')
    expect(await done).toBe(0)
  }
  expect(lines[0]).toContain('"name":"trader","token":"')
  expect(lines[1]).toBe(lines[0])
})

test('--rate-limit limits', async () => {
  const { io, printed, ended, firstPrint } = fakeIo()
  const done = runSandboxCommand([...anyPorts, '--market', 'off', '--rate-limit', '1'], io)
  await firstPrint
  const { exchange, accounts } = JSON.parse(printed[0] ?? '') as {
    exchange: string
    accounts: Array<{ token: string }>
  }
  const headers = { 'X-API-Token': accounts[0]?.token ?? '' }
  const answers = await Promise.all([1, 2, 3].map(() => httpCall(exchange, { path: '/v3/fees', headers })))
  expect(answers.map(({ status }) => status)).toContain(429)
  ended.abort('SIGINT')
  await done
})

test.each(['--port', '--gateway-port', '--admin-port'])('a port in use is told with its flag: %s', async (flag) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  const { io, complained, printed } = fakeIo()
  const ports = anyPorts.with(anyPorts.indexOf(flag) + 1, port)
  expect(await runSandboxCommand([...ports, '--market', 'off'], io)).toBe(1)
  expect(complained).toEqual([
    `pitdesk sandbox: port ${port} is in use already; choose another with ${flag}, or 0 for any free one`,
  ])
  expect(printed).toEqual([])
  await new Promise((resolve) => other.close(resolve))
})

test('--help explains every flag', async () => {
  const { io, printed } = fakeIo()
  expect(await runSandboxCommand(['--help'], io)).toBe(0)
  for (const flag of ['--port', '--gateway-port', '--admin-port', '--seed', '--market', '--wire', '--rate-limit']) {
    expect(printed.join('\n')).toContain(flag)
  }
})

describe('wrong usage is one line on stderr and exit code 2', () => {
  test.each([
    [['--port', 'x'], '--port'],
    [['--port', '70000'], '--port'],
    [['--port', '-1'], 'port'],
    [['--port'], 'port'],
    [['--gateway-port', '1.5'], '--gateway-port'],
    [['--seed', 'abc'], '--seed'],
    [['--market', 'maybe'], '--market'],
    [['--wire', 'hex'], '--wire'],
    [['--rate-limit', '0'], '--rate-limit'],
    [['--colour', 'red'], '--colour'],
    [['now'], 'only flags'],
    [['--data', ''], '--data'],
  ])('%j', async (argv, named) => {
    const { io, complained, printed } = fakeIo()
    expect(await runSandboxCommand(argv, io)).toBe(2)
    expect(complained).toEqual([expect.stringContaining(named)])
    expect(complained[0]).not.toContain('\n')
    expect(printed).toEqual([])
  })
})
