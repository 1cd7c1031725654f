import { memoizeLast } from '../../base/memoize.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { amountsOf } from '../../domain/market/amounts.ts'
import { type Check, isConfirmed } from '../../domain/orders/checks/check.ts'
import { type OrderDraft, orderName } from '../../domain/orders/order.ts'
import { planOutlook } from '../../domain/plans/outlook.ts'
import { isLive, openOf, type Plan, sumsOf } from '../../domain/plans/plan.ts'
import { termsText } from '../../domain/plans/terms.ts'
import type { DeskState } from '../../store/desk.ts'
import { outlookMarket, planChecks, tradedAtOnce } from '../../store/plans/plan-checks.ts'
import {
  type PlanCancelOverlay,
  type PlanResumeOverlay,
  type PlanReviewOverlay,
  planOf,
} from '../../store/plans/plans.ts'
import { type Binding, offeredEntriesOf, withKeys } from '../tables/key-bindings.ts'
import { cellText } from '../text/cells.ts'
import { type Row, span, wordRows } from '../text/row.ts'
import { isScrolled, type Scrolled, scrolledTo } from '../text/scrolled.ts'
import type { Tone } from '../text/theme.ts'
import { dialogRoom, keysRow, type ScreenSize } from './dialog-room.ts'

/** Width in cells of a question about a plan, borders included. */
export const planDialogWidth = 76

const lines = (text: string, tone: Tone = 'text'): Row[] =>
  wordRows(cellText(text), planDialogWidth - 2).map((row) => row.map((piece) => ({ ...piece, tone })))

function checkRows(check: Check, confirmed: PlanReviewOverlay['confirmed'], key: string): Row[] {
  const { level, text } = check
  if (level === 'ok') return []
  const isAgreed = level === 'ask' && isConfirmed(check, confirmed)
  const sign = level === 'block' ? '✗' : isAgreed ? '✓' : '!'
  const word = { warn: '', ask: isAgreed ? ' (confirmed)' : ` (type ${key})`, block: '' }[level]
  return lines(`${sign} ${text}${word}`, level === 'block' ? 'bad' : isAgreed ? 'good' : 'warn')
}

/** A plan's review: what it does, its worst-case cost, every failed check, and what it cannot do. */
function reviewLines(state: DeskState, overlay: PlanReviewOverlay): Row[] {
  const { terms, planId, confirmed } = overlay
  const instrument = state.instruments.value?.get(terms.symbol)
  if (instrument === undefined) return lines(`The rules of ${terms.symbol} are not loaded: wait.`)
  const key = keyOf(state.reboundKeys, 'confirmPlanLimits')
  const plan = planId === null ? null : (planOf(state, planId)?.plan ?? null)
  const { does, worst, here, cannot } = planOutlook(terms, instrument, outlookMarket(state, terms.symbol), plan)
  return [
    ...does.flatMap((text) => lines(text)),
    ...lines(worst, 'title'),
    ...lines(here, 'warn'),
    ...planChecks(state, overlay).flatMap((check) => checkRows(check, confirmed, key)),
    ...cannot.flatMap((text) => lines(text, 'label')),
  ]
}

type PlanReviewShown = { lines: readonly Row[] } & Scrolled

/**
 * The visible part of the review on a screen with that many rows: its lines scroll above the keys, which stay.
 * Memoized: one redraw needs it several times.
 */
export const planReviewShown = memoizeLast((state: DeskState, rows: number): PlanReviewShown => {
  const { overlay } = state
  if (overlay?.kind !== 'planReview') return { lines: [], top: 0, shownCount: 0, hiddenBelow: 0 }
  const all = reviewLines(state, overlay)
  // Less the borders, the keys, and the line above them that counts what follows.
  const room = Math.max(1, dialogRoom({ rows }) - 4)
  return { lines: all, ...scrolledTo(all.length, overlay.top ?? 0, room) }
})

/** Whether the review is longer than its place. */
export const isPlanReviewScrolled = (state: DeskState): boolean => isScrolled(planReviewShown(state, state.screen.rows))

/** The visible lines of the review, and its keys. */
export function planReviewRows(state: DeskState, bindings: readonly Binding[], { rows }: ScreenSize): Row[] {
  const { lines: all, top, shownCount, hiddenBelow } = planReviewShown(state, rows)
  const keys = keysRow(offeredEntriesOf(bindings, 'planReview', state))
  const more: Row =
    hiddenBelow === 0 ? [] : [span(withKeys(` ${hiddenBelow} more below: {planReviewDown}`, bindings), 'warn')]
  return [...all.slice(top, top + shownCount), more, keys]
}

/** The plan's id, with its owner at a hub: `p2 of bob`. */
export const planName = ({ planId, person }: Pick<Plan, 'planId' | 'person'>): string =>
  person === null ? planId : `${planId} of ${cellText(person)}`

/** The first of the lines that have room, and the count of the rest. */
function fittingRows(all: readonly Row[], room: number): readonly Row[] {
  if (all.length <= room) return all
  const shown = all.slice(0, Math.max(0, room - 1))
  return [...shown, [span(`   and ${all.length - shown.length} more`, 'label')]]
}

/**
 * The question whether to end a plan: its resting orders as far as the screen has room, what would be unprotected, and
 * the keys.
 */
export function planCancelRows(
  state: DeskState,
  { planId, how }: PlanCancelOverlay,
  bindings: readonly Binding[],
  screen: ScreenSize,
): Row[] {
  const keys = keysRow(offeredEntriesOf(bindings, 'planCancel', state))
  const now = planOf(state, planId)
  if (now === undefined) return [...lines(`There is no longer a plan ${planId}.`), [], keys]
  const { plan } = now
  const { price, quantity } = amountsOf(plan.terms.symbol, state.instruments.value)
  const resting = plan.orders.filter(isLive).map((order): Row => {
    const { side, type, stopPrice, limitPrice } = order.draft
    const limit = stopPrice ?? limitPrice
    const at = limit === null ? '' : ` ${price(limit)}`
    return [span(cellText(`   ${order.role}: ${side} ${quantity(openOf(order))} ${type}${at}  ${orderName(order)}`))]
  })
  const { left } = sumsOf(plan)
  const bare = left.gt(0) ? [`If canceled, ${quantity(left)} has no stop. If left, its orders stay, unmanaged.`] : []
  const asks = lines(`End plan ${planName(plan)}? ${termsText(plan.terms, { price, quantity })}.`)
  const below = [
    ...bare.flatMap((text) => lines(text, 'warn')),
    ...(how === 'leave' ? lines('Its orders are left where they are.', 'warn') : []),
    [],
    keys,
  ]
  const room = dialogRoom(screen) - 2 - asks.length - below.length
  return [
    ...asks,
    ...(resting.length === 0 ? lines('None of its orders rests.') : fittingRows(resting, room)),
    ...below,
  ]
}

/** The question whether to resume a plan that may trade at once: why it is held, what it would send, and the keys. */
export function planResumeRows(
  state: DeskState,
  { planId }: Pick<PlanResumeOverlay, 'planId'>,
  bindings: readonly Binding[],
): Row[] {
  const keys = keysRow(offeredEntriesOf(bindings, 'planResume', state))
  const now = planOf(state, planId)
  if (now === undefined) return [...lines(`There is no longer a plan ${planId}.`), [], keys]
  const { plan, why } = now
  const { price, quantity } = amountsOf(plan.terms.symbol, state.instruments.value)
  const draft = tradedAtOnce(state, plan)
  return [
    ...lines(`${why}.`),
    ...lines(`Resume plan ${planName(plan)}? ${termsText(plan.terms, { price, quantity })}.`),
    ...(draft === null ? [] : lines(atOnceText(draft, { price, quantity }), 'warn')),
    [],
    keys,
  ]
}

/** The effect of sending the order now: a market order trades, any other may, depending on its price. */
function atOnceText(
  { side, type, orderQuantity, stopPrice, limitPrice }: OrderDraft,
  { price, quantity }: Pick<ReturnType<typeof amountsOf>, 'price' | 'quantity'>,
): string {
  const what = `${side} ${quantity(orderQuantity)} ${type}`
  const level = stopPrice ?? limitPrice
  return level === null
    ? `It sends ${what} at once: that trades at what the market pays now.`
    : `It sends ${what} ${price(level)} at once: the market is there or not known, it may trade now.`
}
