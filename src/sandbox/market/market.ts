import { type Clock, sleepToBeat } from '../../base/clock.ts'
import { createRandom, type Random } from '../../base/random.ts'
import type { Side } from '../../domain/side.ts'
import type { AccountId, CoreEvent } from '../core/commands.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import { allZones, bestZones, createMaker, type MarketView, type Zone } from './market-maker.ts'
import { allowedLots, createLatentPrice, type LatentPrice, type SymbolProfile } from './symbol-profile.ts'
import { createTakerFlow, take } from './takers.ts'
import { createTrader, type Trader } from './trader.ts'

/** How far apart events are, how large, and how much of the ladder is kept: full pace, or a sketch of past hours. */
type Pace = { stretch: number; heft: number; zones: readonly Zone[] }
const fullPace: Pace = { stretch: 1, heft: 1, zones: allZones }

/** The simulation of one symbol. */
type SymbolMarket = {
  /** When its next event is due. */
  nextMs(): number
  /** Plays the next event. */
  step(pace: Pace): void
  /** Resumes at this time; nothing happened since the last step except that the fair price moved. */
  skipTo(atMs: number): void
  /** Cancels the ladders, to be rebuilt. */
  clear(atMs: number): void
  onEvent(event: CoreEvent): void
}

type Activity = 'quote' | 'crowd' | 'take'

const quoteSeconds = { least: 0.3, spread: 0.4 }
const crowdSeconds = 1.4
const reversionSeconds = 86_400
/**
 * The permanent effect of an ordinary order on the fair price, as a share of a second's volatility: little for the
 * market's own orders, whose arrival is already part of the price, and much for an outside one.
 */
const impactShare = { own: 0.03, outside: 0.2 }
const impactMax = 20

function createSymbolMarket(
  exchange: PracticeExchange,
  accounts: MarketAccounts,
  profile: SymbolProfile,
  { seed, startMs }: { seed: number; startMs: number },
): SymbolMarket {
  const random = createRandom(seed, profile.symbol)
  const latent = createLatentPrice({ ...profile, reversionSeconds }, random)
  const participants = createParticipants(exchange, accounts, profile, random)
  const dueMs = new Map<Activity, number>([
    ['quote', startMs],
    ['crowd', startMs],
    ['take', startMs],
  ])
  const waits: Record<Activity, () => number> = {
    quote: () => quoteSeconds.least + random.exponential(quoteSeconds.spread),
    crowd: () => random.exponential(crowdSeconds),
    take: participants.takerWait,
  }
  const look = watch(latent, startMs)
  let next = nextActivity(dueMs)
  let isActing = false

  /** Trading moves the fair price permanently, by the square root of its size, as in real markets. */
  const pushBy = (lots: number, share: number) => {
    const size = Math.min(impactMax, Math.sqrt(Math.abs(lots) / profile.typicalLots))
    latent.push(Math.sign(lots) * share * profile.volatilityTicks * size)
  }

  const act = (activity: Activity, view: MarketView, { zones }: Pace) => {
    const status = exchange.read().status(profile.symbol)
    if (status === 'halt' && activity === 'crowd') participants.buildAuction(view)
    if (status !== 'open') return
    if (activity === 'quote') participants.quote(view, zones)
    if (activity === 'crowd') participants.churn(view)
    if (activity === 'take') pushBy(participants.take(view), impactShare.own)
  }

  return {
    nextMs: () => next[1],
    step: (pace) => {
      const [activity, atMs] = next
      dueMs.set(activity, atMs + Math.max(1, Math.round(waits[activity]() * 1_000 * pace.stretch)))
      next = nextActivity(dueMs)
      isActing = true
      act(activity, { ...look(atMs), heft: pace.heft }, pace)
      isActing = false
    },
    skipTo: (atMs) => {
      for (const activity of dueMs.keys()) dueMs.set(activity, atMs)
      next = nextActivity(dueMs)
    },
    clear: participants.leave,
    onEvent: (event) => {
      participants.onEvent(event)
      // An outside taker: the market learns from its trade.
      if (event.type === 'trade' && !isActing && event.takerSide !== null) {
        pushBy(event.takerSide === 'BUY' ? event.lots : -event.lots, impactShare.outside)
      }
    },
  }
}

/** Advances the fair price to the time of each look. */
function watch(latent: LatentPrice, startMs: number): (atMs: number) => Omit<MarketView, 'heft'> {
  let seenAtMs = startMs
  return (atMs) => {
    latent.advance(Math.max(0, atMs - seenAtMs) / 1_000)
    seenAtMs = atMs
    return { fairTicks: latent.ticks(), agitation: latent.agitation(), atMs }
  }
}

function nextActivity(dueMs: ReadonlyMap<Activity, number>): [Activity, number] {
  let first: [Activity, number] = ['quote', Number.POSITIVE_INFINITY]
  for (const entry of dueMs) if (entry[1] < first[1]) first = entry
  return first
}

/** The accounts that make the market. Their funds never run out. */
export type MarketAccounts = { makers: readonly [AccountId, AccountId]; crowd: AccountId; takers: AccountId }

/** All participants in one symbol. */
type Participants = {
  /** Both makers update their ladders. */
  quote(view: MarketView, zones: readonly Zone[]): void
  /** One background order arrives, in an open market or while an auction builds. */
  churn(view: MarketView): void
  buildAuction(view: MarketView): void
  /** The makers cancel everything. */
  leave(atMs: number): void
  /** One taker trades; returns the lots bought, negative if sold. */
  take(view: MarketView): number
  /** Seconds until the next taker. */
  takerWait(): number
  onEvent(event: CoreEvent): void
}

function createParticipants(
  exchange: PracticeExchange,
  accounts: MarketAccounts,
  profile: SymbolProfile,
  random: Random,
): Participants {
  const traderOf = (account: AccountId) => createTrader(exchange, account, profile.symbol)
  const [first, second] = [traderOf(accounts.makers[0]), traderOf(accounts.makers[1])]
  const makers = [createMaker(first, profile, 0, random), createMaker(second, profile, 1, random)]
  const crowdTrader = traderOf(accounts.crowd)
  const crowd = createBackgroundOrders(crowdTrader, profile, random)
  const trader = traderOf(accounts.takers)
  const flow = createTakerFlow(profile.tradesPerSecond, random)
  return {
    quote: (view, zones) => {
      for (const maker of makers) maker.withdraw(view)
      crowd.cancelCrossed(view)
      for (const maker of makers) maker.quote(view, zones)
    },
    leave: (atMs) => {
      for (const maker of makers) maker.leave(atMs)
    },
    churn: crowd.churn,
    buildAuction: crowd.buildAuction,
    take: (view) => {
      const book = exchange.read().top(profile.symbol)
      return book === undefined ? 0 : take(book, { trader, flow, profile, random }, view)
    },
    takerWait: flow.nextWait,
    onEvent: (event) => {
      for (const each of [first, second, crowdTrader]) each.onEvent(event)
    },
  }
}

/** The practice market: everything that trades by itself. The same seed and commands give the same trades. */
export type Market = {
  /** Plays everything due up to this time. Of a longer gap, only the last seconds are played. */
  advance(toMs: number): void
  /** Plays the past up to `toMs`, first as a sketch and the last part in full. */
  warmUp(toMs: number): void
}

/** A longer gap is skipped, not played: a laptop that slept must not catch up on hours. */
const catchUpMaxMs = 60_000
const resumeMs = 3_000
const fullWarmUpMs = 45_000
/** One large event in place of nearly two thousand: enough for the figures of a day. */
const sketch: Pace = { stretch: 1_800, heft: 150, zones: bestZones }

type MarketOptions = {
  accounts: MarketAccounts
  profiles: readonly SymbolProfile[]
  seed: number
  /** Where the market's own time starts. */
  startMs: number
  /** A symbol's own start, if later. */
  startMsOf?: (symbol: string) => number
}

export function createMarket(
  exchange: PracticeExchange,
  { accounts, profiles, seed, startMs, startMsOf = () => startMs }: MarketOptions,
): Market {
  const symbols = new Map<string, SymbolMarket>()
  for (const profile of profiles) {
    symbols.set(
      profile.symbol,
      createSymbolMarket(exchange, accounts, profile, { seed, startMs: startMsOf(profile.symbol) }),
    )
  }
  const markets = [...symbols.values()]
  let playedToMs = startMs
  exchange.subscribe((event) => {
    if ('symbol' in event) symbols.get(event.symbol)?.onEvent(event)
  })

  const play = (toMs: number, pace: Pace) => {
    for (let next = nextMarket(markets); next !== undefined && next.nextMs() <= toMs; next = nextMarket(markets)) {
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

/** The symbol with the next event; on a tie the one listed first. */
function nextMarket(markets: readonly SymbolMarket[]): SymbolMarket | undefined {
  let first: SymbolMarket | undefined
  for (const market of markets) if (first === undefined || market.nextMs() < first.nextMs()) first = market
  return first
}

const beatMs = 250

/** Runs the market by this clock until aborted. */
export async function runMarket(market: Market, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    market.advance(clock.now())
    await sleepToBeat(clock, beatMs, signal)
  }
}

/** Resting orders of everyone else: at any distance, each for a random time. */
type BackgroundOrders = {
  /** The price moved through some of its orders: cancels most of them just in time. */
  cancelCrossed(view: MarketView): void
  /** In an open market: one order leaves, one arrives. */
  churn(view: MarketView): void
  /** While an auction builds: orders on both sides of the fair price, many of which would trade. */
  buildAuction(view: MarketView): void
}

const ordersMax = 50
const gatheredMax = 36
const patienceSeconds = 75
/** Most orders are near the price, and a few absurdly far: P(distance > d) falls as a power of d. */
const distanceTail = 1.25
const distanceMaxTicks = 1_500
/** Sometimes one improves on the makers' best price. */
const improvingShare = 0.2
const sleepersShare = 0.12

function createBackgroundOrders(trader: Trader, profile: SymbolProfile, random: Random): BackgroundOrders {
  const patienceMs = new Map<number, number>()

  const place = (side: Side, ticks: number, atMs: number) => {
    const wanted = profile.typicalLots * Math.exp(0.9 * random.normal() - 0.4)
    const order = { side, ticks: Math.max(1, ticks), lots: allowedLots(wanted, profile), timeInForce: 'GTC' as const }
    const report = trader.place(order, atMs)
    if (report !== undefined) patienceMs.set(report.exOrdId, atMs + random.exponential(patienceSeconds * 1_000))
  }

  /** Cancels orders whose time is up, and the oldest if there are too many. */
  const giveUp = (atMs: number, countMax: number) => {
    for (const exOrdId of patienceMs.keys()) if (!trader.resting.has(exOrdId)) patienceMs.delete(exOrdId)
    for (const [exOrdId, untilMs] of patienceMs) {
      if (untilMs > atMs && patienceMs.size <= countMax) continue
      patienceMs.delete(exOrdId)
      trader.cancel(exOrdId, atMs)
    }
  }

  return {
    cancelCrossed: ({ fairTicks, atMs }) => {
      trader.cancelWhere(({ side, ticks }) => {
        const isThrough = side === 'BUY' ? ticks > fairTicks : ticks < fairTicks
        return isThrough && !random.chance(sleepersShare)
      }, atMs)
    },
    churn: ({ fairTicks, atMs }) => {
      giveUp(atMs, ordersMax)
      const side = random.chance(0.5) ? 'BUY' : 'SELL'
      const outward = side === 'BUY' ? -1 : 1
      const distance = Math.min(distanceMaxTicks, Math.floor(random.pareto(distanceTail)))
      const ticks = random.chance(improvingShare) ? fairTicks + outward * 0.5 : fairTicks + outward * (1 + distance)
      place(side, side === 'BUY' ? Math.floor(ticks) : Math.ceil(ticks), atMs)
    },
    buildAuction: ({ fairTicks, atMs }) => {
      giveUp(atMs, gatheredMax)
      const side = random.chance(0.5) ? 'BUY' : 'SELL'
      const eagerness = profile.volatilityTicks * 12 * random.normal()
      place(side, Math.round(fairTicks + (side === 'BUY' ? eagerness : -eagerness)), atMs)
    },
  }
}
