import { expect, test, vi } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { JournalError, type JournalOutcome } from '../../../src/journal/entry.ts'
import { aReconciliation, aVenue, startMs } from './scene.ts'

const request = { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') }

const aWithdrawal = (withdrawalId: string | null, change: Partial<Withdrawal> = {}): Withdrawal => ({
  ...{ withdrawalId, amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state: 'PENDING', timestampMs: startMs },
  ...change,
})

/** A desk whose journal has a withdrawal that was answered as refused, as often as is said. */
async function aRefusal({ count = 1, atMs = startMs } = {}) {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  const end = async (outcome: JournalOutcome) => {
    const write = await desk.journal.begin({ kind: 'withdrawal', request, draftId: null }, atMs)
    await write.end(outcome, atMs)
    return write.id
  }
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.push(await end({ kind: 'rejected', reason: 'no' }))
  const settledAs = async () => (await desk.journal.history(0)).map(({ settlement }) => settlement?.id ?? null)
  return { venue, desk, ids, end, settledAs }
}

test('a refused withdrawal is looked for some times; one that is there all the same is an alarm and counts as placed', async () => {
  const { venue, desk, ids, settledAs } = await aRefusal()
  const stop = desk.start()
  desk.reconciliation.doubtWithdrawal(ids[0] ?? '')
  await desk.clock.advance(10_000)
  expect(venue.asked.filter((what) => what === 'withdrawals')).toHaveLength(2)
  venue.withdrawals = [aWithdrawal('w-10')]
  await desk.clock.advance(10_000)
  expect(desk.events).toMatchObject([
    {
      ...{
        type: 'writeResolved',
        key: 'withdrawal memory1',
        id: 'w-10',
        level: 'bad',
        isFalseRefusal: true,
        paid: 'wl-1',
      },
      sentence:
        'Withdrawal of 0.5 BTC to wl-1 was answered as rejected, but w-10 is PENDING: the money left the account. ' +
        'Do not resubmit.',
    },
  ])
  expect([await settledAs(), await desk.settlements()]).toEqual([['w-10'], ['placed']])
  await desk.clock.advance(700_000)
  expect(desk.events).toHaveLength(1)
  await stop()
})

test('one is looked for as soon while another write waits for a person', async () => {
  const { venue, desk, ids } = await aRefusal()
  const other = { currency: 'ETH', beneficiary: 'wl-2', amount: new Decimal(1) }
  await desk.unknown({ kind: 'withdrawal', request: other, draftId: null })
  const stop = desk.start()
  await desk.clock.advance(60_000)
  expect(desk.types()).toContain('writeQuestion')
  desk.reconciliation.doubtWithdrawal(ids[0] ?? '')
  await desk.clock.advance(100)
  venue.withdrawals = [aWithdrawal('w-10')]
  await desk.clock.advance(2_500)
  expect(desk.events.at(-1)).toMatchObject({ type: 'writeResolved', id: 'w-10', isFalseRefusal: true })
  await stop()
})

test('one is looked for when the exchange answers again, however long it did not', async () => {
  const { venue, desk, ids, settledAs } = await aRefusal()
  const stop = desk.start()
  desk.reconciliation.doubtWithdrawal(ids[0] ?? '')
  venue.isDown = true
  await desk.clock.advance(900_000)
  venue.withdrawals = [aWithdrawal('w-10')]
  venue.isDown = false
  await desk.clock.advance(60_000)
  expect([desk.types(), await settledAs()]).toEqual([['writeResolved'], ['w-10']])
  await stop()
})

test('several that are due are looked for from the oldest on, with what a call may take', async () => {
  const { venue, client } = aVenue()
  const fromMs: number[] = []
  const fetchWithdrawals = (...[query]: [query?: { fromMs?: number }]) => {
    fromMs.push(query?.fromMs ?? 0)
    return client.fetchWithdrawals()
  }
  const desk = aReconciliation({ ...client, fetchWithdrawals })
  const stop = desk.start()
  venue.isDown = true
  desk.reconciliation.doubtWithdrawal('first')
  await desk.clock.advance(5_000)
  desk.reconciliation.doubtWithdrawal('second')
  await desk.clock.advance(60_000)
  venue.isDown = false
  fromMs.length = 0
  await desk.clock.advance(16_000)
  expect(fromMs[0]).toBe(startMs - 25_000)
  await stop()
})

test('one that stays nowhere is asked for a few times, and no more', async () => {
  const { venue, desk, ids } = await aRefusal()
  const stop = desk.start()
  desk.reconciliation.doubtWithdrawal(ids[0] ?? '')
  await desk.clock.advance(900_000)
  expect(venue.asked.filter((what) => what === 'withdrawals')).toHaveLength(5)
  expect(desk.events).toEqual([])
  await stop()
})

test('what a desk polls is looked through for refused withdrawals of any desk, for ten minutes', async () => {
  const { desk, settledAs } = await aRefusal()
  const turnedDown = aWithdrawal('w-9', { state: 'REJECTED' })
  const others = [turnedDown, aWithdrawal('w-8', { amount: new Decimal(5) }), aWithdrawal('w-7', { timestampMs: 0 })]
  await desk.reconciliation.observeWithdrawals(others)
  expect(desk.events).toEqual([])
  await desk.reconciliation.observeWithdrawals([aWithdrawal('w-10'), ...others])
  await desk.reconciliation.observeWithdrawals([aWithdrawal('w-10'), ...others])
  expect([desk.types(), await settledAs()]).toEqual([['writeResolved'], ['w-10']])

  const late = await aRefusal({ atMs: startMs - 601_000 })
  await late.desk.reconciliation.observeWithdrawals([aWithdrawal('w-10', { timestampMs: startMs - 601_000 })])
  expect(late.desk.events).toEqual([])
})

test('a list with nothing new costs no look into the journal; one with a nameless entry may be new each time', async () => {
  const { desk } = await aRefusal({ count: 0 })
  const { journal } = desk
  const history = vi.spyOn(journal, 'history')
  const listed = [aWithdrawal('w-10')]
  for (let looks = 0; looks < 3; looks += 1) await desk.reconciliation.observeWithdrawals(listed)
  expect(history).toHaveBeenCalledTimes(1)
  for (let looks = 0; looks < 2; looks += 1) await desk.reconciliation.observeWithdrawals([aWithdrawal(null)])
  expect(history).toHaveBeenCalledTimes(3)
  // A journal that cannot be read is told of elsewhere.
  history.mockRejectedValueOnce(new JournalError('the disk says no'))
  await desk.reconciliation.observeWithdrawals([aWithdrawal('w-11')])
  await desk.reconciliation.observeWithdrawals([aWithdrawal('w-11')])
  expect(history).toHaveBeenCalledTimes(5)
  history.mockRejectedValueOnce(new Error('a bug'))
  await expect(desk.reconciliation.observeWithdrawals([aWithdrawal('w-12')])).rejects.toThrow('a bug')
})

test('of several refused ones each is another withdrawal; a further one of the same terms is named', async () => {
  const { desk, settledAs } = await aRefusal({ count: 2 })
  const listed = [aWithdrawal('w-12'), aWithdrawal('w-11', { timestampMs: startMs - 1 })]
  await desk.reconciliation.observeWithdrawals(listed)
  expect([await settledAs(), desk.types()]).toEqual([
    ['w-11', 'w-12'],
    ['writeResolved', 'writeResolved'],
  ])
  expect(desk.events.map((event) => ('sentence' in event ? event.sentence : ''))).not.toContainEqual(
    expect.stringContaining('Listed too'),
  )
  const alone = await aRefusal()
  await alone.desk.reconciliation.observeWithdrawals(listed)
  expect(alone.desk.events).toMatchObject([{ sentence: expect.stringMatching(/w-11 is .* Listed too.*: w-12\.$/) }])
})

test('what another entry has, or may have as long as it is open, is not taken for a refused one', async () => {
  const taken = await aRefusal()
  await taken.end({ kind: 'accepted', id: 'w-10', status: 'PENDING' })
  await taken.desk.reconciliation.observeWithdrawals([aWithdrawal('w-10')])
  expect(taken.desk.events).toEqual([])

  const { desk, settledAs } = await aRefusal()
  const other = await desk.unknown({ kind: 'withdrawal', request, draftId: null })
  const listed = [aWithdrawal('w-10')]
  await desk.reconciliation.observeWithdrawals(listed)
  expect(desk.events).toEqual([])
  await desk.journal.settle(other, { how: 'notPlaced', by: 'person', id: null, evidence: '' }, startMs)
  // The list has nothing new, but it was not looked through to its end.
  await desk.reconciliation.observeWithdrawals(listed)
  expect(await settledAs()).toEqual(['w-10', null])
})

test('one that was listed before its refusal came is found by the other desks all the same, in the list they had', async () => {
  const { desk, settledAs } = await aRefusal({ count: 0 })
  const write = await desk.journal.begin({ kind: 'withdrawal', request, draftId: null }, startMs)
  const listed = [aWithdrawal('w-10')]
  await desk.reconciliation.observeWithdrawals(listed)
  // The process that sent it ends with that answer, and looks no more.
  await write.end({ kind: 'rejected', reason: 'no' }, startMs + 9_000)
  await desk.reconciliation.observeWithdrawals(listed)
  expect([desk.types(), await settledAs()]).toEqual([['writeResolved'], ['w-10']])
})

test('an unknown withdrawal that may be the same one refused before is put before a person', async () => {
  const { venue, desk } = await aRefusal()
  await desk.unknown({ kind: 'withdrawal', request, draftId: null })
  venue.withdrawals = [aWithdrawal('w-10')]
  const stop = desk.start()
  await desk.clock.advance(3_000)
  expect(desk.events.at(-1)).toMatchObject({
    type: 'writeQuestion',
    question: { evidence: expect.stringMatching(/w-10.*or the same one that was answered as rejected before/) },
  })
  await stop()
})

test('a refused withdrawal that is asked for later is found however long ago it was', async () => {
  const atMs = startMs - 90_000_000
  const { venue, desk, settledAs } = await aRefusal({ atMs })
  const [entry] = await desk.journal.history(0)
  if (entry === undefined) throw new Error('no entry')
  const { signal } = new AbortController()
  expect(await desk.reconciliation.lookForRefused(entry, signal)).toBe(false)
  venue.withdrawals = [aWithdrawal('w-10', { timestampMs: atMs })]
  expect(await desk.reconciliation.lookForRefused(entry, signal)).toBe(true)
  expect([await settledAs(), desk.types()]).toEqual([['w-10'], ['writeResolved']])
  venue.isDown = true
  await expect(desk.reconciliation.lookForRefused(entry, signal)).rejects.toThrow()
})

test('asked for one refused withdrawal, another one that is listed all the same is not taken for it', async () => {
  const { venue, desk, ids } = await aRefusal()
  const write = await desk.journal.begin(
    { kind: 'withdrawal', request: { ...request, beneficiary: 'wl-2' }, draftId: null },
    startMs,
  )
  await write.end({ kind: 'rejected', reason: 'no' }, startMs)
  venue.withdrawals = [aWithdrawal('w-10', { beneficiary: 'wl-2' })]
  const [first, second] = await desk.journal.history(0)
  if (first === undefined || second === undefined) throw new Error('no entries')
  expect(ids).toEqual([first.id])
  const signal = new AbortController().signal
  expect(await desk.reconciliation.lookForRefused(first, signal)).toBe(false)
  expect(desk.events).toEqual([])
  expect(await desk.reconciliation.lookForRefused(second, signal)).toBe(true)
  expect(desk.events).toMatchObject([{ key: `withdrawal ${second.id}`, paid: 'wl-2' }])
})
