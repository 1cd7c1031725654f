import { listKey, type Order } from './order.ts'

/** A list is never outdated for longer than this. */
export const listBehindMs = 15_000

/** Since when, by `listKey`, the list of working orders has contained an order reported as finished. */
export type ListedAgain = ReadonlyMap<string, number>

export const noneListedAgain: ListedAgain = new Map()

/**
 * `ended`: orders in a list of working ones, as of `atMs`, that were reported finished before. A list may lag; an order
 * that stays listed is `back`: the end belonged to another order, or was revoked. `waiting` keeps the record of the
 * others.
 */
export function listedAgain(
  before: ListedAgain,
  ended: readonly Order[],
  atMs: number,
): { waiting: ListedAgain; back: readonly Order[] } {
  if (ended.length === 0) return { waiting: noneListedAgain, back: [] }
  const sinceMs = (order: Order) => before.get(listKey(order)) ?? atMs
  const isBack = (order: Order) => atMs - sinceMs(order) >= listBehindMs
  const waiting = ended.filter((order) => !isBack(order)).map((order) => [listKey(order), sinceMs(order)] as const)
  return { waiting: new Map(waiting), back: ended.filter(isBack) }
}
