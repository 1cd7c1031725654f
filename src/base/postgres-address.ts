import { errorText } from './error-text.ts'
import { isLoopbackHost } from './loopback.ts'
import { ownFileComplaint } from './own-file.ts'
import { err, ok, type Result } from './result.ts'

export type PostgresAddress = {
  /** What the driver is given; it may hold a password. */
  readonly connection: string
  /** What a person is shown: host, port and database, nothing else. */
  readonly shown: string
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
/** The driver takes no host for a local socket or this machine, and `%2F…` for the path of a socket. */
const isThisMachine = (host: string): boolean => host === '' || host.startsWith('%2F') || isLoopbackHost(host)

/**
 * Files of the address that others could read a key from, or change to have another server trusted: a sentence, or
 * null.
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
 * Reads `postgres://user@host:port/database?sslmode=…`. The connection to another machine is encrypted and its
 * certificate verified, unless the address says `sslmode=disable` or `no-verify`; the modes between verify too. The
 * error is a sentence without the address.
 */
export function readPostgresAddress(text: string): Result<PostgresAddress> {
  const url = URL.parse(text)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    return err('The address of the store must be postgres://host/database.')
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode)) return err(`The store's sslmode must be one of ${modes.join(', ')}.`)
  const files = fileComplaint(url.searchParams)
  if (files !== null) return err(files)
  const host = url.searchParams.get('host') ?? url.host
  const isPlain = mode === null && isThisMachine(url.searchParams.get('host') ?? url.hostname)
  const isOwnChoice = mode === 'disable' || mode === 'no-verify' || url.searchParams.has('uselibpqcompat')
  if (!isPlain && !isOwnChoice) url.searchParams.set('sslmode', 'verify-full')
  return ok({ connection: url.href, shown: `postgres://${host}${url.pathname}` })
}

/** What a failure says, for a sentence about the database at `shown`; never more of its address. */
export function saying(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return saying(error.errors[0])
  return errorText(error)
}
