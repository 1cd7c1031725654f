import { describe, expect, onTestFinished, test } from 'vitest'
import {
  readCurrencies,
  readPaymentMethods,
  readRegions,
  writeCurrencies,
  writePaymentMethods,
  writeRegions,
} from '../../../../src/wire/eligibility.ts'
import { goodValue } from '../../../wire/samples.ts'
import { httpCall, openExchange } from '../../http/harness.ts'

/** The practice gateway as it starts, asked by its partner. */
async function openPractice(wire: 'numbers' | 'strings' | 'mixed' = 'numbers') {
  const exchange = await openExchange({ wire })
  onTestFinished(() => exchange.sandbox.stop())
  const { gatewayUrl, partnerKey } = exchange.sandbox
  const ask = (path: string, key = partnerKey) =>
    httpCall(gatewayUrl, { path: `/partner-gateway/partner-api/v1${path}`, headers: { 'X-Public-API-Key': key } })
  const text = async (path: string, key?: string) => (await ask(path, key)).text
  const done = async (command: string, values: unknown) => {
    const answer = await exchange.admin(command, values)
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.json
  }
  return { exchange, ask, text, done }
}

type Json = Readonly<Record<string, unknown>>
const entries = (json: string): Json[] => JSON.parse(json) as Json[]

describe('what the practice gateway has for its partner', () => {
  test.each(['numbers', 'strings', 'mixed'] as const)(
    'currencies of both kinds, by the rules, with --wire %s',
    async (wire) => {
      const { text } = await openPractice(wire)
      const list = entries(await text('/currencies'))
      const fiat = list.filter(({ type }) => type === 'FIAT')
      const crypto = list.filter(({ type }) => type === 'CRYPTO')
      expect(fiat.length).toBeGreaterThan(2)
      expect(crypto.length).toBeGreaterThan(4)
      expect(fiat.length + crypto.length).toBe(list.length)
      const common = { name: expect.stringMatching(/./), code: expect.stringMatching(/^[A-Z]+$/) }
      for (const each of fiat) {
        expect(each).toEqual({
          ...{ type: 'FIAT', ...common, precision: expect.any(Number) },
          ...{
            minBuyAmount: expect.stringMatching(/^\d+(\.\d+)?$/),
            maxBuyAmount: expect.stringMatching(/^\d+(\.\d+)?$/),
          },
          ...{ network: null, supportsDestinationTag: null, isSupportedInUS: null, allowedUSStates: null },
        })
      }
      for (const each of crypto) {
        expect(each).toEqual({
          ...{ type: 'CRYPTO', ...common, precision: expect.any(Number), network: expect.stringMatching(/^[A-Z]+$/) },
          ...{ supportsDestinationTag: expect.any(Boolean), isSupportedInUS: expect.any(Boolean) },
          allowedUSStates: expect.any(Array),
        })
        const states = each.allowedUSStates as string[]
        for (const state of states) expect(state).toMatch(/^[A-Z]{2}$/)
        if (each.isSupportedInUS === false) expect(states).toEqual([])
      }
      expect(list.find(({ code }) => code === 'BTC')).toMatchObject({ precision: 8, supportsDestinationTag: false })
      expect(list.find(({ code }) => code === 'XLM')).toMatchObject({ supportsDestinationTag: true })
      expect(new Set(list.map(({ code }) => code)).size).toBe(list.length)
    },
  )

  test('regions: all, and those of them where buying is allowed', async () => {
    const { text } = await openPractice()
    const all = goodValue(readRegions(await text('/regions?onlyBuyAllowed=false')))
    const allowed = goodValue(readRegions(await text('/regions')))
    for (const [every, some] of [
      [all.countries, allowed.countries],
      [all.usStates, allowed.usStates],
    ] as const) {
      expect(some.length).toBeGreaterThan(0)
      expect(some.length).toBeLessThan(every.length)
      expect(some).toEqual(every.filter(({ isBuyAllowed }) => isBuyAllowed))
      for (const { alpha2 } of every) expect(alpha2).toMatch(/^[A-Z]{2}$/)
    }
    for (const { alpha3 } of all.countries) expect(alpha3).toMatch(/^[A-Z]{3}$/)
    expect(await text('/regions?onlyBuyAllowed=true')).toBe(await text('/regions'))
  })

  test('payment methods: nested, the four of the events, each with fiat currencies that are enabled', async () => {
    const { text } = await openPractice()
    const json = await text('/payment-methods')
    expect(json).toMatch(/^\[\[\{.*\}\]\]$/)
    const { paymentMethods } = goodValue(readPaymentMethods(json))
    expect(new Set(paymentMethods.map(({ type }) => type))).toEqual(
      new Set(['CARD', 'APPLE_PAY', 'GOOGLE_PAY', 'BANK_TRANSFER_NIP']),
    )
    const { currencies } = goodValue(readCurrencies(await text('/currencies')))
    const fiat = currencies.filter(({ type }) => type === 'FIAT').map(({ code }) => code)
    for (const { supportedCurrencies } of paymentMethods) {
      expect(supportedCurrencies.length).toBeGreaterThan(0)
      expect(fiat).toEqual(expect.arrayContaining([...supportedCurrencies]))
    }
  })

  test('what comes is what the other side of the wire reads, and nothing is refused', async () => {
    const { text } = await openPractice()
    const currencies = await text('/currencies')
    const regions = await text('/regions?onlyBuyAllowed=false')
    const methods = await text('/payment-methods')
    const read = [readCurrencies(currencies), readRegions(regions), readPaymentMethods(methods)] as const
    for (const each of read) expect(goodValue<{ refused: readonly string[] }>(each).refused).toEqual([])
    expect(writeCurrencies(goodValue(read[0]).currencies)).toBe(currencies)
    expect(writeRegions(goodValue(read[1]))).toBe(regions)
    expect(writePaymentMethods(goodValue(read[2]).paymentMethods, 'nested')).toBe(methods)
  })
})

describe('the account manager', () => {
  test('a currency is taken away and comes back, with other limits', async () => {
    const { text, done } = await openPractice()
    const before = await text('/currencies')
    const codes = async () => entries(await text('/currencies')).map(({ code }) => code)
    await done('eligibility/set', { kind: 'currency', code: 'EUR', state: 'off' })
    expect(await codes()).not.toContain('EUR')
    await done('eligibility/set', { kind: 'currency', code: 'EUR', state: 'on' })
    expect(await text('/currencies')).toBe(before)
    const limits = { minBuyAmount: '12.5', maxBuyAmount: '9999.99' }
    expect(await done('eligibility/set', { kind: 'currency', code: 'EUR', state: 'on', ...limits })).toMatchObject(
      limits,
    )
    expect(entries(await text('/currencies')).find(({ code }) => code === 'EUR')).toMatchObject(limits)
  })

  test('a country and a state, allowed and not', async () => {
    const { text, done } = await openPractice()
    const isThere = async (query = '') => {
      const { countries, usStates } = goodValue(readRegions(await text(`/regions${query}`)))
      return [countries.some(({ alpha2 }) => alpha2 === 'DE'), usStates.some(({ alpha2 }) => alpha2 === 'CA')]
    }
    expect(await isThere()).toEqual([true, true])
    await done('eligibility/set', { kind: 'region', code: 'DE', state: 'off' })
    await done('eligibility/set', { kind: 'region', code: 'US-CA', state: 'off' })
    expect(await isThere()).toEqual([false, false])
    expect(await isThere('?onlyBuyAllowed=false')).toEqual([true, true])
    await done('eligibility/set', { kind: 'region', code: 'DE', state: 'on' })
    expect(await isThere()).toEqual([true, false])
  })

  test('a payment method is taken away and comes back for some currencies', async () => {
    const { text, done } = await openPractice()
    const card = async () => {
      const { paymentMethods } = goodValue(readPaymentMethods(await text('/payment-methods')))
      return paymentMethods.find(({ type }) => type === 'CARD')?.supportedCurrencies
    }
    await done('eligibility/set', { kind: 'payment-method', code: 'CARD', state: 'off' })
    expect(await card()).toBeUndefined()
    await done('eligibility/set', { kind: 'payment-method', code: 'CARD', state: 'on', currencies: 'EUR,USD' })
    expect(await card()).toEqual(['EUR', 'USD'])
  })

  test('a new partner has a key of its own and an account of its own', async () => {
    const { ask, text, done } = await openPractice()
    expect((await ask('/currencies', 'pk-acme')).status).toBe(401)
    const { partnerKey } = (await done('partner/add', { name: 'acme' })) as { partnerKey: string }
    expect(partnerKey).toMatch(/^[\w-]{32}$/)
    expect(await text('/currencies', partnerKey)).toBe(await text('/currencies'))
    await done('eligibility/set', { kind: 'currency', code: 'BTC', state: 'off', partner: 'acme' })
    const has = async (key?: string) => entries(await text('/currencies', key)).some(({ code }) => code === 'BTC')
    expect([await has(partnerKey), await has()]).toEqual([false, true])
  })

  test('an order lives from PENDING to COMPLETED, and ends', async () => {
    const { exchange, done } = await openPractice()
    const created = (await done('gateway-order/create', { orderType: 'BUY' })) as { orderId: string }
    expect(created).toMatchObject({ orderState: 'PENDING', orderType: 'BUY' })
    expect(created).not.toHaveProperty('transactionHash')
    const { orderId } = created
    expect(await done('gateway-order/advance', { orderId })).toMatchObject({ orderId, orderState: 'WITHDRAWING' })
    expect(await done('gateway-order/advance', { orderId })).toMatchObject({
      orderState: 'COMPLETED',
      transactionHash: expect.stringMatching(/./),
    })
    const again = await exchange.admin('gateway-order/advance', { orderId, state: 'FAILED' })
    expect([again.status, again.json]).toEqual([409, { error: expect.stringContaining('COMPLETED') }])
  })

  test.each([
    ['eligibility/set', { kind: 'currency', code: 'XXX', state: 'on' }],
    ['eligibility/set', { kind: 'region', code: 'XX', state: 'on' }],
    ['eligibility/set', { kind: 'region', code: 'US-XX', state: 'on' }],
    ['eligibility/set', { kind: 'currency', code: 'EUR', state: 'on', minBuyAmount: '-1' }],
    ['eligibility/set', { kind: 'currency', code: 'EUR', state: 'on', minBuyAmount: 20, maxBuyAmount: 10 }],
    ['eligibility/set', { kind: 'payment-method', code: 'CARD', state: 'on', currencies: 'BTC' }],
    ['partner/add', { name: 'No Such Name' }],
    ['partner/add', { name: 'acme', feeRate: '0.6' }],
    ['gateway-order/create', { orderType: 'BUY', inputCurrency: 'BTC' }],
    ['gateway-order/create', { orderType: 'BUY', inputAmount: '-5' }],
    ['gateway-order/create', { orderType: 'BUY', externalReference: 'x'.repeat(101) }],
  ])('%s %j is refused with a reason, and changes nothing', async (command, values) => {
    const { exchange, text } = await openPractice()
    const before = await text('/currencies')
    const answer = await exchange.admin(command, values)
    expect([answer.status, answer.json]).toEqual([400, { error: expect.stringMatching(/./) }])
    expect(await text('/currencies')).toBe(before)
  })
})
