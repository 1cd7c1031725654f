import type { FastifyInstance } from 'fastify'
import { createApp } from '../../http-server/app.ts'
import { type Admit, failure, type Route } from '../../http-server/route.ts'
import type { PartnerGateway } from '../gateway/partner-gateway.ts'
import type { Webhooks } from '../gateway/sender/webhooks.ts'
import type { Faults } from '../http/faults.ts'
import { isSameSecret, type RandomBytes } from '../http/token.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import type { SimulatedClock } from '../simulated-time.ts'
import type { Simulation } from '../simulation.ts'
import { accountVerbs, clockVerbs, faultVerbs, fundsVerbs, resetVerb, symbolVerbs } from './exchange-verbs.ts'
import { gatewayVerbs, webhookVerbs } from './gateway-verbs.ts'
import type { Verb } from './verb.ts'

type AdminServerOptions = {
  exchange: PracticeExchange
  gateway: PartnerGateway
  webhooks: Webhooks
  clock: SimulatedClock
  faults: Faults
  /** Holds the admin token; notified when the clock was advanced, so that whatever is due happens before the answer. */
  life: Pick<Simulation, 'keys' | 'advance' | 'reset'>
  randomBytes: RandomBytes
  log: (line: string) => void
}

/** Everything the administrator can do. */
export function adminVerbs(options: Omit<AdminServerOptions, 'log'>): Verb[] {
  const { exchange, gateway, webhooks, clock, faults, life, randomBytes } = options
  const putForward = (ms: number) => {
    clock.putForward(ms)
    life.advance()
    webhooks.catchUp()
    return clock.now()
  }
  return [
    ...accountVerbs(exchange, randomBytes),
    ...fundsVerbs(exchange),
    ...symbolVerbs(exchange),
    ...faultVerbs(faults),
    ...clockVerbs(putForward),
    ...gatewayVerbs(gateway),
    ...webhookVerbs(webhooks),
    resetVerb(life.reset),
  ]
}

/**
 * The administrator's HTTP interface: actions that the real service offers on its web page or through staff. Not yet
 * listening.
 */
export function createAdminServer(options: AdminServerOptions): Promise<FastifyInstance> {
  const { clock, life, log } = options
  return createApp<null>({
    basePath: '',
    routes: adminVerbs(options).map((each) => toRoute(each, log)),
    admit: admitBearer(life.keys.adminToken),
    clock,
    log,
    nothingHere: 'unknown command',
  })
}

const toRoute = ({ noun, name, run }: Verb, log: (line: string) => void): Route<null> => ({
  method: 'POST',
  path: name === '' ? `/${noun}` : `/${noun}/${name}`,
  handle: async ({ body }) => {
    const answer = await run(body)
    if (answer.status === 200) log(`admin: ${noun} ${name}`)
    return answer
  },
})

const admitBearer = (adminToken: string): Admit<null> => {
  const refused = failure(401, 'the header Authorization must be Bearer and the admin token', {
    'www-authenticate': 'Bearer',
  })
  return (headers) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    return token !== undefined && isSameSecret(token, adminToken) ? { guest: null } : { refused }
  }
}
