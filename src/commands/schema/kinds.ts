/** A JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [field: string]: JsonValue | undefined }

/** A JSON Schema of the draft 2020-12. */
export type JsonSchema = { readonly [keyword: string]: JsonValue }

/** A field that is omitted when unknown or absent. */
type Optional = { readonly optional: JsonSchema }
type Field = JsonSchema | Optional

const isOptional = (field: Field): field is Optional =>
  typeof field.optional === 'object' && field.optional !== null && !Array.isArray(field.optional)

/** An optional field: missing is unknown or none, never zero. */
export const maybe = (schema: JsonSchema): Optional => ({ optional: schema })

/** An amount: exact text, never with an exponent. `about` says of what, with its unit. */
export const amount = (about: string): JsonSchema => ({
  type: 'string',
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: about,
})

/** A whole number that a binary float holds exactly. */
export const whole = (about: string): JsonSchema => ({ type: 'integer', description: about })

/** An id or count of the exchange, of up to 64 bits: more than a binary float holds exactly. */
export const int64 = (about: string): JsonSchema => ({
  type: 'integer',
  format: 'int64',
  description: `${about}; up to 64 bits, more than a binary float holds`,
})

/** A moment in ms since 1970, UTC. */
export const time = (about: string): JsonSchema => whole(`${about}, ms since 1970 UTC`)

export const text = (about: string): JsonSchema => ({ type: 'string', description: about })

export const flag = (about: string): JsonSchema => ({ type: 'boolean', description: about })

/** One of these words; the list may grow. */
export const word = (words: readonly string[], about: string): JsonSchema => ({
  type: 'string',
  enum: words,
  description: about,
})

export const listOf = (items: JsonSchema, about?: string): JsonSchema => ({
  type: 'array',
  items,
  ...(about === undefined ? {} : { description: about }),
})

/** The schema of a field, optional or not. */
const schemaOf = (field: Field): JsonSchema => (isOptional(field) ? field.optional : field)

/**
 * An object with these fields, open to those of later versions. The names come as a type if the object's writer has
 * one, so that a new field is missed here.
 */
export function rowOf<Name extends string>(fields: Readonly<Record<Name, Field>>, about?: string): JsonSchema {
  const all: [string, Field][] = Object.entries(fields)
  return {
    type: 'object',
    ...(about === undefined ? {} : { description: about }),
    properties: Object.fromEntries(all.map(([name, field]) => [name, schemaOf(field)])),
    required: all.flatMap(([name, field]) => (isOptional(field) ? [] : [name])),
    additionalProperties: true,
  }
}
