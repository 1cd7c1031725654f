import pg from 'pg'
import { type Clock, within } from '../../../base/clock.ts'
import { errorText } from '../../../base/error-text.ts'
import { createListeners } from '../../../base/listeners.ts'
import { isLoopbackHost } from '../../../base/loopback.ts'
import { ownFileComplaint } from '../../../base/own-file.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { channel, migrate } from './schema.ts'

type PostgresAddress = {
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

/** Below the five seconds after which the gateway stops waiting for the answer. */
export const questionMs = 4_000

/** What a failure says, for a sentence about the database at `shown`; never more of its address. */
export function saying(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return saying(error.errors[0])
  return errorText(error)
}

export const exchanged = (shown: string): string =>
  `ALARM the inbox at ${shown} is another one than was opened: nothing is taken until the inbox is started again`

/** Makes the tables, and gives the identity of what is in them. */
export async function prepare(settings: pg.ClientConfig, mayLoseEvents: boolean): Promise<string> {
  const client = new pg.Client(settings)
  // What breaks the connection also fails the question under way.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query('SHOW fsync')
    if (!mayLoseEvents && rows[0]?.fsync !== 'on')
      throw new Error('the server runs with fsync off and would lose acknowledged events')
    return await migrate(client)
  } finally {
    await client.end()
  }
}

const firstPauseMs = 250
const longestPauseMs = 10_000
/** A connection that died without a word is noticed by a question it does not answer. */
const askEveryMs = 20_000
const closeMs = 1_000

/**
 * Listens while anybody wants to know, on one connection of its own, opened anew when it breaks. What was committed
 * meanwhile is not told again by the database: so everybody is told once whenever the connection is there again.
 */
export function watchChannel(settings: pg.ClientConfig, clock: Clock) {
  const listeners = createListeners()
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | null = null

  const run = async (signal: AbortSignal): Promise<void> => {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      const wasUp = await listenOnce(settings, { clock, signal, tell: listeners.tell })
      pauseMs = wasUp ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
      await clock.sleep(pauseMs, signal)
    }
  }

  const end = async (): Promise<void> => {
    const ending = running
    running = null
    ending?.stop.abort()
    await ending?.over
  }

  const listen = (listener: () => void): (() => void) => {
    const leave = listeners.add(listener)
    if (running === null) {
      const stop = new AbortController()
      running = { stop, over: run(stop.signal) }
    }
    return () => {
      leave()
      if (listeners.size === 0) void end()
    }
  }

  return { listen, end }
}

type Tools = { readonly clock: Clock; readonly signal: AbortSignal; readonly tell: () => void }

/** Listens until the connection breaks or the signal comes; resolves with whether it was ever up. */
async function listenOnce(settings: pg.ClientConfig, { clock, signal, tell }: Tools): Promise<boolean> {
  const broken = new AbortController()
  const over = AbortSignal.any([signal, broken.signal])
  const client = new pg.Client(settings)
  // Each way a connection ends comes as one of these; the next one is opened after a pause.
  client.on('error', () => broken.abort())
  client.on('end', () => broken.abort())
  client.on('notification', tell)
  let wasUp = false
  try {
    await client.connect()
    await client.query(`LISTEN ${channel}`)
    wasUp = true
    tell()
    while (!over.aborted) {
      await clock.sleep(askEveryMs, over)
      if (!over.aborted) await client.query('SELECT 1')
    }
  } catch {
    // It cannot be reached, or broke under a question: the same as an end.
    broken.abort()
  }
  await within(
    client.end().catch(() => undefined),
    closeMs,
    clock,
  )
  return wasUp
}
