import { NumberText, readJson } from '../../../src/wire/exact-json.ts'

/** A value of a body with the digits of its numbers: what passes the proxy unharmed is the same afterwards. */
export type WireObject = { [name: string]: unknown }

export const isObject = (value: unknown): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)

/** The value of a text; undefined where it is not JSON. */
export function readWire(text: string): unknown {
  const read = readJson(text)
  return read.ok ? read.value : undefined
}

export function writeWire(value: unknown): string {
  if (value instanceof NumberText) return value.text
  if (Array.isArray(value)) return `[${value.map(writeWire).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${writeWire(field)}`)
  return `{${fields.join(',')}}`
}

/**
 * A field as text, whether the service writes it as a number or in quotes; null where it is missing or something else.
 */
export function textOf(value: unknown): string | null {
  if (value instanceof NumberText) return value.text
  return typeof value === 'string' ? value : null
}

export const number = (digits: string): NumberText => new NumberText(digits)
