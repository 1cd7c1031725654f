// How fast the practice exchange takes orders over HTTP with every one on disk before its answer, and what a million
// historical orders cost it. `npm run bench -- exchange [orders|history|rest]`; without a word, all of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DurableExchange } from '../../src/sandbox/persistence/durable-exchange.ts'
import { seeded } from './book-workload.ts'
import { type LoadResult, load, request } from './http-load.ts'
import { buildProgram, PracticeProcess } from './practice-process.ts'
import { profile, until } from './run.ts'

const connections = 64
const warmUpMs = 2_000
const measuredMs = 10_000
const historyCount = 1_000_000
const restMs = 30_000
const home = mkdtempSync(join(tmpdir(), 'pitdesk-bench-'))
const newFolder = () => mkdtempSync(join(home, 'data-'))
const shown = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits }).padStart(10)

const show = (name: string, { perSecond, p50Ms, p99Ms, maxMs, statuses }: LoadResult) =>
  console.log(
    `${name.padEnd(38)}${shown(perSecond)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  max ${maxMs.toFixed(0)} ms  ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(' ')}`,
  )

const people = ['trader', 'counterparty'] as const

async function makeRich(practice: PracticeProcess): Promise<void> {
  for (const account of people)
    for (const currency of ['USD', 'BTC', 'ETH', 'SOL', 'XLM']) {
      const { depositId } = await practice.admin('/deposit/start', { account, currency, amount: '1000000000' })
      await practice.admin('/deposit/confirm', { depositId })
    }
}

const markets = [
  { symbol: 'BTC-USD', mid: 128_421, tick: 50, decimals: 2, qty: 0.0001 },
  { symbol: 'ETH-USD', mid: 62_402, tick: 5, decimals: 2, qty: 0.005 },
  { symbol: 'SOL-USD', mid: 14_233, tick: 1, decimals: 2, qty: 0.05 },
  { symbol: 'XLM-USD', mid: 1_102, tick: 1, decimals: 4, qty: 10 },
]

/** Limit orders of two people in four symbols, near a mid that walks: about half of them trade. */
function orders(practice: PracticeProcess): () => string {
  const random = seeded(5)
  const mids = markets.map(({ mid }) => mid)
  const tokens = people.map((name) => practice.token(name))
  let count = 0
  return () => {
    count += 1
    const index = random(markets.length)
    const market = markets[index] ?? markets[0]
    if (market === undefined) throw new Error('there is no market')
    const mid = (mids[index] ?? 0) + random(3) - 1
    mids[index] = mid
    const side = random(2) === 0 ? 'BUY' : 'SELL'
    const ticks = mid + (side === 'BUY' ? 4 - random(20) : random(20) - 4)
    const price = ((ticks * market.tick) / 10 ** market.decimals).toFixed(market.decimals)
    const orderQty = (market.qty * (1 + random(9))).toFixed(4)
    const body = `{"clOrdId":"b${count}","ordType":"LIMIT","symbol":"${market.symbol}","side":"${side}","orderQty":${orderQty},"price":${price}}`
    return request('POST', '/orders', tokens[random(2)] ?? '', body)
  }
}

async function benchOrders(): Promise<void> {
  const practice = await PracticeProcess.start(newFolder(), home, 'off', profile)
  await makeRich(practice)
  const next = orders(practice)
  await load(practice.port, connections, next, until(warmUpMs))
  const before = practice.usage()
  const result = await load(practice.port, connections, next, until(measuredMs))
  const after = practice.usage()
  show(`POST /orders, ${connections} connections, durable`, result)
  if (before !== null && after !== null)
    console.log(
      `  of a core ${(((after.cpuMs - before.cpuMs) / measuredMs) * 100).toFixed(0)}%, memory ${after.memoryMiB.toFixed(0)} MiB`,
    )
  if (result.perSecond < 8_000 || result.p99Ms > 30) process.exitCode = 1
  await practice.end('SIGTERM')
}

/** What is measured is history: of the load's orders none is left working. */
async function cancelAll(practice: PracticeProcess): Promise<void> {
  const tokens = people.map((name) => practice.token(name))
  let sent = 0
  const next = () => request('DELETE', '/orders', tokens[sent++] ?? '')
  await load(practice.port, 1, next, () => sent >= tokens.length)
}

/** Writes the orders straight through the core into the folder, as so many days would have. */
async function writeHistory(folder: string): Promise<void> {
  const exchange = DurableExchange.open(folder)
  const accounts = people.map((name) => exchange.read.accountByName(name)?.account ?? 0)
  const random = seeded(6)
  let atMs = exchange.read.nowMs()
  for (let number = 1; number <= historyCount; number++) {
    atMs += random(30)
    const side = random(2) === 0 ? 'BUY' : 'SELL'
    const ticks = 128_000 + random(30) + (side === 'BUY' ? -10 : 10)
    const account = accounts[random(2)] ?? 0
    const order = {
      account,
      clOrdId: `h${number}`,
      symbol: 'BTC-USD',
      side,
      amounts: { lots: 1 + random(9), ticks },
    } as const
    exchange.execute({ type: 'placeOrder', atMs, ordType: 'LIMIT', ...order })
    if (number % 2_000 === 0) {
      // Few rest for long: what is history is measured, not the book.
      for (const each of accounts) exchange.execute({ type: 'cancelOrders', atMs, account: each })
      await exchange.settled()
    }
  }
  exchange.close()
}

async function benchHistory(): Promise<void> {
  const folder = newFolder()
  const founder = await PracticeProcess.start(folder, home, 'off')
  await makeRich(founder)
  await founder.end('SIGTERM')
  const startedAt = performance.now()
  await writeHistory(folder)
  console.log(
    `${shown(historyCount)} historical orders written in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
  )
  const killed = await PracticeProcess.start(folder, home, 'on')
  console.log(`start after a clean end, market on      ${shown(killed.startedInMs)} ms`)
  await load(killed.port, connections, orders(killed), until(8_000))
  await killed.end('SIGKILL')
  const practice = await PracticeProcess.start(folder, home, 'off', profile)
  console.log(
    `start after kill -9 under load          ${shown(practice.startedInMs)} ms, memory ${practice.usage()?.memoryMiB.toFixed(0)} MiB`,
  )
  if (Math.max(killed.startedInMs, practice.startedInMs) > 2_000) process.exitCode = 1
  await cancelAll(practice)
  // As many working orders as a busy desk may have.
  const place = orders(practice)
  let placed = 0
  await load(practice.port, 1, place, () => placed++ >= 200)
  const nowMs = Date.now()
  const random = seeded(7)
  const somewhen = () => nowMs + random(historyCount * 15)
  const paths: Record<string, () => string> = {
    'GET /orders': () => '/orders',
    'GET /orders?status=FILLED': () => '/orders?status=FILLED',
    'GET /orders?status=CANCELED&symbol&to': () => `/orders?status=CANCELED&symbol=BTC-USD&to=${somewhen()}`,
    'GET /trades?to': () => `/trades?to=${somewhen()}`,
    'GET /fills?limit=1000&to': () => `/fills?limit=1000&to=${somewhen()}`,
    'GET /internal/orders?orderId': () => `/internal/orders?orderId=${random(historyCount)}`,
  }
  for (const [name, path] of Object.entries(paths)) {
    const next = () => request('GET', path(), practice.token('trader'))
    const result = await load(practice.port, 4, next, until(3_000))
    show(`${name}, 4 connections`, result)
    if (name.startsWith('GET /orders') && result.p99Ms > 20) process.exitCode = 1
  }
  console.log(`memory after that                       ${shown(practice.usage()?.memoryMiB ?? 0)} MiB`)
  await practice.end('SIGTERM')
}

/** What the living market costs when nobody asks, and with one desk that asks four times a second. */
async function benchRest(): Promise<void> {
  const practice = await PracticeProcess.start(newFolder(), home, 'on')
  console.log(`first start, market on                  ${shown(practice.startedInMs)} ms`)
  await wait(3_000)
  const measure = async (name: string, beat: () => Promise<unknown>) => {
    const before = practice.usage()?.cpuMs ?? 0
    const end = until(restMs)
    while (!end()) await Promise.all([wait(250), beat()])
    const share = (((practice.usage()?.cpuMs ?? 0) - before) / restMs) * 100
    console.log(
      `${name.padEnd(38)} ${share.toFixed(1)}% of a core, memory ${practice.usage()?.memoryMiB.toFixed(0)} MiB`,
    )
    return share
  }
  const share = await measure('at rest, market on', () => Promise.resolve())
  if (share > 5) process.exitCode = 1
  await measure('with a desk looking on', () => {
    const paths = ['/l2/BTC-USD', '/tickers', '/orders', '/fills', '/accounts']
    let sent = 0
    const next = () => request('GET', paths[sent++] ?? '/fees', practice.token('trader'))
    return load(practice.port, 1, next, () => sent >= paths.length)
  })
  await practice.end('SIGTERM')
}

console.log(
  `node ${process.version}, ${cpus()[0]?.model.trim()} × ${cpus().length}; the load is made on the same machine`,
)
const parts = { orders: benchOrders, history: benchHistory, rest: benchRest }
const wanted = process.argv.slice(2).filter((word) => word in parts)
try {
  await buildProgram()
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await part()
} finally {
  rmSync(home, { recursive: true, force: true })
}
