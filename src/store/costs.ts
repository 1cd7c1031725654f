import type { Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import type { StatedCost } from '../domain/positions/position.ts'
import { type CostChange, costText } from '../domain/positions/stated-costs.ts'
import type { NotedEvent } from './log.ts'
import type { SliceContext } from './slice.ts'

/** Costs stated by the user, saved for the account. */
export type CostsSlice = { statedCosts: readonly StatedCost[] }

export type CostsEvent = { type: 'costsRead'; costs: readonly StatedCost[] }

export type CostsPort = {
  /** Saves a change; the result arrives as events. */
  changeCosts(change: CostChange): void
}

export type CostsCommands = {
  /** Adds, deletes or corrects stated costs. */
  changeCosts(change: CostChange): void
}

export const createCostsCommands = ({ port }: SliceContext<unknown, CostsEvent, CostsPort>): CostsCommands => ({
  changeCosts: (change) => port.changeCosts(change),
})

const namedCosts = (costs: readonly StatedCost[]): string =>
  costs.length <= 3 ? costs.map(costText).join(', ') : `${costs.length} stated costs`

/** The notice for a change of the stated costs. */
export function costsAnswered(
  { state, forget }: CostChange,
  kept: Result<readonly StatedCost[]>,
  atMs: number,
): readonly (CostsEvent | NotedEvent)[] {
  if (!kept.ok) return [{ type: 'noted', level: 'bad', text: plainText(kept.error), atMs }]
  const instead = forget.length === 0 ? '' : ` in place of ${namedCosts(forget)}`
  const text = state === null ? `Cost removed: ${namedCosts(forget)}.` : `Cost kept: ${costText(state)}${instead}.`
  return [
    { type: 'costsRead', costs: kept.value },
    { type: 'noted', level: 'good', text, atMs },
  ]
}
