import { plainText } from '../base/plain-text.ts'
import type { Result } from '../base/result.ts'
import { formatGrouped } from '../domain/money.ts'
import type { StatedCost } from '../domain/positions/position.ts'
import type { NotedEvent } from './log.ts'
import type { SliceContext } from './slice.ts'

/** What the user stated of costs, as it is kept of the account. */
export type CostsSlice = { statedCosts: readonly StatedCost[] }

export type CostsEvent = { type: 'costsRead'; costs: readonly StatedCost[] }

export type CostsPort = {
  /** Keeps it; what became of that arrives as events. */
  stateCost(stated: StatedCost): void
}

export type CostsCommands = { stateCost(stated: StatedCost): void }

export const createCostsCommands = ({ port }: SliceContext<unknown, CostsEvent, CostsPort>): CostsCommands => ({
  stateCost: (stated) => port.stateCost(stated),
})

/** `0.5 BTC at 60,000 USD each` */
export const costText = ({ currency, quantity, usdEach }: StatedCost): string =>
  `${quantity.toFixed()} ${currency} at ${formatGrouped(usdEach, usdEach.decimalPlaces())} USD each`

/** What became of a cost that was stated. */
export function costAnswered(
  stated: StatedCost,
  kept: Result<readonly StatedCost[]>,
  atMs: number,
): readonly (CostsEvent | NotedEvent)[] {
  if (!kept.ok) return [{ type: 'noted', level: 'bad', text: plainText(kept.error), atMs }]
  const text = `Cost kept: ${costText(stated)}.`
  return [
    { type: 'costsRead', costs: kept.value },
    { type: 'noted', level: 'good', text, atMs },
  ]
}
