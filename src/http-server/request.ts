import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { GatheredBytes } from '../base/gathered-bytes.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A request's body as text, empty when there was none, and its declared type and encoding. */
export type RequestBody = { text: string; contentType: string | null; contentEncoding: string | null }
export const noBody: RequestBody = { text: '', contentType: null, contentEncoding: null }

type BodyReading =
  | { kind: 'body'; body: RequestBody }
  | { kind: 'tooLarge' }
  | { kind: 'crumbled' }
  | { kind: 'notText' }

export const bodyLimitBytes = 64 * 1024
// Bytes of an oversized body that are read and dropped: a client that is still sending when it is answered may never
// read the answer.
const drainLimitBytes = 1024 * 1024

const methodsWithBody = new Set(['POST', 'DELETE', 'PUT', 'PATCH'])

/** True when the request may have a body. */
export function hasBody(request: IncomingMessage): boolean {
  if (!methodsWithBody.has(request.method ?? '')) return false
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Reads the body and calls `done` once; never calls it when the client disconnects first. */
export function readBody(request: IncomingMessage, done: (reading: BodyReading) => void): void {
  const gathered = new GatheredBytes()
  let byteCount = 0
  const finish = (reading: BodyReading) => {
    request.off('data', onData).off('end', onEnd)
    done(reading)
  }
  const onData = (chunk: Buffer) => {
    byteCount += chunk.length
    if (byteCount <= bodyLimitBytes) gathered.add(chunk)
    if (gathered.isCrumbled) finish({ kind: 'crumbled' })
    else if (byteCount > drainLimitBytes) finish({ kind: 'tooLarge' })
  }
  const onEnd = () => {
    if (byteCount > bodyLimitBytes) return finish({ kind: 'tooLarge' })
    const bytes = gathered.whole()
    finish(isUtf8(bytes) ? { kind: 'body', body: toBody(bytes.toString('utf8'), request) } : { kind: 'notText' })
  }
  // A client that disconnects gets no answer.
  request.on('error', () => {})
  if (declaredBytes(request) > drainLimitBytes) done({ kind: 'tooLarge' })
  else request.on('data', onData).on('end', onEnd)
}

const declaredBytes = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0)

const toBody = (text: string, request: IncomingMessage): RequestBody => ({
  text,
  contentType: request.headers['content-type'] ?? null,
  contentEncoding: request.headers['content-encoding'] ?? null,
})

/** Hides the body from the framework, which would check its type the same way on every route. */
export function hideBody(request: IncomingMessage): void {
  delete request.headers['content-type']
  delete request.headers['content-length']
  delete request.headers['transfer-encoding']
}

/** Reads a parameter: its value, or what it must be, worded to follow its name. */
type ParameterReader<T> = (text: string) => { value: T } | { must: string }

/** A query by name, with all values of a repeated name. Names are decoded, values are not. */
export type Query = ReadonlyMap<string, readonly string[]>

/**
 * Splits the query of a request target without validating it, because unused parameters are ignored even if malformed.
 */
export function parseQuery(target: string): Query {
  const start = target.indexOf('?')
  if (start < 0) return noQuery
  const query = new Map<string, string[]>()
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (name === null) continue
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    const values = query.get(name)
    if (values === undefined) query.set(name, [value])
    else values.push(value)
  }
  return query
}

const noQuery: Query = new Map()

/** Decodes a percent-encoded part of a query; null when malformed. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

type Readers = Readonly<Record<string, ParameterReader<unknown>>>
type ValueOf<Reader> = Reader extends ParameterReader<infer T> ? T : never
/** The parameters that were given. */
export type Parameters<Spec extends Readers> = { [Name in keyof Spec]?: ValueOf<Spec[Name]> }

/** Reads an operation's parameters. The error is one sentence that names the parameter at fault. */
export function readQuery<Spec extends Readers>(query: Query, spec: Spec): Result<Parameters<Spec>> {
  const parameters: Parameters<Spec> = {}
  for (const name in spec) {
    const read = spec[name]
    const values = query.get(name)
    if (values === undefined || read === undefined) continue
    const [value, ...others] = values
    if (value === undefined || others.length > 0) return err(`query parameter "${name}" is given more than once`)
    const text = decode(value)
    if (text === null) return err(`query parameter "${name}" is not well percent-encoded`)
    const reading = read(text)
    if ('must' in reading) return err(`query parameter "${name}" ${reading.must}`)
    // `Parameters` gives each name the type of its reader's value.
    parameters[name] = reading.value as ValueOf<Spec[typeof name]>
  }
  return ok(parameters)
}

const wholeNumber = /^-?\d{1,18}$/

/** Milliseconds since 1970. Any whole number is valid as a bound, also far outside real times. */
export const timeParameter: ParameterReader<number> = (text) =>
  wholeNumber.test(text) ? { value: Number(text) } : { must: 'must be a whole number of milliseconds since 1970' }

/** An int64 id, 0 or more. Ids past 2^53 are never assigned, so as a bound the nearest double is good enough. */
export const idParameter: ParameterReader<number> = (text) =>
  /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n
    ? { value: Number(text) }
    : { must: 'must be a whole number of 0 or more' }

/** A page size of at least 1; capped at `cap`. */
export function limitParameter(cap: number): ParameterReader<number> {
  return (text) =>
    /^\d{1,20}$/.test(text) && /[1-9]/.test(text)
      ? { value: Math.min(cap, Number(text)) }
      : { must: 'must be a whole number of 1 or more' }
}

/** One of a list of words. */
export function wordParameter<Word extends string>(words: readonly Word[]): ParameterReader<Word> {
  return (text) => {
    const value = words.find((word) => word === text)
    return value === undefined ? { must: `must be one of ${words.join(', ')}` } : { value }
  }
}

/** A listed symbol. */
export function symbolParameter(isListed: (symbol: string) => boolean): ParameterReader<string> {
  return (text) => (isListed(text) ? { value: text } : { must: 'is not a symbol of this exchange' })
}
