import { expect, test } from 'vitest'
import type { Accounts } from '../../src/domain/balance.ts'
import type { Listing } from '../../src/domain/listing.ts'
import { readAccounts, readBalance } from '../../src/wire/account.ts'
import { KnownEntries } from '../../src/wire/listing.ts'
import { readErrorText } from '../../src/wire/message.ts'
import { readOrders } from '../../src/wire/order.ts'
import {
  readDeposit,
  readDepositAddress,
  readDeposits,
  readNewWithdrawal,
  readWhitelist,
  readWithdrawal,
  readWithdrawals,
} from '../../src/wire/transfers.ts'
import { digits, errorOf, goodValue, sample } from './samples.ts'

const entriesOf = (accounts: Accounts) => new Map([...accounts].map(([name, { entries }]) => [name, entries]))

test('balances of all accounts', () => {
  expect(digits(entriesOf(goodValue(readAccounts(sample('accounts')))))).toEqual(
    new Map([
      [
        'primary',
        [
          {
            currency: 'BTC',
            balance: '1.23456789012345678901',
            available: '1',
            balanceLocal: '79267.1234',
            availableLocal: '64209.5',
            rate: '64209.5',
          },
          {
            currency: 'USD',
            balance: '100000',
            available: '99999.99999999',
            balanceLocal: '100000',
            availableLocal: '99999.99999999',
            rate: '1',
          },
        ],
      ],
      ['subaccount', []],
    ]),
  )
  expect(errorOf(readAccounts('{"other":[]}'))).toBe('field "primary" is missing')
  const odd = goodValue(readAccounts('{"primary":[{"currency":"BTC"}]}')).get('primary')
  expect(odd).toEqual({
    entries: [],
    unreadable: [{ reason: 'field "balance" is missing', atMs: null, fields: { currency: 'BTC' } }],
  })
})

test('one balance', () => {
  expect(digits(goodValue(readBalance(sample('balance'), 'XRP')))).toEqual({
    currency: 'XRP',
    balance: '-0.000001',
    available: '0',
    balanceLocal: '0',
    availableLocal: '0',
    rate: '0.52',
  })
})

/** What is read of a primary account of these entries: `BTC 3 of 5`, or why not. */
function balancesOf(...list: ReadonlyArray<readonly [currency: string, balance: string, available: string]>) {
  const more = { balance_local: '0', available_local: '0', rate: '1' }
  const primary = list.map(([currency, balance, available]) => ({ currency, balance, available, ...more }))
  const listing = goodValue(readAccounts(JSON.stringify({ primary }))).get('primary')
  return [
    ...(listing?.entries ?? []).map((each) => `${each.currency} ${each.available} of ${each.balance}`),
    ...(listing?.unreadable ?? []).map(({ fields, reason }) => `${fields.currency} ${fields.available}: ${reason}`),
  ]
}

test('more available than there is, or less than a debt, costs that entry alone', () => {
  const above = 'field "available" must not be above "balance"'
  const below = 'field "available" must not be below 0, or below the debt'
  expect(balancesOf(['BTC', '5', '5.1'], ['USD', '7', '3'])).toEqual(['USD 3 of 7', `BTC 5.1: ${above}`])
  expect(balancesOf(['BTC', '5', '-1'], ['USD', '-7', '-8'], ['EUR', '-7', '1'])).toEqual([
    `BTC -1: ${below}`,
    `USD -8: ${below}`,
    `EUR 1: ${above}`,
  ])
  expect(balancesOf(['BTC', '5', '0'], ['USD', '-7', '-7'], ['EUR', '-7', '0'])).toHaveLength(3)
  const one = { currency: 'BTC', balance: 1, available: 2, balance_local: 1, available_local: 1, rate: 1 }
  expect(errorOf(readBalance(JSON.stringify(one), 'BTC'))).toBe(above)
})

test('a currency told twice counts once, and with other amounts not at all', () => {
  expect(balancesOf(['BTC', '5', '5'], ['USD', '7', '3'], ['BTC', '5.0', '5'])).toEqual(['BTC 5 of 5', 'USD 3 of 7'])
  const twice = 'field "currency" is in the account twice, with other amounts'
  expect(balancesOf(['BTC', '5', '5'], ['USD', '7', '3'], ['BTC', '9', '9'], ['BTC', '5', '5'])).toEqual([
    'USD 3 of 7',
    ...[`BTC 5: ${twice}`, `BTC 9: ${twice}`, `BTC 5: ${twice}`],
  ])
})

test('deposits and their address', () => {
  expect(goodValue(readDepositAddress(sample('deposit-address'), 'XRP'))).toEqual({
    ...{ type: 'XRP', address: 'rEXAMPLE:12345' },
  })
  expect(readDepositAddress('{"type":"CRYPTO","address":"0xabc","currency":"ETH"}', 'XRP')).toEqual({
    ...{ ok: false, error: 'the address of XRP was asked for, and the answer is about ETH' },
  })
  expect(digits(goodValue(readDeposits(sample('deposits'))).entries)).toEqual([
    {
      depositId: 'd-1',
      amount: '0.1',
      currency: 'BTC',
      address: 'bc1example',
      txHash: '00ff',
      state: 'COMPLETED',
      timestampMs: 1_700_000_000_000,
    },
    {
      depositId: '9007199254740993',
      amount: '0.00000001',
      currency: 'XRP',
      address: 'rEXAMPLE:7',
      txHash: null,
      state: 'UNCONFIRMED',
      timestampMs: null,
    },
  ])
  expect(digits(goodValue(readDeposit(sample('deposit'), 'd-2')))).toMatchObject({
    amount: '0.00054044',
    state: 'REJECTED',
  })
})

test('withdrawals', () => {
  expect(digits(goodValue(readWithdrawals(sample('withdrawals'))).entries)).toEqual([
    {
      withdrawalId: 'w-1',
      amount: '0.5',
      fee: '0.0005',
      currency: 'BTC',
      beneficiary: 'b-1',
      state: 'PENDING',
      timestampMs: 1_700_000_000_000,
    },
    {
      withdrawalId: null,
      amount: '10',
      fee: null,
      currency: 'USD',
      beneficiary: 'b-2',
      state: null,
      timestampMs: null,
    },
  ])
  expect(digits(goodValue(readWithdrawal(sample('withdrawal'))))).toMatchObject({
    withdrawalId: '77',
    amount: '12345678901234567890.123456789012345678',
    beneficiary: 'b-3',
    state: 'REFUNDED',
  })
})

test('who receives a withdrawal is named to the last character, and by one entry of the list', () => {
  const entry = (whitelistId: string, name: string) => ({ whitelistId, name, currency: 'BTC' })
  const read = (...entries: object[]) => goodValue(readWhitelist(JSON.stringify(entries)))
  const hidden = read(entry('wl-2\u200b', 'attacker'), entry('wl-2', 'hot wallet'), entry('\u200b', 'x'))
  expect(hidden.entries).toEqual([entry('wl-2', 'hot wallet')])
  expect(hidden.unreadable.map(({ reason }) => reason)).toEqual([
    'field "whitelistId" has characters that cannot be seen',
    'field "whitelistId" has characters that cannot be seen',
  ])
  const torn = read(entry('wl-1', 'cold storage'), entry('wl-2', 'attacker'), entry('wl-2', 'hot wallet'))
  expect(torn.entries).toEqual([entry('wl-1', 'cold storage')])
  expect(torn.unreadable).toEqual(
    ['attacker', 'hot wallet'].map((name) => ({
      reason: 'its "whitelistId" comes twice: nothing tells to whom a withdrawal would go',
      atMs: null,
      fields: entry('wl-2', name),
    })),
  )
  expect(read(entry('wl-1', 'cold storage'), entry('wl-1', 'cold storage'))).toEqual({
    entries: [entry('wl-1', 'cold storage')],
    unreadable: [],
  })
  const withdrawal = { withdrawalId: 'w-1', amount: 1, currency: 'BTC', beneficiary: 'wl\u2060-2', state: 'PENDING' }
  expect(errorOf(readWithdrawal(JSON.stringify(withdrawal)))).toBe(
    'field "beneficiary" has characters that cannot be seen',
  )
})

test('a withdrawal of nothing or less, or with a fee below zero, is no withdrawal, and costs only itself', () => {
  const entry = (change: object) => ({ amount: 1, currency: 'USD', beneficiary: 'b-1', state: 'COMPLETED', ...change })
  const reasonsOf = (...changes: object[]) =>
    goodValue(readWithdrawals(JSON.stringify(changes.map(entry)))).unreadable.map(({ reason }) => reason)
  expect(reasonsOf({ amount: -100000 }, { amount: 0 }, { fee: -1 }, { fee: 0 }, {})).toEqual([
    'field "amount" must be above 0',
    'field "amount" must be above 0',
    'field "fee" must be 0 or more',
  ])
  expect(errorOf(readWithdrawal(JSON.stringify(entry({ amount: -1 }))))).toBe('field "amount" must be above 0')
})

test.each([
  ['depositId', (json: string) => readDeposits(json, new KnownEntries())],
  ['withdrawalId', (json: string) => readWithdrawals(json, new KnownEntries())],
])('a transfer whose %s is listed twice counts once, and with other terms not at all', (name, readJson) => {
  const entry = (id: string, more: object = {}) => ({
    ...{ depositId: id, withdrawalId: id, amount: 1, fee: 0, currency: 'BTC', address: 'a', beneficiary: 'b' },
    ...{ state: 'COMPLETED', timestamp: 1_700_000_000_000, ...more },
  })
  const read = (...entries: object[]) => goodValue<Listing<object>>(readJson(JSON.stringify(entries)))
  const [one, other] = [entry('1'), entry('2')]
  const both = { entries: [{ [name]: '1' }, { [name]: '2' }], unreadable: [] }
  expect(read(one, other, one)).toMatchObject(both)
  expect(read(one, other, entry('1', { amount: '1.0' }))).toMatchObject(both)
  expect(read(one, other, entry('1', { amount: 5 }), one)).toMatchObject({
    entries: [{ [name]: '2' }],
    unreadable: ['1', '5', '1'].map((amount) => ({
      reason: `its "${name}" comes twice, with other terms`,
      atMs: 1_700_000_000_000,
      fields: { [name]: '1', amount, currency: 'BTC', state: 'COMPLETED' },
    })),
  })
  expect(read(entry('', { amount: 3 }), entry('', { amount: 4 })).entries).toHaveLength(2)
})

test.each([0, -1, '0', -62_135_596_800_000])('a time of %j is none, of an order and of a transfer', (timestamp) => {
  const transfer = { ...{ depositId: 'd-1', withdrawalId: 'w-1' }, amount: 1, currency: 'BTC', address: 'a' }
  const order = { clOrdId: 'a', ordType: 'LIMIT', ordStatus: 'OPEN', side: 'BUY', symbol: 'BTC-USD', timestamp }
  const json = JSON.stringify([{ ...transfer, beneficiary: 'b', state: 'COMPLETED', timestamp }])
  for (const read of [readDeposits(json), readWithdrawals(json), readOrders(JSON.stringify([order]))])
    expect(goodValue<Listing<object>>(read).entries).toMatchObject([{ timestampMs: null }])
  const odd = JSON.stringify([{ ...transfer, timestamp }])
  expect(goodValue(readDeposits(odd)).unreadable).toMatchObject([{ atMs: null }])
})

test('a deposit credited with nothing, or of less than nothing, is no deposit', () => {
  const entry = (change: object) => ({
    ...{ depositId: 'd-1', amount: 1, currency: 'USD', address: 'a', state: 'COMPLETED' },
    ...change,
  })
  const list = [{ amount: -5 }, { amount: 0 }, { amount: -5, state: 'REJECTED' }, { amount: 0, state: 'UNCONFIRMED' }]
  expect(
    goodValue(readDeposits(JSON.stringify(list.map(entry)))).unreadable.map(({ fields, reason }) =>
      [fields.amount, fields.state, reason].join(' '),
    ),
  ).toEqual([
    '-5 COMPLETED field "amount" must be above 0',
    '0 COMPLETED field "amount" must be above 0',
    '-5 REJECTED field "amount" must be 0 or more',
  ])
  expect(errorOf(readDeposit(JSON.stringify(entry({ amount: -5 })), 'd-1'))).toBe('field "amount" must be above 0')
})

test('requests to withdraw: an amount, or all of it, never both', () => {
  expect(digits(goodValue(readNewWithdrawal(sample('new-withdrawal'))))).toEqual({
    currency: 'BTC',
    beneficiary: 'b-1',
    amount: '0.00000001',
  })
  expect(goodValue(readNewWithdrawal(sample('new-withdrawal-max'))).amount).toBe('max')
  const both = '{"currency":"BTC","beneficiary":"b-1","sendMax":true,"amount":1}'
  expect(errorOf(readNewWithdrawal(both))).toBe('field "amount" must not be given together with "sendMax"')
  expect(errorOf(readNewWithdrawal('{"currency":"BTC","beneficiary":"b-1"}'))).toBe('field "amount" is missing')
})

test('the whitelist; nothing could be sent to an entry without an id', () => {
  expect(goodValue(readWhitelist(sample('whitelist')))).toMatchObject({
    entries: [
      { whitelistId: 'b-1', name: 'Cold ]0;xstore', currency: 'BTC' },
      { whitelistId: 'b-2', name: '', currency: null },
    ],
    unreadable: [{ reason: 'field "whitelistId" is missing' }],
  })
})

test('the sentence of a refusal, and none where there is none', () => {
  expect(readErrorText(sample('error'))).toBe('the API key is not known')
  for (const body of ['', '{', '[]', '{}', '{"error":null}', '{"error":""}', '{"error":[]}']) {
    expect(readErrorText(body)).toBeNull()
  }
})

test('names of accounts are fit for a screen, and none that only looks like another takes its place', () => {
  const names = ['primary', 'prim\u200bary', 'pri\u0007mary', '\u202e', ' hedge ', 'hedge']
  const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, []])))
  const accounts = goodValue(readAccounts(json))
  expect([...accounts.keys()]).toEqual(['primary', 'primary (2)', 'primary (3)', 'unnamed', 'hedge', 'hedge (2)'])
})
