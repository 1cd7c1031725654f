import { Decimal, zero } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import { positionsOf } from '../../src/domain/positions/lots.ts'
import { ownPrices } from '../../src/domain/positions/own-prices.ts'
import { costMethods } from '../../src/domain/positions/position.ts'
import { realizedIn } from '../../src/domain/positions/realized.ts'
import type { Rules } from '../../src/domain/statement/movement.ts'

// A million fills of a year through the lots, nine of ten in BTC-USD and the others in ETH-BTC:
// `npm run bench -- positions`.

const count = Number(process.argv[2] ?? 1_000_000)
const stepMs = Math.floor((365 * 86_400_000) / count)
const rules: Rules = new Map([
  ['BTC-USD', { base: 'BTC', counter: 'USD' }],
  ['ETH-BTC', { base: 'ETH', counter: 'BTC' }],
])

let seed = 42
const next = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

function fillAt(index: number): Fill {
  const isCross = next(10) === 0
  const [price, lots] = isCross
    ? [`0.0${40_000 + next(10_000)}`, 10_000]
    : [`${60_000 + next(9_000)}.${next(100)}`, 10_000]
  return {
    orderId: `${index >> 1}`,
    tradeId: `${index}`,
    execId: `${index + 1}`,
    symbol: isCross ? 'ETH-BTC' : 'BTC-USD',
    side: next(2) === 0 ? 'BUY' : 'SELL',
    price: new Decimal(price),
    quantity: new Decimal(`0.${String(1 + next(lots)).padStart(6, '0')}`),
    fee: new Decimal(isCross ? `0.0000${next(1_000)}` : `0.${next(100_000)}`),
    timestampMs: index * stepMs,
  }
}

const fills = Array.from({ length: count }, (_, index) => fillAt(index))
const deposit = { address: '', txHash: null, state: 'COMPLETED' as const, timestampMs: 0 }
const deposits = ['USD', 'BTC', 'ETH'].map((currency) => ({
  ...deposit,
  depositId: currency,
  currency,
  amount: new Decimal(1_000_000_000),
}))
const mib = () => Math.round(process.memoryUsage().heapUsed / 2 ** 20)
const year = { fromMs: 0, toMs: 366 * 86_400_000 }

const aimMs = 3_000
for (const method of costMethods) {
  const [before, startedMs] = [mib(), performance.now()]
  const history = { deposits, withdrawals: [], fills }
  const books = positionsOf({ history, rules, method, usdAt: ownPrices(fills, rules).ofTrade })
  const booked = performance.now()
  const { total } = realizedIn(books.matches, books.fees, year)
  const summed = performance.now()
  process.stdout.write(
    `${summed - startedMs > aimMs ? 'MISSED ' : ''}${method.padEnd(8)} ${count} fills: positionsOf ${Math.round(booked - startedMs)} ms, realizedIn ` +
      `${Math.round(summed - booked)} ms, ${books.matches.length} matches, ${books.lots.length} lots, ` +
      `${mib() - before} MiB more; realized ${total.realizedUsd.plus(zero).toFixed(2)} USD\n`,
  )
  if (summed - startedMs > aimMs) process.exitCode = 1
}
