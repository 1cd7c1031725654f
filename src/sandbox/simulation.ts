import { type Clock, sleepToBeat } from '../base/clock.ts'
import { createRandom, type Random } from '../base/random.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../base/time-text.ts'
import type { AccountId } from './core/commands.ts'
import type { NewGatewayOrder, PracticeOrder } from './gateway/partner-gateway.ts'
import type { PracticeGateway } from './gateway/world/practice-gateway.ts'
import { type RandomBytes, secretText } from './http/token.ts'
import { createMarket, type Market, runMarket } from './market/market.ts'
import type { SymbolProfile } from './market/symbol-profile.ts'
import type { DurableExchange } from './persistence/durable-exchange.ts'
import { type HouseKeys, readSetupNote, writeSetupNote } from './persistence/notes.ts'
import { UnusableData } from './persistence/unusable-data.ts'
import type { PracticeExchange } from './practice-exchange.ts'
import { type ExchangeSetup, type PracticeAccount, setUpExchange } from './setup.ts'
import { clockTime, runExpiry, runSettlement, type SimulatedClock } from './simulated-time.ts'

type SimulationOptions = {
  durable: DurableExchange
  /** The data folder, for what is said of it. */
  folder: string
  exchange: PracticeExchange
  gateway: PracticeGateway
  clock: SimulatedClock
  randomBytes: RandomBytes
  seed: number
  /** Off: nothing trades, confirms or completes by itself. */
  market: 'on' | 'off'
}

/** The practice world and everything in it that moves by itself. */
export type Simulation = {
  /** Keys that stay as long as the data folder lives, whatever is reset. */
  keys: HouseKeys
  accounts: readonly PracticeAccount[]
  /**
   * Makes up for the time it was away, and lets everything live: once, before anybody is answered. Throws
   * `UnusableData` when the disk fails.
   */
  begin(): void
  /** Lets everything happen that is due by now. */
  advance(): void
  /** Forgets everything and makes the world anew; accounts and keys stay. */
  reset(): Promise<void>
  /** Ends every loop. */
  end(): Promise<void>
}

/** Who the gateway's first key belongs to. */
const firstPartner = 'practice'

type Episode = { market: Market | undefined; gatewayLife: GatewaySimulation | undefined; end(): Promise<void> }

/**
 * Makes the world, or opens the one that the data folder holds: its keys and accounts are known from here on, and
 * nothing moves until it begins.
 */
export function startSimulation(options: SimulationOptions): Simulation {
  const { durable, exchange, gateway, clock, randomBytes, seed } = options
  const found = durable.note === null ? undefined : readSetupNote(durable.note, options.folder)
  const keys = found ?? { adminToken: secretText(randomBytes), partnerKey: secretText(randomBytes) }

  let worldCount = 0
  const beginGateway = () => {
    worldCount += 1
    const worldId = `${seed}/${clock.now()}/${worldCount}`
    gateway.begin({ worldId, seed }, { name: firstPartner, key: keys.partnerKey })
  }

  /** A new world, durable as soon as it is whole. */
  const make = (
    scope: Scope,
    accounts: readonly PracticeAccount[],
  ): { world: ExchangeSetup; market: Market | undefined } => {
    const tokens = new Map(accounts.map(({ name, token }) => [name, token]))
    const forget = (ids: readonly number[]) => durable.forget(ids)
    const made = populate({ exchange: scope.exchange, forget, randomBytes, tokens, marketSeed: marketSeed(options) })
    beginGateway()
    durable.establish(writeSetupNote({ adminToken: keys.adminToken, partnerKey: keys.partnerKey, world: made.world }))
    return made
  }

  const woken = found === undefined ? null : gateway.wake()
  // Time goes on from where the gateway was, should the clock have been put forward in its last life.
  if (woken !== null) clock.putForward(Math.max(0, woken.sinceMs - clock.now()))
  // A data folder of an earlier version knows of no gateway.
  else if (found !== undefined) beginGateway()

  const first = scopeOf(exchange)
  const made = found === undefined ? make(first, []) : null
  const world = made?.world ?? found?.world
  if (world === undefined) throw new Error('a world is either found or made: this is a bug')
  const { accounts } = world
  const wake = () => reopen({ exchange: first.exchange, clock, world, marketSeed: marketSeed(options) })
  let episode: Episode | null = null

  const reset = async () => {
    await episode?.end()
    durable.startOver()
    const scope = scopeOf(exchange)
    episode = run(options, scope, make(scope, accounts).market)
  }
  let resets = Promise.resolve()
  return {
    keys,
    accounts,
    begin: () => {
      episode = run(options, first, made === null ? wake() : made.market)
    },
    advance: () => {
      exchange.read()
      episode?.market?.advance(clock.now())
      episode?.gatewayLife?.step()
    },
    // One after the other, however many ask.
    reset: () => {
      resets = resets.then(reset)
      return resets
    },
    end: async () => episode?.end(),
  }
}

const marketSeed = ({ market, seed }: SimulationOptions): number | undefined => (market === 'on' ? seed : undefined)

/** Starts the loops of a world. */
function run({ gateway, clock, seed }: SimulationOptions, scope: Scope, market: Market | undefined): Episode {
  const stopping = new AbortController()
  const loops = [runExpiry(scope.exchange, clock, stopping.signal)]
  const gatewayLife = market === undefined ? undefined : createGatewaySimulation(gateway, clock)
  if (gatewayLife !== undefined) loops.push(runGatewaySimulation(gatewayLife, clock, stopping.signal))
  if (market !== undefined) {
    loops.push(runMarket(market, clock, stopping.signal))
    loops.push(runSettlement(scope.exchange, clock, createRandom(seed, 'settlement'), stopping.signal))
  }
  const ended = Promise.all(loops.map(untilDiskFails))
  return {
    market,
    gatewayLife,
    end: async () => {
      stopping.abort()
      scope.close()
      await ended
    },
  }
}

/**
 * A disk that fails ends what moves by itself: it has been reported once, by `onFailure`, and is not a fault of a loop.
 */
async function untilDiskFails(loop: Promise<void>): Promise<void> {
  try {
    await loop
  } catch (error) {
    if (!(error instanceof UnusableData)) throw error
  }
}

/** The exchange for one world's time: what subscribed to it hears nothing any more once it is closed. */
type Scope = { exchange: PracticeExchange; close(): void }

function scopeOf(exchange: PracticeExchange): Scope {
  const endings: Array<() => void> = []
  const subscribe: PracticeExchange['subscribe'] = (listener) => {
    const end = exchange.subscribe(listener)
    endings.push(end)
    return end
  }
  return {
    exchange: { ...exchange, subscribe },
    close: () => {
      for (const end of endings.splice(0)) end()
    },
  }
}

/** How long after its announcement an auction takes place. */
const auctionInMs = 30 * 60_000
/** How long orders have been gathering for the auction when the sandbox starts. */
const auctionBuildMs = 45_000

/**
 * Makes the world. With a seed the market lives: then the world is a day old already, and that day has been played, so
 * that books and figures are believable from the start.
 */
function populate(options: {
  exchange: PracticeExchange
  /**
   * Told which accounts need no history: for the market's own it would be millions of orders a day that no one reads.
   */
  forget: (accounts: readonly AccountId[]) => void
  randomBytes: RandomBytes
  /** Tokens to use for these people instead of new ones. */
  tokens?: ReadonlyMap<string, string>
  marketSeed: number | undefined
}): { world: ExchangeSetup; market: Market | undefined } {
  const { exchange, forget, randomBytes, tokens, marketSeed } = options
  const nowMs = exchange.nowMs()
  const isLiving = marketSeed !== undefined
  const startMs = isLiving ? nowMs - dayMs : nowMs
  const haltMs = isLiving ? nowMs - auctionBuildMs : nowMs
  const world = setUpExchange(exchange, randomBytes, startMs, tokens)
  const { marketAccounts: accounts, profiles } = world
  forget([...accounts.makers, accounts.crowd, accounts.takers])
  const market = isLiving ? createMarket(exchange, { accounts, profiles, seed: marketSeed, startMs }) : undefined
  market?.warmUp(haltMs)
  for (const symbol of world.haltedSymbols) {
    exchange.execute('setSymbolStatus', { symbol, status: 'halt' }, haltMs)
    exchange.execute('setAuctionTime', { symbol, time: clockTime(nowMs + auctionInMs) }, haltMs)
  }
  market?.advance(nowMs)
  return { world, market }
}

/**
 * How much of the time it was away the market makes up for, so that its book is whole again, and a desk's start waits
 * for it: in an open market one second is enough for that, while orders for an auction gather slowly.
 */
const resumeMs = { open: 5_000, auction: 45_000 }

/**
 * Wakes a world that was made earlier: books, orders and money are as they were, and time goes on from there or from
 * now, whichever is later. The market's own hands have forgotten their orders, so these are taken back, as an
 * exchange does for those who lose their connection; it begins anew at the prices of the last trades.
 */
function reopen(options: {
  exchange: PracticeExchange
  clock: SimulatedClock
  world: ExchangeSetup
  marketSeed: number | undefined
}): Market | undefined {
  const { exchange, clock, world, marketSeed } = options
  const lastMs = exchange.read().nowMs()
  clock.putForward(Math.max(0, lastMs - clock.now()))
  if (marketSeed === undefined) return undefined
  const { marketAccounts: accounts } = world
  for (const account of [...accounts.makers, accounts.crowd, accounts.takers])
    exchange.execute('cancelOrders', { account })
  announceAgain(exchange)
  const nowMs = exchange.nowMs()
  const open = new Set(
    exchange
      .read()
      .symbols()
      .flatMap(({ spec, status }) => (status === 'open' ? spec.symbol : [])),
  )
  const market = createMarket(exchange, {
    accounts,
    profiles: world.profiles.map((profile) => startingAtLastTrade(exchange, profile)),
    // Another stretch of the same market: with the seed alone it would play its first day again.
    seed: marketSeed + lastMs,
    startMs: Math.max(lastMs, nowMs - resumeMs.auction),
    startMsOf: (symbol) => Math.max(lastMs, nowMs - (open.has(symbol) ? resumeMs.open : resumeMs.auction)),
  })
  market.advance(exchange.nowMs())
  return market
}

function startingAtLastTrade(exchange: PracticeExchange, profile: SymbolProfile): SymbolProfile {
  const lastTicks = exchange.read().top(profile.symbol)?.lastTicks ?? null
  return lastTicks === null ? profile : { ...profile, startTicks: lastTicks }
}

/** An auction whose time has gone by takes place after a while; its time of day would come only tomorrow. */
function announceAgain(exchange: PracticeExchange): void {
  const nowMs = exchange.nowMs()
  const soon = new Set<string>()
  for (let inMs = 0; inMs <= auctionInMs; inMs += minuteMs) soon.add(clockTime(nowMs + inMs))
  for (const { spec, auction } of exchange.read().symbols()) {
    if (auction?.time == null || soon.has(auction.time)) continue
    exchange.execute('setAuctionTime', { symbol: spec.symbol, time: clockTime(nowMs + auctionInMs) })
  }
}

const beatMs = 500
/** How long it takes until the next order comes, and how long an order stays in each state. */
const arrivalSeconds = { least: 8, spread: 14 }
const stateSeconds = { PENDING: { least: 3, spread: 4 }, WITHDRAWING: { least: 5, spread: 8 } }
/** An order that somebody made by hand stays PENDING for so much longer: time to say what becomes of it. */
const byHandMs = 20_000
/** How many payments come to nothing. */
const failureShare = 0.12
const pruneEveryMs = hourMs
const keepMs = 30 * dayMs

/** What a gateway does by itself. */
type GatewaySimulation = {
  /** Lets happen what is due by now: each order takes a step at most, and one new order comes at most. */
  step(): void
}

/**
 * The gateway's users: orders come and move on, soon enough to watch. What becomes of an order follows from the world's
 * seed and the order's number alone, however often the process was started anew. Whoever takes one on by hand before
 * that is not in the way.
 */
export function createGatewaySimulation(gateway: PracticeGateway, clock: Pick<Clock, 'now'>): GatewaySimulation {
  let nextOrderMs = clock.now() + waitMs(arrival(gateway), { least: 1, spread: 4 })
  let nextPruneMs = clock.now()
  return {
    step: () => {
      const nowMs = clock.now()
      for (const order of gateway.livingOrders()) takeOn(gateway, order, nowMs)
      if (nextOrderMs <= nowMs) {
        const random = arrival(gateway)
        const order = ordinaryOrder(gateway, random)
        // Refused where the partner's account allows nothing like it: then nobody orders.
        if (order !== null) gateway.create(order)
        nextOrderMs = nowMs + waitMs(random, arrivalSeconds)
      }
      if (nextPruneMs <= nowMs) {
        gateway.forgetEndedBefore(nowMs - keepMs)
        nextPruneMs = nowMs + pruneEveryMs
      }
    },
  }
}

/** Until aborted, lets happen what is due. */
export async function runGatewaySimulation(life: GatewaySimulation, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    life.step()
    await sleepToBeat(clock, beatMs, signal)
  }
}

const arrival = (gateway: PracticeGateway): Random =>
  createRandom(gateway.seed, `gateway arrival ${gateway.orderCount + 1}`)

const waitMs = (random: Random, { least, spread }: { least: number; spread: number }): number =>
  Math.ceil(secondMs * (least + random.exponential(spread)))

function ordinaryOrder(gateway: PracticeGateway, random: Random): NewGatewayOrder | null {
  const partners = gateway.partners()
  const partner = partners[random.integer(0, partners.length - 1)]
  if (partner === undefined) return null
  return {
    partner: partner.name,
    orderType: random.chance(0.7) ? 'BUY' : 'SELL',
    ...(random.chance(0.6) ? { externalReference: `cart-${1000 + gateway.orderCount + 1}` } : {}),
    ...(random.chance(0.3) ? { subPartnerId: `shop-${random.integer(1, 9)}` } : {}),
  }
}

function takeOn(gateway: PracticeGateway, { orderId, number, last }: PracticeOrder, nowMs: number): void {
  const { orderState: state, orderStateUpdatedAt } = last
  if (state !== 'PENDING' && state !== 'WITHDRAWING') return
  const random = createRandom(gateway.seed, `gateway order ${number} ${state}`)
  const sinceMs = Number(orderStateUpdatedAt.epochNs / 1_000_000n)
  const moreMs = state === 'PENDING' && gateway.isByHand(orderId) ? byHandMs : 0
  if (sinceMs + waitMs(random, stateSeconds[state]) + moreMs > nowMs) return
  gateway.advance(orderId, state === 'PENDING' && random.chance(failureShare) ? 'FAILED' : undefined)
}
