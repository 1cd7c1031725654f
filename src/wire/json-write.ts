import { Decimal } from '../domain/money.ts'

/** How amounts are written: as JSON numbers, as strings, or by turns, so that a reader must cope with both. */
export type WireMode = 'numbers' | 'strings' | 'mixed'
export const wireModes: readonly WireMode[] = ['numbers', 'strings', 'mixed']

/**
 * What can be written. A `Decimal` is an amount and obeys the mode; `number` (safe integers only) and `bigint` are
 * always integers; a field that is null or undefined is left out, which means the same on this wire.
 */
export type Writable =
  | null
  | undefined
  | boolean
  | string
  | number
  | bigint
  | Decimal
  | readonly Writable[]
  | { readonly [field: string]: Writable }

/**
 * JSON text with every digit of every amount, never an exponent, no trailing zeros. Throws RangeError on a number that
 * is no integer.
 */
export function writeJson(value: Writable, mode: WireMode): string {
  let amountCount = 0
  const write = (part: Writable): string => {
    if (part === null || part === undefined) return 'null'
    if (typeof part === 'string') return JSON.stringify(part)
    if (typeof part === 'boolean' || typeof part === 'bigint') return part.toString()
    if (typeof part === 'number') return writeInteger(part)
    if (isAmount(part)) {
      const isQuoted = mode === 'strings' || (mode === 'mixed' && amountCount++ % 2 === 1)
      return isQuoted ? `"${writeAmount(part)}"` : writeAmount(part)
    }
    if (isList(part)) return `[${part.map(write).join(',')}]`
    let fields = ''
    for (const field of Object.keys(part)) {
      const inner = part[field]
      if (inner === null || inner === undefined) continue
      fields += `${fields === '' ? '' : ','}${JSON.stringify(field)}:${write(inner)}`
    }
    return `{${fields}}`
  }
  return write(value)
}

/** Plain digits of an amount: `0.00054044`, never `5.4044E-4`; zero has no sign. */
export function writeAmount(amount: Decimal): string {
  if (!amount.isFinite()) throw new RangeError(`${amount.toString()} is not an amount`)
  return amount.isZero() ? '0' : amount.toFixed()
}

function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not an integer that can be written exactly`)
  return value.toString()
}

const isAmount = (value: object): value is Decimal => Decimal.isDecimal(value)
const isList = (value: object): value is readonly Writable[] => Array.isArray(value)
