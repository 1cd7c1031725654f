import { ownFileComplaint } from '../files/own-file.ts'
import { isLoopbackHost } from '../net/loopback.ts'
import { err, ok, type Result } from '../result.ts'
import { errorText } from '../text/error-text.ts'

export type PostgresAddress = {
  /** The address for the driver; may contain a password. */
  readonly connection: string
  /** The address for display: host, port and database only. */
  readonly shown: string
  /** How long a connection may take, in ms; null unless the address says so. */
  readonly connectMaxMs: number | null
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const connectMaxS = 600
/** An empty host means a local socket or this machine to the driver, and `%2F…` the path of a socket. */
const isThisMachine = (host: string): boolean => host === '' || host.startsWith('%2F') || isLoopbackHost(host)

/**
 * Why a file named in the address is unsafe, as a sentence: others could read a key from it, or make another server
 * trusted. Null when all are safe.
 */
function fileComplaint(words: URLSearchParams): string | null {
  for (const [name, rule] of [
    ['sslkey', 'shared secret'],
    ['sslcert', 'trusted'],
    ['sslrootcert', 'trusted'],
  ] as const) {
    const path = words.get(name)
    const wrong = path === null || path === 'system' ? null : ownFileComplaint(path, rule)
    if (wrong !== null) return `The store's ${name} ${wrong}.`
  }
  return null
}

/**
 * Reads `postgres://user@host:port/database?sslmode=…&connect_timeout=…`. Connections to other machines are encrypted
 * and verify the certificate, unless the address says `sslmode=disable` or `no-verify`; all other modes verify too. The
 * error is a sentence without the address.
 */
export function readPostgresAddress(text: string): Result<PostgresAddress> {
  const url = URL.parse(text)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    return err('The address of the store must be postgres://host/database.')
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode)) return err(`The store's sslmode must be one of ${modes.join(', ')}.`)
  const limit = url.searchParams.get('connect_timeout')
  if (limit !== null && !(/^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= connectMaxS))
    return err(`The store's connect_timeout must be 1 to ${connectMaxS} seconds.`)
  const files = fileComplaint(url.searchParams)
  if (files !== null) return err(files)
  const host = url.searchParams.get('host') ?? url.host
  const isPlain = mode === null && isThisMachine(url.searchParams.get('host') ?? url.hostname)
  const isOwnChoice = mode === 'disable' || mode === 'no-verify' || url.searchParams.has('uselibpqcompat')
  if (!isPlain && !isOwnChoice) url.searchParams.set('sslmode', 'verify-full')
  const connectMaxMs = limit === null ? null : Number(limit) * 1_000
  return ok({ connection: url.href, shown: `postgres://${host}${url.pathname}`, connectMaxMs })
}

/** The message of a failure, for a sentence about the database at `shown`; contains no more of its address. */
export function saying(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return saying(error.errors[0])
  return errorText(error)
}
