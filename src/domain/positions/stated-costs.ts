import { err, ok, type Result } from '../../base/result.ts'
import { formatGrouped } from '../money.ts'
import type { StatedCost } from './position.ts'

/** What a person changes of the costs that are stated: some are taken back, and one may be stated in their place. */
export type CostChange = { forget: readonly StatedCost[]; state: StatedCost | null }

export const isSameCost = (left: StatedCost, right: StatedCost): boolean =>
  left.currency === right.currency &&
  left.atMs === right.atMs &&
  left.quantity.eq(right.quantity) &&
  left.usdEach.eq(right.usdEach)

/**
 * The costs after a change, a new one in the place of the first that is taken back. The error is a sentence: one that
 * is to be taken back is not there, so that nothing is changed.
 */
export function changedCosts(costs: readonly StatedCost[], { forget, state }: CostChange): Result<StatedCost[]> {
  const left = [...costs]
  let place = left.length
  for (const each of forget) {
    const at = left.findIndex((cost) => isSameCost(cost, each))
    if (at === -1) return err(`${costText(each)} is no longer stated. Nothing was changed: look again.`)
    left.splice(at, 1)
    place = Math.min(place, at)
  }
  if (state !== null) left.splice(place, 0, state)
  return ok(left)
}

/** `0.5 BTC at 60,000 USD each` */
export const costText = ({ currency, quantity, usdEach }: StatedCost): string =>
  `${quantity.toFixed()} ${currency} at ${formatGrouped(usdEach, usdEach.decimalPlaces())} USD each`

/** The UTC day whose holdings a cost counts for. */
export const costDay = ({ atMs }: Pick<StatedCost, 'atMs'>): string => new Date(atMs).toISOString().slice(0, 10)
