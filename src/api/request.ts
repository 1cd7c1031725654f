import type { BaseAddress } from './base-address.ts'
import { noCache } from './cache-age.ts'
import type { HttpRequest } from './http-call.ts'
import type { TransportOptions, TransportRequest } from './transport.ts'

/** The request target below the base address. */
export const targetOf = ({ path, query }: TransportRequest): string => path + queryText(query ?? {})

type KeyOptions = Pick<TransportOptions, 'key' | 'keyHeader'>

/** Nothing is decompressed, and without the encoding header whoever is on the way may compress. */
export const headersOf = ({ key, keyHeader }: KeyOptions, accept: string): Record<string, string> => ({
  accept,
  'accept-encoding': 'identity',
  'user-agent': 'pitdesk',
  [keyHeader]: key.reveal(),
})

export function httpRequest(
  options: KeyOptions,
  { origin, pathPrefix }: BaseAddress,
  request: TransportRequest,
  more: Readonly<Record<string, string>>,
): HttpRequest {
  const { method, body } = request
  // Some servers refuse a content type without content.
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const fresh = method === 'GET' ? noCache : {}
  const headers = { ...headersOf(options, 'application/json'), ...type, ...fresh, ...more }
  return { origin, method, path: pathPrefix + targetOf(request), headers, body: body ?? null }
}

/** `?a=1&b=2`, or empty when every field is null. */
export function queryText(query: Readonly<Record<string, string | number | null>>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) fields.append(name, value.toString())
  }
  return fields.size === 0 ? '' : `?${fields}`
}
