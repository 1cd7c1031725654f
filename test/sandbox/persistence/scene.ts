import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'
import type { Command, OrderRequest, SymbolSpec } from '../../../src/sandbox/core/commands.ts'
import { dataFileName } from '../../../src/sandbox/persistence/data-file.ts'
import { DurableExchange } from '../../../src/sandbox/persistence/durable-exchange.ts'
import { seeded } from '../../bench/book-workload.ts'

const folders: string[] = []

/** A new empty folder; all of them are removed when the tests of the file have run. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-test-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** How many rows of a table are on disk, by a condition on its columns. */
export function rowsOnDisk(folder: string, table: string, condition = '1'): number {
  const database = new DatabaseSync(join(crashImage(folder), dataFileName))
  const count = database.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${condition}`).get()?.count
  database.close()
  return Number(count)
}

/**
 * What a crash at this moment would leave, as a folder of its own: whatever has not been written to a file is missing.
 */
export function crashImage(folder: string): string {
  const image = newFolder()
  for (const name of [dataFileName, `${dataFileName}-wal`])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(image, name))
  return image
}

const rules = {
  minPriceIncrement: 1,
  minPriceIncrementScale: 2,
  lotSize: 1,
  lotSizeScale: 3,
  minOrderSize: 1,
  minOrderSizeScale: 3,
  maxOrderSize: 0,
  maxOrderSizeScale: 0,
}
const symbols: readonly SymbolSpec[] = [
  { symbol: 'BTC-USD', base: 'BTC', counter: 'USD', ...rules },
  { symbol: 'ETH-USD', base: 'ETH', counter: 'USD', ...rules },
]
export const accountCount = 3
export const startMs = Date.UTC(2026, 2, 10, 12)

/** Two symbols, and three accounts with money in every currency. */
export function founding(): Command[] {
  const commands: Command[] = []
  for (const code of ['USD', 'BTC', 'ETH']) {
    const kind = code === 'USD' ? 'fiat' : 'crypto'
    const currency = { code, scale: code === 'USD' ? 2 : 8, kind, hasTag: false, withdrawalFee: '0.01' } as const
    commands.push({ type: 'addCurrency', atMs: startMs, currency })
  }
  for (const spec of symbols) commands.push({ type: 'addSymbol', atMs: startMs, spec })
  commands.push({ type: 'setFeeTiers', atMs: startMs, tiers: [{ volumeUsd: '0', makerPpm: 1_000, takerPpm: 2_000 }] })
  let deposits = 0
  for (let account = 1; account <= accountCount; account++) {
    commands.push({ type: 'addAccount', atMs: startMs, name: `account${account}`, hasTwoFactor: true })
    commands.push({ type: 'addWhitelistEntry', atMs: startMs, account, currency: 'USD', name: 'bank' })
    for (const currency of ['USD', 'BTC', 'ETH']) {
      commands.push({ type: 'startDeposit', atMs: startMs, account, currency, amount: '10000' })
      deposits += 1
      commands.push({ type: 'confirmDeposit', atMs: startMs, depositId: `d-${deposits}` })
    }
  }
  return commands
}

/** An exchange in this folder after its founding. */
export function established(folder: string, options: Parameters<typeof DurableExchange.open>[1] = {}): DurableExchange {
  const exchange = DurableExchange.open(folder, options)
  for (const command of founding()) exchange.execute(command)
  exchange.establish('a note')
  return exchange
}

/**
 * `count` commands of every kind that a day of trading sees, the same for a seed: orders of all types, cancels of
 * working and of ended orders, halts and auctions, money in and out, days that go by. Some are refused.
 */
export function busyDay(count: number, seed: number): Command[] {
  const random = seeded(seed)
  const commands: Command[] = []
  let atMs = startMs
  let midTicks = 10_000
  const account = () => 1 + random(accountCount)
  for (let number = 1; number <= count; number++) {
    atMs += random(2_000) === 0 ? 3_600_000 : random(40)
    midTicks += random(3) - 1
    const draw = random(100)
    const symbol = random(3) === 0 ? 'ETH-USD' : 'BTC-USD'
    if (draw < 70)
      commands.push({ type: 'placeOrder', atMs, ...order(number, account(), symbol, midTicks, atMs, random) })
    else if (draw < 90) commands.push({ type: 'cancelOrder', atMs, account: account(), exOrdId: 1 + random(number) })
    else if (draw < 91) commands.push({ type: 'cancelOrders', atMs, account: account(), symbol })
    else if (draw < 93) {
      const status = random(2) === 0 ? 'halt' : 'open'
      commands.push(
        { type: 'setSymbolStatus', atMs, symbol, status },
        { type: 'setSymbolStatus', atMs, symbol, status: 'open' },
      )
    } else if (draw < 95)
      commands.push({ type: 'startDeposit', atMs, account: account(), currency: 'BTC', amount: '1.5' })
    else if (draw < 97) commands.push({ type: 'confirmDeposit', atMs, depositId: `d-${1 + random(number)}` })
    else if (draw < 99) {
      const send = { amount: `${1 + random(50)}.25` }
      commands.push({ type: 'createWithdrawal', atMs, account: 1, currency: 'USD', beneficiary: 'wl-1', send })
    } else commands.push({ type: 'completeWithdrawal', atMs, withdrawalId: `w-${1 + random(20)}` })
  }
  return commands
}

function order(
  number: number,
  account: number,
  symbol: string,
  midTicks: number,
  atMs: number,
  random: (below: number) => number,
): OrderRequest {
  const side = random(2) === 0 ? 'BUY' : 'SELL'
  const common = { account, clOrdId: `c${number}`, symbol, side } as const
  const lots = 1 + random(200)
  const away = random(12) - 4
  const ticks = side === 'BUY' ? midTicks - away : midTicks + away
  const stopTicks = side === 'BUY' ? midTicks + 3 + random(6) : midTicks - 3 - random(6)
  const expireDate = Number(new Date(atMs).toISOString().slice(0, 10).replaceAll('-', ''))
  switch (random(10)) {
    case 0:
      return { ...common, ordType: 'MARKET', amounts: { lots } }
    case 1:
      return { ...common, ordType: 'STOP', amounts: { lots, stopTicks } }
    case 2:
      return { ...common, ordType: 'STOPLIMIT', amounts: { lots, stopTicks, ticks } }
    case 3:
      return { ...common, ordType: 'LIMIT', amounts: { lots, ticks }, timeInForce: 'GTD', expireDate }
    case 4:
      return { ...common, ordType: 'LIMIT', amounts: { lots, ticks }, timeInForce: 'IOC' }
    case 5:
      // Off the tick: refused, with the amounts as they were sent.
      return { ...common, ordType: 'LIMIT', amounts: { orderQty: '0.25', price: '100.005' } }
    case 6:
      return { ...common, ordType: 'LIMIT', amounts: { lots, ticks }, execInst: 'ALO' }
    default:
      return { ...common, ordType: 'LIMIT', amounts: { lots, ticks } }
  }
}

/** Everything the exchange is made of but its history, as text: equal texts are equal states. */
export const stateOf = (exchange: DurableExchange): string => JSON.stringify(exchange.snapshot())

/** Every order and fill of every account, as text. */
export function historyOf(exchange: DurableExchange): string {
  const all = { limit: 1_000_000 }
  return JSON.stringify(
    Array.from({ length: accountCount }, (_, index) => [
      exchange.read.orders({ account: index + 1, ...all }),
      exchange.read.fills({ account: index + 1, ...all }),
    ]),
  )
}
