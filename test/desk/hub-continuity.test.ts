import { expect, test } from 'vitest'
import { ExchangeError } from '../../src/api/errors.ts'
import { keepRemembering, startComparison } from '../../src/desk/hub-continuity.ts'
import { readableListing } from '../../src/domain/listing.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aWithdrawal } from '../fakes/transfers.ts'

/** A database that is complete until the second 100, and an exchange that first does not answer. */
function scene() {
  const told: string[] = []
  const state = { isThere: false, refusal: null as ExchangeError | null }
  const listed = [aWithdrawal({ withdrawalId: 'w-1', timestampMs: 90_000 }), aWithdrawal({ timestampMs: 110_000 })]
  const answer = <T>(entries: readonly T[]) =>
    state.isThere
      ? Promise.resolve(readableListing(entries))
      : Promise.reject(
          new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/', reason: 'away', outcome: null }),
        )
  const client = {
    fetchOrders: () => answer([]),
    fetchTrades: () => answer([]),
    fetchWithdrawals: () => (state.refusal === null ? answer(listed) : Promise.reject(state.refusal)),
  }
  const continuity = {
    knownUntilMs: 100_000,
    hold: (reason: string) => Promise.resolve(void told.push(`held: ${reason}`)),
    compared: () => void told.push('compared'),
    remember: () => Promise.resolve(void told.push('remembered')),
  }
  const log = (line: string) => void told.push(line)
  return { told, state, continuity, comparing: { client, journal: createMemoryJournal(), continuity, log } }
}

test('an exchange that does not answer is asked again until it does, and nothing is known to be complete before', async () => {
  const { told, state, continuity, comparing } = scene()
  const clock = new FakeClock()
  const over = new AbortController()
  const looked = { isOver: false }
  const keeping = keepRemembering(continuity, startComparison(comparing, looked), clock, over.signal)
  await clock.advance(10_000)
  expect(told).toEqual([expect.stringContaining('it is asked again'), 'remembered', 'remembered'])
  // Nothing new goes before: of an older copy a draft would be sent that was sent already.
  expect(looked.isOver).toBe(false)
  told.length = 0
  state.isThere = true
  await clock.advance(1_000)
  expect([told.length, looked.isOver]).toEqual([2, true])
  await clock.advance(19_000)
  const missing = `held: the exchange has 1 later withdrawals that it does not know, such as ${aWithdrawal().withdrawalId}`
  expect(told).toEqual([missing, 'compared', 'remembered', 'remembered'])
  over.abort()
  await keeping
  expect(told.at(-1)).toBe('remembered')
})

test('what a key may not list holds up nothing, and goes on being asked for', async () => {
  const { told, state, comparing, continuity } = scene()
  state.isThere = true
  const of = { kind: 'rejected', method: 'GET', path: '/', reason: 'not for this key', outcome: null } as const
  state.refusal = new ExchangeError({ ...of, status: 403 })
  const clock = new FakeClock()
  const over = new AbortController()
  const looked = { isOver: false }
  const keeping = keepRemembering(continuity, startComparison(comparing, looked), clock, over.signal)
  await clock.advance(0)
  expect([looked.isOver, told]).toEqual([true, [expect.stringContaining('not for this key'), 'remembered']])
  state.refusal = null
  await clock.advance(10_000)
  expect(told).toContain('compared')
  over.abort()
  await keeping
})
