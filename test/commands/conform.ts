import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { expect } from 'vitest'
import type { JsonSchema, JsonValue } from '../../src/commands/schema/kinds.ts'
import { publishedSchema, type SchemaRow, schemaTable } from '../../src/commands/schema/table.ts'

/** A check of schemas that this program has no part in. */
const ajv = new AjvJsonSchemaValidator()
const validators = new Map<string, (value: unknown) => { valid: boolean; errorMessage?: string | undefined }>()

/** What is wrong with a value by a schema; null: nothing. */
export function faultBy(schema: JsonSchema, value: unknown): string | null {
  const { valid, errorMessage } = ajv.getValidator<unknown>(schema)(value)
  return valid ? null : (errorMessage ?? 'it does not conform')
}

/** Names of the schemas that output was held against. */
export const heldAgainst = new Set<string>()

export const schemaNamed = (name: string): SchemaRow => {
  const row = schemaTable.find((each) => each.name === name)
  if (row === undefined) throw new Error(`there is no schema ${name}`)
  return row
}

/** How many words of the command of a row a line has; 0 where it is another command's. */
function likeness({ command }: SchemaRow, line: readonly string[]): number {
  const left = [...line]
  const words = command.split(' ').filter((word) => word !== '')
  for (const word of words) {
    const at = /^[A-Z]+$/.test(word) ? left.findIndex((each) => !each.startsWith('-')) : left.indexOf(word)
    if (at === -1) return 0
    left.splice(at, 1)
  }
  return words.length
}

/** The schemas that a command line may print by. */
function schemasOf(line: string): SchemaRow[] {
  const words = line.split(' ')
  const most = Math.max(...schemaTable.map((row) => likeness(row, words)))
  return most === 0 ? [] : schemaTable.filter((row) => likeness(row, words) === most)
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (schema: JsonValue | undefined): Readonly<Record<string, unknown>> => (isFields(schema) ? schema : {})

/** Fields of a value that its schema does not name, by their paths. */
function unnamed(schema: unknown, value: unknown, path = ''): string[] {
  if (!isFields(schema)) return []
  if (Array.isArray(value)) return value.flatMap((each) => unnamed(schema.items, each, `${path}[]`))
  if (!isFields(value) || !isFields(schema.properties)) return []
  const { properties } = schema
  return Object.entries(value).flatMap(([name, inner]) =>
    name in properties ? unnamed(properties[name], inner, `${path}.${name}`) : [`${path}.${name}`],
  )
}

function faultsOf(row: SchemaRow, value: unknown): string[] {
  const schema: JsonSchema = publishedSchema(row)
  const validate = validators.get(row.name) ?? ajv.getValidator<unknown>(schema)
  validators.set(row.name, validate)
  const { valid, errorMessage } = validate(value)
  return [
    ...(valid ? [] : [`${errorMessage}`]),
    ...unnamed(fieldsOf(schema), value).map((path) => `${path} is not in the schema`),
  ]
}

/** Holds what a command printed as JSON against the schema that is published for it: that of a failure, or its own. */
export function expectConforms(line: string, value: unknown): void {
  const isFailure = isFields(value) && 'error' in value
  const rows = isFailure ? [schemaNamed('error')] : schemasOf(line)
  expect(rows, `no schema for: ${line}`).not.toEqual([])
  const faults = rows.map((row) => faultsOf(row, value))
  const fits = rows.filter((_, at) => faults[at]?.length === 0)
  expect(fits, `${line} does not conform to its schema: ${faults.flat().join('; ')}`).not.toEqual([])
  for (const { name } of fits) heldAgainst.add(name)
}
