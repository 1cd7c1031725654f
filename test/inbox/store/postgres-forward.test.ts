import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { openPostgresStore } from '../../../src/inbox/store/postgres-store.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { describeForwarding, placeChange } from './forward-suite.ts'
import { incoming, readOn } from './store-suite.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})
const open = (url: string): Promise<EventStore> => openPostgresStore({ url, clock: systemClock, mayLoseEvents: true })

describeForwarding('handing on in PostgreSQL', async () => {
  const url = await cluster.createDatabase()
  return { open: () => open(url), remove: async () => undefined }
})

const wish = (holder: string) => ({
  ...{ target: 'ledger', holder, leaseMs: 60_000 },
  begin: { upTo: 0, waiting: [] },
})

test('of hosts that ask together one gets the lease; the next gets it when it is over by the clock of the database', async () => {
  const url = await cluster.createDatabase()
  const hosts = await Promise.all([open(url), open(url), open(url)])
  const given = await Promise.all(hosts.map((host, at) => host.takeLease(wish(`host:${at}`))))
  expect(given.filter((each) => each !== null)).toEqual([{ fence: 1, upTo: 0 }])
  const [one, other] = hosts
  if (one === undefined || other === undefined) throw new Error('three hosts were opened')
  expect(await other.takeLease(wish('other'))).toBeNull()
  expect(await one.movePlace('ledger', 1, placeChange({ upTo: 7 }))).toBe(true)
  // A minute passes in the database, and nowhere else.
  await cluster.ask("UPDATE inbox_forward SET lease_until = lease_until - interval '61 s'", url)
  expect(await one.standings()).toMatchObject([{ isHeld: false, fence: 1 }])
  // As long as nobody else has taken it, it is still the newest.
  expect(await one.movePlace('ledger', 1, placeChange({ upTo: 8 }))).toBe(true)
  expect(await other.takeLease(wish('other'))).toEqual({ fence: 2, upTo: 8 })
  expect(await one.movePlace('ledger', 1, placeChange({ upTo: 3 }))).toBe(false)
  expect(await one.renewLease('ledger', 1, 60_000, 0)).toBe(false)
  await one.releaseLease('ledger', 1)
  expect(await other.standings()).toMatchObject([{ holder: 'other', isHeld: true, fence: 2, upTo: 8 }])
  await Promise.all(hosts.map((host) => host.close()))
})

test('a lease that the clock of the database has left far in the future, as it was set back, keeps nobody waiting', async () => {
  const url = await cluster.createDatabase()
  const hosts = await Promise.all([open(url), open(url)])
  const [dead, next] = hosts
  expect(await dead.takeLease(wish('dead'))).toMatchObject({ fence: 1 })
  const setBack = (by: string) =>
    cluster.ask(`UPDATE inbox_forward SET lease_until = clock_timestamp() + interval '${by}'`, url)
  await setBack('9 minutes')
  for (let looks = 0; looks < 2; looks += 1) expect(await next.takeLease(wish('next'))).toBeNull()
  await setBack('2 hours')
  // A holder that lives has its time to renew it: two do not forward at once.
  for (let looks = 0; looks < 2; looks += 1) expect(await next.takeLease(wish('next'))).toBeNull()
  const isShort = "lease_until <= clock_timestamp() + interval '1 minute'"
  expect(await cluster.ask(`SELECT FROM inbox_forward WHERE ${isShort}`, url)).toHaveLength(1)
  await setBack('-1 second')
  expect(await next.takeLease(wish('next'))).toMatchObject({ fence: 2 })
  expect(await dead.renewLease('ledger', 1, 60_000, 0)).toBe(false)
  await Promise.all(hosts.map((host) => host.close()))
})

test('a move that meets a change of hosts half way is either all before it or not at all', async () => {
  const url = await cluster.createDatabase()
  const [one, other] = await Promise.all([open(url), open(url)])
  await one.takeLease(wish('one'))
  await cluster.ask("UPDATE inbox_forward SET lease_until = '-infinity'", url)
  const holding = new pg.Client({ connectionString: url })
  await holding.connect()
  // Another host's lease, given and not committed yet.
  await holding.query("BEGIN; SELECT * FROM inbox_lease('ledger', 'third', 60000, 0, '{}')")
  const moving = one.movePlace('ledger', 1, placeChange({ upTo: 5 }))
  const asking = other.takeLease(wish('other'))
  await until(url, "SELECT count(*) = 2 AS is_so FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
  await holding.query('COMMIT')
  expect(await moving).toBe(false)
  expect(await asking).toBeNull()
  expect(await other.standings()).toMatchObject([{ holder: 'third', upTo: 0, fence: 2 }])
  await holding.end()
  await Promise.all([one.close(), other.close()])
})

test('a target that a host forwards to is not forgotten, nor one that another has taken over meanwhile', async () => {
  const url = await cluster.createDatabase()
  const store = await open(url)
  await store.takeLease(wish('one'))
  expect(await store.forgetTarget('ledger', 1)).toBe(false)
  await store.releaseLease('ledger', 1)
  await store.takeLease(wish('other'))
  await store.releaseLease('ledger', 2)
  expect(await store.forgetTarget('ledger', 1)).toBe(false)
  expect(await store.forgetTarget('ledger', 2)).toBe(true)
  await store.close()
})

test('a number that was given before another and is committed after it is not passed over', async () => {
  const url = await cluster.createDatabase()
  const [one, other, reader] = await Promise.all([open(url), open(url), open(url)])
  // What holds the first batch up after it was given its numbers: a writer that knows of no lock.
  const slow = new pg.Client({ connectionString: url })
  await slow.connect()
  const columns = 'event_key, order_key, order_state, updated_at_ns, received_at_ms, source, body'
  await slow.query(`BEGIN; INSERT INTO inbox_event (${columns}) VALUES ('held', 'o', 'PENDING', 1, 1, 's', 'x')`)
  const first = one.record([incoming('first'), incoming('held')])
  const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await until(url, `SELECT (${waiting}) = 1 AS is_so`)
  const second = other.record([incoming('second')])
  await until(url, `SELECT (${waiting}) = 2 OR EXISTS (SELECT FROM inbox_event) AS is_so`)
  // Nothing is to be read: a reader that saw the second now would go on after it and never see the first.
  expect(await readOn(reader)).toEqual([])
  await slow.query('ROLLBACK')
  expect([await first, await second]).toEqual([['new', 'new'], ['new']])
  expect(await readOn(reader)).toEqual(['first', 'held', 'second'])
  await slow.end()
  await Promise.all([one, other, reader].map((store) => store.close()))
})

test('a database of the version before gets the tables, and keeps what it has', async () => {
  const url = await cluster.createDatabase()
  const store = await open(url)
  await store.record([incoming('e1')])
  await store.close()
  const tables = ['forward', 'waiting', 'attempt', 'dead'].map((name) => `inbox_${name}`).join(', ')
  const functions = ['inbox_lease', 'inbox_move_place', 'inbox_send_again'].join(', ')
  await cluster.ask(`DROP TABLE ${tables}; DROP FUNCTION ${functions}; DROP INDEX inbox_quarantine_unread`, url)
  await cluster.ask('DELETE FROM inbox_version; INSERT INTO inbox_version VALUES (1)', url)
  const again = await open(url)
  expect(await readOn(again)).toEqual(['e1'])
  expect(await again.takeLease(wish('one'))).toEqual({ fence: 1, upTo: 0 })
  expect(await again.forgetBefore(5_000)).toBe(1)
  await again.close()
})

/** Resolves once a question is answered with yes. */
async function until(url: string, question: string): Promise<void> {
  for (;;) {
    const [row] = await cluster.ask(question, url)
    if (row?.is_so === true) return
  }
}
