import { Client } from 'undici'
import type { Clock } from '../../../base/clock.ts'
import { plainText } from '../../../base/plain-text.ts'
import { type ConnectOptions, createConnect } from './connect.ts'
import type { AttemptOutcome, AttemptResult } from './delivery.ts'
import { failureClause } from './network-failure.ts'
import { attemptLimitMs } from './schedule.ts'

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
