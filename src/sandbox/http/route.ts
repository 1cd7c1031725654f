import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from './answer.ts'
import type { RequestBody } from './body.ts'
import type { Query } from './query.ts'

export type Method = 'GET' | 'POST' | 'DELETE'

/** A request of somebody who has been let in. `guest` is who that is. */
export type RouteRequest<Guest> = {
  guest: Guest
  /** The named parts of the path, decoded. */
  params: Readonly<Record<string, string | undefined>>
  query: Query
  body: RequestBody
}

/** One operation. `path` is below the base path; a part that begins with a colon is a name for what stands there. */
export type Route<Guest> = {
  method: Method
  path: string
  handle(request: RouteRequest<Guest>): Answer | Promise<Answer>
}

/** Who asks, or the answer that turns the request away. */
export type Admission<Guest> = { guest: Guest } | { refused: Answer }
export type Admit<Guest> = (headers: IncomingHttpHeaders) => Admission<Guest>

/** The methods that exist for a path (below the base path, still encoded), HEAD with GET; empty when there are none. */
export function methodsOf<Guest>(path: string, routes: readonly Route<Guest>[]): readonly string[] {
  const parts = path.split('/')
  const methods = routes.filter((route) => matches(parts, route.path.split('/'))).map((route) => route.method)
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}

const matches = (parts: readonly string[], pattern: readonly string[]): boolean =>
  parts.length === pattern.length &&
  pattern.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
