import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from '../../src/base/text/plain-text.ts'
import { Decimal, fromScaled } from '../../src/domain/money.ts'
import {
  readCurrencies,
  readPaymentMethods,
  readRegions,
  writeCurrencies,
  writePaymentMethods,
  writeRegions,
} from '../../src/wire/eligibility.ts'
import { digits, errorOf, goodValue, sample } from './samples.ts'

const none = { network: null, supportsDestinationTag: null, isSupportedInUs: null, allowedUsStates: null }
const noLimits = { minBuyAmount: null, maxBuyAmount: null }

test('currencies: missing and null mean the same, an unknown type stays as text, what cannot be read spoils no other', () => {
  const { currencies, refused } = goodValue(readCurrencies(sample('eligible-currencies')))
  expect(digits(currencies)).toEqual([
    { type: 'FIAT', name: 'US Dollar', code: 'USD', precision: 2, minBuyAmount: '5', maxBuyAmount: '10000.5', ...none },
    {
      ...{ type: 'CRYPTO', name: 'Bitcoin', code: 'BTC', precision: 8, ...noLimits, network: 'BTC' },
      ...{ supportsDestinationTag: false, isSupportedInUs: true, allowedUsStates: ['CA', 'TX'] },
    },
    {
      ...{ type: 'FIAT', name: 'Nigerian Naira', code: 'NGN', precision: 2, ...none },
      ...{ minBuyAmount: '1500', maxBuyAmount: null },
    },
    {
      ...{ type: 'STABLECOIN', name: 'Odd[31m coin', code: 'oDd', precision: 0, ...noLimits, network: 'BASE' },
      ...{ supportsDestinationTag: null, isSupportedInUs: false, allowedUsStates: [] },
    },
  ])
  expect(refused).toEqual([
    'currency 5: field "precision" is missing',
    'currency 6: field "precision" must be a whole number from 0 to 40',
    'currency 7: field "allowedUSStates[1]" must be a string',
    'currency 8: field "minBuyAmount" must be a number',
    'currency 9: the message must be an object',
  ])
})

test('regions: two lists, each entry by itself', () => {
  expect(goodValue(readRegions(sample('regions')))).toEqual({
    countries: [
      { alpha2: 'BE', alpha3: 'BEL', isBuyAllowed: true, name: 'Belgium' },
      { alpha2: 'KP', alpha3: 'PRK', isBuyAllowed: false, name: 'North Korea' },
    ],
    usStates: [
      { alpha2: 'CA', isBuyAllowed: true, name: 'California' },
      { alpha2: 'NY', isBuyAllowed: false, name: 'New York' },
    ],
    refused: [
      'country 3: field "isBuyAllowed" must be true or false',
      'country 4: field "alpha3" is missing',
      'US state 3: the message must be an object',
    ],
  })
})

test('payment methods: nested and flat read alike', () => {
  const card = { type: 'CARD', supportedCurrencies: ['EUR', 'USD'] }
  expect(goodValue(readPaymentMethods(sample('payment-methods-nested')))).toEqual({
    paymentMethods: [card, { type: 'BANK_TRANSFER_NIP', supportedCurrencies: ['NGN'] }],
    refused: [],
  })
  expect(goodValue(readPaymentMethods(sample('payment-methods-flat')))).toEqual({
    paymentMethods: [card, { type: 'CARRIER_PIGEON', supportedCurrencies: [] }],
    refused: [
      'payment method 3: field "supportedCurrencies" is missing',
      'payment method 4: field "supportedCurrencies" must be a list',
    ],
  })
  for (const empty of ['[]', '[[]]', '[[],[]]']) {
    expect(goodValue(readPaymentMethods(empty))).toEqual({ paymentMethods: [], refused: [] })
  }
  const [first, second] = [writePaymentMethods([card], 'nested'), writePaymentMethods([card], 'flat')]
  expect(first).toBe('[[{"type":"CARD","supportedCurrencies":["EUR","USD"]}]]')
  expect(second).toBe('[{"type":"CARD","supportedCurrencies":["EUR","USD"]}]')
})

test('a whole that is something else gives one sentence', () => {
  for (const json of ['{}', '5', 'null', '"x"', 'true']) {
    expect(errorOf(readCurrencies(json))).toBe('the message must be a list')
    expect(errorOf(readPaymentMethods(json))).toBe('the message must be a list')
  }
  expect(errorOf(readRegions('[]'))).toBe('the message must be an object')
  expect(errorOf(readRegions('{"countries":[]}'))).toBe('field "usStates" is missing')
  expect(errorOf(readRegions('{"countries":{},"usStates":[]}'))).toBe('field "countries" must be a list')
  expect(errorOf(readCurrencies(''))).toBe('the JSON is empty')
  expect(errorOf(readRegions('{"countries":['))).toBe('the JSON is malformed')
})

test('what is written of fiat has its limits as strings and null for what is of crypto only; of crypto no limits', () => {
  const fiat = {
    ...{ type: 'FIAT', name: 'Euro', code: 'EUR', precision: 2, ...none },
    ...{ minBuyAmount: new Decimal('5'), maxBuyAmount: new Decimal('0.00000012') },
  }
  const crypto = {
    ...{ type: 'CRYPTO', name: 'Stellar', code: 'XLM', precision: 7, ...noLimits },
    ...{ network: 'XLM', supportsDestinationTag: true, isSupportedInUs: true, allowedUsStates: ['CA'] },
  }
  expect(writeCurrencies([fiat, crypto])).toBe(
    '[{"type":"FIAT","name":"Euro","code":"EUR","precision":2,"minBuyAmount":"5","maxBuyAmount":"0.00000012",' +
      '"network":null,"supportsDestinationTag":null,"isSupportedInUS":null,"allowedUSStates":null},' +
      '{"type":"CRYPTO","name":"Stellar","code":"XLM","precision":7,' +
      '"network":"XLM","supportsDestinationTag":true,"isSupportedInUS":true,"allowedUSStates":["CA"]}]',
  )
})

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map(plainText)
const name = word.filter((each) => each.trim() !== '')
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 25 }))
  .map(([units, scale]) => fromScaled(units, scale))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const shared = { name: word, code: word, precision: fc.integer({ min: 0, max: 40 }) }
const fiatCurrency = fc
  .record({ ...shared, minBuyAmount: maybe(amount), maxBuyAmount: maybe(amount) })
  .map((fields) => ({ ...none, ...fields, type: 'FIAT' }))
const otherCurrency = fc
  .record({
    ...shared,
    type: fc.constantFrom('CRYPTO', 'TOKEN'),
    network: maybe(name),
    supportsDestinationTag: maybe(fc.boolean()),
    isSupportedInUs: maybe(fc.boolean()),
    allowedUsStates: maybe(fc.array(word)),
  })
  .map((fields) => ({ ...noLimits, ...fields }))
const country = fc.record({ alpha2: word, alpha3: word, isBuyAllowed: fc.boolean(), name: word })
const state = fc.record({ alpha2: word, isBuyAllowed: fc.boolean(), name: word })
const method = fc.record({ type: word, supportedCurrencies: fc.array(word) })

test('what is written reads back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fiatCurrency, otherCurrency)),
      fc.record({ countries: fc.array(country), usStates: fc.array(state) }),
      fc.array(method),
      fc.constantFrom('nested' as const, 'flat' as const),
      (currencies, regions, paymentMethods, form) => {
        const refused: string[] = []
        expect(digits(goodValue(readCurrencies(writeCurrencies(currencies))))).toEqual(digits({ currencies, refused }))
        expect(goodValue(readRegions(writeRegions(regions)))).toEqual({ ...regions, refused })
        expect(goodValue(readPaymentMethods(writePaymentMethods(paymentMethods, form)))).toEqual({
          paymentMethods,
          refused,
        })
      },
    ),
  )
})
