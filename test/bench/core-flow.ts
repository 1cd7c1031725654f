import type { Command, SymbolSpec } from '../../src/sandbox/core/commands.ts'
import { Exchange } from '../../src/sandbox/core/exchange.ts'
import { seeded } from './book-workload.ts'

const spec: SymbolSpec = {
  symbol: 'BTC-USD',
  base: 'BTC',
  counter: 'USD',
  minPriceIncrement: 1,
  minPriceIncrementScale: 2,
  lotSize: 1,
  lotSizeScale: 6,
  minOrderSize: 1,
  minOrderSizeScale: 6,
  maxOrderSize: 0,
  maxOrderSizeScale: 0,
}
const accountCount = 8

/** An exchange with one symbol and eight accounts that never run out of money. */
export function fundedExchange(): Exchange {
  const exchange = new Exchange()
  const fees = { hasTag: false, withdrawalFee: '0' }
  exchange.execute({ type: 'addCurrency', atMs: 0, currency: { code: 'USD', scale: 2, kind: 'fiat', ...fees } })
  exchange.execute({ type: 'addCurrency', atMs: 0, currency: { code: 'BTC', scale: 8, kind: 'crypto', ...fees } })
  exchange.execute({ type: 'addSymbol', atMs: 0, spec })
  exchange.execute({ type: 'setFeeTiers', atMs: 0, tiers: [{ volumeUsd: '0', makerPpm: 1_000, takerPpm: 2_000 }] })
  for (let account = 1; account <= accountCount; account++) {
    exchange.execute({ type: 'addAccount', atMs: 0, name: `bench${account}` })
    for (const currency of ['USD', 'BTC']) {
      const started = exchange.execute({ type: 'startDeposit', atMs: 0, account, currency, amount: '1000000000' })
      if (started.ok) exchange.execute({ type: 'confirmDeposit', atMs: 0, depositId: started.value.depositId })
    }
  }
  return exchange
}

/**
 * `count` commands: 60% limit orders near a random-walk mid, 35% cancels of one of the sender's last orders, 5% market
 * orders of 100–399 lots. `asText` sends amounts as a program on the wire would, otherwise in whole ticks and lots.
 */
export function orderFlow(count: number, asText: boolean): Command[] {
  const random = seeded(7)
  const commands: Command[] = []
  const placed: { account: number; exOrdId: number }[] = []
  let midTicks = 6_421_050
  let nextId = 0
  while (commands.length < count) {
    const atMs = 1_000 + commands.length
    const draw = random(100)
    midTicks += random(3) - 1
    if (draw >= 5 && draw < 40) {
      const index = placed.length - 1 - random(Math.min(placed.length, 200))
      const [target] = placed.splice(Math.max(index, 0), 1)
      if (target !== undefined) commands.push({ type: 'cancelOrder', atMs, ...target })
      continue
    }
    const side = random(2) === 0 ? 'BUY' : 'SELL'
    const account = 1 + random(accountCount)
    nextId += 1
    const common = { type: 'placeOrder', atMs, account, clOrdId: `c${nextId}`, symbol: spec.symbol, side } as const
    const lots = draw < 5 ? 100 + random(300) : 1 + random(100)
    const ticks = side === 'BUY' ? midTicks - 1 - random(20) : midTicks + 1 + random(20)
    if (draw < 5)
      commands.push({ ...common, ordType: 'MARKET', amounts: asText ? { orderQty: quantity(lots) } : { lots } })
    else {
      const amounts = asText ? { orderQty: quantity(lots), price: price(ticks) } : { lots, ticks }
      commands.push({ ...common, ordType: 'LIMIT', amounts })
      placed.push({ account, exOrdId: nextId })
    }
  }
  return commands
}

const quantity = (lots: number): string => `0.${String(lots).padStart(6, '0')}`
const price = (ticks: number): string => `${String(ticks).slice(0, -2)}.${String(ticks).slice(-2)}`
