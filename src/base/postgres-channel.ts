import { doubled } from './backoff.ts'
import { type Clock, within } from './clock.ts'
import { createListeners } from './listeners.ts'
import type { PostgresConnection } from './postgres-tables.ts'

/** A connection that is told of what others committed: the driver's own client is one. */
export type ListeningConnection = PostgresConnection & {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error' | 'end' | 'notification', listener: () => void): unknown
}

const firstPauseMs = 250
const longestPauseMs = 10_000
/** A connection that died without a word is noticed by a question it does not answer. */
const askEveryMs = 20_000
const closeMs = 1_000

type Watch = {
  /** A name of this program's own. */
  readonly channel: string
  /** A new connection, not opened yet; its questions must have a limit of time. */
  readonly connection: () => ListeningConnection
  readonly clock: Clock
}

/** Who is told whenever something was committed. */
export type ChannelWatch = {
  listen(listener: () => void): () => void
  end(): Promise<void>
}

/**
 * Listens while anybody wants to know, on one connection of its own, opened anew when it breaks. What was committed
 * meanwhile is not told again by the database: so everybody is told once whenever the connection is there again.
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

/** Listens until the connection breaks or the signal comes; resolves with whether it was ever up. */
async function listenOnce({ channel, connection, clock }: Watch, signal: AbortSignal, tell: () => void) {
  const broken = new AbortController()
  const over = AbortSignal.any([signal, broken.signal])
  const client = connection()
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
