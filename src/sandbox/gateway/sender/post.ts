import { Client } from 'undici'
import type { Clock } from '../../../base/clock.ts'
import { errorCode } from '../../../base/disk-error.ts'
import { plainText } from '../../../base/plain-text.ts'
import type { AttemptOutcome, AttemptResult } from './delivery.ts'
import { attemptLimitMs } from './delivery-schedule.ts'
import { type ConnectOptions, createConnect, RefusedTarget } from './endpoint-connection.ts'

/**
 * Sends a body to a URL, once. Never rejects: what came of it, and how long it took. When `signal` is aborted it ends
 * at once.
 */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<AttemptOutcome>

/** How many characters of an answer are kept. */
const excerptMost = 200
/** An answer longer than this is not read to its end: its status is known. */
const answerBytesMost = 64 * 1024

/**
 * Posts over a connection of its own each time: an old one may have been closed by the other side just now, and every
 * connection has its address looked up and checked. Everything together gets five seconds by `clock`. Redirects are not
 * followed.
 */
export function createPost(clock: Clock, options: ConnectOptions): Post {
  return async (url, body, signal) => {
    const begunMs = clock.now()
    const { origin, pathname, search } = new URL(url)
    // The limit is kept by our own clock; undici's own timers stay off.
    const end = new AbortController()
    const connect = createConnect(options, end.signal)
    const client = new Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16_384 })
    const done = new AbortController()
    const over = clock.sleep(attemptLimitMs, AbortSignal.any([done.signal, signal])).then(() => {
      // Ends the request in whatever stage it is, a connection that is being made included.
      end.abort()
      if (!done.signal.aborted) void client.destroy()
      return !done.signal.aborted
    })
    const result = await exchange(client, `${pathname}${search}`, body).catch(async (error: unknown) => {
      // Both may happen in one moment: the limit has then been reached.
      const isOver = client.destroyed && (await over)
      return failed(!isOver ? failureClause(error) : signal.aborted ? 'the gateway was stopped' : noAnswer)
    })
    done.abort()
    await Promise.all([over, client.destroyed ? undefined : client.destroy()])
    return { result, latencyMs: Math.max(0, clock.now() - begunMs) }
  }
}

const noAnswer = `no whole answer within ${attemptLimitMs / 1_000} s`
const failed = (reason: string): AttemptResult => ({ kind: 'failed', reason })

async function exchange(client: Client, path: string, body: string): Promise<AttemptResult> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'practice-gateway' }
  const answer = await client.request({ method: 'POST', path, headers, body })
  let byteCount = 0
  const first: Buffer[] = []
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk)
    // A character has at most four bytes.
    if (byteCount < excerptMost * 4) first.push(bytes)
    byteCount += bytes.length
    if (byteCount > answerBytesMost) break
  }
  const text = new TextDecoder().decode(Buffer.concat(first).subarray(0, excerptMost * 4))
  return { kind: 'answered', status: answer.statusCode, excerpt: [...plainText(text)].slice(0, excerptMost).join('') }
}

const lost = 'the connection was closed without an answer'
const notTrusted = 'its certificate is signed by nobody trusted here'

const clauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  ETIMEDOUT: 'no connection came about',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be looked up',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/**
 * Why a request failed, as a clause for a person, from the error's name and code alone: its message may hold anything.
 */
function failureClause(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP'
  const code = errorCode(error)
  const known = clauses[code]
  if (known !== undefined) return known
  // When a host has several addresses the error of the first one tells enough.
  if (error instanceof AggregateError && error.errors.length > 0) return failureClause(error.errors[0])
  if (/^(ERR_SSL_|EPROTO$)/.test(code)) return `no encrypted connection came about (${code})`
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `the connection failed (${code})` : 'the connection failed'
}
