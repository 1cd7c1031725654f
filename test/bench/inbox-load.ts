import { gatewayTime } from '../../src/domain/gateway/event.ts'

/** An unguessable-looking id of its own for each number: ids of the real sender are in no order either. */
function idOf(seed: number): string {
  let hex = ''
  for (let part = 0; part < 4; part++) {
    let mixed = (seed * 4 + part + 1) * 0x9e3779b9
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    hex += ((mixed ^ (mixed >>> 15)) >>> 0).toString(16).padStart(8, '0')
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const at = gatewayTime(Date.UTC(2026, 0, 5, 13, 33, 20), 123_456).text
const template = JSON.stringify({
  eventId: 'EVENT',
  orderId: 'ORDER',
  externalReference: 'our reference '.padEnd(90, 'x'),
  subPartnerId: 'branch '.padEnd(48, 'p'),
  orderType: 'BUY',
  createdAt: at,
  orderState: 'COMPLETED',
  orderStateUpdatedAt: at,
  paymentMethod: 'BANK_TRANSFER_NIP',
  inputCurrency: 'USD',
  inputAmount: '250.00000000',
  outputCurrency: 'BTC',
  outputAmount: '0.00380001',
  amountUsd: '250.00000000',
  processingFee: '2.50000000',
  processingFeeUsd: '2.50000000',
  partnerFee: '1.00000000',
  partnerFeeUsd: '1.00000000',
  networkFee: '0.12000000',
  networkFeeUsd: '0.12000000',
  network: 'BTC',
  userId: 'u'.padEnd(36, '7'),
  userCountry: 'US',
  userState: 'US-CA',
  targetWalletAddress: 'bc1q'.padEnd(62, 'a'),
  transactionHash: 'ab12'.padEnd(64, 'c'),
})
const [beforeId = '', afterId = ''] = template.split('EVENT')
const [beforeOrder = '', afterOrder = ''] = afterId.split('ORDER')

/** The body of the event of a number, about 1 KB; three in a row are of one order. */
export const eventBody = (number: number): string =>
  `${beforeId}${idOf(number)}${beforeOrder}${idOf(Math.floor(number / 3) + 2 ** 29)}${afterOrder}`

export const eventRequest = (body: string): string =>
  `POST /hooks/orders HTTP/1.1\r\nhost: inbox\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
