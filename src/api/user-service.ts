import type { Clock } from '../base/clock.ts'
import { ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { plainText } from '../base/text/plain-text.ts'
import { retryAfterMsOf } from './errors.ts'
import { callOnce, isWebPage } from './http-call.ts'
import { throughProxy } from './proxy.ts'
import { openConnections, type TransportOptions } from './transport.ts'

/** An answer of a user's own service; `words` are the start of its text, safe to print. */
export type ServiceAnswer =
  | { kind: 'answer'; status: number; retryAfterMs: number | null; words: string | null }
  | { kind: 'failure'; reason: string }

export type ServiceRequest = {
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: string | null
  signal: AbortSignal
}

/** A user's own service at one address, which receives messages. */
export type UserService = {
  /** Makes one call, once, without following redirects. Never rejects. */
  send(request: ServiceRequest): Promise<ServiceAnswer>
  close(): Promise<void>
}

const limits = { connectMs: 3_000, headersMs: 5_000, bodyMs: 5_000 }
/** Only the start of an answer is used. */
const bodyMaxBytes = 16 * 1_024
/** From this length on a part of an address, or a word of a command, may be a key by itself. */
export const keyLengthMin = 16
/** Characters kept of what a user's service or command says of a failure. */
export const failureWordsMax = 120

type Options = Pick<TransportOptions, 'caPem' | 'environment'> & { clock: Clock }

/**
 * Opens a connection pool to a user's service, with the same proxies and certificates as for the exchange; connections
 * are made on demand. The error is about an unusable proxy or certificate.
 */
export function openUserService({ origin, pathname, search }: URL, options: Options): Result<UserService> {
  const { clock } = options
  const opened = openConnections({ ...options, base: { origin } }, limits.connectMs)
  if (!opened.ok) return opened
  const { dispatcher, proxy } = opened.value
  const path = pathname + search
  const parts = path.split(/[/?&=]/).filter((part) => part.length >= keyLengthMin)
  /** The answer's text without the address or a part of it, which may be a key and which services echo. */
  const wordsOf = (body: string) => {
    const said = [path, pathname, ...parts]
      .filter((part) => part.length > 1)
      .reduce((text, part) => new Secret(part).redactJson(text), body)
    const words = plainText(said).trim().slice(0, failureWordsMax)
    return words === '' ? null : words
  }
  return ok({
    async send({ method, headers, body, signal }) {
      const request = { origin, method, path, headers: { 'user-agent': 'pitdesk', ...headers }, body }
      const called = await callOnce(dispatcher, request, {
        limits,
        bodyMaxBytes,
        cutsBody: true,
        clock,
        signal,
        heldBack: () => null,
      })
      if (called.kind === 'failure') return { kind: 'failure', reason: throughProxy(called, proxy).reason }
      const { status } = called
      return {
        kind: 'answer',
        status,
        retryAfterMs: retryAfterMsOf(called, clock.wallMs()) ?? null,
        words: isWebPage(called) ? null : wordsOf(called.body),
      }
    },
    close: () => dispatcher.destroy(),
  })
}
