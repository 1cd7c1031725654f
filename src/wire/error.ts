import { text } from './fields.ts'
import { writeJson } from './json-write.ts'
import { message, readMessage } from './message.ts'

/** The body of a refusal. */
export const errorMessage = message({ error: text })

/** The sentence of a refusal, or null when the body carries none. */
export function readErrorText(json: string): string | null {
  const read = readMessage(errorMessage, json)
  return read.ok && read.value.error !== '' ? read.value.error : null
}

export const writeError = (error: string): string => writeJson({ error }, 'numbers')
