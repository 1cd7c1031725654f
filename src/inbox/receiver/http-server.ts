import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { Registry } from 'prom-client'
import { isFromWebPage } from '../../base/browser-request.ts'
import { listenOn } from '../../base/listen.ts'
import type { ReceiverLimits, ReceiverSettings } from './settings.ts'

const end = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** `/metrics` in the Prometheus form and `/healthz`, on a port of their own that need not be reachable from outside. */
export async function metricsServer(
  registry: Registry,
  isWell: () => boolean,
  listen: { readonly host: string; readonly port: number },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const plain = 'text/plain; charset=utf-8'
  const isLocal = listen.host === '127.0.0.1' || listen.host === '::1'
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    if (isFromWebPage(request.rawHeaders, isLocal ? 'local' : 'direct'))
      return end(response, 403, plain, 'Not for web pages.\n')
    const path = (request.url ?? '').split('?', 1)[0]
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, plain, 'Read this by GET.\n')
    if (path === '/healthz') return end(response, isWell() ? 200 : 503, plain, isWell() ? 'ok\n' : 'The store fails.\n')
    if (path !== '/metrics') return end(response, 404, plain, 'There is nothing here.\n')
    registry.metrics().then(
      (text) => end(response, 200, registry.contentType, text),
      (error: unknown) => end(response, 500, plain, `${String(error)}\n`),
    )
  })
  // A scraper and a health check or two.
  server.maxConnections = 100
  const url = `${await listenOn(server, listen, 'http')}/metrics`
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function newServer({ tls }: ReceiverSettings, limits: ReceiverLimits): Server | SecureServer {
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

/** Ends the server once what is under way is answered, or when the limit is over. */
export async function stopServer(
  server: Server | SecureServer,
  { clock }: ReceiverSettings,
  stopMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const isOver = new AbortController()
  await Promise.race([closed, clock.sleep(stopMs, isOver.signal)])
  isOver.abort()
  server.closeAllConnections()
  await closed
}
