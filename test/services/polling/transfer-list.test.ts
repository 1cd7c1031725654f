import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { TransferQuery } from '../../../src/api/exchange-client.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { createTransferList } from '../../../src/services/polling/transfers.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)
const { signal } = new AbortController()

const aWithdrawal = (withdrawalId: string, more: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId,
  amount: new Decimal('0.5'),
  fee: null,
  currency: 'BTC',
  beneficiary: 'wl-1',
  state: 'COMPLETED',
  timestampMs: startMs,
  ...more,
})

/** A list over an exchange of which the test holds what it knows. */
function scene() {
  const exchange = {
    nowMs: startMs,
    listed: [] as Withdrawal[],
    unlisted: [] as Withdrawal[],
    asked: [] as TransferQuery[],
    askedFor: [] as string[],
    silent: [] as string[],
    whileAsked: () => {},
  }
  const list = createTransferList<Withdrawal>({
    async fetch(query) {
      exchange.asked.push(query)
      const answer = exchange.listed.filter(
        ({ timestampMs }) => timestampMs === null || timestampMs >= (query.fromMs ?? 0),
      )
      await Promise.resolve()
      exchange.whileAsked()
      return readableListing(answer)
    },
    fetchOne(id) {
      exchange.askedFor.push(id)
      const details = {
        kind: 'connectivity',
        method: 'GET',
        path: '/withdrawals',
        reason: '500',
        outcome: null,
      } as const
      if (exchange.silent.includes(id)) return Promise.reject(new ExchangeError(details))
      return Promise.resolve(exchange.unlisted.find(({ withdrawalId }) => withdrawalId === id) ?? null)
    },
    idOf: ({ withdrawalId }) => withdrawalId,
    isUnderWay: ({ state }) => state === 'PENDING',
    now: () => exchange.nowMs,
  })
  const read = async () =>
    (await list.read(signal)).entries.map(({ withdrawalId, state }) => `${withdrawalId} ${state}`)
  return { exchange, list, read }
}

test('after the first look only the last days are asked for; what is older stays, and all is read again now and then', async () => {
  const { exchange, read } = scene()
  exchange.listed = [aWithdrawal('w-2'), aWithdrawal('w-1', { timestampMs: startMs - 100 * dayMs })]
  expect(await read()).toEqual(['w-2 COMPLETED', 'w-1 COMPLETED'])
  exchange.nowMs += 3_000
  expect(await read()).toEqual(['w-2 COMPLETED', 'w-1 COMPLETED'])
  expect(exchange.asked[1]?.fromMs).toBe(exchange.nowMs - 7 * dayMs)
  exchange.listed = [aWithdrawal('w-2'), aWithdrawal('w-1', { state: 'REFUNDED', timestampMs: startMs - 100 * dayMs })]
  exchange.nowMs += 600_000
  expect(await read()).toEqual(['w-2 COMPLETED', 'w-1 REFUNDED'])
})

test('an old one that is still under way is asked for until it ends; money that came back within days is seen', async () => {
  const { exchange, read } = scene()
  const old = startMs - 30 * dayMs
  exchange.listed = [aWithdrawal('w-2'), aWithdrawal('w-1', { state: 'PENDING', timestampMs: old })]
  await read()
  exchange.nowMs += 3_000
  exchange.listed = [aWithdrawal('w-2', { state: 'REFUNDED' }), aWithdrawal('w-1', { timestampMs: old })]
  expect(await read()).toEqual(['w-2 REFUNDED', 'w-1 COMPLETED'])
})

test('one that is gone from the list is asked for by its id, and stays as last seen where nobody knows it', async () => {
  const { exchange, read } = scene()
  exchange.listed = [aWithdrawal('w-1', { state: 'PENDING' }), aWithdrawal('w-2', { state: 'PENDING' })]
  await read()
  exchange.listed = []
  exchange.unlisted = [aWithdrawal('w-1', { state: 'FAILED' })]
  expect(await read()).toEqual(['w-1 FAILED', 'w-2 PENDING'])
  expect(await read()).toContain('w-2 PENDING')
  expect(exchange.askedFor).toEqual(['w-1', 'w-2', 'w-2'])
})

test('one that is taken while an older list is under way is not lost with it', async () => {
  const { exchange, list, read } = scene()
  await read()
  exchange.whileAsked = () => list.watch(aWithdrawal('w-9', { state: 'PENDING' }))
  expect(await read()).toEqual(['w-9 PENDING'])
  exchange.whileAsked = () => {}
  exchange.listed = [aWithdrawal('w-9', { state: 'COMPLETED' })]
  expect(await read()).toEqual(['w-9 COMPLETED'])
})

test('one of which the exchange does not tell stays as last seen, and keeps no other from being told', async () => {
  const { exchange, read } = scene()
  exchange.listed = [aWithdrawal('w-2', { state: 'PENDING' }), aWithdrawal('w-1', { state: 'PENDING' })]
  await read()
  exchange.listed = [aWithdrawal('w-3')]
  exchange.unlisted = [aWithdrawal('w-1')]
  exchange.silent = ['w-2']
  exchange.nowMs += 1_000
  expect(new Set(await read())).toEqual(new Set(['w-3 COMPLETED', 'w-2 PENDING', 'w-1 PENDING']))
  exchange.nowMs += 1_000
  expect(new Set(await read())).toEqual(new Set(['w-3 COMPLETED', 'w-2 PENDING', 'w-1 COMPLETED']))
})

test('of more than are asked for at once each has its turn', async () => {
  const { exchange, read } = scene()
  const ids = Array.from({ length: 12 }, (_, at) => `w-${at}`)
  exchange.listed = ids.map((id) => aWithdrawal(id, { state: 'PENDING' }))
  exchange.unlisted = exchange.listed
  await read()
  exchange.listed = []
  for (let poll = 0; poll < 2; poll += 1) {
    exchange.nowMs += 1_000
    await read()
  }
  expect(new Set(exchange.askedFor)).toEqual(new Set(ids))
})
