import type { CoreEvent } from '../../../src/sandbox/core/commands.ts'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { createMarket } from '../../../src/sandbox/market/market.ts'
import { createPracticeExchange } from '../../../src/sandbox/practice-exchange.ts'
import { setUpExchange } from '../../../src/sandbox/setup.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { countingBytes, noonMs } from '../http/harness.ts'

export type Trade = Extract<CoreEvent, { type: 'trade' }>

/** The practice world with its market on a core alone, at noon; time passes only by `advance`. */
export function openMarket({ seed = 1, symbols }: { seed?: number; symbols?: readonly string[] } = {}) {
  const clock = new FakeClock(noonMs)
  const core = new Exchange()
  const exchange = createPracticeExchange(core, clock)
  const world = setUpExchange(exchange, countingBytes(), noonMs)
  const profiles = world.profiles.filter(({ symbol }) => symbols?.includes(symbol) ?? true)
  const trades: Trade[] = []
  exchange.subscribe((event) => {
    if (event.type === 'trade') trades.push(event)
  })
  const market = createMarket(exchange, { accounts: world.marketAccounts, profiles, seed, startMs: noonMs })
  let nowMs = noonMs
  const advance = (ms: number) => {
    nowMs += ms
    market.advance(nowMs)
  }
  const traderAccount = exchange.read().accountByName('trader')?.account ?? 0
  return { core, exchange, world, market, trades, advance, traderAccount, nowMs: () => nowMs }
}
