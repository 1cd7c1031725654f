import { beforeEach, describe, expect, test } from 'vitest'
import type { CurrencySpec, SymbolSpec } from '../../../src/sandbox/core/commands.ts'
import { alice, bob, btcUsd, Floor } from './floor.ts'

let floor: Floor
beforeEach(() => {
  floor = new Floor()
})

describe('keys', () => {
  const tokenHash = 'ab'.repeat(32)

  test('begin unverified, are verified, and once revoked stay so', () => {
    const { keyId } = floor.run('addKey', { account: alice, tokenHash })
    expect(floor.read.keyByHash(tokenHash)).toEqual({ keyId, account: alice, state: 'unverified' })
    floor.run('verifyKey', { keyId })
    expect(floor.read.keyByHash(tokenHash)?.state).toBe('verified')
    floor.run('revokeKey', { keyId })
    expect(floor.refuse('verifyKey', { keyId }).kind).toBe('conflict')
    expect(floor.read.account(alice)?.keys).toEqual([{ keyId, account: alice, state: 'revoked' }])
    expect(floor.read.keyByHash('cd'.repeat(32))).toBeUndefined()
  })

  test('a hash that is none, is taken, or of nobody is refused', () => {
    floor.run('addKey', { account: alice, tokenHash })
    expect(floor.refuse('addKey', { account: bob, tokenHash }).kind).toBe('conflict')
    expect(floor.refuse('addKey', { account: alice, tokenHash: 'secret' }).kind).toBe('invalid')
    expect(floor.refuse('addKey', { account: 0, tokenHash: 'ef'.repeat(32) }).kind).toBe('notFound')
    expect(floor.refuse('verifyKey', { keyId: 9 }).kind).toBe('notFound')
    expect(floor.refuse('revokeKey', { keyId: 9 }).kind).toBe('notFound')
  })
})

test('accounts are numbered from 1 and have a name of their own', () => {
  expect(floor.run('addAccount', { name: 'dave' })).toEqual({ account: 4 })
  expect(floor.read.accountByName('dave')).toMatchObject({ account: 4, hasTwoFactor: false })
  expect(floor.refuse('addAccount', { name: 'dave' }).kind).toBe('conflict')
  expect(floor.refuse('addAccount', { name: 'fees' }).kind).toBe('conflict')
  expect(floor.refuse('addAccount', { name: '' }).kind).toBe('invalid')
  expect(floor.refuse('setTwoFactor', { account: 9, isOn: true }).kind).toBe('notFound')
  expect(floor.read.accounts().map(({ name }) => name)).toEqual(['alice', 'bob', 'carol', 'dave'])
  expect(floor.read.account(0)).toBeUndefined()
})

describe('currencies', () => {
  const currency: CurrencySpec = { code: 'SOL', scale: 9, kind: 'crypto', hasTag: false, withdrawalFee: '0.01' }

  test.each<[string, Partial<CurrencySpec>]>([
    ['code', { code: 'sol' }],
    ['scale', { scale: 19 }],
    ['scale', { scale: 1.5 }],
    ['withdrawalFee', { withdrawalFee: '-1' }],
    ['usdRate', { usdRate: 'much' }],
  ])('a wrong %s is refused', (field, more) => {
    expect(floor.refuse('addCurrency', { currency: { ...currency, ...more } })).toMatchObject({
      kind: 'invalid',
      field,
    })
  })

  test('are there once, and every account has them', () => {
    floor.run('addCurrency', { currency })
    expect(floor.refuse('addCurrency', { currency }).kind).toBe('conflict')
    expect(floor.money(alice, 'SOL')).toEqual({ balance: '0', available: '0' })
    expect(floor.read.balances(alice).map((balance) => balance.currency)).toEqual(['USD', 'BTC', 'ETH', 'XRP', 'SOL'])
    expect(floor.read.balance(alice, 'DOGE')).toBeUndefined()
  })

  test('are worth their last trade against USD, before it what the exchange was told, else nothing', () => {
    floor.run('addCurrency', { currency: { ...currency, usdRate: '140.5' } })
    floor.fund(alice, 'SOL', '2')
    expect(floor.read.balance(alice, 'SOL')).toMatchObject({ rate: expect.objectContaining({}) })
    const rate = (code: string) => floor.read.balance(alice, code)?.rate.toFixed()
    expect([rate('SOL'), rate('USD'), rate('BTC')]).toEqual(['140.5', '1', '0'])
    expect(floor.read.balance(alice, 'SOL')?.balanceLocal.toFixed()).toBe('281')
    floor.sell(bob, '1', '64000.5')
    floor.buy(alice, '1', '64000.5')
    floor.sell(alice, '2', '70000')
    expect(rate('BTC')).toBe('64000.5')
    expect(floor.read.balance(alice, 'BTC')?.balanceLocal.toFixed()).toBe('6464050.5')
    expect(floor.read.balance(alice, 'BTC')?.availableLocal.toFixed()).toBe('6336049.5')
  })
})

describe('symbols', () => {
  test.each<[string, Partial<SymbolSpec>]>([
    ['base', { base: 'DOGE' }],
    ['base', { base: 'USD', counter: 'USD' }],
    ['counter', { counter: 'EUR' }],
    ['symbol', { symbol: 'ETHUSD' }],
    ['minPriceIncrement', { minPriceIncrement: 0 }],
    ['lotSize', { lotSize: 0.5 }],
    ['maxOrderSizeScale', { maxOrderSizeScale: -1 }],
    // 12 + 7 decimals leave no six for the fee in the ledger's 24.
    ['lotSizeScale', { minPriceIncrementScale: 12, lotSizeScale: 7 }],
    // BTC cannot be split into 10^-9.
    ['lotSize', { symbol: 'BTC-XRP', base: 'BTC', counter: 'XRP', lotSizeScale: 9 }],
  ])('a wrong %s is refused', (field, more) => {
    const spec = { ...btcUsd, symbol: 'ETH-USD', base: 'ETH', ...more }
    expect(floor.refuse('addSymbol', { spec })).toMatchObject({ kind: 'invalid', field })
  })

  test('are numbered, listed with their rules, and there once', () => {
    const spec = { ...btcUsd, symbol: 'ETH-USD', base: 'ETH' }
    expect(floor.run('addSymbol', { spec, status: 'halt' })).toEqual({ id: 3 })
    expect(floor.refuse('addSymbol', { spec }).kind).toBe('conflict')
    expect(floor.read.symbol('ETH-USD')).toMatchObject({ id: 3, spec, baseScale: 18, counterScale: 2, status: 'halt' })
    expect(floor.read.symbols().map(({ id }) => id)).toEqual([1, 2, 3])
    expect(floor.read.symbol('NO-PE')).toBeUndefined()
  })
})

test('tickers show the last trade, the volume and the price of 24 hours', () => {
  const ticker = (atMs: number) => {
    const view = floor.read.ticker('BTC-USD', atMs)
    return [view?.lastTradePrice?.toFixed(), view?.price24h?.toFixed(), view?.volume24h.toFixed()]
  }
  expect(ticker(floor.nowMs)).toEqual([undefined, undefined, '0'])
  floor.sell(bob, '2', '60000')
  floor.buy(alice, '1', '60000')
  const firstMs = floor.nowMs
  floor.sell(bob, '1', '59000')
  floor.buy(alice, '0.5', '59000')
  expect(ticker(floor.nowMs)).toEqual(['59000', '60000', '1.5'])
  expect(ticker(firstMs + 24 * 3_600_000)).toEqual(['59000', '60000', '0.5'])
  expect(ticker(firstMs + 48 * 3_600_000)).toEqual(['59000', '59000', '0'])
  expect(floor.read.tickers(floor.nowMs).map(({ symbol }) => symbol)).toEqual(['BTC-USD', 'ETH-BTC'])
})
