import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { plainText } from '../../base/plain-text.ts'
import type { Incoming, Recorded } from '../event-store.ts'
import { connectionGuard } from './connection-guard.ts'
import { listenOn } from './listen-on.ts'
import { metricsServer } from './metrics-server.ts'
import { receiverMetrics } from './receiver-metrics.ts'
import { type RecordingQueue, recordingQueue } from './recording-queue.ts'
import { type Receiver, type ReceiverLimits, type ReceiverSettings, receiverLimits } from './settings.ts'
import { sourceCheck } from './source-check.ts'
import { takeEvents } from './take-events.ts'

/** Bodies of one commit that get a line of their own in the log. */
const mostTold = 3
/** A failure of the store is told to health checks for this long after it. */
const unwellMs = 10_000

function newServer({ tls }: ReceiverSettings, limits: ReceiverLimits): Server | SecureServer {
  const options = {
    keepAlive: true,
    noDelay: true,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs, limits.requestMs),
  }
  const server =
    tls === null
      ? createServer(options)
      : createSecureServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersMs })
  // The guard of connections decides; this is the end of its own mistakes.
  server.maxConnections = limits.connections + limits.strangers + 1
  return server
}

/** Tells what a commit brought: counts, and a line of the log for what somebody has to look at. */
function reporter(settings: ReceiverSettings, metrics: ReturnType<typeof receiverMetrics>) {
  const { log, clock } = settings
  let failedAtMs = Number.NEGATIVE_INFINITY
  let isFailing = false
  const tell = (each: Incoming, outcome: Recorded | undefined) => {
    if (outcome === 'conflict' && each.kind === 'event')
      log(
        `ALARM another body came under the known event id ${plainText(each.eventId).slice(0, 100)} from ${each.source}; kept beside the first`,
      )
    if (outcome === 'quarantined' && each.kind === 'unreadable')
      log(`a body of ${each.body.byteLength} bytes from ${each.source} went to quarantine: ${each.reason}`)
  }
  /** All of them are in the store; the log must not become the slowest part of a flood. */
  const tellSome = (batch: readonly Incoming[], result: readonly Recorded[]) => {
    let told = 0
    for (const [index, each] of batch.entries()) {
      const outcome = result[index]
      if (outcome !== 'conflict' && outcome !== 'quarantined') continue
      told += 1
      if (told <= mostTold) tell(each, outcome)
    }
    if (told > mostTold) log(`and ${told - mostTold} more such bodies in the same commit`)
  }
  return {
    onCommit(batch: readonly Incoming[], result: readonly Recorded[] | Error, tookMs: number): void {
      metrics.commitSeconds.observe(tookMs / 1_000)
      if (result instanceof Error) {
        failedAtMs = clock.now()
        metrics.bodies.inc({ outcome: 'failed' }, batch.length)
        if (!isFailing) log(`events cannot be kept, and are refused until they can: ${result.message}`)
        isFailing = true
        return
      }
      if (isFailing) log('events are kept again')
      isFailing = false
      const counts: Record<Recorded, number> = { new: 0, known: 0, conflict: 0, quarantined: 0 }
      for (const outcome of result) counts[outcome] += 1
      for (const outcome of ['new', 'known', 'conflict', 'quarantined'] as const)
        if (counts[outcome] > 0) metrics.bodies.inc({ outcome }, counts[outcome])
      metrics.commitSize.observe(batch.length)
      if (counts.conflict + counts.quarantined > 0) tellSome(batch, result)
    },
    isWell: () => !isFailing || clock.now() - failedAtMs > unwellMs,
  }
}

/** Ends the server once what is under way is answered, or when the limit is over. */
async function stopServer(server: Server | SecureServer, { clock }: ReceiverSettings, stopMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const isOver = new AbortController()
  await Promise.race([closed, clock.sleep(stopMs, isOver.signal)])
  isOver.abort()
  server.closeAllConnections()
  await closed
}

/**
 * Starts to take events: 2xx only for what the store has made durable, or had already. Rejects with a sentence when a
 * setting is malformed or a port is taken. Times within a connection (slow senders) are the system's own.
 */
export async function startReceiver(settings: ReceiverSettings): Promise<Receiver> {
  const { store, clock, listen, allow, trustProxies, tls } = settings
  const limits = { ...receiverLimits, ...settings.limits }
  const queueRef: { current: RecordingQueue | null } = { current: null }
  const metrics = receiverMetrics(() => queueRef.current?.length ?? 0, settings.metrics?.registry)
  const { onCommit, isWell } = reporter(settings, metrics)
  const queue = recordingQueue(store, limits, onCommit, () => clock.now())
  queueRef.current = queue
  const { sourceOf, peerOf } = sourceCheck(allow, trustProxies)
  const { onRequest, onExpectation } = takeEvents({
    sourceOf,
    peerOf,
    isLocalOnly: settings.isLocalOnly ?? false,
    queue,
    bodyBytes: limits.bodyBytes,
    now: () => clock.wallMs(),
    isWell,
    isStopping: () => !server.listening,
    onRefused: (status) => metrics.answers.inc({ status: String(status) }),
  })
  const server = newServer(settings, limits)
  const onCut = (peer: string) => metrics.cuts.inc({ peer })
  server.on('connection', connectionGuard({ peerOf, limits, isSecure: tls !== null, clock, log: settings.log, onCut }))
  server.on('request', onRequest)
  server.on('checkContinue', onExpectation)
  server.on('checkExpectation', onRequest)
  const url = await listenOn(server, listen, tls === null ? 'http' : 'https')
  const side =
    settings.metrics === null
      ? null
      : await metricsServer(metrics.registry, isWell, settings.metrics).catch(async (error: unknown) => {
          await stopServer(server, settings, 0)
          throw error
        })
  return {
    url,
    metricsUrl: side?.url ?? null,
    renewCertificate(certificate) {
      if ('setSecureContext' in server) server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' })
    },
    async stop() {
      await stopServer(server, settings, limits.stopMs)
      await side?.stop()
    },
  }
}
