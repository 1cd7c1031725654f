import { doubled } from '../backoff.ts'
import { type Clock, within } from '../clock.ts'
import { createListeners } from '../listeners.ts'
import type { PostgresConnection } from './tables.ts'

/** A connection that receives notifications of commits by others, such as the driver's own client. */
export type ListeningConnection = PostgresConnection & {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error' | 'end' | 'notification', listener: () => void): unknown
}

const firstPauseMs = 250
const longestPauseMs = 10_000
/** Pings the connection this often: one that died silently shows by the missing answer. */
const askEveryMs = 20_000
const closeMs = 1_000

type Watch = {
  /** The channel's name, defined by this program. */
  readonly channel: string
  /** Creates a connection that is not open yet; its queries must have a timeout. */
  readonly connection: () => ListeningConnection
  readonly clock: Clock
}

/** Calls listeners after commits. */
export type ChannelWatch = {
  listen(listener: () => void): () => void
  end(): Promise<void>
}

/**
 * Listens while there are listeners, on a connection of its own, which is reopened when it breaks. The database does
 * not repeat notifications missed meanwhile, so listeners are called once after each reconnect.
 */
export function watchChannel(watch: Watch): ChannelWatch {
  const listeners = createListeners()
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | null = null

  const run = async (signal: AbortSignal): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const wasUp = await listenOnce(watch, signal, listeners.tell)
      failures = wasUp ? 0 : failures + 1
      await watch.clock.sleep(doubled(firstPauseMs, failures, longestPauseMs), signal)
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

/** Listens until the connection breaks or `signal` is aborted; resolves with whether it was ever connected. */
async function listenOnce({ channel, connection, clock }: Watch, signal: AbortSignal, tell: () => void) {
  const broken = new AbortController()
  const over = AbortSignal.any([signal, broken.signal])
  const client = connection()
  // A connection that ends reports one of these; the next one is opened after a pause.
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
    // Unreachable, or broken during a query: treated like an end.
    broken.abort()
  }
  await within(
    client.end().catch(() => undefined),
    closeMs,
    clock,
  )
  return wasUp
}
