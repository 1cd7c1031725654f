import { readFileSync } from 'node:fs'
import type { Result } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'

/** The text of a sample that was written by hand from the interface's description. */
export const sample = (name: string): string =>
  readFileSync(new URL(`./samples/${name}.json`, import.meta.url), { encoding: 'utf8' })

/** The value of a result that has to be good. */
export function goodValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** The sentence of a result that has to be bad. */
export function errorOf(result: Result<unknown>): string {
  if (result.ok) throw new Error('read without an error')
  return result.error
}

/** The same value with every Decimal as its digits, so that a comparison is digit by digit. */
export function digits(value: unknown): unknown {
  if (Decimal.isDecimal(value)) return value.toFixed()
  if (Array.isArray(value)) return value.map(digits)
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [key, digits(inner)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, digits(inner)]))
}
