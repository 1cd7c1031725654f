import { amount, type Column, text, time } from '../cli/output.ts'

/** What a table shows of an event or of an order as it stands; the rest is in JSON and CSV. */
const ofEvent: readonly Column[] = [
  text('orderState', 'STATE'),
  text('orderType', 'TYPE', 3),
  amount('inputAmount', 'IN', 2),
  text('inputCurrency', '', 2),
  amount('outputAmount', 'OUT', 2),
  text('outputCurrency', '', 2),
  text('orderStateUpdatedAt', 'CHANGED', 5),
]

export const eventColumns: readonly Column[] = [
  time('receivedAt', 'RECEIVED (UTC)'),
  text('eventId', 'EVENT', 4),
  text('orderId', 'ORDER'),
  ...ofEvent,
  text('isLate', 'LATE', 1),
  amount('copies', 'COPIES', 6),
  amount('conflicts', 'CONFLICTS', 1),
]

export const orderColumns: readonly Column[] = [
  time('receivedAt', 'RECEIVED (UTC)', 4),
  text('orderId', 'ORDER'),
  ...ofEvent,
  amount('events', 'EVENTS', 6),
  amount('late', 'LATE', 6),
  amount('copies', 'COPIES', 7),
  amount('conflicts', 'CONFLICTS', 1),
]

export const sumColumns: readonly Column[] = [
  text('day', 'DAY (UTC)'),
  text('state', 'STATE'),
  text('direction', 'SIDE'),
  text('currency', 'CURRENCY'),
  amount('orderCount', 'ORDERS'),
  amount('amount', 'AMOUNT'),
  amount('processingFees', 'SERVICE FEES', 1),
  amount('partnerFees', 'PARTNER FEES', 2),
  amount('networkFees', 'NETWORK FEES', 3),
]

export const quarantineColumns: readonly Column[] = [
  amount('number', 'NUMBER'),
  time('receivedAt', 'RECEIVED (UTC)'),
  text('source', 'SOURCE', 2),
  text('reason', 'REASON'),
  time('replayedAt', 'TAKEN UP (UTC)', 3),
  text('body', 'BODY', 1),
]

/** Every field of an event, as a CSV file has them. */
const everyField: readonly Column[] = [
  ...['eventId', 'orderId', 'externalReference', 'subPartnerId', 'orderType', 'createdAt'].map(asText),
  ...['orderState', 'orderStateUpdatedAt', 'paymentMethod'].map(asText),
  amount('inputAmount', 'IN'),
  text('inputCurrency', ''),
  amount('outputAmount', 'OUT'),
  text('outputCurrency', ''),
  ...[
    'amountUsd',
    'processingFee',
    'processingFeeUsd',
    'partnerFee',
    'partnerFeeUsd',
    'networkFee',
    'networkFeeUsd',
  ].map((field) => amount(field, field)),
  ...['network', 'userId', 'userCountry', 'userState', 'targetWalletAddress', 'transactionHash'].map(asText),
]

const count = (field: string): Column => amount(field, field)

/** Every field of an event and of its receipt. */
export const exportColumns: readonly Column[] = [
  count('sequence'),
  time('receivedAt', 'receivedAt'),
  asText('source'),
  ...everyField,
  count('copies'),
  count('conflicts'),
]
export const eventCsvColumns: readonly Column[] = [...exportColumns, asText('isLate')]
export const orderCsvColumns: readonly Column[] = [
  time('receivedAt', 'receivedAt'),
  ...everyField,
  ...['events', 'late', 'copies', 'conflicts'].map(count),
]

function asText(field: string): Column {
  return text(field, field)
}
