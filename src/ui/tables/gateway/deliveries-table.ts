import { memoizeLast } from '../../../base/memoize.ts'
import type { DeliveryState, GatewayDelivery } from '../../../domain/gateway/delivery.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText, cut } from '../../text/cells.ts'
import { wholeAgeText } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'
import { ageColumn, countColumn, momentTexts, perMoment, perRow, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { listSource } from '../list-source.ts'
import type { ListColumn } from '../list-table.ts'
import { aheadMsOf } from './inbox-values.ts'

/** How far the gateway's clock, which its timestamps use, is ahead of the desk's. */
type DeliveriesContext = { readonly aheadMs: number }

type Column = ListColumn<GatewayDelivery, DeliveriesContext>
const word = wordColumn<GatewayDelivery, DeliveriesContext>

const tones: Readonly<Record<DeliveryState, Tone>> = { pending: 'warn', delivered: 'dim', expired: 'bad' }
const stateText = ({ state }: GatewayDelivery): string => state.toUpperCase()

/** `200`, or the error if there was no answer; empty before the first attempt. */
const lastText = ({ lastStatus, lastWords, attemptCount }: GatewayDelivery): string =>
  attemptCount === 0 ? '' : (lastStatus?.toString() ?? lastWords ?? 'no answer')

/** The error as a word of at most seven cells, for a narrow column. */
const faultWords: readonly (readonly [RegExp, string])[] = [
  [/refused/, 'refused'],
  [/no answer within|no connection came/, 'timeout'],
  [/closed without|broke off/, 'cut off'],
  [/name of its host/, 'no host'],
  [/cannot be reached/, 'no net'],
  [/certificate/, 'cert'],
  [/encrypted/, 'TLS'],
]

/** `503`, `refused (the connection was refused)`: the telling word comes first, because the rest may be cut. */
function lastCell(delivery: GatewayDelivery): string {
  const text = lastText(delivery)
  const word = delivery.lastStatus === null ? faultWords.find(([pattern]) => pattern.test(text))?.[1] : undefined
  return word === undefined ? text : `${word} (${text})`
}

const latencyText = ({ lastLatencyMs }: GatewayDelivery): string =>
  lastLatencyMs === null ? '' : `${Math.round(lastLatencyMs)}ms`

const columns: readonly Column[] = [
  { ...word('order', 'ORDER', ({ orderId }) => orderId, 0), cells: perRow(({ orderId }) => cut(cellText(orderId), 9)) },
  { ...word('event', 'OF', ({ orderState }) => orderState, 0), tone: 'dim' },
  { ...word('state', 'DELIVERY', stateText, 0), tone: ({ state }) => tones[state] },
  countColumn('tries', 'TRIES', ({ attemptCount }) => attemptCount, 1),
  {
    key: 'next',
    head: 'NEXT',
    ...momentTexts(({ nextAtMs }: GatewayDelivery) => nextAtMs),
    cells: perMoment(({ nextAtMs }, { aheadMs }, nowMs) =>
      nextAtMs === null ? '' : nextAtMs <= nowMs + aheadMs ? 'now' : `in ${wholeAgeText(nextAtMs - nowMs - aheadMs)}`,
    ),
    sort: ({ nextAtMs }) => nextAtMs,
    align: 'right',
    rank: 1,
  },
  { ...word('last', 'LAST', lastText, 2), cells: perRow(lastCell), isFlexible: true },
  { ...word('took', 'TOOK', latencyText, 5), sort: ({ lastLatencyMs }) => lastLatencyMs, align: 'right' },
  ageColumn(({ madeAtMs }) => madeAtMs, 3, { aheadMs: (_, { aheadMs }) => aheadMs }),
  word('id', 'ID', ({ deliveryId }) => deliveryId, 6),
  word('endpoint', 'ENDPOINT', ({ endpoint }) => endpoint, 7),
]

const none: readonly GatewayDelivery[] = []
const deliveryItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly GatewayDelivery[] =>
  gateway.deliveries?.value ?? none

const contextOf = memoizeLast((aheadMs: number): DeliveriesContext => ({ aheadMs }))
/** Returns the same object while its content is unchanged. */
const deliveriesContext = (state: Pick<DeskState, 'ahead' | 'gateway'>): DeliveriesContext =>
  contextOf(aheadMsOf(state))

/** Deliveries of the practice gateway's events, newest first. */
const deliveriesList = createList({
  columns,
  keyOf: ({ deliveryId }: GatewayDelivery) => deliveryId,
  fields: [
    { label: 'delivery', text: ({ deliveryId }: GatewayDelivery) => deliveryId },
    { label: 'state', text: stateText },
    { label: 'order', text: ({ orderId }) => orderId },
    { label: 'order state', text: ({ orderState }) => orderState },
    { label: 'event', text: ({ eventId }) => eventId },
    { label: 'endpoint', text: ({ endpoint }) => endpoint },
    { label: 'tries', text: ({ attemptCount }) => String(attemptCount) },
    { label: 'event made', ...momentTexts(({ madeAtMs }) => madeAtMs) },
    { label: 'next try', ...momentTexts(({ nextAtMs }) => nextAtMs), instead: () => 'none: ended' },
    { label: 'given up', ...momentTexts(({ expiresAtMs }) => expiresAtMs) },
    {
      label: 'last status',
      text: ({ lastStatus }) => lastStatus?.toString() ?? '',
      instead: ({ attemptCount }) => (attemptCount === 0 ? 'not tried yet' : 'no answer'),
    },
    { label: 'last took', text: latencyText },
    { label: 'last message', text: ({ lastWords }) => lastWords ?? '', instead: () => 'none' },
  ],
})

export const deliveriesSource = listSource('deliveries', deliveriesList, deliveryItems, deliveriesContext)
