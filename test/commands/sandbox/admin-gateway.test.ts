import { expect, test } from 'vitest'
import { openAdministered, runAdmin } from './admin-command.ts'

type Order = { orderId: string; orderState: string; inputAmount: string; inputCurrency: string; outputCurrency: string }

test('partner add: the key that is printed opens the gateway', async () => {
  const { does, environment } = await openAdministered()
  expect(await does('partner add acme --fee-rate 0.0050')).toEqual({
    name: 'acme',
    partnerKey: expect.stringMatching(/^[\w-]{32}$/),
    feeRate: '0.005',
  })
  const again = await runAdmin(['partner', 'add', 'acme'], environment)
  expect([again.exitCode, again.complained]).toEqual([1, 'pitdesk sandbox admin: partner acme exists already'])
})

test('eligibility set: currencies, regions and payment methods, typed in any letters', async () => {
  const { does } = await openAdministered()
  expect(await does('eligibility set currency eur off')).toMatchObject({ kind: 'currency', code: 'EUR', state: 'off' })
  const limits = await does('eligibility set currency eur on --min-buy-amount 12.50 --max-buy-amount 900')
  expect(limits).toMatchObject({ code: 'EUR', state: 'on', minBuyAmount: '12.5', maxBuyAmount: '900' })
  expect(await does('eligibility set region us-ca off')).toMatchObject({ kind: 'region', code: 'US-CA', state: 'off' })
  const card = await does('eligibility set payment-method card on --currencies eur,usd')
  expect(card).toMatchObject({ code: 'CARD', state: 'on', currencies: 'EUR,USD' })
})

test('gateway-order create and advance', async () => {
  const { does, environment } = await openAdministered()
  const line =
    'gateway-order create buy --input-currency usd --input-amount 250 --output-currency btc --user-country us'
  const order = (await does(`${line} --user-state us-ca --payment-method card --external-reference mine`)) as Order
  expect(order).toMatchObject({
    ...{ orderType: 'BUY', orderState: 'PENDING', inputAmount: '250', inputCurrency: 'USD', outputCurrency: 'BTC' },
    ...{ paymentMethod: 'CARD', userCountry: 'US', userState: 'US-CA' },
  })
  const { orderId } = order
  expect(await does(`gateway-order advance ${orderId}`)).toMatchObject({ orderId, orderState: 'WITHDRAWING' })
  expect(await does(`gateway-order advance ${orderId} failed`)).toMatchObject({ orderId, orderState: 'FAILED' })
  const after = await runAdmin(['gateway-order', 'advance', orderId], environment)
  expect([after.exitCode, after.complained]).toEqual([1, expect.stringContaining('the order has ended')])
  expect(await does('gateway-order create SELL')).toMatchObject({ orderType: 'SELL', orderState: 'PENDING' })
})

test.each([
  ['eligibility set coin EUR on', 'KIND must be one of currency, region, payment-method'],
  ['eligibility set currency EUR maybe', 'STATE must be one of on, off'],
  ['eligibility set payment-method CARD on --currencies EUR;USD', '--currencies must be codes with commas between'],
  ['gateway-order create LEND', 'TYPE (--order-type) must be one of BUY, SELL'],
  ['gateway-order create BUY --input-amount 0', '--input-amount must be an amount above 0'],
  ['gateway-order create BUY --payment-method cash', '--payment-method must be one of CARD'],
  ['partner add acme --fee-rate 2', '--fee-rate must be a number from 0 to 1'],
])('wrong usage is told before anything is asked: %s', async (line, sentence) => {
  const { environment } = await openAdministered()
  const ran = await runAdmin(line.split(' '), environment)
  expect([ran.exitCode, ran.complained]).toEqual([2, expect.stringContaining(sentence)])
})

test.each([
  ['eligibility set currency XXX on', 'XXX'],
  ['eligibility set payment-method CASH on', 'CODE must be one of CARD'],
  ['gateway-order advance no-such-order', 'no gateway order no-such-order'],
  ['gateway-order create BUY --partner nobody', 'no partner nobody'],
])('a refusal is a sentence and exit code 1: %s', async (line, sentence) => {
  const { environment } = await openAdministered()
  const ran = await runAdmin(line.split(' '), environment)
  expect([ran.exitCode, ran.complained]).toEqual([1, expect.stringContaining(sentence)])
})
