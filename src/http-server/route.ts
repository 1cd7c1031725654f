import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { JsonBounds } from '../wire/exact-json.ts'
import { writeError } from '../wire/message.ts'
import { bodyLimitBytes, type Query, type RequestBody } from './request.ts'

/** What goes back to the client. `body` null sends none; otherwise it is JSON text. */
export type Answer = { status: number; body: string | null; headers?: Readonly<Record<string, string>> }

export const json = (body: string): Answer => ({ status: 200, body })
export const nothing: Answer = { status: 200, body: null }
export const notFound: Answer = { status: 404, body: null }

/** An answer with the reason in its body. */
export const failure = (status: number, error: string, headers?: Readonly<Record<string, string>>): Answer => ({
  status,
  body: writeError(error),
  ...(headers === undefined ? {} : { headers }),
})
export const badRequest = (error: string): Answer => failure(400, error)

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request of somebody who has been let in. `guest` is who that is. */
export type RouteRequest<Guest> = {
  guest: Guest
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: Query
  body: RequestBody
  headers: IncomingHttpHeaders
  /** What was asked for as it came: the path below the base path, with its query. */
  target: string
  /** Leaves the answer, and the connection, to whoever takes it: the operation then gives null. */
  take(): ServerResponse
}

/** No answer is to be sent: the connection was taken, or dealt with. */
export type Taken = null

/** One operation. `path` is below the base path; a part that begins with a colon is a name for what stands there. */
export type Route<Guest> = {
  method: Method
  path: string
  handle(request: RouteRequest<Guest>): Answer | Taken | Promise<Answer | Taken>
}

/**
 * A route whose answer shows nothing that a crash could undo: `settled` resolves when what is shown is durable, and
 * rejects when it cannot be; null where it is.
 */
export const settledFirst = <Guest>(route: Route<Guest>, settled: () => Promise<void> | null): Route<Guest> => ({
  ...route,
  handle: async (request) => {
    const answer = await route.handle(request)
    await settled()
    return answer
  },
})

/** Who asks, or the answer that turns the request away. */
export type Admission<Guest> = { guest: Guest } | { refused: Answer }
/** `peer` is the address that the connection comes from. */
export type Admit<Guest> = (headers: IncomingHttpHeaders, peer: string) => Admission<Guest>

/** The methods that exist for a path (below the base path, still encoded), HEAD with GET; empty when there are none. */
export function methodsOf<Guest>(path: string, routes: readonly Route<Guest>[]): readonly string[] {
  const parts = path.split('/')
  const methods = routes.filter((route) => matches(parts, route.path.split('/'))).map((route) => route.method)
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

const matches = (parts: readonly string[], pattern: readonly string[]): boolean =>
  parts.length === pattern.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))

/** Requests are flat; anything deep is not one of ours. */
export const jsonBounds: JsonBounds = { maxLength: bodyLimitBytes, maxDepth: 16 }

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** The answer to a body that says it is something else than JSON, or compressed; null when it may be read. */
export function checkJsonType({ contentType, contentEncoding }: RequestBody): Answer | null {
  if (contentEncoding !== null && contentEncoding.toLowerCase() !== 'identity') {
    return failure(415, 'the header Content-Encoding must be absent: the body has to come as it is')
  }
  // Without a type a body is taken for what it has to be.
  return contentType === null || contentType.trim() === '' || jsonType.test(contentType.trim())
    ? null
    : failure(415, 'the header Content-Type must be application/json')
}

/** The fields that are there, neither undefined nor null: for arguments that must be absent rather than empty. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const kept: { [Name in keyof T]?: NonNullable<T[Name]> } = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}
