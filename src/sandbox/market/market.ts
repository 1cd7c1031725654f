import type { Clock } from '../../base/clock.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import { bestZones } from './market-maker.ts'
import { createSymbolMarket, fullPace, type MarketAccounts, type Pace, type SymbolMarket } from './symbol-market.ts'
import type { SymbolProfile } from './symbol-profile.ts'

/** The practice market: everything that trades by itself. The same seed on the same commands gives the same trades. */
export type Market = {
  /** Lets everything happen that is due up to this time. After a longer gap only its last seconds are played. */
  advance(toMs: number): void
  /** Plays the past up to `toMs`, first in a sketch and the last minutes in full. */
  warmUp(toMs: number): void
}

/** A gap longer than this is skipped, not played: a laptop that slept does not wake up to hours of arrears. */
const catchUpMaxMs = 60_000
const resumeMs = 3_000
const fullWarmUpMs = 45_000
/** One large event where there would be nearly two thousand: enough for the figures of a day. */
const sketch: Pace = { stretch: 1_800, heft: 150, zones: bestZones }

export type MarketOptions = {
  accounts: MarketAccounts
  profiles: readonly SymbolProfile[]
  seed: number
  /** Where the market's own time begins. */
  startMs: number
}

export function createMarket(exchange: PracticeExchange, { accounts, profiles, seed, startMs }: MarketOptions): Market {
  const symbols = new Map<string, SymbolMarket>()
  for (const profile of profiles) {
    symbols.set(profile.symbol, createSymbolMarket(exchange, accounts, profile, { seed, startMs }))
  }
  const markets = [...symbols.values()]
  let playedToMs = startMs
  exchange.subscribe((event) => {
    if ('symbol' in event) symbols.get(event.symbol)?.onEvent(event)
  })

  const play = (toMs: number, pace: Pace) => {
    for (let next = earliest(markets); next !== undefined && next.nextMs() <= toMs; next = earliest(markets)) {
      next.step(pace)
    }
    playedToMs = Math.max(playedToMs, toMs)
  }

  const skipTo = (atMs: number) => {
    for (const market of markets) market.skipTo(atMs)
  }

  return {
    advance: (toMs) => {
      if (toMs - playedToMs > catchUpMaxMs) skipTo(toMs - resumeMs)
      play(toMs, fullPace)
    },
    warmUp: (toMs) => {
      const fullFromMs = toMs - fullWarmUpMs
      play(fullFromMs, sketch)
      for (const market of markets) market.clear(fullFromMs)
      skipTo(fullFromMs)
      play(toMs, fullPace)
    },
  }
}

/** The symbol where something happens next; on a tie the one that was named first. */
function earliest(markets: readonly SymbolMarket[]): SymbolMarket | undefined {
  let first: SymbolMarket | undefined
  for (const market of markets) if (first === undefined || market.nextMs() < first.nextMs()) first = market
  return first
}

const beatMs = 200

/** Keeps the market going by this clock until aborted. */
export async function runMarket(market: Market, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    market.advance(clock.now())
    await clock.sleep(beatMs, signal)
  }
}
