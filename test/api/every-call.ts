import { expect } from 'vitest'
import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import { Decimal } from '../../src/domain/money.ts'

export const order = {
  clientOrderId: 'desk1',
  symbol: 'BTC-USD',
  side: 'BUY',
  type: 'LIMIT',
  orderQuantity: new Decimal('0.050'),
  limitPrice: new Decimal('1E-8'),
  stopPrice: null,
  timeInForce: 'GTD',
  expireDate: '20281231',
  minQuantity: null,
  postOnly: true,
} as const
const orderBody =
  '{"clOrdId":"desk1","ordType":"LIMIT","symbol":"BTC-USD","side":"BUY","orderQty":0.05,"timeInForce":"GTD",' +
  '"price":0.00000001,"expireDate":20281231,"execInst":"ALO"}'
export const withdrawal = { currency: 'BTC', beneficiary: 'b-1', amount: new Decimal('0.10') }

/**
 * What a method is, what it must ask, what it is answered (a sample's name), and a piece of what it must give (null:
 * nothing).
 */
export type Row = [string, (client: ExchangeClient) => Promise<unknown>, string, string, string, object | null]

const listed = (...entries: object[]) => ({ entries })

export const rows: Row[] = [
  ['fetchBook', (c) => c.fetchBook('BTC-USD'), 'GET /v3/l2/BTC-USD', '', 'book-level2', { symbol: 'BTC-USD' }],
  [
    'fetchOrderByOrderBook',
    (c) => c.fetchOrderByOrderBook('X-Y'),
    'GET /v3/l3/X-Y',
    '',
    'book-level3',
    { symbol: 'X-Y' },
  ],
  ['fetchTickers', (c) => c.fetchTickers(), 'GET /v3/tickers', '', 'tickers', listed({ lastPrice: '64209.5' }, {}, {})],
  ['fetchTicker', (c) => c.fetchTicker('X-Y'), 'GET /v3/tickers/X-Y', '', 'ticker', { symbol: 'X-Y' }],
  ['fetchSymbols', (c) => c.fetchSymbols(), 'GET /v3/symbols', '', 'symbols', { unread: expect.any(Map) }],
  ['fetchSymbol', (c) => c.fetchSymbol('ETH-BTC'), 'GET /v3/symbols/ETH-BTC', '', 'symbol', { symbol: 'ETH-BTC' }],
  ['fetchFees', (c) => c.fetchFees(), 'GET /v3/fees', '', 'fees', { takerRate: '0.0018' }],
  ['fetchOrderPage', (c) => c.fetchOrderPage({}), 'GET /v3/internal/orders', '', 'order-page', { orders: [{}, {}] }],
  [
    'fetchOrderPage with every field',
    (c) => c.fetchOrderPage({ fromMs: 1, orderId: '9007199254740993', limit: 5 }),
    'GET /v3/internal/orders?from=1&orderId=9007199254740993&limit=5',
    '',
    'order-page',
    { nextOrderId: '9007199254740995' },
  ],
  ['fetchOrders', (c) => c.fetchOrders({}), 'GET /v3/orders', '', 'orders', listed({ orderId: '9223372036854775807' })],
  [
    'fetchOrders with every field',
    (c) => c.fetchOrders({ symbol: 'X-Y', fromMs: 0, toMs: 9, status: 'PART_FILLED', limit: 100 }),
    'GET /v3/orders?symbol=X-Y&from=0&to=9&limit=100&status=PART_FILLED',
    '',
    'orders',
    listed({}),
  ],
  ['placeOrder', (c) => c.placeOrder(order), 'POST /v3/orders', orderBody, 'order-rejected', { status: 'REJECTED' }],
  ['cancelAllOrders of all', (c) => c.cancelAllOrders(null), 'DELETE /v3/orders', '', '', null],
  ['cancelAllOrders', (c) => c.cancelAllOrders('X-Y'), 'DELETE /v3/orders?symbol=X-Y', '', '', null],
  [
    'fetchOrder',
    (c) => c.fetchOrder('9007199254740993'),
    'GET /v3/orders/9007199254740993',
    '',
    'order-strings',
    { status: 'PENDING' },
  ],
  ['cancelOrder', (c) => c.cancelOrder('12'), 'DELETE /v3/orders/12', '', '', null],
  [
    'fetchTrades',
    (c) => c.fetchTrades({ symbol: 'X-Y', fromMs: 1, toMs: 2, limit: 3 }),
    'GET /v3/trades?symbol=X-Y&from=1&to=2&limit=3',
    '',
    'orders',
    listed({}),
  ],
  [
    'fetchFills',
    (c) => c.fetchFills({ symbol: 'X-Y', fromMs: 1, toMs: 2, limit: 3, fromExecId: '4', toExecId: '5' }),
    'GET /v3/fills?symbol=X-Y&from=1&to=2&limit=3&fromExecId=4&toExecId=5',
    '',
    'fills',
    listed({ execId: '9223372036854775807' }, {}),
  ],
  ['fetchAccounts', (c) => c.fetchAccounts(), 'GET /v3/accounts', '', 'accounts', expect.any(Map)],
  [
    'fetchBalance',
    (c) => c.fetchBalance('primary', 'XRP'),
    'GET /v3/accounts/primary/XRP',
    '',
    'balance',
    { balance: '-0.000001' },
  ],
  [
    'createDepositAddress',
    (c) => c.createDepositAddress('XRP'),
    'POST /v3/deposits/XRP',
    '',
    'deposit-address',
    { address: 'rEXAMPLE:12345' },
  ],
  [
    'fetchDeposits',
    (c) => c.fetchDeposits({ fromMs: 1, toMs: 2 }),
    'GET /v3/deposits?from=1&to=2',
    '',
    'deposits',
    listed({ amount: '0.1' }, {}),
  ],
  ['fetchDeposit', (c) => c.fetchDeposit('d-2'), 'GET /v3/deposits/d-2', '', 'deposit', { state: 'REJECTED' }],
  ['fetchWhitelist', (c) => c.fetchWhitelist(), 'GET /v3/whitelist', '', 'whitelist', listed({}, {})],
  ['fetchWhitelistOf', (c) => c.fetchWhitelistOf('BTC'), 'GET /v3/whitelist/BTC', '', 'whitelist', listed({}, {})],
  [
    'fetchWithdrawals',
    (c) => c.fetchWithdrawals({ toMs: 7 }),
    'GET /v3/withdrawals?to=7',
    '',
    'withdrawals',
    listed({}, {}),
  ],
  [
    'createWithdrawal',
    (c) => c.createWithdrawal(withdrawal),
    'POST /v3/withdrawals',
    '{"amount":0.1,"currency":"BTC","beneficiary":"b-1"}',
    'withdrawal',
    { withdrawalId: '77' },
  ],
  [
    'createWithdrawal of all',
    (c) => c.createWithdrawal({ ...withdrawal, amount: 'max' }),
    'POST /v3/withdrawals',
    '{"currency":"BTC","beneficiary":"b-1","sendMax":true}',
    'withdrawal',
    {},
  ],
  [
    'fetchWithdrawal',
    (c) => c.fetchWithdrawal('77'),
    'GET /v3/withdrawals/77',
    '',
    'withdrawal',
    { state: 'REFUNDED' },
  ],
]
