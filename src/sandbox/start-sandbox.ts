import type { FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'
import { createRandom } from '../base/random.ts'
import { listenAll } from '../http-server/app.ts'
import type { WireMode } from '../wire/exact-json.ts'
import { createAdminServer } from './admin/admin-server.ts'
import { GatewayTables } from './gateway/gateway-tables.ts'
import { createGatewayServer } from './gateway/http/gateway-server.ts'
import { openWebhooks, type Webhooks } from './gateway/sender/webhooks.ts'
import { PracticeGateway } from './gateway/world/practice-gateway.ts'
import { createExchangeServer, exchangeBasePath } from './http/exchange-server.ts'
import { createFaults } from './http/faults.ts'
import type { RandomBytes } from './http/token.ts'
import { type DataFolder, openDataFolder } from './persistence/data-file.ts'
import { DurableExchange } from './persistence/durable-exchange.ts'
import type { UnusableData } from './persistence/unusable-data.ts'
import { createPracticeExchange } from './practice-exchange.ts'
import type { PracticeAccount } from './setup.ts'
import { createSimulatedClock } from './simulated-time.ts'
import { startSimulation } from './simulation.ts'

export type SandboxOptions = {
  /** 0: any free port. */
  port: number
  gatewayPort: number
  adminPort: number
  /** A whole number; a different one each time unless given. */
  seed?: number
  /** Off: nothing trades, confirms or completes by itself. */
  market: 'on' | 'off'
  wire?: WireMode
  /** Requests per second and key; no limit unless given. */
  rateLimit?: number
  /** The folder that keeps the exchange between starts; a temporary one, removed at the end, unless given. */
  data?: string
  /** Number of commands after which a snapshot is taken, so that a restart has few to replay (50,000). */
  snapshotEvery?: number
}

type SandboxTools = {
  clock: Clock
  /** For tokens, so it must be unpredictable. */
  randomBytes: RandomBytes
  log: (line: string) => void
  /** Called once if the disk fails: from then on every request is answered with a 500. */
  onFailure?: (failure: UnusableData) => void
  /**
   * Called with the services' addresses before the market catches up: requests from then on wait for that. For a caller
   * with much to do before its first request, on ports that no one knew before. If the disk fails after this,
   * `startSandbox` still rejects.
   */
  onListening?: (services: Omit<Sandbox, 'webhooks' | 'stop'>) => void
}

/** A running practice exchange. */
export type Sandbox = {
  exchangeUrl: string
  gatewayUrl: string
  adminUrl: string
  adminToken: string
  partnerKey: string
  accounts: readonly PracticeAccount[]
  /** Where the gateway's events go, and the outcome of each. */
  webhooks: Webhooks
  /** Closes every connection and ends every loop; repeated calls resolve at the same moment. */
  stop(): Promise<void>
}

/**
 * Starts the practice services on loopback. Resolves when all of them answer. Otherwise closes everything and rejects,
 * with `PortTaken` if a port is in use and with `UnusableData` if the data folder cannot be used.
 */
export async function startSandbox(options: SandboxOptions, tools: SandboxTools): Promise<Sandbox> {
  const folder = openDataFolder(options.data)
  try {
    const sandbox = await startServices(options, tools, folder)
    const stop = async () => {
      await sandbox.stop()
      folder.leave()
    }
    let stopping: Promise<void> | undefined
    return {
      ...sandbox,
      stop: () => {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    folder.leave()
    throw error
  }
}

async function startServices(options: SandboxOptions, tools: SandboxTools, folder: DataFolder): Promise<Sandbox> {
  const { wire = 'numbers', market, rateLimit } = options
  const { randomBytes, log } = tools
  const seed = options.seed ?? Buffer.from(randomBytes(4)).readUInt32BE()
  const practice = openPractice({ ...options, seed }, tools, folder)
  const { life, exchange, gateway, webhooks, clock } = practice
  const { adminToken, partnerKey } = life.keys
  const faultChance = createRandom(seed, 'faults')
  const faults = createFaults((probability) => faultChance.chance(probability))
  const { onListening } = tools
  const servers: FastifyInstance[] = []
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()))
    await practice.close()
  }
  try {
    // On ports that may already be known, no request is answered before the market has started.
    if (onListening === undefined) life.begin()
    const created = await Promise.all([
      createExchangeServer({ exchange, clock, wire, faults, log, ...(rateLimit === undefined ? {} : { rateLimit }) }),
      createGatewayServer({ world: gateway, settled: () => exchange.settled(), clock, faults, log }),
      createAdminServer({ exchange, gateway, webhooks, clock, faults, life, randomBytes, log }),
    ])
    servers.push(...created)
    const ports = [
      { port: options.port, flag: '--port' },
      { port: options.gatewayPort, flag: '--gateway-port' },
      { port: options.adminPort, flag: '--admin-port' },
    ]
    const [exchangeUrl = '', gatewayUrl = '', adminUrl = ''] = await listenAll(servers, ports)
    log(market === 'on' ? `sandbox: simulated market, seed ${seed}` : 'sandbox: the market is off')
    const services = {
      exchangeUrl: `${exchangeUrl}${exchangeBasePath}`,
      ...{ gatewayUrl, adminUrl, adminToken, partnerKey },
      accounts: life.accounts,
    }
    if (onListening !== undefined) {
      onListening(services)
      life.begin()
    }
    return { ...services, webhooks, stop: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The exchange of the data folder with its world, running, but without servers yet. */
function openPractice(options: SandboxOptions & { seed: number }, tools: SandboxTools, folder: DataFolder) {
  const { seed, market, snapshotEvery } = options
  const clock = createSimulatedClock(tools.clock)
  const stopping = new AbortController()
  const durable = DurableExchange.open(folder.path, {
    isTemporary: folder.isTemporary,
    onFailure: (failure) => {
      stopping.abort()
      tools.onFailure?.(failure)
    },
    ...(snapshotEvery === undefined ? {} : { snapshotEvery }),
  })
  try {
    const exchange = createPracticeExchange(durable, clock)
    const { randomBytes } = tools
    const store = durable.join((file) => new GatewayTables(file, durable))
    const gateway = new PracticeGateway({ store, nowMs: () => clock.now(), randomBytes })
    const life = startSimulation({ durable, folder: folder.path, exchange, gateway, clock, randomBytes, seed, market })
    stopping.signal.addEventListener('abort', () => void life.end(), { once: true })
    const keeping = durable.keep(tools.clock, stopping.signal)
    const { webhooks, ended } = openWebhooks({
      ...{ durable, world: gateway, clock, realClock: tools.clock, mode: options.wire ?? 'strings', log: tools.log },
      ...{ random: createRandom(seed, 'webhooks'), signal: stopping.signal },
    })
    const close = async () => {
      stopping.abort()
      await Promise.all([life.end(), keeping, ended])
      durable.close()
    }
    return { clock, exchange, gateway, webhooks, life, close }
  } catch (error) {
    durable.close()
    throw error
  }
}
