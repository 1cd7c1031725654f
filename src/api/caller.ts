import type { Result } from '../base/result.ts'
import { readErrorText } from '../wire/error.ts'
import { errorInAnswer, errorOfBody } from './answer-error.ts'
import { ExchangeError, type Method } from './exchange-error.ts'
import type { ReadPriority, Transport, TransportRequest } from './transport.ts'

type Path = Result<string>
type Query = Readonly<Record<string, string | number | null>>
type Reader<T> = (json: string) => Result<T>

/** Calls to endpoints with what they answer read into the domain. Every failure is an `ExchangeError`. */
export type Caller = {
  get<T>(path: Path, read: Reader<T>, signal?: AbortSignal, query?: Query): Promise<T>
  /** `body` is JSON text; null sends none. */
  post<T>(path: Path, body: string | null, read: Reader<T>, signal?: AbortSignal): Promise<T>
  /** A DELETE has no body to answer; one that carries an error all the same is a failure. */
  delete(path: Path, signal?: AbortSignal, query?: Query): Promise<void>
}

/** `priority` is that of the reads: whether a person waits for them. */
export function createCaller(transport: Transport, priority: ReadPriority): Caller {
  const send = async (method: Method, path: Path, request: Omit<TransportRequest, 'method' | 'path'>) => {
    const endpoint = { method, path: pathOf(method, path) }
    return { endpoint, json: await transport.send({ ...endpoint, ...request }) }
  }
  return {
    async get(path, read, signal, query = {}) {
      const { endpoint, json } = await send('GET', path, { query, signal, priority })
      return valueOrThrow(endpoint, json, read)
    },
    async post(path, body, read, signal) {
      const { endpoint, json } = await send('POST', path, { signal, ...(body === null ? {} : { body }) })
      return valueOrThrow(endpoint, json, read)
    },
    async delete(path, signal, query = {}) {
      const { endpoint, json } = await send('DELETE', path, { query, signal })
      throwIfError(endpoint, json)
    },
  }
}

function pathOf(method: Method, path: Path): string {
  if (path.ok) return path.value
  const outcome = method === 'GET' ? null : 'notSent'
  throw new ExchangeError({ kind: 'rejected', fault: 'badRequest', method, path: '', reason: path.error, outcome })
}

type Endpoint = { method: Method; path: string }

/** An error that came with a status of success is a failure in the service's own words. */
function throwIfError(endpoint: Endpoint, json: string): void {
  // Looked for as text first: nearly no answer has the word, and books come ten times a second.
  const words = json.includes('"error"') ? readErrorText(json) : null
  if (words !== null) throw errorInAnswer(endpoint, words)
}

function valueOrThrow<T>(endpoint: Endpoint, json: string, read: Reader<T>): T {
  throwIfError(endpoint, json)
  const result = read(json)
  if (result.ok) return result.value
  if (json.trim() === '') throw errorOfBody(endpoint, 'emptyAnswer', 'the answer is empty')
  throw errorOfBody(endpoint, 'unreadableAnswer', `the answer is not understood: ${result.error}`)
}
