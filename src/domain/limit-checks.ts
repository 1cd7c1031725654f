import { ask, block, type Check, pass } from './check.ts'
import { collarCheck } from './collar-check.ts'
import { unlisted } from './exposure.ts'
import { unreliable } from './known.ts'
import { hasBound, limitsFor } from './limits.ts'
import type { Decimal } from './money.ts'
import type { OrderDraft } from './order.ts'
import { unusualCheck } from './unusual-check.ts'
import { type LimitContext, type Market, valueChecks } from './value-checks.ts'

function openOrderChecks(draft: OrderDraft, { limits, openOrders, recentOrders }: LimitContext): Check[] {
  const own = limits.perSymbol.get(draft.symbol)?.openOrders
  const scopes = [
    { isCounted: () => true, limit: limits.openOrders, name: '' },
    ...(own === undefined
      ? []
      : [{ isCounted: (symbol: string) => symbol === draft.symbol, limit: own, name: ` in ${draft.symbol}` }]),
  ].filter(({ limit }) => hasBound(limit))
  if (scopes.length === 0) return [pass('openOrders')]
  if (openOrders.kind !== 'fresh')
    return [block('openOrders', `${unreliable('orders', openOrders) ?? ''}: their number cannot be judged`)]
  const symbols = [
    ...openOrders.value.map(({ symbol }) => symbol),
    ...unlisted(recentOrders, openOrders.value).map((sent) => sent.draft.symbol),
  ]
  return scopes.map(({ isCounted, limit: { hard, soft }, name }) => {
    const count = symbols.filter(isCounted).length + 1
    const subject = `${count} open orders${name} with this one`
    if (hard !== null && count > hard) return block('openOrders', `${subject} are over the hard limit ${hard}`)
    if (soft !== null && count > soft) return ask('openOrders', `${subject} are over the soft limit ${soft}`)
    return pass('openOrders')
  })
}

const sameAmount = (left: Decimal | null, right: Decimal | null): boolean =>
  left === null || right === null ? left === right : left.eq(right)

/** The same symbol, side, quantity and prices. */
const isSame = (left: OrderDraft, right: OrderDraft): boolean =>
  left.symbol === right.symbol &&
  left.side === right.side &&
  left.type === right.type &&
  left.orderQuantity.eq(right.orderQuantity) &&
  sameAmount(left.limitPrice, right.limitPrice) &&
  sameAmount(left.stopPrice, right.stopPrice)

/** A like order that was answered as rejected and is listed as working all the same: the answer was not about it. */
function likeInSpiteOfANo(draft: OrderDraft, { recentOrders, openOrders }: LimitContext): Check | null {
  if (openOrders.kind !== 'fresh') return null
  const refused = recentOrders.filter(({ stage, draft: sent }) => stage === 'refused' && isSame(sent, draft))
  const ids = new Set(refused.map(({ clientOrderId }) => clientOrderId))
  const order = openOrders.value.find(({ clientOrderId }) => ids.has(clientOrderId))
  if (order === undefined) return null
  const { clientOrderId, orderId } = order
  return block(
    'duplicate',
    `order ${clientOrderId}, answered as rejected, is working as ${orderId ?? clientOrderId}: cancel it, or change this one`,
  )
}

/**
 * An order like one that went out a moment ago; one that was refused placed nothing and does not count unless it is
 * listed.
 */
function duplicateCheck(draft: OrderDraft, context: LimitContext): Check {
  const { limits, recentOrders, nowMs } = context
  const standing = likeInSpiteOfANo(draft, context)
  if (standing !== null) return standing
  const { duplicateWithinMs } = limitsFor(limits, draft.symbol)
  const like = recentOrders.find(
    (sent) => sent.stage !== 'refused' && nowMs - sent.atMs < duplicateWithinMs && isSame(sent.draft, draft),
  )
  if (like === undefined) return pass('duplicate')
  const agoMs = Math.max(0, nowMs - like.atMs)
  const seconds = (ms: number) => Math.ceil(ms / 1000)
  return block(
    'duplicate',
    `the same order went out ${seconds(agoMs)} s ago, within the limit ${duplicateWithinMs / 1000} s: wait ${seconds(duplicateWithinMs - agoMs)} s`,
  )
}

/** The desk's own limits, in the order of the ticket's lines. */
export const limitChecks = (draft: OrderDraft, market: Market, context: LimitContext): Check[] => [
  ...valueChecks(draft, market, context),
  ...openOrderChecks(draft, context),
  collarCheck(draft, market.instrument, market.book, limitsFor(context.limits, draft.symbol).collarPercent),
  duplicateCheck(draft, context),
  unusualCheck(draft, market, context),
]
