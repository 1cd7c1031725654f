import { expect, test } from 'vitest'
import type { Duty } from '../../src/desk/duties/duties.ts'
import { healthOf, isExchangeSilent, watchMetrics } from '../../src/desk/watch-health.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { emptyFeed } from '../../src/store/feeds/feed.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'

const quietLog = { trouble: () => null, leftOut: () => 0 }
type More = { isHere?: boolean; trouble?: string; unable?: string; log?: string; unkept?: string }
const watched = (state: DeskState, more: More = {}) => {
  const { isHere = true, trouble = null, unable = null, log = null, unkept = null } = more
  const duty: Duty = {
    ...{ name: 'notifications', holds: () => null, start: () => undefined, stop: () => Promise.resolve() },
    ...{ trouble: () => trouble, numbers: () => ({}) },
  }
  const duties = { isHere: () => isHere, duties: [duty], trouble: () => unable }
  return { state, duties, log: { ...quietLog, trouble: () => log }, unkept }
}
const settled = deskState({ unknownWrites: [] })
const names = (of: Parameters<typeof healthOf>[0]) => healthOf(of).problems.map(({ name }) => name)

test('a watch is well while every feed it asks for is answered in time and the duties are here', () => {
  expect(healthOf(watched(settled))).toEqual({ isWell: true, problems: [] })
  const old = { ...settled, nowMs: deskNowMs + 120_000 }
  expect(healthOf(watched(old)).isWell).toBe(false)
  expect(names(watched(old))).toEqual([
    ...['tickers', 'orders', 'fills', 'balances', 'instruments', 'withdrawals', 'deposits'],
  ])
  expect(healthOf(watched(old)).problems[0]?.text).toMatch(/^no answer for \d+ s$/)
  const elsewhere = watched(settled, { isHere: false })
  expect([healthOf(elsewhere).isWell, names(elsewhere)]).toEqual([false, ['duties']])
  expect(healthOf(elsewhere).problems[0]?.text).toBe('another process of the profile has them')
  const unable = watched(settled, { isHere: false, unable: 'This desk cannot run plans: duties.lock: no permission.' })
  expect(healthOf(unable).problems[0]?.text).toBe('This desk cannot run plans: duties.lock: no permission.')
  const failing = watched(settled, { trouble: 'the disk is full' })
  expect([healthOf(failing).isWell, healthOf(failing).problems[0]?.text]).toEqual([false, 'the disk is full'])
})

test('a watch whose journal takes no write is not well: its plans send nothing', () => {
  const full = healthOf(watched({ ...settled, isJournalDown: true }))
  expect(full).toMatchObject({ isWell: false, problems: [{ kind: 'duty', name: 'journal' }] })
  expect(full.problems[0]?.text).toContain('the journal cannot be written, nothing is sent')
  expect(isExchangeSilent(full)).toBe(false)
})

test('a watch whose folder takes no write is not well, though nothing was to be sent yet', () => {
  const found = healthOf(watched(settled, { unkept: 'Not kept, the disk is read-only (EROFS): what the watch does.' }))
  const text = 'Not kept, the disk is read-only (EROFS): what the watch does'
  expect(found).toEqual({ isWell: false, problems: [{ kind: 'duty', name: 'status', text }] })
  expect(isExchangeSilent(found)).toBe(false)
})

test('what is wrong with its log, and a write that waits for a person, are told and no reason to start it anew', () => {
  const question = { evidence: 'It is in no list.', verdicts: ['notPlaced'] } as const
  const [first] = deskState().unknownWrites
  if (first === undefined) throw new Error('an unknown write was expected')
  const asking = watched({ ...settled, unknownWrites: [{ ...first, question }] }, { log: 'stdout is not taken' })
  expect(healthOf(asking)).toMatchObject({ isWell: true, problems: [{ kind: 'write' }, { kind: 'log' }] })
})

test('the exchange alone is to blame only where feeds and nothing of this machine are not well', () => {
  const old = { ...settled, nowMs: deskNowMs + 120_000 }
  expect(isExchangeSilent(healthOf(watched(old)))).toBe(true)
  expect(isExchangeSilent(healthOf(watched(old, { trouble: 'the disk is full' })))).toBe(false)
  expect(isExchangeSilent(healthOf(watched(settled)))).toBe(false)
})

test('the metrics are for Prometheus, and what is not known is NaN or missing, never 0', async () => {
  const text = async (state: DeskState) => await watchMetrics(() => watched(state)).text()
  expect(await text(settled)).toMatch(/^pitdesk_watch_working_orders \d+$/m)
  expect(await text(settled)).toMatch(/^pitdesk_watch_feed_age_seconds\{feed="orders"\} \d/m)
  const session = { ...settled.session, calls: null }
  const connection = { ...settled.connection, roundTripMs: null }
  const unknown = await text({ ...settled, orders: emptyFeed, session, connection })
  for (const name of ['working_orders', 'calls_per_second', 'round_trip_seconds'])
    expect(unknown).toMatch(new RegExp(`^pitdesk_watch_${name} Nan$`, 'mi'))
  expect(unknown).not.toContain('feed="orders"')
})
