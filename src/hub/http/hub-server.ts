import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ExchangeError } from '../../api/errors.ts'
import { noStoreMark, standbyHeader } from '../../api/hub-interface.ts'
import type { Clock } from '../../base/clock.ts'
import { isAllSeen } from '../../base/text/plain-text.ts'
import { createApp } from '../../http-server/app.ts'
import { type Query, readQuery } from '../../http-server/request.ts'
import { type Admission, type Answer, failure, type Route, type RouteRequest } from '../../http-server/route.ts'
import { namesOnly } from '../names.ts'
import type { SharedReads } from '../reads/shared-reads.ts'
import type { Streams } from '../reads/streams.ts'
import { readRowOf, readRows } from '../reads/targets.ts'
import { keyNotTaken } from '../writes/answers.ts'
import type { Guest } from '../writes/context.ts'
import type { HubWrites } from '../writes/hub-writes.ts'

/** The services of a leading hub. */
export type Serving = { reads: SharedReads; streams: Streams; writes: HubWrites }

export type HubServerOptions = {
  /** Null while this hub is on standby or not ready. */
  serving: () => Serving | null
  /** True while the hub's database answers; without it no hub leads. */
  isStoreThere: () => boolean
  /** The person of a request's token, or the answer that refuses the request. */
  admit: (headers: IncomingHttpHeaders, peer: string) => Admission<Guest>
  /** Whether a request has the token of a person, as far as that can be told; without a trace of it. */
  isKnown: (headers: IncomingHttpHeaders) => boolean
  /** The current state of an admitted person; null when their token has ended since. */
  guestNow: (guest: Guest) => Guest | null
  /** The hub's own operations, below `/hub`. */
  ownRoutes: readonly Route<Guest>[]
  /** A certificate chain and its key in PEM form; without it, the server uses plain http. */
  tls?: { cert: string; key: string }
  clock: Clock
  log: (line: string) => void
}

const hubBasePath = '/v3'

/** The version of the hub's additions to the exchange's interface, on every answer. */
const hubHeaders = { 'x-hub': '1' }

/** No program takes this for an answer of the exchange, and desks switch to the other hub. */
const standbyHeaders = { [standbyHeader]: '1', 'retry-after': '1' }
const standbyAnswers = {
  another: failure(503, 'this hub stands by: nothing was sent', standbyHeaders),
  noStore: failure(503, "this hub's database does not answer, no hub leads: nothing was sent", {
    ...standbyHeaders,
    [standbyHeader]: noStoreMark,
  }),
}

const tokenEnded: Answer = failure(401, 'the token has ended: nothing was sent')

/** Creates the hub's HTTP server, not yet listening: the exchange's interface and the hub's additions. */
export function createHubServer(options: HubServerOptions): Promise<FastifyInstance> {
  const { serving, isStoreThere, admit, isKnown, guestNow, ownRoutes, tls, clock, log } = options
  const standby = () => standbyAnswers[isStoreThere() ? 'another' : 'noStore']
  const led =
    (handle: (serving: Serving, request: RouteRequest<Guest>) => ReturnType<Route<Guest>['handle']>) =>
    (request: RouteRequest<Guest>) => {
      const now = serving()
      if (now === null) return standby()
      // A body can take half a minute to arrive, so rights are checked again when it is complete.
      const guest = guestNow(request.guest)
      return guest === null ? tokenEnded : handle(now, { ...request, guest })
    }
  const reads = readRows.map(
    ({ path }): Route<Guest> => ({
      method: 'GET',
      path,
      handle: led((now, request) => readThrough(now, request, clock)),
    }),
  )
  return createApp<Guest>({
    basePath: hubBasePath,
    routes: [
      ...reads,
      ...writeRoutes(led),
      { method: 'GET' as const, path: '/stream', handle: led(openStream) },
      ...ownRoutes.map((route): Route<Guest> => ({ ...route, handle: led((_, request) => route.handle(request)) })),
    ].map(namesOnly),
    admit: (headers, peer) =>
      serving() === null ? { refused: standby(), isKnown: isKnown(headers) } : admit(headers, peer),
    clock,
    log,
    headers: hubHeaders,
    pageRule: 'direct',
    failed: 'the hub failed; see its log',
    ...(tls === undefined ? {} : { tls }),
  })
}

type Led = (handle: (serving: Serving, request: RouteRequest<Guest>) => Promise<Answer>) => Route<Guest>['handle']

const symbolQuery = {
  symbol: (text: string) => (isAllSeen(text) ? { value: text } : { must: 'has characters that cannot be seen' }),
}

function symbolOf(query: Query): string | null | Answer {
  const read = readQuery(query, symbolQuery)
  if (!read.ok) return failure(400, read.error)
  return read.value.symbol ?? null
}

const headerText = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const writeRoutes = (led: Led): Route<Guest>[] => [
  {
    method: 'POST',
    path: '/orders',
    handle: led(({ writes }, { guest, body }) => writes.placeOrder(guest, body)),
  },
  {
    method: 'DELETE',
    path: '/orders',
    handle: led(({ writes }, { guest, query, body }) => {
      const symbol = symbolOf(query)
      return symbol !== null && typeof symbol === 'object'
        ? Promise.resolve(symbol)
        : writes.cancelAll(guest, symbol, body)
    }),
  },
  {
    method: 'DELETE',
    path: '/orders/:orderId',
    handle: led(({ writes }, { guest, params }) => writes.cancelOrder(guest, params.orderId ?? '')),
  },
  {
    method: 'POST',
    path: '/withdrawals',
    handle: led(({ writes }, { guest, body }) => writes.withdraw(guest, body, null)),
  },
  {
    // The draft is in the path: if it were in a header that a proxy drops, the withdrawal would be sent without its
    // draft.
    method: 'POST',
    path: '/hub/drafts/:draftId/send',
    handle: led(({ writes }, { guest, body, params }) => writes.withdraw(guest, body, params.draftId ?? '')),
  },
  {
    method: 'POST',
    path: '/deposits/:currency',
    handle: led(({ writes }, { guest, params }) => writes.depositAddress(guest, params.currency ?? '')),
  },
]

/** The exchange's answer with its age; a request with a stream's id subscribes that stream to changes. */
async function readThrough(
  { reads, streams }: Serving,
  { guest, target, headers }: RouteRequest<Guest>,
  clock: Clock,
): Promise<Answer> {
  if (readRowOf(target) === undefined) return failure(404, 'there is nothing at this path')
  const isFresh = headers['x-hub-fresh'] === '1'
  try {
    const read = await reads.read(target, {
      isFresh,
      priority: isFresh ? 'person' : 'poll',
      by: [guest.name],
    })
    const stream = headerText(headers, 'x-hub-stream')
    if (stream !== null) streams.subscribe(stream, guest.tokenDigest, target, read)
    const ageMs = Math.max(0, Math.ceil(clock.now() - read.receivedAtMs))
    return { status: 200, body: read.body, headers: { 'x-hub-age-ms': String(ageMs) } }
  } catch (error) {
    return failedRead(error)
  }
}

/** The exchange's own refusal; failures to get its answer are faults behind the hub. */
function failedRead(error: unknown): Answer {
  if (!(error instanceof ExchangeError)) throw error
  const { status, words, reason, retryAfterMs, kind } = error
  if (kind === 'notFound' && words === null) return { status: 404, body: null }
  if (kind === 'rateLimited') {
    const seconds = String(Math.max(1, Math.ceil((retryAfterMs ?? 1_000) / 1_000)))
    return failure(429, words ?? reason, { 'retry-after': seconds })
  }
  if (kind === 'unauthorized') return failure(502, keyNotTaken(reason))
  // A 404 of whoever is on the way to the exchange is none of its own.
  const isRefusal = kind !== 'protocol' && status !== null && status >= 400 && status < 500
  return failure(isRefusal ? status : 502, words ?? reason)
}

async function openStream({ streams }: Serving, { guest, take }: RouteRequest<Guest>): Promise<Answer | null> {
  const response = take()
  const headers = { ...hubHeaders, 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  response.writeHead(200, headers)
  // Nothing that is written goes out to HEAD: it would wait, and hold a place of this person, until it leaves.
  if (response.req.method === 'HEAD') {
    response.end()
    return null
  }
  const opened = streams.open(
    { person: guest.name, tokenDigest: guest.tokenDigest },
    {
      write: (text) => void response.write(text),
      backlog: () => response.writableLength,
      end: () => response.destroy(),
    },
  )
  if (opened === null) response.end()
  else response.once('close', opened.left)
  return await Promise.resolve(null)
}
