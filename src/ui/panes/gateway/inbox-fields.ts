import type { GatewayEvent } from '../../../domain/gateway/event.ts'
import type { InboxOrder } from '../../../domain/gateway/inbox-order.ts'
import type { Decimal } from '../../../domain/money.ts'
import type { ListField } from '../../tables/list-table.ts'
import { type InboxContext, remarkOf, stepText } from './inbox-values.ts'

type Field = ListField<InboxOrder, InboxContext>

const meanings: Readonly<Record<GatewayEvent['orderState'], string>> = {
  PENDING: 'made; the payment is being processed',
  WITHDRAWING: 'paid; the coins are on their way',
  COMPLETED: 'paid, and the coins have a confirmation',
  FAILED: 'the payment was rejected, or never completed',
}

const field = (label: string, read: (event: GatewayEvent) => string | null, instead = 'not told'): Field => ({
  label,
  text: ({ shown }) => read(shown) ?? '',
  instead: () => instead,
})

/** An amount with its currency behind it in the details; the file has the number alone. */
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
  instead: () => 'not told',
})

const input = ({ inputCurrency }: GatewayEvent): string => inputCurrency
const dollars = ({ inputCurrency }: GatewayEvent): string => (inputCurrency === 'USD' ? 'USD' : 'USD, approximately')

/** Every field of the event that is shown, by its name in the interface, and the order's whole history. */
export const inboxFields: readonly Field[] = [
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
  field('userState', ({ userState }) => userState, 'only told of users in the US'),
  field('targetWalletAddress', ({ targetWalletAddress }) => targetWalletAddress),
  field('transactionHash', ({ transactionHash }) => transactionHash, 'only told of completed orders'),
]

/** What a file has beside the fields: the steps as they came in, apart by bars. */
export const historyField: Field = { label: 'history', text: ({ history }) => history.map(stepText).join(' | ') }
