import { type Mode, mayPlace } from '../domain/desk/mode.ts'
import { block, type Check } from '../domain/orders/checks/check.ts'
import { type CheckContext, preTradeChecks } from '../domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../domain/orders/order.ts'

/**
 * What an order is besides new: it takes the place of one that is still working, or it is the rest of one that a move
 * has just cancelled, which was checked when the move began.
 */
export type MovedAs = { kind: 'instead'; orderId: string } | { kind: 'rest' }

/** What stops an order at the last moment; empty when it may go. */
export type OrderGuard = (draft: OrderDraft, movedAs?: MovedAs) => Check[]

/**
 * The same checks as every path runs, once more where an order leaves, with what is known in that very moment: a path
 * that forgot them stops here. Soft limits are not asked about again: whoever sends has confirmed them. `mode` is null
 * for a program without modes.
 */
export function createLimitGuard(
  contextOf: (symbol: string, insteadOf: string | null) => CheckContext,
  mode: () => Mode | null = () => null,
): OrderGuard {
  return (draft, movedAs) => {
    const now = mode()
    const stopped = now === null || mayPlace(now) ? [] : [block('mode', `the desk is ${now.kind}`)]
    // Balances and lists have not caught up with the cancel yet: they would speak against the rest for no reason.
    if (movedAs?.kind === 'rest') return stopped
    const context = contextOf(draft.symbol, movedAs?.orderId ?? null)
    return [...stopped, ...preTradeChecks(draft, context).filter(({ level }) => level === 'block')]
  }
}
