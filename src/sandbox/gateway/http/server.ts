import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../http/answer.ts'
import { createApp } from '../../http/app.ts'
import type { Faults } from '../../http/faults.ts'
import type { Admit, Route } from '../../http/route.ts'
import type { GatewayWorld, Partner } from '../world.ts'
import { eligibilityRoutes } from './eligibility-routes.ts'

export type GatewayServerOptions = {
  world: GatewayWorld
  /** Null when all that the world shows is durable; else it resolves when it is, and rejects when it cannot be. */
  settled: () => Promise<void> | null
  clock: Clock
  faults: Faults
  log: (line: string) => void
}

export const gatewayBasePath = '/partner-gateway/partner-api'

/** The payment gateway's HTTP interface, for partners to read what is enabled for them. Not yet listening. */
export function createGatewayServer(options: GatewayServerOptions): Promise<FastifyInstance> {
  const { world, settled, clock, faults, log } = options
  return createApp<Partner>({
    basePath: gatewayBasePath,
    routes: eligibilityRoutes(world).map((route) => settledFirst(route, settled)),
    admit: admitPartner(world),
    clock,
    log,
    faults,
  })
}

/** The same operation, whose answer tells of nothing that a crash could take back. */
const settledFirst = (route: Route<Partner>, settled: () => Promise<void> | null): Route<Partner> => ({
  ...route,
  handle: async (request) => {
    const answer = await route.handle(request)
    await settled()
    return answer
  },
})

/** Lets in whoever names a partner by its key. */
const admitPartner =
  (world: GatewayWorld): Admit<Partner> =>
  (headers) => {
    const key = headers['x-public-api-key']
    if (typeof key !== 'string' || key === '')
      return { refused: failure(401, 'the header X-Public-API-Key is missing') }
    const partner = world.partnerOf(key)
    return partner === undefined ? { refused: failure(401, 'the API key is not known') } : { guest: partner }
  }
