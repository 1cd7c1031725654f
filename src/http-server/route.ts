import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { JsonBounds } from '../wire/exact-json.ts'
import { writeError } from '../wire/message.ts'
import { bodyLimitBytes, type Query, type RequestBody } from './request.ts'

/** The response to a client. `body` is JSON text; null sends none. */
export type Answer = { status: number; body: string | null; headers?: Readonly<Record<string, string>> }

export const json = (body: string): Answer => ({ status: 200, body })
export const nothing: Answer = { status: 200, body: null }
export const notFound: Answer = { status: 404, body: null }

/** An error answer with the reason in its body. */
export const failure = (status: number, error: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: writeError(error),
  ...(headers === undefined ? {} : { headers }),
})
export const badRequest = (error: string): Answer => failure(400, error)

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request of an admitted client, who is `guest`. */
export type RouteRequest<Guest> = {
  guest: Guest
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: Query
  body: RequestBody
  headers: IncomingHttpHeaders
  /** The request target as received: the path below the base path, with its query. */
  target: string
  /** Hands the response and its connection to the caller; the operation must then return null. */
  take(): ServerResponse
}

/** Nothing to send: the connection was taken over or already handled. */
export type Taken = null

/** An operation. `path` is below the base path; a part that starts with a colon names a parameter. */
export type Route<Guest> = {
  method: Method
  path: string
  handle(request: RouteRequest<Guest>): Answer | Taken | Promise<Answer | Taken>
}

/**
 * Delays a route's answer until what it shows is durable, so that a crash cannot undo it. `settled` resolves then,
 * rejects when that fails, and is null when nothing is pending.
 */
export const settledFirst = <Guest>(route: Route<Guest>, settled: () => Promise<void> | null): Route<Guest> => ({
  ...route,
  handle: async (request) => {
    const answer = await route.handle(request)
    await settled()
    return answer
  },
})

/**
 * The admitted client, or the answer that refuses the request. `isKnown`: refused for what the server is, such as a hub
 * that stands by, and not for who the client is.
 */
export type Admission<Guest> = { guest: Guest } | { refused: Answer; isKnown?: boolean }
/** `peer` is the remote address of the connection. */
export type Admit<Guest> = (headers: IncomingHttpHeaders, peer: string) => Admission<Guest>

/** The methods of a path (below the base path, still encoded), with HEAD for GET; empty when there are none. */
export function methodsOf<Guest>(path: string, routes: readonly Route<Guest>[]): readonly string[] {
  const parts = path.split('/')
  const methods = routes.filter((route) => matches(parts, route.path.split('/'))).map((route) => route.method)
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

const matches = (parts: readonly string[], pattern: readonly string[]): boolean =>
  parts.length === pattern.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))

/** Requests are flat, so deep nesting is refused. */
export const jsonBounds: JsonBounds = { maxLength: bodyLimitBytes, maxDepth: 16 }

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** The refusal of a body declared as something other than JSON, or as compressed; null when it may be read. */
export function checkJsonType({ contentType, contentEncoding }: RequestBody): Answer | null {
  if (contentEncoding !== null && contentEncoding.toLowerCase() !== 'identity') {
    return failure(415, 'the header Content-Encoding must be absent: the body has to come as it is')
  }
  // A body without a type is taken for JSON.
  return contentType === null || contentType.trim() === '' || jsonType.test(contentType.trim())
    ? null
    : failure(415, 'the header Content-Type must be application/json')
}

/** The fields that are neither undefined nor null, for arguments that must be absent rather than empty. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept: { [Name in keyof T]?: NonNullable<T[Name]> } = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}
