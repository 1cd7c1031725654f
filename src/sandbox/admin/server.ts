import type { FastifyInstance } from 'fastify'
import type { Webhooks } from '../gateway/sender/webhooks.ts'
import type { GatewayWorld } from '../gateway/world.ts'
import { failure } from '../http/answer.ts'
import { createApp } from '../http/app.ts'
import type { Faults } from '../http/faults.ts'
import type { Admit, Route } from '../http/route.ts'
import { isSameSecret, type RandomBytes } from '../http/token.ts'
import type { Life } from '../life.ts'
import type { SandboxClock } from '../sandbox-clock.ts'
import type { Venue } from '../venue.ts'
import { accountVerbs } from './account-verbs.ts'
import { clockVerbs, faultVerbs } from './fault-verbs.ts'
import { fundsVerbs } from './funds-verbs.ts'
import { gatewayVerbs } from './gateway-verbs.ts'
import { resetVerb } from './reset-verb.ts'
import { symbolVerbs } from './symbol-verbs.ts'
import type { Verb } from './verb.ts'
import { webhookVerbs } from './webhook-verbs.ts'

export type AdminServerOptions = {
  venue: Venue
  gateway: GatewayWorld
  webhooks: Webhooks
  clock: SandboxClock
  faults: Faults
  /** Holds the admin token; told when the clock was put forward, so that what is due happens before the answer. */
  life: Pick<Life, 'keys' | 'advance' | 'reset'>
  randomBytes: RandomBytes
  log: (line: string) => void
}

/** Everything the administrator can do. */
export function adminVerbs(options: Omit<AdminServerOptions, 'log'>): Verb[] {
  const { venue, gateway, webhooks, clock, faults, life, randomBytes } = options
  const putForward = (ms: number) => {
    clock.putForward(ms)
    life.advance()
    webhooks.catchUp()
    return clock.now()
  }
  return [
    ...accountVerbs(venue, randomBytes),
    ...fundsVerbs(venue),
    ...symbolVerbs(venue),
    ...faultVerbs(faults),
    ...clockVerbs(putForward),
    ...gatewayVerbs(gateway),
    ...webhookVerbs(webhooks),
    resetVerb(life.reset),
  ]
}

/**
 * The administrator's HTTP interface: what the real service does on its web page or through a person. Not yet
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
    nothingHere: 'there is no such command',
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
