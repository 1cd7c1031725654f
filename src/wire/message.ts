import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { type JsonBounds, NumberText, readJson } from './json-read.ts'

// To the schema library a NumberText is an object like any other, so it would pass as a message without fields.
const notANumber = (value: unknown, context: z.core.ParsePayload): unknown => {
  if (!(value instanceof NumberText)) return value
  context.issues.push({
    code: 'custom',
    message: 'must be an object',
    input: value,
  })
  return z.NEVER
}

/** The schema of one message: a JSON object with these fields; fields it does not name are ignored. */
export const message = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.pipe(z.transform(notANumber), z.object(shape))

/** Reads JSON text as one message. The error is one sentence that names the field. */
export function readMessage<T>(schema: z.ZodType<T>, json: string, bounds?: JsonBounds): Result<T> {
  const value = readJson(json, bounds)
  return value.ok ? checkMessage(schema, value.value) : value
}

/** The same for JSON that `readJson` has read already. */
export function checkMessage<T>(schema: z.ZodType<T>, value: unknown): Result<T> {
  const parsed = schema.safeParse(value, { reportInput: true })
  if (parsed.success) return ok(parsed.data)
  return err(describeIssue(parsed.error.issues[0]))
}

/** A result with its value mapped; an error passes through. */
export const mapResult = <From, To>(result: Result<From>, map: (value: From) => To): Result<To> =>
  result.ok ? ok(map(result.value)) : result

/**
 * What was asked for by its name: an answer that bears another name is about something else. One without a name may be
 * it.
 */
export const ofAsked = <T>(kind: string, asked: string, told: string | null, value: T): Result<T> =>
  told === null || told === asked ? ok(value) : err(`${kind} ${asked} was asked for, and the answer is about ${told}`)

/** The same where the answer has to say what it is about: by an id of which there is only one. */
export const byId = <T>(kind: string, asked: string, told: string | null, value: T): Result<T> =>
  told === null
    ? err(`${kind} ${asked} was asked for, and the answer does not say which it is`)
    : ofAsked(kind, asked, told, value)

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'the message is not understood'
  const name = fieldName(issue.path)
  return `${name === '' ? 'the message' : `field "${name}"`} ${mustOf(issue)}`
}

function mustOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.input === undefined && issue.path.length > 0) return 'is missing'
  return issue.expected === 'array' ? 'must be a list' : 'must be an object'
}

/** `orders[3].price`, with names from outside made safe to print. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = ''
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`
    else name += `${name === '' ? '' : '.'}${plainText(String(part)).slice(0, 60)}`
  }
  return name
}
