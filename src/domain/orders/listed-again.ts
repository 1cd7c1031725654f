import { listKey, type Order } from './order.ts'

/** A list that has been behind for so long is not behind. */
const listBehindMs = 15_000

/** Since when, by `listKey`, the list of working orders has held one that was reported as ended. */
export type ListedAgain = ReadonlyMap<string, number>

export const noneListedAgain: ListedAgain = new Map()

/**
 * `ended`: orders of a list of working ones, as of `atMs`, that were reported as ended before. A list may be behind; an
 * order that stays in it is `back`: what was reported was another order's end, or was taken back. Of the others the
 * record goes on in `waiting`.
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
