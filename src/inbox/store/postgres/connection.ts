import pg from 'pg'
import { type Clock, within } from '../../../base/clock.ts'
import { createListeners } from '../../../base/listeners.ts'
import { channel, migrate } from './schema.ts'

/** Below the five seconds after which the gateway stops waiting for the answer. */
export const questionMs = 4_000

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
