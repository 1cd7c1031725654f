import type { HttpAnswer } from './errors.ts'
import { mustBeFresh, type TransportRequest } from './transport.ts'

type Headers = HttpAnswer['headers']

/** The largest age that RFC 9111 knows, in seconds; a cache whose counter overflows sends this. */
const ageMaxSeconds = 2 ** 31

/**
 * How long a cache on the way had kept an answer, in ms, by its `Age` (RFC 9111: whole seconds); null without the
 * header, for an answer of the service itself. Of several the oldest counts. Infinite where it cannot be read: a cache
 * did answer, and of something without an age nobody knows whether it still holds.
 */
export function cacheAgeMs({ age }: Headers): number | null {
  if (age === undefined) return null
  const texts = [age].flat().flatMap((text) => text.split(','))
  if (!texts.every((text) => /^\s*\d+\s*$/.test(text))) return Number.POSITIVE_INFINITY
  return Math.max(...texts.map((text) => Math.min(Number(text), ageMaxSeconds))) * 1_000
}

/**
 * Why an answer is not taken since a cache gave it; null where it counts. A poll takes an old one and shows its age. A
 * read that a person waits for, or that resolves a write, asked for the present; and whatever a cache answers to a
 * write, success or refusal, is of another call: the outcome of this one is unknown. An age of 0 is what proxies add
 * to an answer that they only pass on.
 */
export function whyCached(request: TransportRequest, { headers }: Pick<HttpAnswer, 'headers'>): string | null {
  const ageMs = cacheAgeMs(headers) ?? 0
  if (ageMs === 0) return null
  if (ageMs === Number.POSITIVE_INFINITY) return 'a cache on the way answered, and the age of its answer is unreadable'
  const isPoll = request.method === 'GET' && !mustBeFresh(request)
  return isPoll ? null : `a cache on the way answered, with an answer ${ageMs / 1_000} s old`
}

/** What a read asks of caches on the way: to ask the service anew. One from before HTTP/1.1 is not expected. */
export const noCache: Readonly<Record<string, string>> = { 'cache-control': 'no-cache' }
