import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../base/clock.ts'
import { createApp } from '../../../http-server/app.ts'
import { readQuery, wordParameter } from '../../../http-server/request.ts'
import { type Admit, badRequest, failure, json, type Route, settledFirst } from '../../../http-server/route.ts'
import { writeCurrencies, writePaymentMethods, writeRegions } from '../../../wire/eligibility.ts'
import { type Faults, withFaults } from '../../http/faults.ts'
import type { Partner, PartnerGateway } from '../partner-gateway.ts'

type GatewayServerOptions = {
  world: PartnerGateway
  /**
   * Null if everything the world shows is durable; otherwise a promise that resolves when it is, and rejects if that
   * fails.
   */
  settled: () => Promise<void> | null
  clock: Clock
  faults: Faults
  log: (line: string) => void
}

const gatewayBasePath = '/partner-gateway/partner-api'

/** The payment gateway's HTTP interface, where partners read what is enabled for them. Not yet listening. */
export function createGatewayServer(options: GatewayServerOptions): Promise<FastifyInstance> {
  const { world, settled, clock, faults, log } = options
  return createApp<Partner>({
    basePath: gatewayBasePath,
    routes: eligibilityRoutes(world).map((route) => settledFirst(route, settled)),
    admit: admitPartner(world),
    clock,
    log,
    around: withFaults(faults, clock),
  })
}

/** Admits requests that carry a partner's key. */
const admitPartner =
  (world: PartnerGateway): Admit<Partner> =>
  (headers) => {
    const key = headers['x-public-api-key']
    if (typeof key !== 'string' || key === '')
      return { refused: failure(401, 'the header X-Public-API-Key is missing') }
    const partner = world.partnerOf(key)
    return partner === undefined ? { refused: failure(401, 'the API key is not known') } : { guest: partner }
  }

const regionsQuery = { onlyBuyAllowed: wordParameter(['true', 'false']) }

/** What is enabled on the requesting partner's account: currencies, regions and payment methods. */
const eligibilityRoutes = (world: PartnerGateway): Route<Partner>[] => [
  { method: 'GET', path: '/v1/currencies', handle: ({ guest }) => json(writeCurrencies(world.currencies(guest))) },
  {
    method: 'GET',
    path: '/v1/regions',
    handle: ({ guest, query }) => {
      const asked = readQuery(query, regionsQuery)
      if (!asked.ok) return badRequest(asked.error)
      return json(writeRegions(world.regions(guest, asked.value.onlyBuyAllowed !== 'false')))
    },
  },
  {
    method: 'GET',
    path: '/v1/payment-methods',
    handle: ({ guest }) => json(writePaymentMethods(world.paymentMethods(guest), 'nested')),
  },
]
