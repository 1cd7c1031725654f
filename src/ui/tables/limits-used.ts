import { whileSame } from '../../base/memoize.ts'
import type { Bounds } from '../../domain/limits.ts'
import { Decimal } from '../../domain/money.ts'
import { dayValue } from '../../domain/orders/exposure.ts'
import { dayAt } from '../../domain/orders/fills.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { limitDayNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { cutMark } from '../../store/feeds/feeds.ts'
import { maybeWorking } from '../../store/ticket/check-context.ts'
import { compactAmount } from '../text/amounts.ts'
import type { Tone } from '../text/theme.ts'

/** Share of a limit from which it is shown as a warning. */
const nearShare = new Decimal('0.8')

/** The bound to show for a limit: the hard one, otherwise the soft one. */
export const shownBound = <T>({ hard, soft }: Bounds<T>): T | null => hard ?? soft

function toneOfUse(used: Decimal, limit: Decimal | null): Tone {
  if (limit === null || used.lt(limit.times(nearShare))) return 'text'
  return used.lt(limit) ? 'warn' : 'bad'
}

/** Marks a figure from stale data, as the header does. */
const oldMark = (isOld: boolean): string => (isOld ? '!' : '')

/** `3%`: the used share of a limit, rounded up so that usage is never understated; `-` without a limit. */
export const shareOfLimit = (used: Decimal, limit: Decimal | null): string =>
  limit === null || limit.isZero()
    ? '-'
    : `${used.div(limit).times(100).toDecimalPlaces(0, Decimal.ROUND_UP).toFixed()}%`

/** How much of a limit is used, `-` if unknown; `share` says it without an amount. */
export type LimitUse = { text: string; share: string; tone: Tone }

/** Working orders and those with an unknown outcome, out of the allowed number. */
export function openUse(state: DeskState): LimitUse {
  const { orders, unknownWrites, limits, nowMs } = state
  const limit = shownBound(limits.openOrders)
  const count = new Decimal(maybeWorking(orders.value ?? [], unknownWrites).length)
  const most = limit === null ? null : new Decimal(limit)
  const old = oldMark(isStale(orders, 'orders', nowMs))
  const used = orders.value === null ? '-' : `${count.toFixed()}${cutMark(state)}${old}`
  return {
    text: limit === null ? used : `${used}/${limit}`,
    share: orders.value === null ? '-' : shareOfLimit(count, most) + old,
    tone: toneOfUse(count, most),
  }
}

const rememberedDay = whileSame<Decimal | null>()

/** Total of the UTC day's fills, the working orders and those with an unknown outcome, in USD; null if unknown. */
function dayUsd(state: DeskState): Decimal | null {
  const { orders, fills, balances, tickers, sentOrders: sent, ownDrafts: drafts, unknownWrites } = state
  if (orders.value === null || fills.value === null) return null
  const { value: working } = orders
  const filled = dayAt(state.filledToday, limitDayNow(state, state.nowMs)).notional
  return rememberedDay([filled, working, unknownWrites, sent, drafts, tickers.value, balances.value], () => {
    const marketNotional = ({ symbol, orderQuantity }: OrderDraft) =>
      tickers.value?.get(symbol)?.lastPrice?.times(orderQuantity) ?? null
    const prices = { tickers: tickers.value ?? new Map(), balances: balances.value ?? [] }
    const maybe = maybeWorking(working, unknownWrites)
    const value = dayValue({ filled, orders: maybe, sent, drafts, marketNotional }, prices, null)
    return value.kind === 'known' ? value.usd : null
  })
}

/** What of the UTC day counts, out of the day's limit. */
export function dayUse(state: DeskState): LimitUse {
  const limit = shownBound(state.limits.dayNotionalUsd)
  const { orders, fills, nowMs } = state
  const used = dayUsd(state)
  const old = oldMark(isStale(orders, 'orders', nowMs) || isStale(fills, 'fills', nowMs))
  const text = used === null ? '-' : compactAmount(used) + old
  return {
    text: limit === null ? `${text} USD` : `${text}/${compactAmount(limit)} USD`,
    share: used === null ? '-' : shareOfLimit(used, limit) + old,
    tone: used === null ? 'text' : toneOfUse(used, limit),
  }
}
