import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatheredBytes } from '../../base/gathered-bytes.ts'
import { isFromWebPage } from '../../base/net/browser-request.ts'
import type { Delivery, Tracing } from '../telemetry/tracing.ts'
import { readIncoming } from './read-incoming.ts'
import type { RecordingQueue } from './recording-queue.ts'
import type { SourceCheck } from './source-check.ts'

type RequestHandlerOptions = {
  readonly sourceOf: SourceCheck['sourceOf']
  readonly peerOf: SourceCheck['peerOf']
  /** See `ReceiverSettings`. */
  readonly isLocalOnly: boolean
  readonly queue: RecordingQueue
  readonly bodyBytes: number
  readonly now: () => number
  readonly isWell: () => boolean
  /** True once connections are no longer kept open. */
  readonly isStopping: () => boolean
  /** Called for a request that was answered without recording anything. */
  readonly onRefused: (status: number) => void
  readonly tracing: Pick<Tracing, 'delivery'> | null
}

/** The declared length of the body; 0 when none is declared. */
function announcedBytes({ rawHeaders }: IncomingMessage): number {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 14 && name.toLowerCase() === 'content-length') return Number(rawHeaders[index + 1])
  }
  return 0
}

/** All `X-Forwarded-For` values of a request, in order. */
function forwardedFor({ rawHeaders }: IncomingMessage): string {
  let value = ''
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 15 && name.toLowerCase() === 'x-forwarded-for')
      value += value === '' ? rawHeaders[index + 1] : `,${rawHeaders[index + 1]}`
  }
  return value
}

const asksForHealth = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/healthz'

/** The status that refuses an allowed sender's request; null for one whose body may be read. */
function refusalOf(request: IncomingMessage, bodyBytes: number, { isFull }: RecordingQueue): number | null {
  if (request.method !== 'POST') return 405
  if (announcedBytes(request) > bodyBytes) return 413
  return isFull ? 503 : null
}

/** Creates the request handler: checks the sender, then the method, then the size, and only then reads the body. */
export function requestHandler({
  sourceOf,
  peerOf,
  isLocalOnly,
  queue,
  bodyBytes,
  now,
  isWell,
  isStopping,
  onRefused,
  tracing,
}: RequestHandlerOptions) {
  const refuse = (request: IncomingMessage, response: ServerResponse, status: number) => {
    onRefused(status)
    // A refused sender's connection is not kept open, nor that of a body in crumbs: reading past it would be the work.
    answer(request, response, status, status === 403 || status === 400 || isStopping())
  }

  type Sent = { source: string; body: Buffer; delivery: Delivery | null }

  const take = (request: IncomingMessage, response: ServerResponse, { source, body, delivery }: Sent) => {
    const incoming = readIncoming(body, source, now())
    delivery?.read(incoming)
    const isTaken = queue.add(incoming, (outcome) => {
      if (outcome === 'failed') answer(request, response, 503, isStopping())
      else accept(response, isStopping())
      delivery?.answered(outcome, outcome === 'failed' ? 503 : 200)
    })
    if (isTaken) return
    refuse(request, response, 503)
    delivery?.answered('refused', 503)
  }

  const readBody = (request: IncomingMessage, response: ServerResponse, source: string) => {
    const gathered = new GatheredBytes()
    let length = 0
    const delivery = tracing?.delivery(request.headers.traceparent) ?? null
    request.on('data', (chunk: Buffer) => {
      const isNews = length <= bodyBytes
      length += chunk.length
      if (length > bodyBytes) {
        if (isNews) delivery?.answered('refused', 413)
        return refuse(request, response, 413)
      }
      gathered.add(chunk)
      if (!gathered.isCrumbled) return
      delivery?.answered('refused', 400)
      refuse(request, response, 400)
    })
    request.on('end', () => {
      if (length > bodyBytes || gathered.isCrumbled) return
      take(request, response, { source, body: gathered.whole(), delivery })
    })
    request.on('close', () => {
      if (!request.complete && length <= bodyBytes && !gathered.isCrumbled) delivery?.answered('refused', null)
    })
  }

  /** Answers what is not to be read; returns the source of a request whose body may be read. */
  const check = (request: IncomingMessage, response: ServerResponse): string | null => {
    const peer = request.socket.remoteAddress ?? ''
    const { kind, isLoopback } = peerOf(peer)
    const pages = isLocalOnly ? 'local' : kind === 'proxy' ? 'proxied' : 'direct'
    if (isLoopback && isFromWebPage(request.rawHeaders, pages)) {
      refuse(request, response, 403)
      return null
    }
    if (asksForHealth(request)) {
      answer(request, response, isWell() ? 200 : 503, isStopping() || kind === 'stranger')
      return null
    }
    const { source, isAllowed } = sourceOf(peer, forwardedFor(request))
    const status = isAllowed ? refusalOf(request, bodyBytes, queue) : 403
    if (status === null) return source
    refuse(request, response, status)
    return null
  }

  return {
    onRequest(request: IncomingMessage, response: ServerResponse): void {
      const source = check(request, response)
      if (source !== null) readBody(request, response, source)
    },
    /** The sender asks before sending the body. */
    onExpectation(request: IncomingMessage, response: ServerResponse): void {
      const source = check(request, response)
      if (source === null) return
      response.writeContinue()
      readBody(request, response, source)
    },
  }
}

const texts: Readonly<Record<number, string>> = {
  200: 'ok\n',
  400: 'The body comes in too many tiny pieces.\n',
  403: 'This address may not send events here.\n',
  405: 'Events are sent by POST.\n',
  413: 'The body is too large for an event.\n',
  503: 'The event could not be kept. Send it again later.\n',
}
const headersOf: Readonly<Record<number, readonly string[]>> = {
  405: ['Allow', 'POST'],
  503: ['Retry-After', '5'],
}

const closing = ['Connection', 'close']
const empty = ['Content-Length', '0']
const lastEmpty = [...empty, ...closing]

/**
 * Bytes of a refused body that are read and dropped before the connection is cut: closing at once would lose the
 * answer.
 */
const maxReadPast = 1_048_576

/** Sends a refusal, or a health check's answer. Reads and drops the rest of the body, so that the answer arrives. */
function answer(request: IncomingMessage, response: ServerResponse, status: number, isLast: boolean): void {
  if (response.headersSent || response.destroyed) return
  const text = texts[status] ?? ''
  const headers = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(text.length)]
  // Close after refusing Expect: 100-continue: the next bytes could be the body or another request.
  if (isLast || request.headers.expect !== undefined) headers.push(...closing)
  response.writeHead(status, [...headers, ...(headersOf[status] ?? [])])
  response.end(request.method === 'HEAD' ? undefined : text)
  let readPast = 0
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    readPast += chunk.length
    if (readPast > maxReadPast) request.socket.destroy()
  })
  request.resume()
}

/** Acknowledges. A sender that is told the connection closes uses another one next. */
function accept(response: ServerResponse, isLast: boolean): void {
  if (response.destroyed) return
  response.writeHead(200, isLast ? lastEmpty : empty)
  response.end()
}
