import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheOf } from '../fakes/child-program.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'
import { Terminal } from './terminal.ts'

const home = aHome('commands')
const pitdesk = `${process.execPath} ${program}/pitdesk.js`

let sandbox: SandboxProcess
const token = () => sandbox.token

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CACHE_HOME: cacheOf(program),
  LANG: 'C.UTF-8',
  TERM: 'xterm-256color',
  PITDESK_EXCHANGE_BASE_URL: sandbox.url,
  PITDESK_API_TOKEN: token(),
})

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, home)
})

afterAll(async () => {
  await sandbox.stop()
})

type Ran = { code: number | null; stdout: string; stderr: string }

/** A command line in a shell, with pipes and all. */
function shell(line: string, variables: Readonly<Record<string, string>> = environment()): Promise<Ran> {
  const child = spawn('bash', ['-c', line], { env: { ...variables }, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
  const ran: Ran = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    ran.stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    ran.stderr += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...ran, code })))
}

test('reads and writes of the built program, and a reader that has had enough', async () => {
  const placed = await shell(`${pitdesk} order place buy 0.001 BTC-USD --market --yes`)
  expect(placed).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(placed.stdout)).toMatchObject({ ordStatus: 'FILLED' })
  const fills = await shell(`${pitdesk} fills --csv`)
  expect(fills.stdout.split('\n')[0]).toBe(
    'timestamp,symbol,side,qty,price,fee,exOrdId,tradeId,execId,feeCurrency,timestampUtc',
  )
  const cut = await shell(`${pitdesk} book BTC-USD --csv | head -1; echo "\${PIPESTATUS[*]}"`)
  expect(cut).toMatchObject({ code: 0, stderr: '', stdout: 'side,px,qty,num\n0 0\n' })
})

test('a watch ends well by a signal, and quietly when nobody reads it any more', async () => {
  const stopped = await shell(
    `${pitdesk} order place buy 0.001 BTC-USD --limit 64000 --yes > order.json; ${pitdesk} orders --watch > watch.jsonl & pid=$!; until [ -s watch.jsonl ]; do sleep 0.05; done; kill -INT $pid; wait $pid; echo "code $?"`,
  )
  expect(stopped).toMatchObject({ stdout: 'code 0\n', stderr: '' })
  const [line = ''] = readFileSync(join(home, 'watch.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(line)).toMatchObject({ symbol: 'BTC-USD' })
  let isGone = false
  const watching = shell(`(${pitdesk} orders --watch; echo "code $?" >&2) | head -1`)
  const gone = watching.finally(() => {
    isGone = true
  })
  // The line after the one that its reader took is what ends the watch.
  for (let price = 63_000; !isGone && price < 64_000; price += 1)
    await shell(`${pitdesk} order place buy 0.001 BTC-USD --limit ${price} --yes`)
  expect(await gone).toMatchObject({ stderr: 'code 0\n' })
})

test('on a terminal a table, a question, and an answer', async () => {
  const options = { columns: 100, rows: 30, environment: environment(), folder: home }
  const table = new Terminal(process.execPath, [`${program}/pitdesk.js`, 'symbols'], options)
  expect((await table.ended()).exitCode).toBe(0)
  expect(table.text()).toMatch(/^SYMBOL +STATUS/)
  const argv = [`${program}/pitdesk.js`, 'order', 'place', 'sell', '0.001', 'BTC-USD', '--market']
  const terminal = new Terminal(process.execPath, argv, options)
  await terminal.until((text) => text.includes('Type yes to send it:'))
  // What other people may list of a running program says nothing of the key.
  expect(readFileSync(`/proc/${terminal.pid}/cmdline`, 'latin1')).not.toContain(token())
  terminal.type('yes\r')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(terminal.text()).toMatch(/Order \d+ SELL BTC-USD is FILLED/)
  expect(terminal.text()).not.toContain(token())
})

test('the console on an exchange by variables is LIVE, by a practice profile PRACTICE', async () => {
  const options = { columns: 120, rows: 40, folder: home }
  const live = new Terminal(process.execPath, [`${program}/pitdesk.js`], { ...options, environment: environment() })
  await live.until((text) => text.includes('LIVE') && text.includes('SAFE') && /Ladder BTC-USD .* sp \d/.test(text))
  expect(live.text()).not.toContain('PRACTICE')
  // Orders may stay working there: q would ask.
  live.type('\u0003')
  expect((await live.ended()).exitCode).toBe(0)
  const config = join(home, '.config', 'pitdesk')
  mkdirSync(config, { recursive: true, mode: 0o700 })
  writeFileSync(join(config, 'token.key'), token(), { mode: 0o600 })
  const profile = `[profiles.paper]\nkind = "practice"\nexchange_base_url = "${sandbox.url}"\napi_token_command = "cat ~/.config/pitdesk/token.key"\nsymbol = "ETH-USD"\n`
  writeFileSync(join(config, 'config.toml'), profile, { mode: 0o600 })
  const { PITDESK_EXCHANGE_BASE_URL: _url, PITDESK_API_TOKEN: _token, ...bare } = environment()
  const argv = [`${program}/pitdesk.js`, '--profile', 'paper', '--monitor']
  const practice = new Terminal(process.execPath, argv, { ...options, environment: bare })
  await practice.until(
    (text) => text.includes('PRACTICE') && text.includes('MONITOR') && text.includes('Ladder ETH-USD'),
  )
  practice.type('q')
  expect((await practice.ended()).exitCode).toBe(0)
  rmSync(join(config, 'token.key'))
})

test('nothing that all this wrote holds the key', () => {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(home, 'sandbox')))
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.some((path) => path.includes('/journal/'))).toBe(true)
  for (const path of files) expect(readFileSync(path, 'latin1').includes(token())).toBe(false)
  const folders = readdirSync(home).filter(
    (name) => !['.cache', '.config', '.local', 'sandbox', 'order.json', 'watch.jsonl'].includes(name),
  )
  expect(folders).toEqual([])
})
