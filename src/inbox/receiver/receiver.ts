import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { type Clock, within } from '../../base/clock.ts'
import { listenOn, rivalAt } from '../../base/net/listen.ts'
import { limitPipelined } from '../../base/net/pipelined.ts'
import { plainType, startStatusServer } from '../../base/net/status-server.ts'
import { onceAMinute } from '../trouble-log.ts'
import { commitReporter, type ReceiverMetrics, receiverMetrics } from './metrics.ts'
import { type RecordingQueue, recordingQueue } from './recording-queue.ts'
import { requestHandler } from './request-handler.ts'
import { type Receiver, type ReceiverLimits, type ReceiverSettings, receiverLimits } from './settings.ts'
import { type Peer, type SourceCheck, sourceCheck } from './source-check.ts'

/**
 * Starts receiving events; answers 2xx only for events the store has made durable or already had. Rejects with a
 * sentence when a setting is malformed or a port is taken. Timeouts within a connection are the system's own.
 */
export async function startReceiver(settings: ReceiverSettings): Promise<Receiver> {
  const { store, clock, listen, allow, trustProxies, tls } = settings
  const limits = { ...receiverLimits, ...settings.limits }
  const queueRef: { current: RecordingQueue | null } = { current: null }
  const metrics = receiverMetrics(() => queueRef.current?.length ?? 0, settings.metrics?.registry)
  const { onCommit, isWell } = commitReporter(settings, metrics)
  const tracing = settings.tracing ?? null
  const onBatch: typeof onCommit = (batch, result, tookMs) => {
    onCommit(batch, result, tookMs)
    tracing?.commit(batch, result, tookMs)
  }
  const queue = recordingQueue(store, limits, onBatch, () => clock.now())
  queueRef.current = queue
  const { sourceOf, peerOf } = sourceCheck(allow, trustProxies)
  const { onRequest, onExpectation } = requestHandler({
    sourceOf,
    peerOf,
    isLocalOnly: settings.isLocalOnly ?? false,
    queue,
    bodyBytes: limits.bodyBytes,
    now: () => clock.wallMs(),
    isWell,
    isStopping: () => !server.listening,
    onRefused: (status) => metrics.answers.inc({ status: String(status) }),
    tracing,
  })
  const server = newServer(settings, limits)
  const onCut = (peer: string) => metrics.cuts.inc({ peer })
  server.on('connection', connectionGuard({ peerOf, limits, isSecure: tls !== null, clock, log: settings.log, onCut }))
  server.on('request', limitPipelined(onRequest))
  server.on('checkContinue', limitPipelined(onExpectation))
  server.on('checkExpectation', limitPipelined(onRequest))
  const rival = rivalAt(listen.port, 'pitdesk hub serve')
  const url = await listenOn(server, { ...listen, flag: '--port', rival }, tls === null ? 'http' : 'https')
  const side =
    settings.metrics === null
      ? null
      : await metricsServer(metrics, isWell, settings.metrics).catch(async (error: unknown) => {
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

/** Serves `/metrics` in the Prometheus format and `/healthz`, on a port that need not be reachable from outside. */
async function metricsServer(
  metrics: Pick<ReceiverMetrics, 'text' | 'contentType'>,
  isWell: () => boolean,
  listen: { readonly host: string; readonly port: number },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const health = () => ({
    status: isWell() ? 200 : 503,
    type: plainType,
    text: isWell() ? 'ok\n' : 'The store fails.\n',
  })
  const { url, stop } = await startStatusServer(
    {
      '/healthz': health,
      '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
    },
    { ...listen, flag: '--metrics-port' },
  )
  return { url: `${url}/metrics`, stop }
}

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
      : createSecureServer({
          ...{ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersMs },
          // As a server without TLS has it by itself.
          allowHalfOpen: true,
        })
  // Some senders end their side once the request is out (`nc -N`, some proxies): they are answered, then it ends.
  Object.assign(server, { httpAllowHalfOpen: true })
  // The connection guard decides; this is only a limit on its errors.
  server.maxConnections = limits.connections + limits.strangers + 1
  return server
}

/** Stops the server when requests in progress are answered, or after the time limit. */
async function stopServer(server: Server | SecureServer, { clock }: ReceiverSettings, stopMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await within(closed, stopMs, clock)
  server.closeAllConnections()
  await closed
}

type Guard = {
  readonly peerOf: SourceCheck['peerOf']
  readonly limits: Pick<ReceiverLimits, 'connections' | 'connectionsEach' | 'strangers' | 'strangersEach'>
  /** With TLS, strangers are cut before the handshake, which costs more than an answer. */
  readonly isSecure: boolean
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly onCut: (kind: Peer['kind']) => void
}

/** Counts open connections by name; forgets names without any. */
function openCounts() {
  const counts = new Map<string, number>()
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add(name: string, change: 1 | -1): void {
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

/**
 * Checks who connects, before any byte is read: strangers have a few places of their own, so they never delay allowed
 * senders. Connections beyond a limit are cut at once, logged at most once a minute.
 */
function connectionGuard({ peerOf, limits, isSecure, clock, log, onCut }: Guard): (socket: Socket) => void {
  const open = openCounts()
  let cutCount = 0
  const maySay = onceAMinute(clock)

  /** The names a connection is counted under, with their limits; null when it is not accepted at all. */
  const placesOf = ({ kind, address, network }: Peer): readonly (readonly [string, number])[] | null => {
    if (kind === 'proxy') return [['known', limits.connections]]
    if (kind === 'allowed')
      return [
        ['known', limits.connections],
        [`known ${network}`, limits.connectionsEach],
      ]
    if (isSecure || address === '') return null
    return [
      ['strangers', limits.strangers],
      [`strangers ${network}`, limits.strangersEach],
    ]
  }

  const tell = ({ kind, address }: Peer): void => {
    cutCount += 1
    if (!maySay()) return
    const why = kind === 'stranger' ? 'may not send here' : 'has too many'
    log(`connections cut: ${cutCount}, the last of ${address === '' ? 'an unknown address' : address}, which ${why}`)
    cutCount = 0
  }

  return (socket) => {
    const peer = peerOf(socket.remoteAddress ?? '')
    const places = placesOf(peer)
    if (places === null || places.some(([name, most]) => open.of(name) >= most)) {
      socket.destroy()
      onCut(peer.kind)
      tell(peer)
      return
    }
    for (const [name] of places) open.add(name, 1)
    socket.once('close', () => {
      for (const [name] of places) open.add(name, -1)
    })
  }
}
