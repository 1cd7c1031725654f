import { expect, test } from 'vitest'
import { draftFields } from '../../src/commands/read/account.ts'
import { Decimal } from '../../src/domain/money.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { type Journey, keys, startJourney, startMs } from './journey.tsx'
import { typeKeys } from './keys/walk.ts'

const size = { columns: 120, rows: 40 }

/** Fills in and reviews a withdrawal in BTC to the first beneficiary, and sends it. */
async function sends(journey: Journey, amount: string, isRepeat = false): Promise<void> {
  if (journey.store.getState().focus !== 'transfers') await journey.press('5')
  await journey.press('w')
  await journey.sees('on the whitelist')
  await typeKeys(journey, 'btc')
  await journey.press(keys.enter)
  await journey.press(keys.down)
  await journey.press(keys.enter)
  await typeKeys(journey, amount)
  await journey.press(keys.enter)
  await journey.sees('Review: money leaves the account')
  if (isRepeat) {
    await journey.sees('ASK the same')
    await journey.press('Y')
  }
  await typeKeys(journey, amount)
  await journey.passes(1_000)
  await journey.press(keys.enter)
}

const rings = ({ store }: Journey) => store.getState().alerts.fired.map(({ text }) => text)
const unknownWrites = ({ store }: Journey) => store.getState().unknownWrites
const drop = (journey: Journey, when: 'before' | 'after') =>
  journey.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when })

/** The same withdrawal from somewhere else, by the account's own key. */
async function elsewhere({ trader }: Journey, amount: string): Promise<void> {
  const [entry] = (await trader.fetchWhitelistOf('BTC')).entries
  const beneficiary = entry?.whitelistId ?? ''
  await trader.createWithdrawal({ currency: 'BTC', beneficiary, amount: new Decimal(amount) })
}

test.each([
  ['complete', 'COMPLETED', null],
  ['fail', 'FAILED', 'The money is back'],
  ['refund', 'REFUNDED', 'The money is back'],
  ['reject', 'REJECTED', 'The money is back'],
] as const)('a withdrawal whose end is "%s" rings and is on screen, with the money back', async (verb, end, back) => {
  const journey = await startJourney(size)
  await sends(journey, '0.05')
  await journey.until(() => journey.store.getState().drafts.some(({ state }) => state.kind === 'sent'))
  await journey.passes(3_000)
  expect(rings(journey)).toEqual([])
  const [sent] = (await journey.trader.fetchWithdrawals({})).entries
  await journey.admin(`/withdrawal/${verb}`, { withdrawalId: sent?.withdrawalId })
  await journey.sees(`${sent?.withdrawalId} of 0.05 BTC is ${end}`)
  expect(rings(journey)).toEqual([`Withdrawal ${sent?.withdrawalId} of 0.05 BTC is ${end} (was PENDING).`])
  const record = () => journey.store.getState().followed.withdrawals.get(sent?.withdrawalId ?? '')
  await journey.until(() => record()?.after !== null)
  const moved = record()?.after?.available.minus(record()?.before?.available ?? 0) ?? new Decimal(0)
  expect(moved.isZero()).toBe(back !== null)
  if (back !== null) await journey.until(() => journey.store.getState().log.some(({ text }) => text.includes(back)))
})

test('a deposit is told of when it is seen and when it is credited; a withdrawal from elsewhere rings at once', async () => {
  const journey = await startJourney(size)
  await journey.until(() => journey.store.getState().deposits.value !== null)
  await journey.until(() => journey.store.getState().withdrawals.value !== null)
  await journey.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.5' })
  await journey.sees('of 0.5 BTC is UNCONFIRMED')
  const [deposit] = (await journey.trader.fetchDeposits({})).entries
  await journey.admin('/deposit/confirm', { depositId: deposit?.depositId })
  await journey.sees('of 0.5 BTC is COMPLETED (was UNCONFIRMED)')
  await elsewhere(journey, '0.07')
  await journey.sees('of 0.07 BTC is PENDING, and was not sent from this desk')
})

test('an unknown one that the exchange lists once settles by itself', async () => {
  const journey = await startJourney(size)
  await drop(journey, 'after')
  await sends(journey, '0.05')
  await journey.until(() => journey.store.getState().log.some(({ text }) => text.includes('no answer for the withdr')))
  await journey.admin('/fault/off', {})
  await journey.until(() => unknownWrites(journey).length === 0)
  const [sent, ...others] = (await journey.trader.fetchWithdrawals({})).entries
  expect(others).toEqual([])
  await journey.until(() =>
    journey.store
      .getState()
      .drafts.some(({ state }) => state.kind === 'sent' && state.withdrawalId === sent?.withdrawalId),
  )
  const record = journey.store.getState().followed.withdrawals.get(sent?.withdrawalId ?? '')
  expect(record?.before).not.toBeNull()
  expect(rings(journey)).toEqual([])
})

test('of two that may be it the person says which, with both on screen', async () => {
  // One that an earlier desk sent while it could not read the list: it knows of none that was there before.
  const journal = createMemoryJournal()
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.05') }
  const write = await journal.begin({ kind: 'withdrawal', request, draftId: null }, startMs)
  await write.end({ kind: 'unknown', reason: 'no answer' }, startMs)
  const journey = await startJourney(size, false, { journal })
  await elsewhere(journey, '0.05')
  await elsewhere(journey, '0.05')
  await journey.until(() => (unknownWrites(journey)[0]?.question ?? null) !== null)
  const both = (await journey.trader.fetchWithdrawals({})).entries.map(({ withdrawalId }) => withdrawalId ?? '')
  expect(both).toHaveLength(2)
  await journey.press('u')
  await journey.sees('Resolve unknown outcome', 'may be this one', ...both)
  await journey.press('j')
  await journey.press('p')
  await journey.until(() => unknownWrites(journey).length === 0)
  expect(journal.entries.at(-1)?.settlement).toMatchObject({ how: 'placed', by: 'person', id: both[1] })
})

test('one that is listed nowhere is asked about, and a like one stays blocked until then, after a restart too', async () => {
  const journal = createMemoryJournal()
  const drafts = createMemoryDrafts()
  const first = await startJourney(size, false, { journal, drafts })
  await drop(first, 'before')
  await sends(first, '0.05')
  await first.sees('UNKNOWN: see')
  await first.admin('/fault/off', {})
  const { followed } = first.store.getState()
  await first.end()
  const journey = await startJourney(size, false, { journal, drafts, followed, after: first })
  await journey.sees('UNKNOWN: see')
  await sends(journey, '0.05')
  await journey.sees('possible duplicate: first outcome unknown')
  expect((await journey.trader.fetchWithdrawals({})).entries).toEqual([])
  await journey.until(() => (unknownWrites(journey)[0]?.question ?? null) !== null)
  while (journey.store.getState().overlay !== null) await journey.press(keys.escape)
  await journey.press('u')
  await journey.sees('lists no withdrawal of 0.05 BTC', 'Available in BTC', 'the same')
  await journey.press('n')
  await journey.until(() => unknownWrites(journey).length === 0)
  // Nobody refused it.
  await journey.sees('NOT PLACED')
  const [settled] = journey.store.getState().drafts.filter(({ state }) => state.kind === 'refused')
  expect(settled === undefined ? null : draftFields(settled)).toMatchObject({
    state: 'notPlaced',
    reason: 'not placed, by you',
  })
  await sends(journey, '0.05')
  await journey.until(() => journey.store.getState().withdrawals.value?.length === 1)
})

test('an account without two-factor authentication is told so, by the answer and then before one types', async () => {
  const journey = await startJourney(size, false, { account: 'no2fa' })
  await sends(journey, '0.01')
  await journey.until(() => journey.store.getState().followed.twoFactorRefusal !== null)
  await journey.sees('need two-factor authentication')
  while (journey.store.getState().overlay !== null) await journey.press(keys.escape)
  await journey.press('w')
  await journey.sees('on the whitelist', 'last one refused', 'two-factor authentication')
})
