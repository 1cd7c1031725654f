import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noonMs, type OpenExchange, openExchange } from './harness.ts'

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

type Entry = { whitelistId: string; name: string; currency: string }
const beneficiary = async (currency: string) => {
  const [entry] = (await exchange.get(`/whitelist/${currency}`)).json as Entry[]
  return entry?.whitelistId ?? ''
}
const withdraw = (fields: Record<string, unknown>, person: 'trader' | 'no2fa' = 'trader') =>
  exchange.call(person, 'POST', '/withdrawals', fields)

test('fees are fractions', async () => {
  expect((await exchange.get('/fees')).json).toEqual({ makerRate: 0.001, takerRate: 0.002, volumeInUSD: 0 })
})

test('the balance map holds the primary account, and each balance can be had alone', async () => {
  const map = (await exchange.get('/accounts')).json as { primary: Array<{ currency: string }> }
  expect(Object.keys(map)).toEqual(['primary'])
  const usd = map.primary.find(({ currency }) => currency === 'USD')
  expect(usd).toEqual({
    currency: 'USD',
    balance: 25000,
    available: 25000,
    balance_local: 25000,
    available_local: 25000,
    rate: 1,
  })
  expect((await exchange.get('/accounts/primary/USD')).json).toEqual(usd)
})

test.each([
  '/accounts/savings/USD',
  '/accounts/primary/XXX',
  '/accounts/PRIMARY/USD',
  '/whitelist/XXX',
  '/accounts/a/b/c',
])('an account or a currency that does not exist is a 404 with the reason: %s', async (path) => {
  const answer = await exchange.get(path)
  expect(answer.status).toBe(404)
  expect(answer.json).toEqual({ error: expect.any(String) })
})

describe('deposits', () => {
  test.each([
    ['nothing', undefined, {}],
    ['an empty object', '{}', {}],
    ['an empty body with a type', '', { 'content-type': 'application/json' }],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('an address is given for %s in the body', async (_, body, headers) => {
    const answer = await exchange.call('trader', 'POST', '/deposits/BTC', body, headers)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ type: expect.any(String), address: expect.stringMatching(/^[^:]+$/) })
  })

  test('the address stays the same until it is used, and carries a tag where the currency has one', async () => {
    const ask = async (currency: string) =>
      ((await exchange.call('trader', 'POST', `/deposits/${currency}`)).json as { address: string }).address
    const first = await ask('XLM')
    expect(first).toMatch(/^[^:]+:[^:]+$/)
    expect(await ask('XLM')).toBe(first)
    await exchange.admin('deposit/start', { account: 'trader', currency: 'XLM', amount: '5' })
    expect(await ask('XLM')).not.toBe(first)
  })

  test('no address for fiat, and none for what does not exist', async () => {
    const fiat = await exchange.call('trader', 'POST', '/deposits/USD')
    expect(fiat.status).toBe(400)
    expect(fiat.json).toEqual({ error: expect.any(String) })
    const unknown = await exchange.call('trader', 'POST', '/deposits/XXX')
    expect(unknown.status).toBe(404)
    expect(unknown.json).toEqual({ error: expect.any(String) })
  })

  test('a deposit is listed, found by its id, and credited once when it completes', async () => {
    await exchange.clock.advance(1)
    const started = await exchange.admin('deposit/start', {
      account: 'trader',
      currency: 'BTC',
      amount: 0.25,
      txHash: 'ab',
    })
    const { depositId } = started.json as { depositId: string }
    const deposit = {
      depositId,
      amount: 0.25,
      currency: 'BTC',
      address: expect.any(String),
      txHash: 'ab',
      state: 'UNCONFIRMED',
      timestamp: noonMs + 1,
    }
    expect((await exchange.get(`/deposits?from=${noonMs + 1}`)).json).toEqual([deposit])
    expect((await exchange.get(`/deposits/${depositId}`)).json).toEqual(deposit)
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.5 })
    await exchange.admin('deposit/confirm', { depositId })
    expect((await exchange.admin('deposit/confirm', { depositId })).status).toBe(409)
    expect((await exchange.get(`/deposits/${depositId}`)).json).toEqual({ ...deposit, state: 'COMPLETED' })
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.75, available: 0.75 })
    const foreign = await exchange.get(`/deposits/${depositId}`, 'counterparty')
    expect([foreign.status, foreign.text]).toEqual([404, ''])
  })
})

test('the whitelist is listed whole and by currency', async () => {
  const all = (await exchange.get('/whitelist')).json as Entry[]
  const bitcoin = (await exchange.get('/whitelist/BTC')).json as Entry[]
  expect(bitcoin.length).toBeGreaterThan(0)
  expect(bitcoin).toEqual(all.filter(({ currency }) => currency === 'BTC'))
  expect(bitcoin[0]).toEqual({ whitelistId: expect.any(String), name: expect.any(String), currency: 'BTC' })
  expect((await exchange.get('/whitelist/LTC')).json).toEqual([])
})

describe('withdrawals', () => {
  test('one is accepted, holds amount and fee, is listed, found, and completes', async () => {
    const to = await beneficiary('BTC')
    const answer = await withdraw({ amount: 0.1, currency: 'BTC', beneficiary: to })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      withdrawalId: expect.any(String),
      amount: 0.1,
      fee: 0.0002,
      currency: 'BTC',
      beneficiary: to,
      state: 'PENDING',
      timestamp: noonMs,
    })
    const { withdrawalId } = answer.json as { withdrawalId: string }
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.5, available: 0.3998 })
    expect((await exchange.get('/withdrawals')).json).toEqual([answer.json])
    expect((await exchange.get(`/withdrawals/${withdrawalId}`)).json).toEqual(answer.json)
    const foreign = await exchange.get(`/withdrawals/${withdrawalId}`, 'counterparty')
    expect([foreign.status, foreign.text]).toEqual([404, ''])
    await exchange.admin('withdrawal/complete', { withdrawalId })
    expect((await exchange.get(`/withdrawals/${withdrawalId}`)).json).toMatchObject({ state: 'COMPLETED' })
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ balance: 0.3998, available: 0.3998 })
  })

  test('sendMax takes everything less the fee', async () => {
    const answer = await withdraw({ sendMax: true, currency: 'BTC', beneficiary: await beneficiary('BTC') })
    expect(answer.json).toMatchObject({ amount: 0.4998, fee: 0.0002, state: 'PENDING' })
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ available: 0 })
  })

  test('sendMax false with an amount is an ordinary one', async () => {
    const fields = { sendMax: false, amount: '0.1', currency: 'BTC', beneficiary: await beneficiary('BTC') }
    expect((await withdraw(fields)).json).toMatchObject({ amount: 0.1 })
  })

  test('without two-factor authentication it is forbidden', async () => {
    const answer = await withdraw({ amount: 0.01, currency: 'BTC', beneficiary: await beneficiary('BTC') }, 'no2fa')
    expect(answer.status).toBe(403)
    expect(answer.json).toEqual({ error: expect.any(String) })
    await exchange.admin('2fa/on', { account: 'no2fa' })
    const [entry] = (await exchange.get('/whitelist/BTC', 'no2fa')).json as Entry[]
    expect((await withdraw({ amount: 0.01, currency: 'BTC', beneficiary: entry?.whitelistId }, 'no2fa')).status).toBe(
      200,
    )
  })

  test.each([
    ['sendMax with an amount', 'amount', { sendMax: true }],
    ['no amount', 'amount', { amount: undefined }],
    ['an amount of zero', 'amount', { amount: 0 }],
    ['less than nothing', 'amount', { amount: -1 }],
    ['finer than the currency', 'amount', { amount: 0.000000001 }],
    ['more than there is with the fee', 'amount', { amount: 0.5 }],
    ['no currency', 'currency', { currency: undefined }],
    ['an unknown currency', 'currency', { currency: 'XXX' }],
    ['no beneficiary', 'beneficiary', { beneficiary: undefined }],
    ['a beneficiary nobody listed', 'beneficiary', { beneficiary: 'wl-none' }],
    ['a word for sendMax', 'sendMax', { sendMax: 'yes', amount: undefined }],
  ])('%s is refused, and holds nothing', async (_, field, fields) => {
    const answer = await withdraw({ amount: 0.1, currency: 'BTC', beneficiary: await beneficiary('BTC'), ...fields })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringContaining(field) })
    expect((await exchange.get('/accounts/primary/BTC')).json).toMatchObject({ available: 0.5 })
    expect((await exchange.get('/withdrawals')).json).toEqual([])
  })

  test('a beneficiary of another currency is refused', async () => {
    const answer = await withdraw({ amount: 0.1, currency: 'BTC', beneficiary: await beneficiary('ETH') })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({ error: expect.stringContaining('beneficiary') })
  })
})

test.each(['/deposits/none', '/withdrawals/none', '/deposits/%00', '/withdrawals/1'])(
  '%s is a 404 without a body',
  async (path) => {
    const answer = await exchange.get(path)
    expect([answer.status, answer.text]).toEqual([404, ''])
  },
)
