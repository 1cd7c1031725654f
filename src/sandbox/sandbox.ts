import type { Clock } from '../clock.ts'
import type { WireMode } from '../wire/json-write.ts'
import { createAdminServer } from './admin/server.ts'
import { Exchange } from './core/exchange.ts'
import { createGatewayDoor } from './gateway-door.ts'
import { createExchangeServer, exchangeBasePath } from './http/exchange.ts'
import { createFaults } from './http/faults.ts'
import { type RandomBytes, secretText } from './http/token.ts'
import { listenAll } from './listen.ts'
import { createMarket, type Market, runMarket } from './market/market.ts'
import { createRandom } from './market/random.ts'
import { createSandboxClock } from './sandbox-clock.ts'
import { clockTime, runExpiry, runSettlement } from './timekeeper.ts'
import { createVenue, type Venue } from './venue.ts'
import { createWorld, type World, type WorldAccount } from './world.ts'

export type SandboxOptions = {
  /** 0: any free port. */
  port: number
  gatewayPort: number
  adminPort: number
  /** A whole number; absent: another one each time. */
  seed?: number
  /** Off: nothing trades, confirms or completes by itself. */
  market: 'on' | 'off'
  wire?: WireMode
  /** Requests a second for each key; absent: no limit. */
  rateLimit?: number
}

export type SandboxTools = {
  clock: Clock
  /** For tokens, so it must be beyond guessing. */
  randomBytes: RandomBytes
  log: (line: string) => void
}

/** A practice exchange that runs. */
export type Sandbox = {
  exchangeUrl: string
  gatewayUrl: string
  adminUrl: string
  adminToken: string
  partnerKey: string
  accounts: readonly WorldAccount[]
  /** Closes every connection and ends every loop. Once. */
  stop(): Promise<void>
}

const dayMs = 86_400_000
const auctionInMs = 30 * 60_000
/** How long orders have been gathering for the auction when the sandbox starts. */
const auctionBuildMs = 45_000

/**
 * Starts the practice services on loopback. Resolves when all of them answer; rejects with `PortTaken` when a port is in
 * use, with everything closed again.
 */
export async function startSandbox(options: SandboxOptions, tools: SandboxTools): Promise<Sandbox> {
  const { market: marketMode, wire = 'numbers', rateLimit } = options
  const { randomBytes, log } = tools
  const seed = options.seed ?? Buffer.from(randomBytes(4)).readUInt32BE()
  const clock = createSandboxClock(tools.clock)
  const venue = createVenue(new Exchange(), clock)
  const { world, market } = populate(venue, randomBytes, marketMode === 'on' ? seed : undefined)
  const faultChance = createRandom(seed, 'faults')
  const faults = createFaults((probability) => faultChance.chance(probability))
  const adminToken = secretText(randomBytes)
  const partnerKey = secretText(randomBytes)
  const onTimePassed = () => {
    venue.read()
    market?.advance(clock.now())
  }

  const exchange = createExchangeServer({
    venue,
    clock,
    wire,
    faults,
    log,
    ...(rateLimit === undefined ? {} : { rateLimit }),
  })
  const gateway = createGatewayDoor({ partnerKey, clock, log })
  const admin = createAdminServer({ venue, clock, faults, adminToken, randomBytes, onTimePassed, log })
  const servers = await Promise.all([exchange, gateway, admin])
  const ports = [options.port, options.gatewayPort, options.adminPort]
  const [exchangeUrl = '', gatewayUrl = '', adminUrl = ''] = await listenAll(servers, ports)

  const stopping = new AbortController()
  const loops = [runExpiry(venue, clock, stopping.signal)]
  if (market !== undefined) {
    loops.push(runMarket(market, clock, stopping.signal))
    loops.push(runSettlement(venue, clock, createRandom(seed, 'settlement'), stopping.signal))
  }
  return {
    exchangeUrl: `${exchangeUrl}${exchangeBasePath}`,
    gatewayUrl,
    adminUrl,
    adminToken,
    partnerKey,
    accounts: world.accounts,
    stop: async () => {
      stopping.abort()
      await Promise.all([...servers.map((server) => server.close()), ...loops])
    },
  }
}

/**
 * Makes the world. With a seed the market lives: then the world is a day old already, and that day has been played, so
 * that books and figures are believable from the start.
 */
function populate(
  venue: Venue,
  randomBytes: RandomBytes,
  marketSeed: number | undefined,
): { world: World; market: Market | undefined } {
  const nowMs = venue.nowMs()
  const isLiving = marketSeed !== undefined
  const startMs = isLiving ? nowMs - dayMs : nowMs
  const haltMs = isLiving ? nowMs - auctionBuildMs : nowMs
  const world = createWorld(venue, randomBytes, startMs)
  const { marketAccounts: accounts, profiles } = world
  const market = isLiving ? createMarket(venue, { accounts, profiles, seed: marketSeed, startMs }) : undefined
  market?.warmUp(haltMs)
  for (const symbol of world.haltedSymbols) {
    venue.execute('setSymbolStatus', { symbol, status: 'halt' }, haltMs)
    venue.execute('setAuctionTime', { symbol, time: clockTime(nowMs + auctionInMs) }, haltMs)
  }
  market?.advance(nowMs)
  return { world, market }
}
