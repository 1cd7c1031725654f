import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An exchange with lists so long that what a command prints of them is tens of megabytes. */
export type LongLists = {
  url: string
  /** Executions there are, ids 1 to this; each comes to a line of a bit over a thousand characters. */
  fillCount: number
  orderCount: number
  /** Calls so far. */
  calls(): number
  stop(): Promise<void>
}

/** A name as long as an exchange may send one: it makes a long line of few fields. */
export const longSymbol = `${'LONG'.repeat(250)}-USD`
const longReason = 'no reason at all, at length '.repeat(180)
const startMs = Date.UTC(2026, 10, 1)

export const fillOf = (execId: number) => ({
  exOrdId: String(7_000_000_000_000_000_000n + BigInt(execId)),
  tradeId: execId,
  execId,
  side: execId % 2 === 1 ? 'BUY' : 'SELL',
  symbol: longSymbol,
  price: '64209.50',
  qty: '0.001',
  fee: '0.064',
  timestamp: startMs + execId,
})

export const orderOf = (number: number) => ({
  exOrdId: number,
  clOrdId: `c${number}`,
  ordType: 'LIMIT',
  ordStatus: 'REJECTED',
  side: 'BUY',
  price: '64209.50',
  symbol: 'BTC-USD',
  text: longReason,
  leavesQty: '1',
  cumQty: '0',
  timestamp: startMs + number,
})

const symbolRules = {
  base_currency: 'LONG',
  counter_currency: 'USD',
  base_currency_scale: 8,
  counter_currency_scale: 2,
  min_price_increment: 1,
  min_price_increment_scale: 2,
  lot_size: 1,
  lot_size_scale: 3,
  min_order_size: 1,
  min_order_size_scale: 3,
  max_order_size: 0,
  max_order_size_scale: 0,
  status: 'open',
}

/** What paid for it all: without it the records would not come to the balances, which is an ending of its own. */
const deposit = {
  depositId: 'first',
  amount: 100_000,
  currency: 'USD',
  address: 'none',
  txHash: null,
  state: 'COMPLETED',
  timestamp: startMs - 1,
}

/** What the fills leave: bought and sold in turn at one price, so that only their fees are gone. */
const balanceAfter = (fillCount: number) => {
  const [thousandths, fee] = [BigInt(deposit.amount) * 1_000n, 64n]
  const left = String(thousandths - fee * BigInt(fillCount))
  const balance = `${left.slice(0, -3)}.${left.slice(-3)}`
  return { currency: 'USD', balance, available: balance, balance_local: balance, available_local: balance, rate: 1 }
}

/** Entries numbered 1 to `count`, from `top` down, at most `limit` of them. */
const down = <T>(top: number, count: number, limit: number, entryOf: (number: number) => T): T[] =>
  Array.from({ length: Math.max(0, Math.min(limit, Math.min(top, count))) }, (_, index) =>
    entryOf(Math.min(top, count) - index),
  )

export async function startLongLists({ fillCount = 0, orderCount = 0 }): Promise<LongLists> {
  let calls = 0
  const answer = (path: string, query: URLSearchParams): unknown => {
    const limit = Number(query.get('limit') ?? 100)
    switch (path) {
      case '/fills':
        return down(Number(query.get('toExecId') ?? fillCount), fillCount, Math.min(limit, 1_000), fillOf)
      case '/orders':
        return down(Number(query.get('to') ?? Infinity) - startMs, orderCount, Math.min(limit, 100), orderOf)
      case '/symbols':
        return { 'LONG-USD': symbolRules }
      case '/accounts':
        return { primary: [balanceAfter(fillCount)] }
      case '/deposits':
        return [deposit]
      case '/withdrawals':
      case '/trades':
        return []
      default:
        return null
    }
  }
  const server = createServer(({ url = '' }, response: ServerResponse) => {
    calls += 1
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    const value = answer(pathname.replace(/^\/v3/, ''), searchParams)
    if (value === null) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v3`,
    fillCount,
    orderCount,
    calls: () => calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
