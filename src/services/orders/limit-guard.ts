import { type Mode, modeReason } from '../../domain/desk/mode.ts'
import { block, type Check } from '../../domain/orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import { lotCheck } from '../../domain/orders/checks/rule-checks.ts'
import { isOpenEnded, type SentOrder } from '../../domain/orders/exposure.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'

/**
 * What an order replaces: one that is still working (null: none), or one that a move has just canceled (`rest`), which
 * was checked when the move began. `besides`: client order ids placed by the moves before it, or by its plan. `begun`:
 * every check has passed and the journal has the order; only the mode is asked again, right before it is sent.
 */
export type MovedAs =
  | { kind: 'instead'; orderId: string | null; besides?: readonly string[] }
  | { kind: 'rest' }
  | { kind: 'begun' }

/**
 * What stops an order at the last moment; empty when it may go. `beside`: orders of other processes that its state does
 * not know of, see `sentBeside`.
 */
export type OrderGuard = (draft: OrderDraft, movedAs?: MovedAs, beside?: readonly SentOrder[]) => Check[]

/**
 * The only check of the rest of a canceled order: it is whole lots, as the order and its fills were, or its report
 * cannot be true. Balances and lists have not caught up with the cancel yet.
 */
const oddRest = (draft: OrderDraft, { instrument }: CheckContext): Check[] =>
  instrument.kind === 'fresh' ? [lotCheck(draft.orderQuantity, instrument.value)].filter(isBlock) : []

const isBlock = ({ level }: Check): boolean => level === 'block'

/**
 * Repeats every check right before an order is sent, in case a path forgot them. Soft limits are not asked again: the
 * sender has confirmed them. `mode` is null for a program without modes.
 */
export function createLimitGuard(
  contextOf: (symbol: string, insteadOf: string | null, besides: readonly string[]) => CheckContext,
  mode: () => Mode | null = () => null,
): OrderGuard {
  return (draft, movedAs, beside = []) => {
    const reason = modeReason(mode())
    const stopped = reason === null ? [] : [block('mode', reason)]
    if (movedAs?.kind === 'begun') return stopped
    if (movedAs?.kind === 'rest') return [...stopped, ...oddRest(draft, contextOf(draft.symbol, null, []))]
    const besides = movedAs?.besides ?? []
    const known = contextOf(draft.symbol, movedAs?.orderId ?? null, besides)
    const others = beside.filter((sent) => isOpenEnded(sent) || !besides.includes(sent.clientOrderId))
    const context = others.length === 0 ? known : { ...known, recentOrders: [...known.recentOrders, ...others] }
    return [...stopped, ...orderChecks(draft, context).filter(isBlock)]
  }
}
