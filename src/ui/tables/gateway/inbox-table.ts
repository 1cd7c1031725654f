import { memoizeLast } from '../../../base/memoize.ts'
import type { GatewayEvent } from '../../../domain/gateway/event.ts'
import type { InboxOrder } from '../../../domain/gateway/inbox-order.ts'
import type { Decimal } from '../../../domain/money.ts'
import type { Commands } from '../../../store/commands.ts'
import type { DeskState } from '../../../store/desk.ts'
import { cellText, cut } from '../../text/cells.ts'
import { momentText } from '../../text/moment.ts'
import { ageColumn, amountColumn, perRow, wordColumn } from '../columns.ts'
import { createList } from '../list.ts'
import { type FieldText, listSource } from '../list-source.ts'
import type { ListColumn, ListField } from '../list-table.ts'
import {
  aheadMsOf,
  changedAtMs,
  exchangeText,
  type InboxContext,
  isUnread,
  remarkOf,
  shortExchangeText,
  shortRemarkOf,
  stepText,
  toneOfState,
} from './inbox-values.ts'

type Field = ListField<InboxOrder, InboxContext>

const meanings: Readonly<Record<GatewayEvent['orderState'], string>> = {
  PENDING: 'made; the payment is being processed',
  WITHDRAWING: 'paid; the coins are on their way',
  COMPLETED: 'paid, and the coins have a confirmation',
  FAILED: 'the payment was rejected, or never completed',
}

const field = (label: string, read: (event: GatewayEvent) => string | null, instead = 'not reported'): Field => ({
  label,
  text: ({ shown }) => read(shown) ?? '',
  instead: () => instead,
})

/** An amount, followed by its currency in the details; an exported file has the number alone. */
const amountField = (
  label: string,
  read: (event: GatewayEvent) => Decimal | null,
  currencyOf: (event: GatewayEvent) => string,
): Field => ({
  label,
  text: ({ shown }) => read(shown)?.toFixed() ?? '',
  shown: ({ shown }) => {
    const amount = read(shown)
    return amount === null ? '' : `${amount.toFixed()} ${currencyOf(shown)}`
  },
  instead: () => 'not reported',
})

const input = ({ inputCurrency }: GatewayEvent): string => inputCurrency
const dollars = ({ inputCurrency }: GatewayEvent): string => (inputCurrency === 'USD' ? 'USD' : 'USD, approximately')

/** Every field of the event shown, by its name in the API, and notes about the order. */
const inboxFields: readonly Field[] = [
  field('orderId', ({ orderId }) => orderId),
  field('orderState', ({ orderState }) => orderState),
  { label: 'which means', text: ({ shown }) => meanings[shown.orderState] },
  { label: 'remarks', text: remarkOf, instead: () => 'none' },
  field('orderType', ({ orderType }) => orderType),
  field('eventId', ({ eventId }) => eventId),
  field('createdAt', ({ createdAt }) => createdAt.text),
  field('orderStateUpdatedAt', ({ orderStateUpdatedAt }) => orderStateUpdatedAt.text),
  field('externalReference', ({ externalReference }) => externalReference, 'none'),
  field('subPartnerId', ({ subPartnerId }) => subPartnerId, 'none'),
  field('paymentMethod', ({ paymentMethod }) => paymentMethod),
  field('inputCurrency', input),
  amountField('inputAmount', ({ inputAmount }) => inputAmount, input),
  field('outputCurrency', ({ outputCurrency }) => outputCurrency),
  amountField(
    'outputAmount',
    ({ outputAmount }) => outputAmount,
    ({ outputCurrency }) => outputCurrency,
  ),
  amountField('amountUsd', ({ amountUsd }) => amountUsd, dollars),
  amountField('processingFee', ({ processingFee }) => processingFee, input),
  amountField('processingFeeUsd', ({ processingFeeUsd }) => processingFeeUsd, dollars),
  amountField('partnerFee', ({ partnerFee }) => partnerFee, input),
  amountField('partnerFeeUsd', ({ partnerFeeUsd }) => partnerFeeUsd, dollars),
  amountField('networkFee', ({ networkFee }) => networkFee, input),
  amountField('networkFeeUsd', ({ networkFeeUsd }) => networkFeeUsd, dollars),
  field('network', ({ network }) => network),
  field('userId', ({ userId }) => userId),
  field('userCountry', ({ userCountry }) => userCountry),
  field('userState', ({ userState }) => userState, 'users in the US only'),
  field('targetWalletAddress', ({ targetWalletAddress }) => targetWalletAddress),
  {
    ...field('transactionHash', ({ transactionHash }) => transactionHash, 'completed orders only'),
    // The transaction is always on the crypto side of the order.
    transactionOf: ({ shown }) => (shown.orderType === 'BUY' ? shown.outputCurrency : shown.inputCurrency),
  },
]

/** An additional field of exports: the steps in order of arrival, separated by bars. */
const historyField: Field = { label: 'history', text: ({ history }) => history.map(stepText).join(' | ') }

type Column = ListColumn<InboxOrder, InboxContext>

const word = wordColumn<InboxOrder, InboxContext>
/** An order's id in so many cells, after the mark of one that is not read yet. */
const markedId = ({ orderId }: InboxOrder, isMarked: boolean, cells: number): string =>
  `${isMarked ? '*' : ' '}${cut(cellText(orderId), cells - 1)}`

const columns: readonly Column[] = [
  {
    ...word('order', ' ORDER', ({ orderId }) => orderId, 0),
    cells: perRow((order, context) => markedId(order, isUnread(order, context), 20)),
    tone: (order, context) => (isUnread(order, context) ? 'title' : 'text'),
    shorter: {
      cells: perRow((order, context) => markedId(order, isUnread(order, context), 10)),
      rank: 0,
    },
    rank: 4,
  },
  word('type', 'TYPE', ({ shown }) => shown.orderType, 0),
  {
    ...word('state', 'STATE', ({ shown }) => shown.orderState, 0),
    tone: ({ orderId, shown }, { stuck }) => (stuck.has(orderId) ? 'bad' : toneOfState(shown.orderState)),
  },
  {
    ...word('amounts', 'IN->OUT', ({ shown }) => exchangeText(shown), 6),
    sort: ({ shown }) => shown.inputAmount,
    shorter: { cells: perRow(({ shown }) => shortExchangeText(shown)), rank: 0 },
  },
  {
    ...word('remarks', 'REMARKS', remarkOf, 3),
    tone: 'warn',
    shorter: { cells: perRow(shortRemarkOf), rank: 1 },
  },
  ageColumn(changedAtMs, 2, { aheadMs: (_, { aheadMs }) => aheadMs }),
  word('method', 'METHOD', ({ shown }) => shown.paymentMethod, 7),
  {
    ...word('event', 'EVENT', ({ shown }) => shown.eventId, 9),
    cells: perRow(({ shown }) => cut(cellText(shown.eventId), 13)),
  },
  amountColumn('usd', 'USD', ({ shown }) => shown.amountUsd, 8),
  word('country', 'FROM', ({ shown }) => shown.userState ?? shown.userCountry ?? '', 10),
  word('reference', 'REFERENCE', ({ shown }) => shown.externalReference ?? '', 11),
]

const inboxItems = ({ gateway }: Pick<DeskState, 'gateway'>): readonly InboxOrder[] => gateway.inbox.orders

const contextOf = memoizeLast(
  (seenSequence: number, stuck: ReadonlySet<string>, aheadMs: number): InboxContext => ({
    seenSequence,
    stuck,
    aheadMs,
  }),
)
/** Returns the same object while its content is unchanged. */
const inboxContext = (state: Pick<DeskState, 'gateway' | 'ahead'>): InboxContext =>
  contextOf(state.gateway.inbox.seenSequence, state.gateway.inbox.stuck, aheadMsOf(state))

/** Orders as their events describe them, the one with the latest event on top. */
const inboxList = createList({
  columns,
  keyOf: ({ orderId }: InboxOrder) => orderId,
  fields: [...inboxFields, historyField],
})

const told = (label: string, text: string): FieldText => ({ label, text, isThere: true })

/** Every step as a field of its own, followed by the conflicting bodies once they have been read. */
function historyOf({ gateway: { inbox } }: Pick<DeskState, 'gateway'>, orderId: string): FieldText[] {
  const detail = inbox.detail?.orderId === orderId ? inbox.detail : null
  const order = detail?.order ?? inbox.orders.find((each) => each.orderId === orderId)
  const steps = order?.history.map((step, at) => told(`history ${at + 1}`, stepText(step))) ?? []
  const conflicts = (detail?.conflicts ?? []).map(({ eventId, receivedAtMs, source, text }) =>
    told('other body', `event ${eventId}, received ${momentText(receivedAtMs)} from ${source}: ${text}`),
  )
  const failure = detail?.failure ?? null
  return [...steps, ...conflicts, ...(failure === null ? [] : [told('not all read', failure)])]
}

const source = listSource('inbox', inboxList, inboxItems, inboxContext)

export const inboxSource = {
  ...source,
  details(state: Parameters<typeof source.details>[0], key: string) {
    const fields = source.details(state, key)
    if (fields === null) return null
    return [...fields.filter(({ label }) => label !== historyField.label), ...historyOf(state, key)]
  },
  opened: (commands: Commands, orderId: string) => commands.openGatewayOrder(orderId),
}
