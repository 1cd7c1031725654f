import { expect, test } from 'vitest'
import { createExchangeClient, type ExchangeClient } from '../../src/api/exchange-client.ts'
import { Decimal } from '../../src/domain/money.ts'
import { answerWith, errorOf, startServer, startTransport } from './stub-server.ts'

const newOrder = {
  clientOrderId: 'desk1',
  symbol: 'BTC-USD',
  side: 'BUY',
  type: 'MARKET',
  orderQuantity: new Decimal(1),
  limitPrice: null,
  stopPrice: null,
  timeInForce: null,
  expireDate: null,
  minQuantity: null,
  postOnly: false,
} as const

const writes: [string, (client: ExchangeClient) => Promise<unknown>][] = [
  ['placeOrder', (client) => client.placeOrder(newOrder)],
  ['cancelOrder', (client) => client.cancelOrder('7')],
  ['cancelAllOrders', (client) => client.cancelAllOrders('BTC-USD')],
  ['cancelAllOrders of every symbol', (client) => client.cancelAllOrders(null)],
  ['createDepositAddress', (client) => client.createDepositAddress('BTC')],
  [
    'createWithdrawal',
    (client) => client.createWithdrawal({ currency: 'BTC', beneficiary: 'b-1', amount: new Decimal(1) }),
  ],
]

test.each(writes)('while the desk may only read, %s does not leave it', async (_name, write) => {
  const server = await startServer(answerWith(200, '{"makerRate":0,"takerRate":0,"volumeInUSD":0}'))
  const { transport } = startTransport(server.url, { mayWrite: () => false })
  const client = createExchangeClient(transport)
  const reason = 'the desk may only read now: nothing was sent'
  expect(await errorOf(write(client))).toMatchObject({ kind: 'rejected', outcome: 'notSent', reason })
  expect(server.connectionCount()).toBe(0)
  await client.fetchFees()
  expect(server.requests.map((request) => request.method)).toEqual(['GET'])
})

test.each(writes)('%s is held back when the guard closes between the call and its first byte', async (_name, write) => {
  const server = await startServer(answerWith(200))
  let mayWrite = true
  const { transport, clock } = startTransport(server.url, { mayWrite: () => mayWrite })
  const failing = errorOf(write(createExchangeClient(transport)))
  mayWrite = false
  expect(await failing).toMatchObject({ kind: 'rejected', outcome: 'notSent' })
  expect(server.requests).toHaveLength(0)
  expect(clock.sleeperCount).toBe(0)
})
