import pg from 'pg'
import type { Clock } from '../../../base/clock.ts'
import { channel } from './schema.ts'

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
  const listeners = new Set<() => void>()
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | null = null

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }

  const run = async (signal: AbortSignal): Promise<void> => {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      const wasUp = await listenOnce(settings, { clock, signal, tell })
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
    const own = () => listener()
    listeners.add(own)
    if (running === null) {
      const stop = new AbortController()
      running = { stop, over: run(stop.signal) }
    }
    return () => {
      listeners.delete(own)
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
  const closing = new AbortController()
  await Promise.race([client.end().catch(() => undefined), clock.sleep(closeMs, closing.signal)])
  closing.abort()
  return wasUp
}
