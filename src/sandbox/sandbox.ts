import type { Clock } from '../clock.ts'
import type { WireMode } from '../wire/json-write.ts'
import { createAdminServer } from './admin/server.ts'
import { Exchange } from './core/exchange.ts'
import { MemoryHistory } from './core/memory-history.ts'
import { createGatewayDoor } from './gateway-door.ts'
import { createExchangeServer, exchangeBasePath } from './http/exchange.ts'
import { createFaults } from './http/faults.ts'
import { type RandomBytes, secretText } from './http/token.ts'
import { listenAll } from './listen.ts'
import { createForgetfulHistory } from './market/forgetful-history.ts'
import { runMarket } from './market/market.ts'
import { createRandom } from './market/random.ts'
import { populate } from './populate.ts'
import { createSandboxClock } from './sandbox-clock.ts'
import { runExpiry, runSettlement } from './timekeeper.ts'
import { createVenue } from './venue.ts'
import type { WorldAccount } from './world.ts'

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

/**
 * Starts the practice services on loopback. Resolves when all of them answer; rejects with `PortTaken` when a port is in
 * use, with everything closed again.
 */
export async function startSandbox(options: SandboxOptions, tools: SandboxTools): Promise<Sandbox> {
  const { market: marketMode, wire = 'numbers', rateLimit } = options
  const { randomBytes, log } = tools
  const seed = options.seed ?? Buffer.from(randomBytes(4)).readUInt32BE()
  const clock = createSandboxClock(tools.clock)
  const history = createForgetfulHistory(new MemoryHistory())
  const venue = createVenue(new Exchange(history), clock)
  const { world, market } = populate({
    venue,
    history,
    randomBytes,
    marketSeed: marketMode === 'on' ? seed : undefined,
  })
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

  log(marketMode === 'on' ? `sandbox: the market lives, seed ${seed}` : 'sandbox: the market is off')
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
