import { describe, expect, test } from 'vitest'
import { createMarket } from '../../../src/sandbox/market/market.ts'
import { resumeMs } from '../../../src/sandbox/simulation.ts'
import { mean } from '../../fakes/numbers.ts'
import { openMarket, type Trade } from './harness.ts'

const tapeOf = (trades: readonly Trade[]) =>
  trades.map(({ symbol, ticks, lots, takerSide, atMs }) => `${atMs} ${symbol} ${takerSide} ${lots}@${ticks}`)

test('the same seed gives the same market to the last order, another seed another one', () => {
  const play = (seed: number, stepMs: number) => {
    const { exchange, trades, advance } = openMarket({ seed, symbols: ['BTC-USD', 'XLM-USD'] })
    for (let playedMs = 0; playedMs < 60_000; playedMs += stepMs) advance(stepMs)
    return { tape: tapeOf(trades), book: JSON.stringify(exchange.read().l3('BTC-USD')) }
  }
  const first = play(5, 200)
  expect(first.tape.length).toBeGreaterThan(20)
  expect(play(5, 200)).toEqual(first)
  // Nor does it matter how often the market is looked after.
  expect(play(5, 30_000)).toEqual(first)
  expect(play(6, 200).tape).not.toEqual(first.tape)
})

test('every open symbol has both sides at all times, and money is neither made nor lost', () => {
  const { core, exchange, world, advance } = openMarket()
  advance(1_000)
  for (let second = 0; second < 900; second += 1) {
    advance(1_000)
    for (const { symbol } of world.profiles) {
      const top = exchange.read().top(symbol)
      expect(top?.bidTicks, symbol).toBeGreaterThan(0)
      expect(top?.askTicks, symbol).toBeGreaterThan(top?.bidTicks ?? 0)
    }
  }
  core.checkConservation()
})

test('every symbol trades, at prices near where it started', () => {
  const { trades, world, advance } = openMarket()
  advance(30_000)
  for (let minute = 0; minute < 10; minute += 1) advance(60_000)
  for (const { symbol, anchorTicks } of world.profiles) {
    const own = trades.filter((trade) => trade.symbol === symbol)
    expect(own.length, symbol).toBeGreaterThan(20)
    for (const { ticks } of own) expect(Math.abs(ticks / anchorTicks - 1), symbol).toBeLessThan(0.1)
  }
})

test('a market that begins again has its book within the second that a start of the exchange plays', () => {
  const { exchange, world, advance, nowMs } = openMarket()
  for (let minute = 0; minute < 5; minute += 1) advance(60_000)
  const profiles = world.profiles.filter(({ symbol }) => exchange.read().status(symbol) === 'open')
  const levelCounts = () =>
    profiles.map(({ symbol }) => {
      const book = exchange.read().l2(symbol)
      return (book?.bids.length ?? 0) + (book?.asks.length ?? 0)
    })
  const before = levelCounts()
  const { marketAccounts: accounts } = world
  for (const account of [...accounts.makers, accounts.crowd, accounts.takers])
    exchange.execute('cancelOrders', { account }, nowMs())
  expect(mean(levelCounts())).toBe(0)
  createMarket(exchange, { accounts, profiles, seed: 2, startMs: nowMs() - resumeMs.open }).advance(nowMs())
  // What is left are orders of the crowd, which come one by one for minutes.
  const after = levelCounts()
  for (const [at, { symbol }] of profiles.entries())
    expect(after[at], symbol).toBeGreaterThan(0.75 * (before[at] ?? Number.POSITIVE_INFINITY))
})

test('a user sweeps one side: it is there again when the market next acts', () => {
  const { exchange, advance, traderAccount, nowMs } = openMarket({ symbols: ['SOL-USD'] })
  advance(30_000)
  const { depositId } = mustOk(
    exchange.execute('startDeposit', { account: traderAccount, currency: 'USD', amount: '1e12' }, nowMs()),
  )
  exchange.execute('confirmDeposit', { depositId }, nowMs())
  const asks = exchange.read().l2('SOL-USD')?.asks ?? []
  const lots = asks.reduce((sum, { qty }) => sum + qty.times(100).toNumber(), 0)
  const order = { account: traderAccount, clOrdId: 'all', symbol: 'SOL-USD', side: 'BUY', ordType: 'LIMIT' } as const
  const report = mustOk(
    exchange.execute(
      'placeOrder',
      { ...order, timeInForce: 'IOC', amounts: { lots: Math.round(lots), ticks: 1e6 } },
      nowMs(),
    ),
  )
  expect(report.ordStatus).toBe('FILLED')
  expect(exchange.read().top('SOL-USD')?.askTicks).toBeNull()
  advance(3_000)
  expect(exchange.read().top('SOL-USD')?.askTicks).toBeGreaterThan(0)
})

test('a user who rests at the best price is filled by what comes, often in part', () => {
  const { exchange, advance, traderAccount, nowMs } = openMarket({ symbols: ['BTC-USD'] })
  advance(30_000)
  const statuses: string[] = []
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const ticks = exchange.read().top('BTC-USD')?.bidTicks ?? 0
    const order = { account: traderAccount, clOrdId: `q${attempt}`, symbol: 'BTC-USD', side: 'BUY' } as const
    const amounts = { lots: 1_000, ticks }
    const { exOrdId } = mustOk(exchange.execute('placeOrder', { ...order, ordType: 'LIMIT', amounts }, nowMs()))
    advance(4_000)
    statuses.push(exchange.read().order(traderAccount, exOrdId)?.ordStatus ?? '')
    exchange.execute('cancelOrders', { account: traderAccount }, nowMs())
    const held = exchange.read().balance(traderAccount, 'BTC')?.available.times(10_000).toNumber() ?? 0
    const back = { ...order, clOrdId: `s${attempt}`, side: 'SELL', ordType: 'MARKET', amounts: { lots: held } } as const
    exchange.execute('placeOrder', back, nowMs())
  }
  expect(new Set(statuses)).toEqual(new Set(['OPEN', 'PART_FILLED', 'FILLED']))
})

test('users who buy and buy move the price up', () => {
  const priceAfter = (side: 'BUY' | 'SELL' | null) => {
    const { exchange, advance, traderAccount, nowMs } = openMarket({ symbols: ['BTC-USD'], seed: 3 })
    advance(30_000)
    for (const currency of ['USD', 'BTC']) {
      const { depositId } = mustOk(
        exchange.execute('startDeposit', { account: traderAccount, currency, amount: '1e9' }, nowMs()),
      )
      exchange.execute('confirmDeposit', { depositId }, nowMs())
    }
    for (let turn = 0; turn < 60; turn += 1) {
      if (side !== null) {
        const order = {
          account: traderAccount,
          clOrdId: `m${turn}`,
          symbol: 'BTC-USD',
          side,
          ordType: 'MARKET',
        } as const
        exchange.execute('placeOrder', { ...order, amounts: { lots: 40_000 } }, nowMs())
      }
      advance(1_000)
    }
    const top = exchange.read().top('BTC-USD')
    return ((top?.bidTicks ?? 0) + (top?.askTicks ?? 0)) / 2
  }
  expect(priceAfter('BUY')).toBeGreaterThan(priceAfter(null))
  expect(priceAfter('SELL')).toBeLessThan(priceAfter(null))
})

describe('symbol status', () => {
  test('in a halt orders gather and the auction has a price; opened, nothing crossed is left and the market goes on', () => {
    const { exchange, trades, advance, nowMs } = openMarket({ symbols: ['LTC-USD'] })
    advance(60_000)
    exchange.execute('setSymbolStatus', { symbol: 'LTC-USD', status: 'halt' }, nowMs())
    const traded = trades.length
    advance(45_000)
    expect(trades.length).toBe(traded)
    const auction = exchange.read().symbol('LTC-USD')?.auction
    expect(auction?.price?.toNumber()).toBeGreaterThan(60)
    expect(auction?.size.toNumber()).toBeGreaterThan(0)
    exchange.execute('setSymbolStatus', { symbol: 'LTC-USD', status: 'open' }, nowMs())
    const uncrossed = trades.slice(traded)
    expect(uncrossed.length).toBeGreaterThan(0)
    expect(new Set(uncrossed.map(({ ticks }) => ticks)).size).toBe(1)
    advance(30_000)
    const top = exchange.read().top('LTC-USD')
    expect(top?.askTicks).toBeGreaterThan(top?.bidTicks ?? Number.POSITIVE_INFINITY)
    expect(trades.length).toBeGreaterThan(traded + uncrossed.length)
  })

  test.each(['halt-freeze', 'suspend', 'close'] as const)('in %s nobody acts', (status) => {
    const { exchange, trades, advance, nowMs } = openMarket({ symbols: ['LTC-USD'] })
    advance(30_000)
    exchange.execute('setSymbolStatus', { symbol: 'LTC-USD', status }, nowMs())
    const book = JSON.stringify(exchange.read().l3('LTC-USD'))
    const traded = trades.length
    advance(30_000)
    expect(JSON.stringify(exchange.read().l3('LTC-USD'))).toBe(book)
    expect(trades.length).toBe(traded)
  })
})

test('a warm market has a day behind it: a price 24 hours ago, a volume, and a full book', () => {
  const { exchange, market, world, nowMs } = openMarket()
  const endMs = nowMs() + 86_400_000
  market.warmUp(endMs)
  for (const { symbol } of world.profiles) {
    const ticker = exchange.read().ticker(symbol, endMs)
    expect(ticker?.lastTradePrice?.toNumber(), symbol).toBeGreaterThan(0)
    expect(ticker?.price24h?.toNumber(), symbol).toBeGreaterThan(0)
    expect(ticker?.volume24h.toNumber(), symbol).toBeGreaterThan(0)
    const book = exchange.read().l2(symbol)
    expect(book?.bids.length, symbol).toBeGreaterThan(15)
    expect(book?.asks.length, symbol).toBeGreaterThan(15)
  }
})

test('after a long sleep the market goes on from now, and does not play what it missed', () => {
  const { exchange, trades, advance } = openMarket({ symbols: ['BTC-USD'] })
  advance(60_000)
  const before = trades.length
  const sleptMs = 8 * 3_600_000
  advance(sleptMs)
  expect(trades.length - before).toBeLessThan(60)
  const top = exchange.read().top('BTC-USD')
  expect(top?.askTicks).toBeGreaterThan(top?.bidTicks ?? Number.POSITIVE_INFINITY)
})

/** The value of a command that must have been carried out. */
function mustOk<T>(outcome: { ok: true; value: T } | { ok: false }): T {
  if (!outcome.ok) throw new Error('the command was refused')
  return outcome.value
}
