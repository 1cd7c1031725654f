import { expect, test } from 'vitest'
import type { Balance } from '../../src/domain/balance.ts'
import { type Listing, readableListing } from '../../src/domain/listing.ts'
import { allBalances, balancesShown, shownAccount, unknownAccounts } from '../../src/store/accounts.ts'
import type { StoreEvent } from '../../src/store/desk.ts'
import { equityNow } from '../../src/store/equity.ts'
import { aBalance } from '../fakes/balances.ts'
import { noLimits } from '../fakes/limits.ts'
import { aDesk, startMs } from './desk.ts'
import { notice, write } from './ticket/ticket-scene.ts'

const primary = [aBalance('USD', '100'), aBalance('BTC', '2', { rate: '10' })]
const hedge = [aBalance('BTC', '1', { rate: '10' }), aBalance('USD', '7')]

const answer = (others: Record<string, readonly Balance[]>): StoreEvent => ({
  type: 'balances',
  balances: primary,
  others: new Map(
    Object.entries(others).map(([name, list]): [string, Listing<Balance>] => [name, readableListing(list)]),
  ),
  atMs: startMs,
})

const written = (balances: readonly Balance[] | null) =>
  balances?.map(({ currency, balance }) => `${balance.toFixed()} ${currency}`) ?? null

test('a key steps through the accounts, then shows all of them summed, then the first again', () => {
  const { store, commands } = aDesk()
  store.dispatch(answer({ hedge, old: [] }))
  const seen = [0, 1, 2, 3, 4].map(() => {
    const shown = [shownAccount(store.getState()), written(balancesShown(store.getState()))]
    commands.showNextAccount()
    return shown
  })
  expect(seen).toEqual([
    ['primary', ['100 USD', '2 BTC']],
    ['hedge', ['1 BTC', '7 USD']],
    ['old', []],
    [null, ['107 USD', '3 BTC']],
    ['primary', ['100 USD', '2 BTC']],
  ])
})

test('orders and withdrawals are checked against the primary account alone', () => {
  const { store } = aDesk()
  store.dispatch(answer({ hedge }))
  expect(written(store.getState().balances.value)).toEqual(['100 USD', '2 BTC'])
  // What another account holds pays for nothing, also while it is the one on screen.
  const desk = aDesk('ARMED', { limits: noLimits })
  desk.store.dispatch(answer({ hedge: [aBalance('BTC', '50', { rate: '10' })] }))
  desk.store.dispatch({ type: 'accountShown', account: 'hedge' })
  const stages = ['2', '2.5'].map((quantity) => {
    desk.commands.openTicket('SELL')
    write(desk, 'quantity', quantity)
    desk.commands.reviewTicket()
    return [desk.store.getState().ticket?.stage, notice(desk)?.includes('available 2')]
  })
  expect(stages[0]?.[0]).toBe('review')
  expect(stages[1]).toEqual(['edit', true])
})

test('an account that an answer lacks is unknown, not empty, and equity is no more whole', () => {
  const { store } = aDesk()
  store.dispatch(answer({ hedge }))
  expect(equityNow(store.getState()).worth.equityUsd?.toFixed()).toBe('137')
  store.dispatch(answer({}))
  store.dispatch({ type: 'accountShown', account: 'hedge' })
  const state = store.getState()
  expect(balancesShown(state)).toBeNull()
  expect(unknownAccounts(state)).toEqual(['hedge'])
  expect(equityNow(state).worth).toMatchObject({ equityUsd: null, unknown: ['account hedge'], isAtLeast: true })
  expect(equityNow(state).worth.knownUsd.toFixed()).toBe('120')
  store.dispatch(answer({ hedge }))
  expect(unknownAccounts(store.getState())).toEqual([])
})

test('a balance of another account that nobody can read leaves that account unknown', () => {
  const { store } = aDesk()
  const others = new Map([['hedge', { entries: hedge, unreadable: [{ reason: 'r', atMs: null, fields: {} }] }]])
  store.dispatch({ type: 'balances', balances: primary, others, atMs: startMs })
  expect(equityNow(store.getState()).worth.unknown).toEqual(['account hedge'])
})

test('the same answer again leaves the very same accounts', () => {
  const { store } = aDesk()
  store.dispatch(answer({ hedge }))
  const { otherAccounts } = store.getState()
  const sum = allBalances(store.getState())
  store.dispatch(answer({ hedge }))
  expect(store.getState().otherAccounts).toBe(otherAccounts)
  expect(allBalances(store.getState())).toBe(sum)
})
