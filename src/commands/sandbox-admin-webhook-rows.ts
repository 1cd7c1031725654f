import { ok } from '../base/result.ts'
import { readDeliveryRanges } from '../domain/gateway/delivery.ts'
import { type AdminFlag, optional, text, whole, word } from './sandbox-admin-flags.ts'
import { type AdminRow, row } from './sandbox-admin-row.ts'

const number = (field: string, placeholder: string, meaning: string): AdminFlag =>
  whole(field, placeholder, meaning, [1, Number.MAX_SAFE_INTEGER])

const listKnows = '"webhook deliveries" lists them'

const ranges: AdminFlag = {
  ...text('deliveries', 'DELIVERIES', `which, such as 12, 12-40 or 3,7-9: ${listKnows}`),
  read: (typed) => {
    const read = readDeliveryRanges(typed)
    return read.ok ? ok({ deliveries: typed }) : read
  },
}

/** Where the payment gateway sends a partner's events, and what became of them. */
export const webhookRows: readonly AdminRow[] = [
  row('webhook register', "sends a partner's events to an address from now on", {
    words: [text('url', 'URL', 'https://…, or http://… on this machine')],
    flags: [
      optional(text('name', 'NAME', 'what to call it (its host and port)')),
      optional(text('partner', 'PARTNER', 'whose, by name (the first partner)')),
    ],
    example: 'https://partner.example/events --name main',
    note: 'A name that is known already moves to the new address, and what is pending is tried there at once.',
  }),
  row('webhook rm', 'sends no more events to an address', {
    words: [number('endpointId', 'ENDPOINT-ID', `which endpoint: ${listKnows}`)],
    example: '1',
    note: 'What is pending for it is given up.',
  }),
  row('webhook deliveries', 'lists webhooks and deliveries, or tells of one delivery every attempt', {
    words: [optional(number('delivery', 'DELIVERY', 'only this one, with its attempts'))],
    flags: [
      optional(word('state', ['pending', 'delivered', 'expired'], 'only these: pending, delivered or expired')),
      optional(number('endpointId', 'ENDPOINT-ID', 'only those to this endpoint')),
      optional(whole('count', 'N', 'how many, newest first (20)', [1, 1_000])),
      optional(number('before', 'DELIVERY', 'only those with a lower number')),
    ],
    example: '--state expired',
  }),
  row('webhook retry', 'tries deliveries now, expired ones too', {
    words: [ranges],
    example: '12-40',
    note: 'Of a range those that have arrived are passed over; one that is named alone is sent again.',
  }),
]
