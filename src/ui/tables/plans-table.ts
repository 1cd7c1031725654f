import { memoizeLast } from '../../base/memoize.ts'
import { capital } from '../../base/text/plain-text.ts'
import { amountsOf } from '../../domain/market/amounts.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { orderName } from '../../domain/orders/order.ts'
import { isBare, type PlanNow, swapLengths } from '../../domain/plans/news.ts'
import { swapsText, thisSideOnly } from '../../domain/plans/outlook.ts'
import { isLive, openOf, type Plan, type PlanOrder, sumsOf } from '../../domain/plans/plan.ts'
import { toldState } from '../../domain/plans/plan-table.ts'
import { onlyProtects, termsText } from '../../domain/plans/terms.ts'
import type { DeskState } from '../../store/desk.ts'
import { pastText } from '../text/moment.ts'
import { hiddenAmount, ownSentence } from '../text/privacy.ts'
import type { Tone } from '../text/theme.ts'
import { ageColumn, momentTexts, perMoment, perRow } from './columns.ts'
import { createList } from './list.ts'
import { type FieldText, type ListSource, listSource } from './list-source.ts'
import { columnsOf, type FieldRow } from './list-table.ts'
import { type SymbolsContext, symbolsContext } from './symbols-context.ts'

type Row = FieldRow<PlanNow, SymbolsContext>

const amountsIn = ({ instruments }: SymbolsContext, { plan }: PlanNow) => amountsOf(plan.terms.symbol, instruments)

/** How a plan's amounts are written. */
type Amounts = Pick<ReturnType<typeof amountsIn>, 'price' | 'quantity'>

/** In privacy mode, as in the list of orders, its prices stay and its quantities are hidden. */
const withoutQuantities = <A extends Amounts>(amounts: A): A => ({ ...amounts, quantity: () => hiddenAmount })

type Written = (now: PlanNow, context: SymbolsContext, amounts?: Amounts) => string

/** A text of a plan's amounts, and the same in privacy mode. */
const amountsText = (write: Written) => ({
  text: (now: PlanNow, context: SymbolsContext) => write(now, context),
  own: (now: PlanNow, context: SymbolsContext) => write(now, context, withoutQuantities(amountsIn(context, now))),
})

/** A sentence about a plan, and the same in privacy mode. */
const sentenceText = (read: (now: PlanNow) => string) => ({
  text: (now: PlanNow) => read(now),
  own: (now: PlanNow) => ownSentence(read(now), true),
})

const quantityText = (value: Decimal, { quantity }: Amounts) => (value.isZero() ? '' : quantity(value))

/** The plan's open orders at the exchange, by leg: `stop 0.1000`. */
function restsText(now: PlanNow, context: SymbolsContext, amounts: Amounts = amountsIn(context, now)): string {
  // No one manages the orders that an ended plan left behind.
  if (now.plan.ended !== null) return now.plan.orders.some(isLive) ? 'not followed' : ''
  const open = Map.groupBy(
    now.plan.orders.filter((order) => openOf(order).gt(0)),
    ({ role }) => role,
  )
  return [...open]
    .map(([role, orders]) => {
      const sum = orders.map(openOf).reduce((total, each) => total.plus(each))
      return `${role}${orders.length > 1 ? ` x${orders.length}` : ''} ${quantityText(sum, amounts)}`
    })
    .join(', ')
}

/** Filled quantities: entries of a scale or bracket, and exits by any leg. */
function filledText(now: PlanNow, context: SymbolsContext, amounts: Amounts = amountsIn(context, now)): string {
  const { entered, exited } = sumsOf(now.plan)
  const parts = [
    ...(onlyProtects(now.plan.terms) || entered.isZero() ? [] : [`in ${quantityText(entered, amounts)}`]),
    ...(exited.isZero() ? [] : [`out ${quantityText(exited, amounts)}`]),
  ]
  return parts.join(', ')
}

const waitsText = ({ why, refused }: PlanNow): string => (refused === null ? why : `${why} (refused: ${refused})`)

/** Highlights what must be seen first: unprotected, on hold, or with an unknown outcome. */
function planTone(now: PlanNow): Tone {
  if (now.state === 'ended') return 'dim'
  if (isBare(now.plan) || now.state === 'held') return 'bad'
  return now.state === 'unsettled' || now.refused !== null ? 'warn' : 'text'
}

const stateText = ({ plan, state }: PlanNow): string =>
  isBare(plan) && state !== 'unsettled' ? 'BARE' : toldState(state).word

const plain = (now: PlanNow): Tone => (now.state === 'ended' ? 'dim' : 'text')

const rows: readonly Row[] = [
  {
    ...{ label: 'plan', text: ({ plan }) => plan.planId },
    column: {
      key: 'id',
      head: 'ID',
      place: 1,
      rank: 0,
      align: 'left',
      tone: planTone,
      sort: ({ plan }) => plan.planId,
    },
  },
  {
    ...{ label: 'symbol', text: ({ plan }) => plan.terms.symbol },
    column: {
      ...{ key: 'symbol', head: 'SYMBOL', place: 2, rank: 4, align: 'left', tone: plain },
      sort: ({ plan }) => plan.terms.symbol,
      shorter: { head: 'SYM', cells: perRow(({ plan }, { shortName }) => shortName(plan.terms.symbol)), rank: 0 },
    },
  },
  {
    ...{ label: 'kind', text: ({ plan }) => plan.terms.kind },
    column: {
      ...{ key: 'kind', head: 'KIND', place: 3, rank: 3, align: 'left', tone: plain },
      sort: ({ plan }) => plan.terms.kind,
    },
  },
  {
    label: 'terms',
    ...amountsText((now, context, amounts = amountsIn(context, now)) => termsText(now.plan.terms, amounts)),
  },
  {
    ...{ label: 'state', text: stateText },
    column: { key: 'state', head: 'STATE', place: 4, rank: 0, align: 'left', tone: planTone, sort: stateText },
  },
  { label: 'which means', text: ({ state }) => capital(toldState(state).means) },
  {
    ...{ label: 'waits for', ...sentenceText(waitsText) },
    column: { key: 'waits', head: 'WAITS FOR', place: 9, rank: 0.5, align: 'left', tone: planTone, isFlexible: true },
  },
  {
    ...{ label: 'refused', ...sentenceText(({ refused }) => refused ?? '') },
    instead: () => 'nothing',
  },
  {
    ...{ label: 'rests', ...amountsText(restsText), instead: () => 'nothing' },
    column: { key: 'rests', head: 'RESTS', place: 5, rank: 5, align: 'left', tone: plain },
  },
  {
    ...{ label: 'filled', ...amountsText(filledText), instead: () => 'nothing' },
    column: { key: 'filled', head: 'FILLED', place: 6, rank: 6, align: 'left', tone: plain },
  },
  {
    ...{ label: 'not protected since', ...momentTexts<PlanNow, SymbolsContext>(bareSince) },
    instead: () => '-',
    column: {
      ...{ key: 'bare', head: 'BARE SINCE', place: 7, rank: 2, align: 'left', tone: planTone },
      cells: perMoment((now, _, nowMs) => {
        const sinceMs = bareSince(now)
        return sinceMs === null ? '' : pastText(sinceMs, nowMs)
      }),
      sort: bareSince,
    },
  },
  {
    ...{ label: 'begun', ...momentTexts<PlanNow, SymbolsContext>(({ plan }) => plan.atMs) },
    column: { ...ageColumn<PlanNow, SymbolsContext>(({ plan }) => plan.atMs, 7), place: 8, tone: plain },
  },
  { label: 'ended', ...momentTexts<PlanNow, SymbolsContext>(({ plan }) => plan.ended?.atMs ?? null) },
  { label: 'cancel to new order', text: ({ plan }) => swapsText(swapLengths([plan])) },
  {
    ...{ label: 'begun by', text: ({ plan }) => plan.person ?? '' },
    column: {
      // At a hub everyone sees all plans: the owner comes before the plan's details.
      ...{ key: 'person', head: 'WHOSE', place: 1.5, rank: 0.6, align: 'left', tone: plain },
      sort: ({ plan }) => plan.person ?? '',
    },
  },
  { label: 'where it exists', text: ({ plan }) => thisSideOnly(plan.person !== null) },
]

/** Since when part of the quantity has no certain protection; null while all of it is protected. */
function bareSince({ plan }: PlanNow): number | null {
  return isBare(plan) ? plan.bareSinceMs : null
}

/** Open plans first, newest on top, then ended ones. */
const itemsOf = memoizeLast((list: readonly PlanNow[]): readonly PlanNow[] => {
  const newest = list.toReversed()
  return [...newest.filter(({ plan }) => plan.ended === null), ...newest.filter(({ plan }) => plan.ended !== null)]
})
const contextOf = memoizeLast((instruments: ReadonlyMap<string, Instrument> | null) => symbolsContext(instruments))

type Reads = Pick<DeskState, 'plans'>
type Beside = Pick<DeskState, 'instruments'>

const source = listSource(
  'plans',
  createList({
    columns: columnsOf(rows),
    keyOf: ({ plan }: PlanNow) => plan.planId,
    pinned: [{ is: (now) => planTone(now) === 'bad', name: 'not protected or held' }],
    fields: rows,
  }),
  ({ plans }: Reads) => itemsOf(plans.list),
  ({ instruments }: Beside) => contextOf(instruments.value),
)

/**
 * A step that the plan took, dated unless on the day it began, and its outcome: `SELL 0.1000 STOP at 63,000.00,
 * working, 0 filled (991)`.
 */
function stepField(
  order: PlanOrder,
  { terms: { symbol }, atMs: begunAtMs }: Plan,
  { instruments, looks: { isPrivate } }: { instruments: DeskState['instruments'] } & Pick<DeskState, 'looks'>,
): FieldText {
  const amounts = amountsOf(symbol, instruments.value)
  const { price, quantity } = isPrivate ? withoutQuantities(amounts) : amounts
  const { draft, role, standing, status, filled, reason, cancelingSinceMs, atMs } = order
  const at = [draft.stopPrice, draft.limitPrice].flatMap((each) => (each === null ? [] : price(each))).join(' limit ')
  const became = standing === 'sent' ? 'outcome not known yet' : standing === 'notPlaced' ? 'not placed' : standing
  const parts = [
    `${draft.side} ${quantity(draft.orderQuantity)} ${draft.type}${at === '' ? '' : ` at ${at}`}`,
    `${became}${status === null ? '' : ` (${status})`}`,
    filled === null ? 'filled not known' : `filled ${quantity(filled)}`,
    ...(cancelingSinceMs === null ? [] : [`cancel sent ${pastText(cancelingSinceMs, begunAtMs)}Z`]),
    ...(reason === null ? [] : [ownSentence(reason, isPrivate)]),
    orderName(order),
  ]
  return { label: `${pastText(atMs, begunAtMs)}Z ${role}`, text: parts.join(', '), isThere: standing !== 'notPlaced' }
}

/** The list of plans; a plan's details also list every step it took. */
export const plansSource: ListSource<Reads & Beside & Pick<DeskState, 'looks' | 'tables'>> = {
  ...source,
  details(state, key) {
    const fields = source.details(state, key)
    const now = state.plans.list.find(({ plan }) => plan.planId === key)
    if (fields === null || now === undefined) return null
    const { plan } = now
    return [...fields, ...plan.orders.map((order) => stepField(order, plan, state))]
  },
}
