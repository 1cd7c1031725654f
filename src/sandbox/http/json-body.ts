import type { JsonBounds } from '../../wire/json-read.ts'
import { type Answer, failure } from './answer.ts'
import { bodyLimitBytes, type RequestBody } from './body.ts'

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
