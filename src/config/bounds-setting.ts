import { err, ok, type Result } from '../base/result.ts'
import type { Bounds } from '../domain/limits.ts'
import { Decimal, parseAmount } from '../domain/money.ts'
import { setting } from './setting-readers.ts'

/** What a person set of one limit: `undefined` leaves the default, null takes the bound away. */
export type BoundsSetting<T> = { soft?: T | null; hard?: T | null }

/** A bound, `"none"`, or a table of both; a bare value is the hard one. */
export const boundsSetting = <T extends Decimal | number>(readBound: (value: unknown) => T | undefined, what: string) =>
  setting((value): Result<BoundsSetting<T>> => {
    const must = `must be ${what}, "none", or a table of both bounds such as { soft = 1, hard = 2 }`
    const bare = boundOf(value, readBound)
    if (bare !== undefined) return ok({ hard: bare })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return err(must)
    const bounds: BoundsSetting<T> = {}
    for (const [name, inner] of Object.entries(value)) {
      const bound = boundOf(inner, readBound)
      if ((name !== 'soft' && name !== 'hard') || bound === undefined) return err(must)
      bounds[name] = bound
    }
    return isSoftOver(bounds)
      ? err('must have its soft bound at or below its hard one: over it soft never asks')
      : ok(bounds)
  })

/** Whether the soft bound is over the hard one, so that it can never ask. */
export const isSoftOver = ({ soft = null, hard = null }: BoundsSetting<Decimal | number>): boolean =>
  soft !== null && hard !== null && new Decimal(soft).gt(hard)

const boundOf = <T>(value: unknown, readBound: (value: unknown) => T | undefined): T | null | undefined =>
  value === 'none' ? null : readBound(value)

/** An amount above zero, as a whole number or in quotes. */
export function readAmountBound(value: unknown): Decimal | undefined {
  const amount = typeof value === 'bigint' || typeof value === 'string' ? parseAmount(value.toString()) : undefined
  return amount?.gt(0) === true ? amount : undefined
}

export const none: Bounds<never> = { soft: null, hard: null }

/** The bounds in force: what is set in the place of the standard ones. */
export const merged = <T>(set: BoundsSetting<T> | undefined, standard: Bounds<T>): Bounds<T> => ({
  soft: set?.soft === undefined ? standard.soft : set.soft,
  hard: set?.hard === undefined ? standard.hard : set.hard,
})
