import { listenOn } from '../../base/listen.ts'
import { connectionGuard } from './connection-guard.ts'
import { metricsServer, newServer, stopServer } from './http-server.ts'
import { commitReporter, receiverMetrics } from './metrics.ts'
import { type RecordingQueue, recordingQueue } from './recording-queue.ts'
import { requestHandler } from './request-handler.ts'
import { type Receiver, type ReceiverSettings, receiverLimits } from './settings.ts'
import { sourceCheck } from './source-check.ts'

/**
 * Starts to take events: 2xx only for what the store has made durable, or had already. Rejects with a sentence when a
 * setting is malformed or a port is taken. Times within a connection (slow senders) are the system's own.
 */
export async function startReceiver(settings: ReceiverSettings): Promise<Receiver> {
  const { store, clock, listen, allow, trustProxies, tls } = settings
  const limits = { ...receiverLimits, ...settings.limits }
  const queueRef: { current: RecordingQueue | null } = { current: null }
  const metrics = receiverMetrics(() => queueRef.current?.length ?? 0, settings.metrics?.registry)
  const { onCommit, isWell } = commitReporter(settings, metrics)
  const queue = recordingQueue(store, limits, onCommit, () => clock.now())
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
