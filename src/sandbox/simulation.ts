import { type Clock, sleepToBeat } from '../base/clock.ts'
import { createRandom, type Random } from '../base/random.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../base/text/time-text.ts'
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
  /** The data folder, for messages. */
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
  /** Keys that last as long as the data folder, despite resets. */
  keys: HouseKeys
  accounts: readonly PracticeAccount[]
  /**
   * Catches up on the time it was away, and starts everything: once, before any request is answered. Throws
   * `UnusableData` if the disk fails.
   */
  begin(): void
  /** Plays everything due by now. */
  advance(): void
  /** Deletes everything and sets the world up again; accounts and keys stay. */
  reset(): Promise<void>
  /** Ends every loop. */
  end(): Promise<void>
}

/** The owner of the gateway's first key. */
const firstPartner = 'practice'

type Episode = { market: Market | undefined; gatewayLife: GatewaySimulation | undefined; end(): Promise<void> }

/**
 * Sets up the world, or opens the one in the data folder: its keys and accounts are known from here on, and nothing
 * moves until `begin`.
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

  /** A new world, durable once it is complete. */
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
  // Resumes from the gateway's time, in case the clock had been advanced in the previous run.
  if (woken !== null) clock.putForward(Math.max(0, woken.sinceMs - clock.now()))
  // A data folder of an earlier version has no gateway.
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
    // Concurrent resets run one after the other.
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

/** A disk failure ends the loops: it is reported once, by `onFailure`, and is not a loop's own error. */
async function untilDiskFails(loop: Promise<void>): Promise<void> {
  try {
    await loop
  } catch (error) {
    if (!(error instanceof UnusableData)) throw error
  }
}

/** The exchange for the lifetime of one world: its subscribers get no events once it is closed. */
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

/** Time in ms from its announcement to an auction. */
const auctionInMs = 30 * 60_000
/** How long, in ms, orders have been gathering for the auction when the sandbox starts. */
const auctionBuildMs = 45_000

/**
 * Sets up the world. With a seed the market is simulated: the world then starts with a day that has already been
 * played, so that books and figures are plausible from the start.
 */
function populate(options: {
  exchange: PracticeExchange
  /**
   * Receives the accounts that need no history: the market's own would have millions of orders a day that no one reads.
   */
  forget: (accounts: readonly AccountId[]) => void
  randomBytes: RandomBytes
  /** Tokens for these users instead of new ones. */
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
 * How much of its absence the market plays, in ms, to complete its book again; a desk's start waits for it. In an open
 * market the makers quote all of their levels at once, and a second is enough; orders for an auction gather slowly.
 */
export const resumeMs = { open: 1_000, auction: 45_000 }

/**
 * Reopens an existing world: books, orders and money are unchanged, and time resumes from then or from now, whichever
 * is later. The simulated traders no longer know their orders, so these are canceled, as an exchange does on a lost
 * connection; the market restarts at the last trades' prices.
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
    // A different stretch of the same market: with the seed alone it would repeat its first day.
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

/** An auction whose time has passed is announced again soon; otherwise it would take place only tomorrow. */
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
/** Seconds until the next order arrives, and seconds an order stays in each state. */
const arrivalSeconds = { least: 8, spread: 14 }
const stateSeconds = { PENDING: { least: 3, spread: 4 }, WITHDRAWING: { least: 5, spread: 8 } }
/** Extra ms that an order created by hand stays PENDING: time to decide its outcome. */
const byHandMs = 20_000
/** Share of payments that fail. */
const failureShare = 0.12
const pruneEveryMs = hourMs
const keepMs = 30 * dayMs

/** The simulation of a gateway. */
type GatewaySimulation = {
  /** Plays what is due by now: at most one step per order, and at most one new order. */
  step(): void
}

/**
 * Simulates the gateway's users: orders arrive and advance, soon enough to watch. An order's outcome depends only on
 * the world's seed and the order's number, however often the process was restarted. An order advanced by hand before
 * that is left alone.
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
        // Null if the partner's account allows no plausible order: then none is created.
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

/** Plays what is due, until aborted. */
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
