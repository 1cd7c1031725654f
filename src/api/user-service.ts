import type { Clock } from '../base/clock.ts'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { readRetryAfterMs } from './errors.ts'
import { callOnce, isWebPage } from './http-call.ts'
import { openDispatcher, type TransportOptions } from './transport.ts'

/** An answer of a service of the user's own; `words` are the beginning of what it says, safe to print. */
export type ServiceAnswer =
  | { kind: 'answer'; status: number; retryAfterMs: number | null; words: string | null }
  | { kind: 'failure'; reason: string }

export type ServiceRequest = {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | null
  signal: AbortSignal
}

/** A service of the user's own that is told something, at one address. */
export type UserService = {
  /** Makes one call, once: no redirect is followed. Never rejects. */
  send(request: ServiceRequest): Promise<ServiceAnswer>
  close(): Promise<void>
}

const limits = { connectMs: 3_000, headersMs: 5_000, bodyMs: 5_000 }
/** Of an answer only its beginning is of interest. */
const bodyMaxBytes = 16 * 1_024
const wordsMost = 120

type Options = Pick<TransportOptions, 'caPem' | 'environment'> & { clock: Clock }

/**
 * Opens the way to a service of the user's own, over the proxies and with the certificates that count for the exchange
 * as well; connections are made as they are needed. The error is that of a proxy or certificate that cannot be used.
 */
export function openUserService({ origin, pathname, search }: URL, options: Options): Result<UserService> {
  const { clock } = options
  const dispatcher = openDispatcher({ ...options, base: { origin } }, limits.connectMs)
  if (!dispatcher.ok) return dispatcher
  const path = pathname + search
  /** What the answer says, without the address: that may hold a key, and services repeat what they were asked. */
  const wordsOf = (body: string) => {
    const said = [path, pathname]
      .filter((part) => part.length > 1)
      .reduce((text, part) => new Secret(part).redactJson(text), body)
    const words = plainText(said).trim().slice(0, wordsMost)
    return words === '' ? null : words
  }
  return ok({
    async send({ method, headers, body, signal }) {
      const request = { origin, method, path, headers: { 'user-agent': 'pitdesk', ...headers }, body }
      const maySend = () => !signal.aborted
      const called = await callOnce(dispatcher.value, request, {
        limits,
        bodyMaxBytes,
        cutsBody: true,
        clock,
        signal,
        maySend,
      })
      if (called.kind === 'failure') return { kind: 'failure', reason: called.reason }
      const { status, headers: answered } = called
      return {
        kind: 'answer',
        status,
        retryAfterMs: readRetryAfterMs(answered['retry-after'], clock.wallMs()) ?? null,
        words: isWebPage(called) ? null : wordsOf(called.body),
      }
    },
    close: () => dispatcher.value.destroy(),
  })
}
