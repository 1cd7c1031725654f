import { Resolver } from 'node:dns/promises'
import type { Found, Resolve } from './connect.ts'

const perTry = { timeout: 1_500, tries: 2 } as const
const thisMachine: readonly Found[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Asks the name servers by itself: the system's own look-up has two places for the whole process, which two names whose
 * servers say nothing would keep from all others.
 */
export const resolveByDns: Resolve = async (host) => {
  if (host === 'localhost' || host.endsWith('.localhost')) return thisMachine
  const resolver = new Resolver(perTry)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [...addresses(four, 4), ...addresses(six, 6)]
  if (found.length > 0) return found
  const isKnownToBeNone = [four, six].every((each) => each.status === 'fulfilled' || isNone(each.reason))
  throw Object.assign(new Error(`no address of ${host}`), { code: isKnownToBeNone ? 'ENOTFOUND' : 'EAI_AGAIN' })
}

const addresses = (asked: PromiseSettledResult<readonly string[]>, family: number): readonly Found[] =>
  asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : []

const isNone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
