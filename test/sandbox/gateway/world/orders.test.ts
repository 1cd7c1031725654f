import { describe, expect, test } from 'vitest'
import type { GatewayOrderState } from '../../../../src/domain/gateway/event.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { NewGatewayOrder } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { openWorld, ordered, refusal } from './harness.ts'

const hundredUsd: NewGatewayOrder = {
  orderType: 'BUY',
  inputCurrency: 'USD',
  inputAmount: new Decimal('100'),
  outputCurrency: 'BTC',
  paymentMethod: 'CARD',
  userCountry: 'US',
  userState: 'US-TX',
}

const texts = (values: Readonly<Record<string, Decimal | null>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value?.toFixed()]))

test('what a user gets for $100: 2.9%, 1% and the network’s fee off, the rest at the rate, what is below a satoshi cut off', async () => {
  const { world } = openWorld()
  const { last } = await ordered(world, { ...hundredUsd, externalReference: 'cart-1', subPartnerId: 'shop-1' })
  const { inputAmount, outputAmount, amountUsd, processingFee, partnerFee, networkFee } = last
  // (100 − 2.90 − 1.00 − 2.10) / 64210.5 = 0.001463935…
  expect(texts({ inputAmount, outputAmount, amountUsd, processingFee, partnerFee, networkFee })).toEqual({
    inputAmount: '100',
    outputAmount: '0.00146393',
    amountUsd: '100',
    processingFee: '2.9',
    partnerFee: '1',
    networkFee: '2.1',
  })
  expect(last).toMatchObject({
    ...{ orderState: 'PENDING', orderType: 'BUY', network: 'BTC', userCountry: 'US', userState: 'US-TX' },
    ...{ externalReference: 'cart-1', subPartnerId: 'shop-1', transactionHash: null },
    targetWalletAddress: expect.stringMatching(/^bc1q[a-z0-9]{38}$/),
  })
})

test('a sale: fees in the coin, the network’s rounded up in its last place, the output in cents', async () => {
  const { world } = openWorld()
  const { last } = await ordered(world, {
    orderType: 'SELL',
    inputCurrency: 'ETH',
    inputAmount: new Decimal('0.1'),
    outputCurrency: 'EUR',
    userCountry: 'DE',
  })
  const { inputAmount, outputAmount, amountUsd, processingFee, partnerFee, networkFee, networkFeeUsd } = last
  // 1.35 / 3120.1 = 0.00043267843979359…; (0.1 − 0.0029 − 0.001 − that) × 3120.1 / 1.0842 = 275.310…
  expect(texts({ inputAmount, outputAmount, amountUsd, processingFee, partnerFee, networkFee, networkFeeUsd })).toEqual(
    {
      inputAmount: '0.1',
      outputAmount: '275.31',
      amountUsd: '312.01',
      processingFee: '0.0029',
      partnerFee: '0.001',
      networkFee: '0.000432678439793597',
      networkFeeUsd: '1.35',
    },
  )
  expect(last).toMatchObject({ network: 'ETH', userCountry: 'DE', userState: null })
})

describe('an order is refused, and leaves nothing behind:', () => {
  test.each<[string, Partial<NewGatewayOrder>]>([
    ['19.99 USD is below the minimum, 20 USD', { inputAmount: new Decimal('19.99') }],
    ['10000.01 USD is above the maximum, 10000 USD', { inputAmount: new Decimal('10000.01') }],
    ['inputAmount must be above 0, with at most 2 decimal places', { inputAmount: new Decimal('100.001') }],
    ['inputAmount must be above 0, with at most 2 decimal places', { inputAmount: new Decimal('-100') }],
    ['users in China may not buy', { userCountry: 'CN' }],
    ['unknown country ZZ', { userCountry: 'ZZ' }],
    ['users in New York may not buy', { userState: 'US-NY' }],
    ['userState must be US- and the two letters of a state, for a user in the US', { userState: 'TX' }],
    ['userState is for users in the US only', { userCountry: 'DE', userState: 'US-TX' }],
    ['users in US-TX may not buy XRP', { outputCurrency: 'XRP' }],
    ['the partner has no currency XXX', { outputCurrency: 'XXX' }],
    ['a BUY goes from fiat to crypto', { inputCurrency: 'BTC' }],
    ['a SELL goes from crypto to fiat', { orderType: 'SELL' }],
    ['BANK_TRANSFER_NIP does not go with USD', { paymentMethod: 'BANK_TRANSFER_NIP' }],
    ['externalReference is longer than 100 characters', { externalReference: 'x'.repeat(101) }],
    ['subPartnerId is longer than 50 characters', { subPartnerId: '😀'.repeat(51) }],
    ['targetWalletAddress must be text without control characters', { targetWalletAddress: 'a\u001b[31m' }],
    ['no partner nobody', { partner: 'nobody' }],
  ])('%s', async (sentence, change) => {
    const { world, events } = openWorld()
    expect(await refusal(world.createOrder({ ...hundredUsd, ...change }))).toBe(sentence)
    expect([world.orders({ count: 1 }), events]).toEqual([[], []])
    expect((await ordered(world, hundredUsd)).number).toBe(1)
  })

  test('fees that would eat the whole of it', async () => {
    const { world } = openWorld()
    const dust = { orderType: 'SELL', inputCurrency: 'BTC', outputCurrency: 'USD', userCountry: 'GB' } as const
    expect(await refusal(world.createOrder({ ...dust, inputAmount: new Decimal('0.00001') }))).toBe(
      'the fees leave nothing of 0.00001 BTC',
    )
  })

  test('where users may not buy they may still sell', async () => {
    const { world } = openWorld()
    const sale = {
      orderType: 'SELL',
      inputCurrency: 'XRP',
      inputAmount: new Decimal(500),
      outputCurrency: 'USD',
    } as const
    for (const user of [{ userCountry: 'CN' }, { userCountry: 'US', userState: 'US-NY' }])
      expect((await ordered(world, { ...sale, ...user })).last).toMatchObject({ network: 'XRP', ...user })
  })
})

describe('the life of an order', () => {
  test('by itself it goes on to the end of one that goes well; the hash comes with COMPLETED', async () => {
    const { world, events } = openWorld()
    const { orderId } = await ordered(world, hundredUsd)
    await world.advanceOrder(orderId)
    await world.advanceOrder(orderId)
    expect(events.map(({ event }) => [event.orderState, event.transactionHash])).toEqual([
      ['PENDING', null],
      ['WITHDRAWING', null],
      ['COMPLETED', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ])
    expect(await refusal(world.advanceOrder(orderId))).toBe('the order has ended: COMPLETED')
    expect(await refusal(world.advanceOrder('nothing'))).toBe('no order nothing')
  })

  test.each<[GatewayOrderState[], GatewayOrderState, string | null]>([
    [[], 'WITHDRAWING', null],
    [[], 'FAILED', null],
    [[], 'COMPLETED', 'an order that is PENDING can become WITHDRAWING or FAILED'],
    [[], 'PENDING', 'an order that is PENDING can become WITHDRAWING or FAILED'],
    [['WITHDRAWING'], 'FAILED', null],
    [['WITHDRAWING'], 'PENDING', 'an order that is WITHDRAWING can become COMPLETED or FAILED'],
    [['FAILED'], 'COMPLETED', 'the order has ended: FAILED'],
  ])('after PENDING and %j, to %s', async (before, state, sentence) => {
    const { world } = openWorld()
    const { orderId } = await ordered(world, hundredUsd)
    for (const each of before) await world.advanceOrder(orderId, each)
    const moved = await world.advanceOrder(orderId, state)
    if (sentence === null) expect(moved).toMatchObject({ ok: true, value: { last: { orderState: state } } })
    else expect(moved).toEqual({ ok: false, error: sentence })
  })
})

test('orders are listed newest first, page by page', async () => {
  const { world } = openWorld()
  for (let made = 0; made < 5; made += 1) await ordered(world, hundredUsd)
  const numbers = (query: { count: number; before?: number }) => world.orders(query).map(({ number }) => number)
  expect([numbers({ count: 2 }), numbers({ count: 2, before: 4 }), numbers({ count: 9, before: 2 })]).toEqual([
    [5, 4],
    [3, 2],
    [1],
  ])
})
