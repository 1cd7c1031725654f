// What the history of a busy account costs: the first reading of all fills, the next start beside one on an empty
// history, reading all of it, `pitdesk pnl` of all of it, and memory. `npm run bench -- history [FILLS]`.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FillQuery } from '../../src/api/exchange-client.ts'
import { nextTurn, systemClock } from '../../src/base/clock.ts'
import { readableListing } from '../../src/domain/listing.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import type { Rules } from '../../src/domain/statement/movement.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { Bookkeeping } from '../../src/services/history/bookkeeping.ts'
import { withRecorded } from '../../src/services/history/recorded.ts'
import { createRecorder } from '../../src/services/history/recorder.ts'
import { fetchPnl } from '../../src/services/pnl.ts'
import { readFills, writeFills } from '../../src/wire/order.ts'
import { figure, fixed, quantile } from './screen/figures.ts'

const [fillCount = 1_000_000] = process.argv.slice(2).map(Number)
/** The aims: how much longer the next start may take than one on an empty history, one step of the desk's thread. */
const aim = { startMs: 200, stepMs: 50, booksStepMs: 20, mib: 200, pnlS: 3 }
const startedMs = Date.UTC(2026, 0, 1)

const aFill = (number: number): Fill => ({
  execId: String(1_000_000_000 + number),
  orderId: String(2_000_000_000 + (number >> 1)),
  tradeId: String(3_000_000_000 + number),
  symbol: number % 3 === 0 ? 'ETH-USD' : 'BTC-USD',
  side: number % 2 === 0 ? 'BUY' : 'SELL',
  price: new Decimal(60_000 + (number % 5_000)).plus('0.5'),
  quantity: new Decimal('0.0125'),
  fee: new Decimal('1.50375'),
  timestampMs: startedMs + number * 20_000,
})

const watched = { isMaking: false }

/** An exchange in this process, whose pages are read from their text as they are from an answer. */
const exchange = {
  count: fillCount,
  fetchFills: async ({ toExecId, fromExecId, limit = 100 }: FillQuery) => {
    const top = toExecId === undefined ? exchange.count : Number(toExecId) - 1_000_000_000
    const least = fromExecId === undefined ? 1 : Number(fromExecId) - 1_000_000_000
    watched.isMaking = true
    const fills: Fill[] = []
    for (let number = top; number >= least && fills.length < limit; number -= 1) fills.push(aFill(number))
    const text = writeFills(fills, 'numbers')
    // An answer comes in a turn of its own.
    await nextTurn()
    watched.isMaking = false
    const read = readFills(text)
    if (!read.ok) throw new Error(read.error)
    return read.value
  },
  fetchOrderPage: async ({ orderId = '0' }: { orderId?: string }) => ({ orders: [], nextOrderId: orderId }),
  fetchOrder: () => Promise.reject(new Error('there are no orders')),
}

/** What is in use, once what is not is thrown away where the engine lets that be asked for. */
const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1_048_576
}
const rss = (): number => process.memoryUsage().rss / 1_048_576

/** A recorder from its start until all fills are read; how long the event loop stood still meanwhile, step by step. */
async function record(folder: string) {
  const stopping = new AbortController()
  const whole = Promise.withResolvers<void>()
  const steps: number[] = []
  let openMs = 0
  const beganAt = performance.now()
  const recorder = createRecorder({
    open: async (options) => {
      const at = performance.now()
      const opened = openHistory(folder, options)
      openMs = performance.now() - at
      return opened
    },
    client: exchange,
    mayBeginAnew: false,
    // The pause before it begins is not what is measured.
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms === 1_500 ? 0 : ms, signal) },
    signal: stopping.signal,
    toUtcMs: (atMs) => atMs,
    emit: (event) => event.type === 'historyProgress' && event.isWhole && whole.resolve(),
    tell: (_level, sentence) => console.log(`  ${sentence}`),
  })
  let isOver = false
  const watch = (async () => {
    for (let last = performance.now(); !isOver; ) {
      await nextTurn()
      const now = performance.now()
      // What makes the answers is no part of a desk.
      if (!watched.isMaking) steps.push(now - last)
      last = now
    }
  })()
  const done = recorder.run()
  await whole.promise
  const ms = performance.now() - beganAt
  stopping.abort()
  await done
  isOver = true
  await watch
  return { ms, openMs, steps }
}

/** The books of the screen: all fills entered from the file beside a desk that runs. */
async function keepBooks(folder: string): Promise<void> {
  const stopping = new AbortController()
  const [before, beganAt] = [heap(), performance.now()]
  const standing = Promise.withResolvers<void>()
  const rules: Rules = new Map([
    ['BTC-USD', { base: 'BTC', counter: 'USD' }],
    ['ETH-USD', { base: 'ETH', counter: 'USD' }],
  ])
  const books = new Bookkeeping({
    open: async (options) => openHistory(folder, options),
    ...{ method: 'fifo', clock: systemClock, signal: stopping.signal },
    source: () => ({ rules, deposits: [], withdrawals: [], statedCosts: [] }),
    times: () => ({ dayStartMs: Date.now(), sessionStartMs: Date.now(), nowMs: Date.now() }),
    tell: ({ kind }) => kind === 'standing' && standing.resolve(),
  })
  const steps: number[] = []
  let isOver = false
  const watch = (async () => {
    for (let last = performance.now(); !isOver; ) {
      await nextTurn()
      const now = performance.now()
      steps.push(now - last)
      last = now
    }
  })()
  const running = books.run()
  books.observe({ type: 'historyProgress', readCount: exchange.count, isWhole: true })
  await standing.promise
  figure('positions of the screen: all fills entered', (performance.now() - beganAt) / 1_000, 's')
  figure('positions of the screen: longest step of the desk', Math.max(...steps), 'ms', aim.booksStepMs)
  figure('positions of the screen: 99 of 100 steps within', quantile(steps, 0.99), 'ms')
  figure('positions of the screen: memory gained', heap() - before, 'MiB', aim.mib)
  stopping.abort()
  isOver = true
  await Promise.all([running, watch])
}

/** `pitdesk pnl` of everything without the wire: fills from the file, and the newest page from the exchange. */
async function reckonPnl(folder: string, hasLots: boolean): Promise<void> {
  const funds = { depositId: '1', currency: 'USD', address: '', txHash: null, state: 'COMPLETED' as const }
  const client = {
    fetchFills: ({ limit, ...query }: FillQuery) => exchange.fetchFills({ ...query, limit: Math.min(limit ?? 0, 100) }),
    fetchSymbols: async () => ({ instruments: new Map(), unread: new Map() }),
    fetchAccounts: async () => new Map(),
    fetchDeposits: async () =>
      readableListing([{ ...funds, amount: new Decimal(1_000_000_000), timestampMs: startedMs }]),
    fetchWithdrawals: async () => readableListing([]),
    fetchBook: () => Promise.reject(new Error('there are no books')),
  }
  const [before, beganAt] = [heap(), performance.now()]
  const { pnl, count } = await withRecorded(
    async () => openHistory(folder, { isReadOnly: true }),
    (recorded) =>
      fetchPnl(
        client,
        { ...{ period: { fromMs: 0, toMs: Date.now() }, method: 'fifo', mark: 'mid', statedCosts: [] }, hasLots },
        { signal: new AbortController().signal, recorded, nowMs: () => Date.now() },
      ),
    async ({ pnl: told, lots }) => {
      let matchCount = 0
      for (const _match of lots?.matches ?? []) matchCount += 1
      return { pnl: told, count: lots === null ? told.total.realized.knownCount : matchCount }
    },
  )
  const what = hasLots ? 'pnl with every lot' : 'pnl'
  figure(`${what} of all fills`, (performance.now() - beganAt) / 1_000, 's', ...(hasLots ? [] : [aim.pnlS]))
  figure(`${what}: memory that its figures keep`, heap() - before, 'MiB')
  console.log(`  realized ${pnl.total.realized.realizedUsd.toFixed(2)} USD in ${fixed(count)} matches`)
}

const root = mkdtempSync(join(tmpdir(), 'pitdesk-bench-history-'))
try {
  const before = rss()
  const folder = join(root, 'busy')
  const first = await record(folder)
  const path = join(folder, 'history.sqlite')
  console.log(`  ${fixed(fillCount)} fills: ${fixed(statSync(path).size / 1e6)} MB`)
  figure('first reading, without the wire', first.ms / 1_000, 's')
  figure('first reading: longest step of the desk', Math.max(...first.steps), 'ms', aim.stepMs)
  figure('first reading: 99 of 100 steps within', quantile(first.steps, 0.99), 'ms')
  figure('first reading: memory gained', rss() - before, 'MiB', aim.mib)
  const starts = { empty: [] as number[], next: [] as number[] }
  for (let round = 0; round < 5; round += 1) {
    exchange.count = 0
    starts.empty.push((await record(join(root, `empty${round}`))).ms)
    exchange.count = fillCount + round * 20
    starts.next.push((await record(folder)).ms)
  }
  const [empty, next] = [quantile(starts.empty, 0.5), quantile(starts.next, 0.5)]
  figure('start on an empty history, median', empty, 'ms')
  figure('next start, median', next, 'ms')
  figure('next start: more than on an empty one', next - empty, 'ms', aim.startMs)
  await keepBooks(folder)
  const file = openHistory(folder, { isReadOnly: true })
  if (!file.ok) throw file.error
  const at = performance.now()
  let count = 0
  for (const _ of file.value.fills()) count += 1
  figure('all fills read from the file', (performance.now() - at) / 1_000, 's')
  file.value.close()
  for (const hasLots of [false, true]) await reckonPnl(folder, hasLots)
  if (count !== exchange.count) throw new Error(`${count} of ${exchange.count} fills are in the file`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
