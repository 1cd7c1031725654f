import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Account } from '../../../src/desk/account/account-folder.ts'
import { readDeskTransfers } from '../../../src/desk/account/kept-state.ts'
import { moneyBack } from '../../../src/domain/transfers/followed.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { initialState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { amount } from '../../fakes/amounts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const request: WithdrawalRequest = { currency: 'BTC', beneficiary: 'wl-1', amount: amount('0.5') }
const aWithdrawal = (state: Withdrawal['state'], withdrawalId = 'w-1'): Withdrawal => ({
  ...{ withdrawalId, amount: amount('0.5'), fee: amount('0.0005'), currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state, timestampMs: 1_000 },
})

function anAccount(): Account {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { name: 'practice', address: null, folder, profileName: 'practice' }
}

/** One process of the account, which saves what it follows until it ends. */
async function run(account: Account) {
  const transfers = await readDeskTransfers(account)
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const start = { nowMs: 1_000, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD', followed: transfers.start } as const
  const store = createDeskStore(initialState(start))
  transfers.follow(store, new FakeClock(1_000))
  return {
    store,
    stop: () => transfers.stop(),
    record: () => store.getState().followed.withdrawals.get('w-1'),
    lists: (...withdrawals: Withdrawal[]) => store.dispatch({ type: 'withdrawals', withdrawals, atMs: 1_000 }),
    holds(available: string, atMs: number) {
      const btc = { currency: 'BTC', balance: amount('2'), available: amount(available), rate: amount('1') }
      const balances = [{ ...btc, balanceLocal: amount('1'), availableLocal: amount('1') }]
      store.dispatch({ type: 'balances', balances, atMs })
    },
    sends() {
      store.dispatch({ type: 'withdrawalSent', request, atMs: 1_000 })
      const outcome = { kind: 'accepted', withdrawal: aWithdrawal('PENDING') } as const
      store.dispatch({ type: 'withdrawalOutcome', request, outcome, atMs: 1_000 })
    },
  }
}

test('the balance before a withdrawal stays known to the next desk, whatever a watch beside it saves', async () => {
  const account = anAccount()
  const [desk, watch] = [await run(account), await run(account)]
  for (const each of [desk, watch]) each.lists()
  desk.holds('1.2', 500)
  desk.sends()
  desk.lists(aWithdrawal('PENDING'))
  await desk.stop()
  watch.lists(aWithdrawal('PENDING'))
  await watch.stop()
  const next = await run(account)
  expect(next.record()?.before?.available.toFixed()).toBe('1.2')
  next.lists(aWithdrawal('FAILED'))
  next.holds('0.7', 9_000)
  // Without the balance before it would be told as money that is no longer in flight.
  expect(moneyBack(aWithdrawal('FAILED'), next.record())?.kind).toBe('notAll')
  await next.stop()
})

test('a withdrawal under the id of an earlier one does not get its balance', async () => {
  const account = anAccount()
  const desk = await run(account)
  desk.lists()
  desk.holds('1.2', 500)
  desk.sends()
  desk.lists(aWithdrawal('FAILED'))
  await desk.stop()
  const next = await run(account)
  next.lists(aWithdrawal('PENDING'))
  await next.stop()
  const last = await run(account)
  expect(last.record()?.history.map(({ state }) => state)).toEqual(['PENDING'])
  expect(last.record()?.before).toBeNull()
  await last.stop()
})
