import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { failure } from './http/answer.ts'
import { createApp } from './http/app.ts'
import type { Admit } from './http/route.ts'
import { isSameSecret } from './http/token.ts'

/** The payment gateway's address: it knows its partner's key, and has no operations of its own yet. Not yet listening. */
export function createGatewayDoor(options: {
  partnerKey: string
  clock: Clock
  log: (line: string) => void
}): Promise<FastifyInstance> {
  const { partnerKey, clock, log } = options
  const admit: Admit<null> = (headers) => {
    const key = headers['x-public-api-key']
    const isPartner = typeof key === 'string' && isSameSecret(key, partnerKey)
    return isPartner
      ? { guest: null }
      : { refused: failure(401, 'the header X-Public-API-Key is missing or not known') }
  }
  const nothingHere = 'the practice gateway is not here yet'
  return createApp<null>({ basePath: '', routes: [], admit, clock, log, nothingHere })
}
