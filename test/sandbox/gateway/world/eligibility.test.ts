import { expect, test } from 'vitest'
import { gatewayPaymentMethods } from '../../../../src/domain/gateway/event.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import type { EligibilityChange } from '../../../../src/sandbox/gateway/partner-gateway.ts'
import { openWorld, ordered, refusal } from './harness.ts'

function opened() {
  const { world } = openWorld()
  const partner = () => {
    const found = world.partner('practice')
    if (found === undefined) throw new Error('no partner')
    return found
  }
  const codes = () => world.currencies(partner()).map(({ code }) => code)
  return { world, partner, codes }
}

test('everything there is of a currency is there by its kind: fiat has limits, a coin has the rest', () => {
  const { world, partner } = opened()
  const currencies = world.currencies(partner())
  expect(new Set(currencies.map(({ type }) => type))).toEqual(new Set(['FIAT', 'CRYPTO']))
  expect(new Set(currencies.map(({ isSupportedInUs }) => isSupportedInUs))).toEqual(new Set([null, true, false]))
  for (const currency of currencies) {
    const ofFiat = [currency.minBuyAmount, currency.maxBuyAmount]
    const ofCoins = [
      currency.network,
      currency.supportsDestinationTag,
      currency.isSupportedInUs,
      currency.allowedUsStates,
    ]
    const [there, missing] = currency.type === 'FIAT' ? [ofFiat, ofCoins] : [ofCoins, ofFiat]
    expect(there.includes(null)).toBe(false)
    expect(missing.every((value) => value === null)).toBe(true)
    if (currency.isSupportedInUs === false) expect(currency.allowedUsStates).toEqual([])
  }
  expect(
    world
      .paymentMethods(partner())
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(gatewayPaymentMethods.toSorted())
})

test('regions: all of them, or those in which users may buy', () => {
  const { world, partner } = opened()
  const all = world.regions(partner(), false)
  const open = world.regions(partner(), true)
  expect([all.usStates.length, all.countries.length > open.countries.length]).toEqual([51, true])
  expect(all.usStates.map(({ alpha2 }) => alpha2)).toContain('NY')
  expect(open.usStates.map(({ alpha2 }) => alpha2)).not.toContain('NY')
  expect([...open.countries, ...open.usStates].every(({ isBuyAllowed }) => isBuyAllowed)).toBe(true)
  for (const { alpha2, alpha3 } of all.countries) expect(`${alpha2} ${alpha3}`).toMatch(/^[A-Z]{2} [A-Z]{3}$/)
})

test('a partner is found by its key alone, and what is set for one is set for no other', async () => {
  const { world, partner } = opened()
  const added = await world.addPartner({ name: 'acme', feeRate: new Decimal('0.02') })
  if (!added.ok) throw new Error(added.error)
  expect(world.partnerOf(added.value.key)?.name).toBe('acme')
  expect([world.partnerOf('practice-key')?.name, world.partnerOf('nobody'), world.partnerOf('')]).toEqual([
    'practice',
    undefined,
    undefined,
  ])
  await world.setEligibility('acme', { kind: 'currency', code: 'BTC', isEnabled: false })
  const codesOf = (key: string) => world.partnerOf(key)?.eligibility.currencies.map(({ code }) => code)
  expect([codesOf(added.value.key)?.includes('BTC'), codesOf(partner().key)?.includes('BTC')]).toEqual([false, true])
  const order = await ordered(world, {
    orderType: 'BUY',
    partner: 'acme',
    inputCurrency: 'USD',
    inputAmount: new Decimal(100),
    paymentMethod: 'CARD',
  })
  expect([order.partner, order.last.partnerFee.toFixed()]).toEqual(['acme', '2'])
})

test('a currency goes and comes back to its place, with limits of its own', async () => {
  const { world, codes, partner } = opened()
  const before = codes()
  await world.setEligibility('practice', { kind: 'currency', code: 'EUR', isEnabled: false })
  expect(codes()).toEqual(before.filter((code) => code !== 'EUR'))
  const limits = { minBuyAmount: new Decimal(50), maxBuyAmount: new Decimal(60) }
  await world.setEligibility('practice', { kind: 'currency', code: 'EUR', isEnabled: true, ...limits })
  expect(codes()).toEqual(before)
  expect(partner().eligibility.currencies.find(({ code }) => code === 'EUR')).toMatchObject(limits)
  const order = { orderType: 'BUY', inputCurrency: 'EUR', inputAmount: new Decimal(61) } as const
  expect(await refusal(world.createOrder(order))).toBe('61 EUR is above the maximum, 60 EUR')
})

test('regions and ways to pay, set and used', async () => {
  const { world, partner } = opened()
  const set = (change: EligibilityChange) => world.setEligibility('practice', change)
  await set({ kind: 'region', region: 'US-NY', isBuyAllowed: true })
  await set({ kind: 'region', region: 'DE', isBuyAllowed: false })
  const { countries, usStates } = world.regions(partner(), true)
  expect(usStates.some(({ alpha2 }) => alpha2 === 'NY')).toBe(true)
  expect(countries.some(({ alpha2 }) => alpha2 === 'DE')).toBe(false)
  await set({ kind: 'paymentMethod', paymentMethod: 'APPLE_PAY', currencies: ['JPY', 'JPY'] })
  await set({ kind: 'paymentMethod', paymentMethod: 'CARD', currencies: [] })
  expect(world.paymentMethods(partner()).filter(({ type }) => type === 'APPLE_PAY' || type === 'CARD')).toEqual([
    { type: 'APPLE_PAY', supportedCurrencies: ['JPY'] },
  ])
  const order = { orderType: 'BUY', inputCurrency: 'JPY' } as const
  expect((await ordered(world, order)).last.paymentMethod).toBe('APPLE_PAY')
  expect(await refusal(world.createOrder({ ...order, paymentMethod: 'CARD' }))).toBe(
    'the partner has no payment method CARD',
  )
})

test('a fiat currency that is disabled leaves the payment methods, and comes back to them', async () => {
  const { world, partner } = opened()
  const set = (code: string, isEnabled: boolean) =>
    world.setEligibility('practice', { kind: 'currency', code, isEnabled })
  const before = world.paymentMethods(partner())
  await set('EUR', false)
  await set('BTC', false)
  const without = before.map(({ type, supportedCurrencies }) => ({
    type,
    supportedCurrencies: supportedCurrencies.filter((code) => code !== 'EUR'),
  }))
  expect(world.paymentMethods(partner())).toEqual(without)
  // The only one of its method.
  await set('NGN', false)
  expect(world.paymentMethods(partner())).toEqual(without.filter(({ type }) => type !== 'BANK_TRANSFER_NIP'))
  const order = { orderType: 'BUY', inputCurrency: 'EUR', paymentMethod: 'CARD' } as const
  expect(await refusal(world.createOrder(order))).toBe('the partner has no currency EUR')
  await set('EUR', true)
  await set('NGN', true)
  expect(world.paymentMethods(partner())).toEqual(before)
})

test('what makes no sense is refused with a reason', async () => {
  const { world, partner } = opened()
  const before = partner()
  const set = (change: EligibilityChange) => refusal(world.setEligibility('practice', change))
  const limit = (least: number, most: number) => ({
    minBuyAmount: new Decimal(least),
    maxBuyAmount: new Decimal(most),
  })
  expect([
    await set({ kind: 'currency', code: 'XXX', isEnabled: true }),
    await set({ kind: 'currency', code: 'BTC', isEnabled: true, ...limit(1, 2) }),
    await set({ kind: 'currency', code: 'EUR', isEnabled: true, ...limit(9, 2) }),
    await set({ kind: 'region', region: 'US-ZZ', isBuyAllowed: true }),
    await set({ kind: 'paymentMethod', paymentMethod: 'CARD', currencies: ['BTC'] }),
    await refusal(world.setEligibility('nobody', { kind: 'region', region: 'DE', isBuyAllowed: true })),
    await refusal(world.addPartner({ name: 'practice' })),
    await refusal(world.addPartner({ name: 'No Name' })),
    await refusal(world.addPartner({ name: 'greedy', feeRate: new Decimal('0.51') })),
  ]).toEqual([
    'unknown currency XXX',
    'limits are for fiat currencies, and BTC is not one',
    'minBuyAmount must be 0 or more, and at most maxBuyAmount',
    'unknown region US-ZZ',
    'unknown fiat currency BTC',
    'no partner nobody',
    'partner practice exists already',
    'the name of a partner is 1 to 40 lower-case letters, digits and hyphens',
    'the share of a partner is from 0 to 0.5',
  ])
  expect(partner()).toBe(before)
})
