import { hash } from 'node:crypto'
import { dropOldest } from '../base/drop-oldest.ts'
import { err, ok, type Result } from '../base/result.ts'
import { KnownEntries, keptLengthMax } from '../wire/listing.ts'
import { readErrorText } from '../wire/message.ts'
import { type Endpoint, ExchangeError, errorInAnswer, errorOfBody, type Method } from './errors.ts'
import type { ReadPriority, Transport, TransportRequest } from './transport.ts'

type Path = Result<string>
type Query = Readonly<Record<string, string | number | null>>
type Reader<T> = (json: string) => Result<T>

/** Calls endpoints and parses their answers into domain types. Every failure is an `ExchangeError`. */
export type Caller = {
  get<T>(path: Path, read: Reader<T>, signal?: AbortSignal, query?: Query): Promise<T>
  /** A GET that resolves something: even through a hub the exchange itself answers. */
  find<T>(path: Path, read: Reader<T>, signal?: AbortSignal, query?: Query): Promise<T>
  /** `body` is JSON text; null sends none. `stoppedNow`: see `TransportRequest`. */
  post<T>(
    path: Path,
    body: string | null,
    read: Reader<T>,
    signal?: AbortSignal,
    stoppedNow?: TransportRequest['stoppedNow'],
  ): Promise<T>
  /** Writes with a method other than GET. */
  write<T>(
    method: Exclude<Method, 'GET'>,
    path: Path,
    read: Reader<T>,
    request: Pick<TransportRequest, 'body' | 'signal'>,
  ): Promise<T>
  /** A DELETE has no answer body; one that contains an error is a failure. */
  delete(path: Path, signal?: AbortSignal, query?: Query, stoppedNow?: TransportRequest['stoppedNow']): Promise<void>
  /** The latest date that an entry of an answer can have; see `Transport`. */
  dateMaxMs(): number
  /**
   * When a hub or a cache received the value of a `get` from the exchange, in desk time; null when neither answered it.
   */
  seenAtMs(value: unknown): number | null
}

/** Creates a caller; `priority` applies to its reads. */
export function createCaller(transport: Transport, priority: ReadPriority): Caller {
  const send = async (method: Method, path: Path, request: Omit<TransportRequest, 'method' | 'path'>) => {
    const endpoint = { method, path: pathOf(method, path) }
    return { endpoint, json: await transport.send({ ...endpoint, ...request }) }
  }
  const seen = new WeakMap<object, number>()
  const note = (value: unknown, seenAtMs: number | null) => {
    if (!isObject(value)) return
    if (seenAtMs === null) seen.delete(value)
    else seen.set(value, seenAtMs)
  }
  const read = async <T>(path: Path, reader: Reader<T>, request: Omit<TransportRequest, 'method' | 'path'>) => {
    let seenAtMs: number | null = null
    const onSeen = (atMs: number) => {
      seenAtMs = atMs
    }
    const { endpoint, json } = await send('GET', path, { ...request, priority, onSeen })
    const value = valueOrThrow(endpoint, json, reader)
    note(value, seenAtMs)
    return value
  }
  return {
    get: (path, reader, signal, query = {}) => read(path, reader, { query, signal }),
    find: (path, reader, signal, query = {}) => read(path, reader, { query, signal, isFresh: true }),
    dateMaxMs: () => transport.dateMaxMs(),
    seenAtMs: (value) => (isObject(value) ? (seen.get(value) ?? null) : null),
    async post(path, body, read, signal, stoppedNow) {
      const { endpoint, json } = await send('POST', path, { signal, stoppedNow, ...(body === null ? {} : { body }) })
      return valueOrThrow(endpoint, json, read)
    },
    async write(method, path, read, request) {
      const { endpoint, json } = await send(method, path, request)
      return valueOrThrow(endpoint, json, read)
    },
    async delete(path, signal, query = {}, stoppedNow) {
      const { endpoint, json } = await send('DELETE', path, { query, signal, stoppedNow })
      throwIfError(endpoint, json)
    },
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function pathOf(method: Method, path: Path): string {
  if (path.ok) return path.value
  const outcome = method === 'GET' ? null : 'notSent'
  throw new ExchangeError({ kind: 'rejected', fault: 'badRequest', method, path: '', reason: path.error, outcome })
}

/** Throws when an answer with a success status contains an error. */
function throwIfError(endpoint: Endpoint, json: string): void {
  // Checks the text first: hardly any answer contains the word, and books arrive ten times a second.
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

/**
 * False for a part of a path that is empty, `.` or `..`, or has such a part of its own, which a proxy on the way may
 * resolve even when its slash is encoded: neither `DELETE /orders/` nor `DELETE /orders/..%2Forders` must cancel
 * everything.
 */
export const isOnePart = (part: string): boolean =>
  part.split(/[/\\]/).every((each) => each !== '' && each !== '.' && each !== '..')

/**
 * An endpoint's path with each inserted part encoded as one segment: endpointPath`/orders/${id}`. Refuses a part that
 * would address another endpoint.
 */
export function endpointPath(texts: TemplateStringsArray, ...parts: readonly string[]): Result<string> {
  let path = texts[0] ?? ''
  for (const [index, part] of parts.entries()) {
    if (!isOnePart(part)) return err(`"${part}" cannot be part of an address`)
    path += encodeURIComponent(part.toWellFormed()) + (texts[index + 1] ?? '')
  }
  return ok(path)
}

type Read<T, Entry> = { json: string; result: Result<T>; entries: KnownEntries<Entry> }

/** More symbols than a desk polls. */
const memoizedNamesMax = 32

/**
 * Creates a reader that returns the same object while the response text is identical: most polls bring nothing new, and
 * a caller given the same object can skip it. `read` gets the cached entries of the last text, because changes affect
 * few of them. Of a text too long to keep its digest is kept: to read fifty thousand entries takes half a second.
 */
export function memoizeReader<T, Entry>(
  read: (json: string, known: KnownEntries<Entry>) => Result<T>,
): (json: string) => Result<T> {
  const each = memoizeReaderByName<T, Entry>((json, _, known) => read(json, known))
  let long: { digest: string; result: Result<T> } | null = null
  return (json) => {
    const digest = json.length <= keptLengthMax ? null : hash('sha256', json)
    if (digest !== null && long?.digest === digest) return long.result
    const result = each(json, '')
    long = digest === null ? null : { digest, result }
    return result
  }
}

/** `memoizeReader` for readers with a name: caches the last text of each of the newest `memoizedNamesMax` names. */
export function memoizeReaderByName<T, Entry>(
  read: (json: string, name: string, known: KnownEntries<Entry>) => Result<T>,
): (json: string, name: string) => Result<T> {
  const last = new Map<string, Read<T, Entry>>()
  return (json, name) => {
    const known = last.get(name)
    if (known?.json === json) return known.result
    const entries = known?.entries ?? new KnownEntries<Entry>()
    const result = read(json, name, entries)
    last.delete(name)
    if (json.length <= keptLengthMax) last.set(name, { json, result, entries })
    dropOldest(last, memoizedNamesMax)
    return result
  }
}

/**
 * Creates a reader whose values are kept within the latest date that they can have: `within` gives the value itself
 * where all dates can be. The same value gives the same object again, as polled reads do, also where some cannot be.
 */
export function datedReader<T extends object, Name extends readonly string[]>(
  read: (json: string, ...name: Name) => Result<T>,
  dateMaxMs: () => number,
  within: (value: T, dateMaxMs: number) => T,
): (json: string, ...name: Name) => Result<T> {
  const last = new WeakMap<T, T>()
  return (json, ...name) => {
    const result = read(json, ...name)
    if (!result.ok) return result
    const { value } = result
    const kept = within(value, dateMaxMs())
    if (kept === value) return result
    // A date that was refused is as good as ever while the text is the same: it is held against clocks with the next.
    const before = last.get(value)
    if (before === undefined) last.set(value, kept)
    return ok(before ?? kept)
  }
}
