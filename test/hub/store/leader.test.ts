import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Clock, type SleepSignal, systemClock } from '../../../src/base/clock.ts'
import { aborted } from '../../../src/base/process/command-io.ts'
import type { HubDatabase } from '../../../src/hub/store/database.ts'
import { type Lead, whileLeading } from '../../../src/hub/store/leader.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { newDatabase, openDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** A candidate for the lead; it does nothing with it. */
function candidate(database: HubDatabase, holder: string, clock: Clock = systemClock) {
  const ended = new AbortController()
  const leads: Lead[] = []
  const log: string[] = []
  const state: { lead: Lead | null } = { lead: null }
  const { signal } = ended
  const options = { connect: () => database.client(), holder, clock, log: (line: string) => log.push(line), signal }
  const over = whileLeading(options, async (lead) => {
    leads.push(lead)
    state.lead = lead
    await aborted(AbortSignal.any([lead.lost, signal]))
    state.lead = null
  })
  const stop = async () => {
    ended.abort()
    await over
  }
  onTestFinished(stop)
  return { leads, log, state, stop }
}

test('one leads, the other stands by and leads as soon as the first ends, under a higher number', async () => {
  const database = await newDatabase(cluster)
  const first = candidate(database, 'first')
  await eventually(() => expect(first.state.lead).not.toBeNull())
  const second = candidate(database, 'second')
  await eventually(() => expect(second.log).toEqual(['another hub leads: this one stands by']))
  expect(second.leads).toHaveLength(0)
  expect(first.state.lead?.isValid()).toBe(true)
  await first.stop()
  await eventually(() => expect(second.state.lead?.fence).toBe(2))
  expect(first.leads[0]?.isValid()).toBe(false)
})

test('a leader whose connection is cut leads no more at once, and may lead again under another number', async () => {
  const database = await newDatabase(cluster)
  const only = candidate(database, 'only')
  await eventually(() => expect(only.state.lead?.fence).toBe(1))
  await database.pool.query('SELECT pg_terminate_backend(backend) FROM hub_lead')
  await eventually(() => expect(only.leads[0]?.isValid()).toBe(false))
  await eventually(() => expect(only.state.lead?.fence).toBe(2))
  expect(only.log).toEqual(['the lead is lost: terminating connection due to administrator command'])
})

test('a database that ends idle sessions ends no lead', async () => {
  const url = await cluster.createDatabase()
  await (await openDatabase(url)).pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)}
    SET idle_session_timeout = '300ms'`)
  const database = await openDatabase(url)
  const only = candidate(database, 'only')
  await eventually(() => expect(only.state.lead?.fence).toBe(1))
  const beats = async () => (await database.pool.query('SELECT beat::text FROM hub_lead')).rows[0]?.beat
  const first = await beats()
  await eventually(async () => expect(await beats()).not.toBe(first))
  expect([only.log, only.leads.length, only.leads[0]?.isValid()]).toEqual([[], 1, true])
})

test('behind a pooler that lends a session to each statement nobody leads, and the log says why', async () => {
  const database = await newDatabase(cluster)
  /** Two sessions, of which each statement gets the other one. */
  const pooled = () => {
    const sessions = [database.client(), database.client()]
    let asked = 0
    return Object.assign(new EventEmitter(), {
      connect: () => Promise.all(sessions.map((each) => each.connect())),
      query: (...question: [string, unknown[]]) => sessions[asked++ % 2]?.query(...question),
      end: () => Promise.all(sessions.map((each) => each.end())),
    }) as unknown as pg.Client
  }
  const only = candidate({ ...database, client: pooled }, 'only')
  await eventually(() => expect(only.log).toEqual([expect.stringMatching(/not in this session: no pooler in trans/)]))
  expect(only.leads).toEqual([])
})

test('a leader that stands still has its connection ended, and knows by its own time that it may not send', async () => {
  const database = await newDatabase(cluster)
  // Its time passes and nothing of it runs: no beat is ever sent.
  const state = { aheadMs: 0 }
  const never = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
  const still: Clock = { ...systemClock, now: () => systemClock.now() + state.aheadMs, sleep: never }
  const first = candidate(database, 'still', still)
  await eventually(() => expect(first.state.lead?.isValid()).toBe(true))
  const second = candidate(database, 'second')
  state.aheadMs = 3_000
  expect(first.leads[0]?.isValid()).toBe(false)
  await eventually(() => expect(second.state.lead?.fence).toBe(2))
})

test('a lead is valid from before it was asked for, however late the database tells of it', async () => {
  const database = await newDatabase(cluster)
  const state = { aheadMs: 0 }
  const never = (_ms: number, signal?: SleepSignal) =>
    signal instanceof AbortSignal ? aborted(signal) : new Promise<void>(() => {})
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + state.aheadMs, sleep: never }
  /** By its answer the others may have ended this connection, for its only beat is that old. */
  const slow = () => {
    const client = database.client()
    const query = client.query.bind(client)
    const late = async (text: string, values?: unknown[]) => {
      const answer = await query(text, values)
      if (text.includes('fence + 1')) state.aheadMs += 3_500
      return answer
    }
    return Object.assign(client, { query: late }) as unknown as pg.Client
  }
  const only = candidate({ ...database, client: slow }, 'late', clock)
  await eventually(() => expect(only.leads).toHaveLength(1))
  expect(only.leads[0]?.isValid()).toBe(false)
})
