import { createServer, STATUS_CODES } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify'
import { type Clock, within } from '../base/clock.ts'
import { isFromWebPage, type PageRule } from '../base/net/browser-request.ts'
import { isPortTaken, PortTaken } from '../base/net/listen.ts'
import { limitPipelined } from '../base/net/pipelined.ts'
import { httpDate } from '../base/text/time-text.ts'
import { writeError } from '../wire/message.ts'
import { hasBody, hideBody, noBody, parseQuery, type RequestBody, readBody } from './request.ts'
import { type Admission, type Admit, type Answer, failure, methodsOf, type Route, type Taken } from './route.ts'
import { limitUnadmitted } from './unadmitted.ts'

type AppOptions<Guest> = {
  /** `/v3`, or empty. */
  basePath: string
  routes: readonly Route<Guest>[]
  /** Called before anything else about a request is checked, even whether its path exists. */
  admit: Admit<Guest>
  clock: Clock
  log: (line: string) => void
  around?: Around
  /** The error texts for an unknown path, and for a failure of the server itself. */
  nothingHere?: string
  failed?: string
  /** Which clients are answered, see `isFromWebPage`; by default programs on this machine. */
  pageRule?: PageRule
  /** Serves https with this certificate. */
  tls?: TlsFiles
  /** Headers of every answer. */
  headers?: Readonly<Record<string, string>>
}

/** A certificate chain and its key, in PEM form. */
type TlsFiles = { cert: string; key: string }

/**
 * May replace the operation's answer. `path` is below the base path, or null when it is elsewhere; returns null when
 * the connection was handled.
 */
export type Around = (
  asked: { method: string; path: string | null; basePath: string; reply: FastifyReply },
  answerIt: () => Answer | Taken | Promise<Answer | Taken>,
) => Answer | Taken | Promise<Answer | Taken>

const requestTimeoutMs = 30_000
/** Headers come in one piece: whoever sends them slowly only occupies a connection. */
const slowness = { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 } as const
const plain = {
  ...slowness,
  requireHostHeader: false,
  requestTimeout: requestTimeoutMs,
  // As Fastify has it: longer than balancers keep theirs.
  keepAliveTimeout: 72_000,
} as const
const secured = {
  ...slowness,
  minVersion: 'TLSv1.2',
  requestTimeout: requestTimeoutMs,
  handshakeTimeout: 10_000,
} as const
// Longer than any valid path; the HTTP parser limits the request line to 16 KiB.
const pathPartMaxLength = 16_384

const bodyRefusals = {
  tooLarge: failure(413, 'the body is larger than 64 KiB'),
  crumbled: failure(400, 'the body comes in too many tiny pieces'),
  notText: failure(400, 'the body is not UTF-8 text'),
}
const fromWebPage = failure(403, 'web pages may not send requests here (Origin, Sec-Fetch-Site or Host)')
const badPath = failure(400, 'the path is not well percent-encoded')

const noCompiler = () => {
  throw new Error('no route has a schema: bodies are read by readBody, and answers are text')
}
/** Keeps Fastify from loading its schema compilers with the first server: over a third of its code. */
const noSchemas = { buildValidator: noCompiler, buildSerializer: noCompiler }

/**
 * Creates an HTTP server with these routes, not yet listening. Every non-empty answer is JSON, and all carry the date.
 */
export async function createApp<Guest>(options: AppOptions<Guest>): Promise<FastifyInstance> {
  const { basePath, routes, clock, log, tls, nothingHere = 'there is nothing at this path' } = options
  const { failed = 'the exchange failed; see its log' } = options
  // Loaded on demand: a desk that uses an external service never needs it.
  const { default: fastify } = await import('fastify')
  const send = (reply: FastifyReply, answer: Answer) => sendAnswer(reply, answer, clock.wallMs())
  const app = fastify({
    serverFactory: servedBy(tls),
    forceCloseConnections: true,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noSchemas },
    routerOptions: { maxParamLength: pathPartMaxLength, querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, clock),
    frameworkErrors: (_error, request, reply) => {
      const admission = admitted(request, options)
      return send(reply, 'refused' in admission ? admission.refused : badPath)
    },
  })
  const { headers } = options
  if (headers !== undefined) app.addHook('onRequest', (_request, reply, done) => done(void reply.headers(headers)))
  addRoutes(app, options)
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request, basePath)
    const methods = path === null ? [] : methodsOf(path, routes)
    if (methods.length === 0) return send(reply, failure(404, nothingHere))
    const allow = methods.join(', ')
    return send(reply, failure(405, `${request.method} is not allowed here, only ${allow}`, { allow }))
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return send(reply, failure(status, error.message))
    log(`error: ${request.method} ${request.routeOptions.url ?? '?'}: ${error.stack ?? error.message}`)
    return send(reply, failure(500, failed))
  })
  return app
}

const servedBy =
  (tls: TlsFiles | undefined): FastifyServerFactory =>
  (handler) => {
    const limited = limitPipelined(handler)
    return tls === undefined ? createServer(plain, limited) : createSecureServer({ ...tls, ...secured }, limited)
  }

/** Web pages are refused first, whatever key they present. */
const admitted = <Guest>(
  { raw, headers }: FastifyRequest,
  { admit, pageRule = 'local' }: Pick<AppOptions<Guest>, 'admit' | 'pageRule'>,
): Admission<Guest> =>
  isFromWebPage(raw.rawHeaders, pageRule) ? { refused: fromWebPage } : admit(headers, raw.socket.remoteAddress ?? '')

/** Adds admission, body reading and the operations. */
function addRoutes<Guest>(app: FastifyInstance, options: AppOptions<Guest>): void {
  const { basePath, routes, clock, around } = options
  const guests = new WeakMap<FastifyRequest, { guest: Guest }>()
  const unadmitted = limitUnadmitted(app.server)
  const bodies = new WeakMap<FastifyRequest, RequestBody>()
  const send = (reply: FastifyReply, answer: Answer) => sendAnswer(reply, answer, clock.wallMs())

  app.addHook('onRequest', (request, reply, done) => {
    const admission = admitted(request, options)
    if ('guest' in admission || admission.isKnown === true) unadmitted.admit(request.raw.socket)
    if ('refused' in admission) {
      send(reply, admission.refused)
      return
    }
    guests.set(request, admission)
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request.raw)) {
      hideBody(request.raw)
      done(null, payload)
      return
    }
    readBody(request.raw, (reading) => {
      if (reading.kind !== 'body') {
        send(reply.header('connection', 'close'), bodyRefusals[reading.kind])
        return
      }
      bodies.set(request, reading.body)
      hideBody(request.raw)
      done(null, payload)
    })
  })

  const answer = (route: Route<Guest>, request: FastifyRequest, reply: FastifyReply) => {
    const admitted = guests.get(request)
    if (admitted === undefined) throw new Error('a request was not authenticated')
    return route.handle({
      guest: admitted.guest,
      params: paramsOf(request),
      query: parseQuery(request.raw.url ?? ''),
      body: bodies.get(request) ?? noBody,
      headers: request.headers,
      target: (request.raw.url ?? '').slice(basePath.length),
      take: () => {
        reply.hijack()
        return reply.raw
      },
    })
  }
  for (const route of routes) {
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      const answerIt = () => answer(route, request, reply)
      const asked = { method: request.method, path: pathOf(request, basePath), basePath, reply }
      const work = around === undefined ? answerIt() : around(asked, answerIt)
      if (!(work instanceof Promise)) {
        if (work !== null) send(reply, work)
        return
      }
      work.then(
        (settled) => settled === null || send(reply, settled),
        (error: unknown) => reply.send(error),
      )
    }
    // One route for both: left to Fastify, each GET is set up a second time for HEAD.
    const method = route.method === 'GET' ? ['GET', 'HEAD'] : route.method
    app.route({ method, url: `${basePath}${route.path}`, handler })
  }
}

function sendAnswer(reply: FastifyReply, answer: Answer, nowMs: number): FastifyReply {
  reply.code(answer.status).header('date', httpDate(nowMs))
  if (answer.headers !== undefined) reply.headers(answer.headers)
  return answer.body === null
    ? // Fastify leaves it out of an answer to HEAD, which has the headers of GET.
      reply.header('content-length', '0').send()
    : reply.header('content-type', 'application/json; charset=utf-8').send(answer.body)
}

/** The path below the base path, still encoded and without its query; null when it is elsewhere. */
function pathOf(request: FastifyRequest, basePath: string): string | null {
  const target = request.raw.url ?? ''
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}

function paramsOf(request: FastifyRequest): Record<string, string | undefined> {
  const { params } = request
  const named: Record<string, string | undefined> = {}
  if (typeof params !== 'object' || params === null) return named
  for (const [name, value] of Object.entries(params)) named[name] = String(value)
  return named
}

const reasons: Readonly<Record<string, { status: number; error: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'the request line and headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'the request took too long to arrive' },
}

/** Time to read the answer to a malformed request, in ms. */
const lingerMs = 2_000

/** Answers a malformed HTTP request on its raw socket, and closes it, after a moment even if the client does not. */
function answerClientError(error: { code?: string; rawPacket?: unknown }, socket: Socket, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, error: text } = reasons[error.code ?? ''] ?? { status: 400, error: 'this is not an HTTP request' }
  const body = writeError(text)
  // The client of a HEAD request would take a body for the start of the next response.
  const { rawPacket } = error
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${httpDate(clock.wallMs())}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      isHead ? '' : body,
    ].join('\r\n'),
  )
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void within(closed, lingerMs, clock).then(() => socket.destroy())
}

/**
 * Starts all servers on the loopback address and returns their addresses in the same order. All or none: rejects with
 * `PortTaken`, which names the port's flag.
 */
export async function listenAll(
  servers: readonly FastifyInstance[],
  ports: ReadonlyArray<{ readonly port: number; readonly flag: string }>,
): Promise<string[]> {
  const addresses: string[] = []
  for (const [index, server] of servers.entries()) {
    const { port, flag } = ports[index] ?? { port: 0, flag: '' }
    try {
      addresses.push(await server.listen({ port, host: '127.0.0.1' }))
    } catch (error) {
      await Promise.all(servers.map((each) => each.close()))
      throw isPortTaken(error) ? new PortTaken(port, flag) : error
    }
  }
  return addresses
}
