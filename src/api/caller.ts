import type { Result } from '../domain/result.ts'
import { errorOfBody } from './answer-error.ts'
import { ExchangeError, type Method } from './exchange-error.ts'
import type { Transport, TransportRequest } from './transport.ts'

type Path = Result<string>
type Query = Readonly<Record<string, string | number | null>>
type Reader<T> = (json: string) => Result<T>

/** Calls to endpoints with what they answer read into the domain. Every failure is an `ExchangeError`. */
export type Caller = {
  get<T>(path: Path, read: Reader<T>, signal?: AbortSignal, query?: Query): Promise<T>
  /** `body` is JSON text; null sends none. */
  post<T>(path: Path, body: string | null, read: Reader<T>, signal?: AbortSignal): Promise<T>
  /** What a DELETE answers is not looked at: it has no body. */
  delete(path: Path, signal?: AbortSignal, query?: Query): Promise<void>
}

export function createCaller(transport: Transport): Caller {
  const send = async (method: Method, path: Path, request: Omit<TransportRequest, 'method' | 'path'>) => {
    const endpoint = { method, path: pathOf(method, path) }
    return { endpoint, json: await transport.send({ ...endpoint, ...request }) }
  }
  return {
    async get(path, read, signal, query = {}) {
      const { endpoint, json } = await send('GET', path, { query, signal })
      return valueOrThrow(endpoint, read(json))
    },
    async post(path, body, read, signal) {
      const { endpoint, json } = await send('POST', path, { signal, ...(body === null ? {} : { body }) })
      return valueOrThrow(endpoint, read(json))
    },
    async delete(path, signal, query = {}) {
      await send('DELETE', path, { query, signal })
    },
  }
}

function pathOf(method: Method, path: Path): string {
  if (path.ok) return path.value
  const outcome = method === 'GET' ? null : 'notSent'
  throw new ExchangeError({ kind: 'rejected', method, path: '', reason: path.error, outcome })
}

function valueOrThrow<T>(endpoint: { method: Method; path: string }, result: Result<T>): T {
  if (result.ok) return result.value
  throw errorOfBody(endpoint, `the answer is not understood: ${result.error}`)
}
