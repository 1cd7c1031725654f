import { expect, test } from 'vitest'
import { Decimal } from '../../../../src/domain/money.ts'
import { fieldChecks } from '../../../../src/domain/orders/checks/rule-checks.ts'
import type { OrderDraft } from '../../../../src/domain/orders/order.ts'

const nowMs = Date.UTC(2026, 1, 28, 23, 59, 59)
const draft = (fields: Partial<OrderDraft>): OrderDraft => ({
  symbol: 'BTC-USD',
  side: 'BUY',
  type: 'LIMIT',
  orderQuantity: new Decimal(2),
  limitPrice: new Decimal(100),
  stopPrice: null,
  timeInForce: 'GTC',
  expireDate: null,
  minQuantity: null,
  postOnly: false,
  ...fields,
})

const stop = { type: 'STOP', limitPrice: null, stopPrice: new Decimal(90) } as const

test.each<Partial<OrderDraft>>([
  {},
  { timeInForce: null },
  { timeInForce: 'GTD', expireDate: '20260228' },
  { timeInForce: 'GTD', expireDate: '20280229' },
  { timeInForce: 'IOC', minQuantity: new Decimal(2) },
  { timeInForce: 'GTC', postOnly: true },
  { type: 'MARKET', limitPrice: null, timeInForce: 'FOK' },
  stop,
  { type: 'STOPLIMIT', stopPrice: new Decimal(90) },
])('%j goes together', (fields) =>
  expect(fieldChecks(draft(fields), nowMs)).toEqual([{ rule: 'fields', level: 'ok', text: '' }]),
)

test.each<[Partial<OrderDraft>, string]>([
  [{ type: 'MARKET', limitPrice: null, timeInForce: 'GTC' }, 'a MARKET order takes IOC, FOK'],
  [{ ...stop, timeInForce: 'IOC' }, 'a STOP order takes GTC, GTD'],
  [{ limitPrice: null }, 'a LIMIT order needs a limit price'],
  [{ stopPrice: new Decimal(90) }, 'a LIMIT order takes no stop price'],
  [{ type: 'MARKET', timeInForce: 'IOC' }, 'a MARKET order takes no limit price'],
  [{ ...stop, stopPrice: null }, 'a STOP order needs a stop price'],
  [{ ...stop, limitPrice: new Decimal(90) }, 'a STOP order takes no limit price'],
  [{ type: 'STOPLIMIT' }, 'a STOPLIMIT order needs a stop price'],
  [{ ...stop, type: 'STOPLIMIT' }, 'a STOPLIMIT order needs a limit price'],
  [{ timeInForce: 'GTD' }, 'GTD needs an expiry date'],
  [{ expireDate: '20260301' }, 'an expiry date goes with GTD only'],
  [{ timeInForce: 'GTD', expireDate: '20260227' }, 'the expiry date is past: today is 20260228'],
  [{ expireDate: '20260227' }, 'an expiry date goes with GTD only'],
  [{ timeInForce: 'GTD', expireDate: '20250229' }, 'not a valid date'],
  [{ timeInForce: 'GTD', expireDate: '20260229' }, 'not a valid date'],
  [{ timeInForce: 'GTD', expireDate: 'tomorrow' }, 'not a valid date'],
  [{ minQuantity: new Decimal(1) }, 'a minimum fill goes with IOC only'],
  [{ timeInForce: 'IOC', minQuantity: new Decimal(3) }, 'at most the quantity 2'],
  [{ timeInForce: 'IOC', minQuantity: new Decimal(0) }, 'above zero'],
  [{ timeInForce: 'IOC', postOnly: true }, 'post-only needs LIMIT with GTC or GTD'],
  [{ type: 'STOPLIMIT', stopPrice: new Decimal(90), postOnly: true }, 'post-only needs LIMIT'],
])('%j does not', (fields, sentence) => {
  expect(fieldChecks(draft(fields), nowMs)).toMatchObject([
    { rule: 'fields', level: 'block', text: expect.stringContaining(sentence) },
  ])
})

test('everything that is wrong has a line of its own', () => {
  const wrong = draft({ timeInForce: 'IOC', expireDate: '20260301', minQuantity: new Decimal(3), postOnly: true })
  expect(fieldChecks(wrong, nowMs).map(({ text }) => text)).toEqual([
    'an expiry date goes with GTD only',
    'the minimum fill must be above zero and at most the quantity 2',
    'post-only needs LIMIT with GTC or GTD',
  ])
})
