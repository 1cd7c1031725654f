import { block, type Check } from '../domain/check.ts'
import { type Mode, mayPlace } from '../domain/mode.ts'
import type { OrderDraft } from '../domain/order.ts'
import { type CheckContext, preTradeChecks } from '../domain/pre-trade.ts'

/** What stops an order at the last moment; empty when it may go. */
export type OrderGuard = (draft: OrderDraft) => Check[]

/**
 * The same checks as every path runs, once more where an order leaves, with what is known in that very moment: a path that forgot them
 * stops here. Soft limits are not asked about again: whoever sends has confirmed them. `mode` is null for a program without modes.
 */
export function createLimitGuard(
  contextOf: (symbol: string) => CheckContext,
  mode: () => Mode | null = () => null,
): OrderGuard {
  return (draft) => {
    const now = mode()
    const checks = preTradeChecks(draft, contextOf(draft.symbol)).filter(({ level }) => level === 'block')
    return now === null || mayPlace(now) ? checks : [block('mode', `the desk is ${now.kind}`), ...checks]
  }
}
