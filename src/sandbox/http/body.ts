import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** A request's body as text, empty when there was none, with what its sender called it. */
export type RequestBody = { text: string; contentType: string | null; contentEncoding: string | null }
export const noBody: RequestBody = { text: '', contentType: null, contentEncoding: null }

export type BodyReading = { kind: 'body'; body: RequestBody } | { kind: 'tooLarge' } | { kind: 'notText' }

export const bodyLimitBytes = 64 * 1024
// A client that is still sending when its answer comes may never see the answer; so a body that is only somewhat too
// large is read to its end, and thrown away.
const drainLimitBytes = 1024 * 1024

const methodsWithBody = new Set(['POST', 'DELETE', 'PUT', 'PATCH'])

/** True when there may be a body worth reading. */
export function hasBody(request: IncomingMessage): boolean {
  if (!methodsWithBody.has(request.method ?? '')) return false
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Reads the body and then calls `done`, once; never, when the client is gone before its end. */
export function readBody(request: IncomingMessage, done: (reading: BodyReading) => void): void {
  const chunks: Buffer[] = []
  let byteCount = 0
  const finish = (reading: BodyReading) => {
    request.off('data', onData).off('end', onEnd)
    done(reading)
  }
  const onData = (chunk: Buffer) => {
    byteCount += chunk.length
    if (byteCount <= bodyLimitBytes) chunks.push(chunk)
    else if (byteCount > drainLimitBytes) finish({ kind: 'tooLarge' })
  }
  const onEnd = () => {
    if (byteCount > bodyLimitBytes) return finish({ kind: 'tooLarge' })
    const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, byteCount)
    finish(isUtf8(bytes) ? { kind: 'body', body: toBody(bytes.toString('utf8'), request) } : { kind: 'notText' })
  }
  // A client that hangs up in the middle gets no answer: there is nobody left to read it.
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

/**
 * The body has been read, or is none: the framework, which would judge its type for every route alike, sees nothing.
 */
export function hideBody(request: IncomingMessage): void {
  delete request.headers['content-type']
  delete request.headers['content-length']
  delete request.headers['transfer-encoding']
}
