import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../../src/base/clock.ts'
import { errorText } from '../../../src/base/text/error-text.ts'
import { tokenDigest } from '../../../src/base/token-signature.ts'
import { noPersonLimits } from '../../../src/domain/hub/person-limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { revokePerson, setPersonLimits } from '../../../src/hub/people/people.ts'
import type { HubDatabase } from '../../../src/hub/store/database.ts'
import { type HubJournalOptions, openHubJournal, type Standing } from '../../../src/hub/writes/hub-journal.ts'
import type { WriteIntent } from '../../../src/journal/entry.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aDraft } from '../../fakes/orders.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { added, fillDisk, newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const anna = { person: 'anna', countedUsd: new Decimal('12.345678901234567890') }
const order = (clientOrderId: string): WriteIntent => ({ kind: 'order', clientOrderId, draft: aDraft() })

async function database(): Promise<HubDatabase> {
  const opened = await newDatabase(cluster)
  await opened.pool.query('UPDATE hub_lead SET fence = 1')
  return opened
}

const open = ({ pool }: Pick<HubDatabase, 'pool'>, fence = 1, options: Partial<HubJournalOptions> = {}) =>
  openHubJournal({
    pool,
    lead: { fence, isValid: () => true },
    randomBytes,
    clock: systemClock,
    account: 'exchange a1',
    ...options,
  })

const stored = async ({ pool }: HubDatabase) =>
  (await pool.query('SELECT person, intent, outcome, settlement, is_open FROM hub_write ORDER BY sequence')).rows

test('an intent is there before its write, with every digit, and its outcome after', async () => {
  const base = await database()
  const journal = (await open(base)).as(anna)
  const write = await journal.begin(order('o1'), 1_000)
  expect(journal.open()).toMatchObject([{ id: write.id, outcome: null }])
  expect(await stored(base)).toMatchObject([{ person: 'anna', outcome: null, is_open: true }])
  await write.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 1_100)
  expect(journal.open()).toEqual([])
  const found = await journal.find({ kind: 'order', id: 'o1' })
  expect(found).toMatchObject({ gap: null, entries: [{ intent: order('o1'), outcome: { kind: 'accepted', id: '7' } }] })
  await eventually(async () => expect((await stored(base))[0]).toMatchObject({ is_open: false }))
  expect((await journal.history(1_000)).map(({ intent }) => intent)).toEqual([order('o1')])
  expect(await journal.history(1_001)).toEqual([])
})

test('an id is used once; what was never sent gives it back', async () => {
  const base = await database()
  const journal = (await open(base)).as(anna)
  const first = await journal.begin(order('o1'), 1)
  await expect(journal.begin(order('o1'), 2)).rejects.toThrow('its id was used before')
  await first.end({ kind: 'notSent', reason: 'refused' }, 3)
  await eventually(async () => expect((await stored(base))[0]).toMatchObject({ is_open: false }))
  const again = await journal.begin(order('o1'), 4)
  expect(again.id).not.toBe(first.id)
})

test('a full disk is told of until something is on record: a refusal writes nothing', async () => {
  const base = await database()
  const told: (string | null)[] = []
  const journal = (await open(base, 1, { onRecording: (failure) => told.push(failure) })).as(anna)
  await journal.begin(order('o1'), 1)
  const makeRoom = await fillDisk(base, 'hub_write')
  await expect(journal.begin(order('o2'), 2)).rejects.toThrow('No space left on device')
  await expect(journal.begin(order('o1'), 3)).rejects.toThrow('its id was used before')
  expect(told).toEqual([null, 'No space left on device'])
  await makeRoom()
  await journal.begin(order('o3'), 4)
  expect(told.at(-1)).toBeNull()
})

test('what was refused and turns up all the same is on record as placed, and told of', async () => {
  const base = await database()
  const told: unknown[] = []
  const journal = (await open(base, 1, { onTurnedUp: (key) => told.push(key) })).as(anna)
  const write = await journal.begin(order('o1'), 1)
  await write.end({ kind: 'rejected', reason: 'no funds' }, 2)
  const [refused] = (await journal.find({ kind: 'order', id: 'o1' })).entries
  await eventually(async () => expect((await stored(base))[0]).toMatchObject({ is_open: false, settlement: null }))
  const settlement = { how: 'placed', by: 'exchange', id: '7', evidence: 'it is listed' } as const
  await journal.settle(write.id, settlement, 3)
  expect(told).toEqual([])
  await journal.settle(write.id, settlement, 3, refused)
  expect(told).toEqual([{ kind: 'order', id: 'o1' }])
  await eventually(async () => expect((await stored(base))[0]).toMatchObject({ settlement }))
  expect((await journal.find({ kind: 'order', id: 'o1' })).entries).toMatchObject([
    { outcome: { kind: 'rejected' }, settlement },
  ])
})

test('a hub that leads no more begins nothing', async () => {
  const base = await database()
  const journal = (await open(base)).as(anna)
  await base.pool.query('UPDATE hub_lead SET fence = 2')
  await expect(journal.begin(order('o1'), 1)).rejects.toThrow('another hub leads now')
  expect(await stored(base)).toEqual([])
})

test('the next hub takes over what had no answer, as unknown, and what it settles is known to it alone at first', async () => {
  const base = await database()
  const first = (await open(base)).as(anna)
  const lost = await first.begin(order('o1'), 1)
  await base.pool.query('UPDATE hub_lead SET fence = 2')
  const next = await open(base, 2)
  const journal = next.as({ person: 'hub', countedUsd: null })
  expect(journal.open()).toMatchObject([{ id: lost.id, outcome: { kind: 'unknown' } }])
  expect(await next.personOf(lost.id)).toBe('anna')
  // The answer came late, to the hub that led before: it is true all the same.
  await lost.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 2)
  await eventually(async () => {
    await journal.adopt()
    expect(journal.open()).toEqual([])
  })
  await journal.settle(lost.id, { how: 'notPlaced', by: 'person', id: null, evidence: '' }, 3)
  expect((await stored(base))[0]).toMatchObject({ outcome: { kind: 'accepted' }, settlement: null })
})

test('an end that the database does not take is kept, told of, and written later', async () => {
  const base = await database()
  const state = { isDown: false }
  const query = (...given: unknown[]) =>
    state.isDown ? Promise.reject(new Error('cut')) : Reflect.apply(base.pool.query, base.pool, given)
  const journal = (await open({ pool: Object.assign(Object.create(base.pool), { query }) })).as(anna)
  const told: string[] = []
  journal.listen((sentence) => told.push(sentence))
  const write = await journal.begin(order('o1'), 1)
  state.isDown = true
  await write.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 2)
  await eventually(() => expect(told).toEqual(['What became of order o1 is not on record yet']))
  await expect(journal.begin(order('o2'), 3)).rejects.toThrow("the hub's database does not take it: cut")
  state.isDown = false
  await journal.adopt()
  expect(await stored(base)).toMatchObject([{ outcome: { kind: 'accepted' }, is_open: false }])
})

test('what writes count of a day is kept to the last digit, and can only shrink', async () => {
  const base = await database()
  const journal = await open(base)
  await journal.as(anna).begin(order('o1'), 1_000)
  const key = { kind: 'order', id: 'o1' } as const
  const counted = async () =>
    (await journal.counted({ sinceMs: 0, newest: 0 })).map(({ person, keys, usd }) => [person, keys, usd.toFixed()])
  expect(await counted()).toEqual([['anna', [key], '12.34567890123456789']])
  await journal.count(key, new Decimal('20'))
  await journal.count(key, new Decimal('3'))
  await journal.count(key, new Decimal('5'))
  expect(await counted()).toEqual([['anna', [key], '3']])
})

test('what counts of a day is found by the date of its leader or of the database, or as one of the newest', async () => {
  const base = await database()
  const journal = await open(base)
  const wallMs = Date.now()
  const hourMs = 3_600_000
  // A leader whose clock was set: into the past, where no day would count it, and far ahead.
  for (const [id, atMs] of Object.entries({ past: wallMs - 100 * hourMs, ahead: wallMs + 100 * hourMs }))
    await journal.as(anna).begin(order(id), atMs)
  const counted = async (sinceMs: number, newest = 0) =>
    (await journal.counted({ sinceMs, newest })).map(({ keys: [key], atMs }) => [key?.id, atMs])
  const [[, pastMs], [, aheadMs]] = (await counted(wallMs - hourMs)) as [[string, number], [string, number]]
  expect(pastMs).toBeGreaterThanOrEqual(wallMs - 1_000)
  expect(aheadMs).toBe(wallMs + 100 * hourMs)
  expect(await counted(wallMs + 99 * hourMs)).toEqual([['ahead', aheadMs]])
  expect(await counted(wallMs + 101 * hourMs)).toEqual([])
  expect((await counted(wallMs + 101 * hourMs, 1)).map(([id]) => id)).toEqual(['ahead'])
  expect((await counted(wallMs + 101 * hourMs, 2)).map(([id]) => id)).toEqual(['past', 'ahead'])
})

test('a database is of one account', async () => {
  const base = await database()
  await open(base)
  await expect(open(base, 1, { account: 'exchange b2' })).rejects.toThrow('of another account: exchange a1')
})

test('an order that was not placed after all is told of', async () => {
  const base = await database()
  const told: string[] = []
  const journal = (await open(base, 1, { onNotPlaced: (id) => told.push(id) })).as(anna)
  const write = await journal.begin(order('o1'), 1)
  await write.end({ kind: 'unknown', reason: 'cut' }, 2)
  await journal.settle(write.id, { how: 'notPlaced', by: 'exchange', id: null, evidence: 'nowhere' }, 3)
  expect(told).toEqual(['o1'])
})

test('while everything is halted only cancels begin, and a draft begins as it was checked or not at all', async () => {
  const base = await database()
  const hubJournal = await open(base)
  const journal = hubJournal.as(anna)
  await base.pool.query("UPDATE hub_halt SET reason = 'feed looks odd'")
  await expect(journal.begin(order('o1'), 1)).rejects.toThrow('the hub was halted just now')
  await (await journal.begin({ kind: 'cancel', orderId: '7' }, 2)).end({ kind: 'canceled' }, 3)
  await base.pool.query('UPDATE hub_halt SET reason = NULL')
  await base.pool.query(
    `INSERT INTO hub_draft (id, version, made_by, created_at_ms, currency, beneficiary, beneficiary_name, amount, wants_approval)
     VALUES ('d1', 3, 'anna', 1, 'BTC', 'w1', 'cold', '1', false)`,
  )
  const request = { currency: 'BTC', beneficiary: 'w1', amount: new Decimal(1) }
  const intent: WriteIntent = { kind: 'withdrawal', request, draftId: 'd1' }
  const of = (version: number) => hubJournal.as({ ...anna, draft: { draftId: 'd1', version, approvedBy: null } })
  await expect(of(2).begin(intent, 4)).rejects.toThrow('the draft was changed while it was checked')
  await of(3).begin(intent, 5)
  await expect(of(3).begin(intent, 6)).rejects.toThrow('its id was used before')
})

test('a write of a person begins only while they are who they were when it was checked', async () => {
  const base = await database()
  const { token } = await added(base, 'anna')
  const who = { tokenDigest: tokenDigest(token.reveal()), limits: { ...noPersonLimits, dayUsd: new Decimal('100.50') } }
  await setPersonLimits(base.pool, { name: 'anna', change: { dayUsd: new Decimal('100.5') }, by: 'ops@host' })
  const hubJournal = await open(base)
  const as = (standing: Standing) => hubJournal.as({ ...anna, standing: () => standing })
  const asked = as({ act: 'placeOrder', by: who })
  await asked.begin(order('o1'), 1)
  const refused = (act: Standing['act'], by: Standing['by']) => as({ act, by }).begin(order('o2'), 1).catch(errorText)
  expect(await refused('approve', who)).toContain('was revoked or given another role')
  expect(await refused('placeOrder', { ...who, tokenDigest: 'x' })).toContain('the token has ended')
  expect(await refused('placeOrder', { ...who, limits: noPersonLimits })).toContain('limits of who asks were changed')
  const { rows } = await base.pool.query("INSERT INTO hub_role_limit VALUES ('trader', 1, 2, 3) RETURNING role")
  expect(rows).toHaveLength(1)
  expect(await refused('placeOrder', who)).toContain('limits of who asks were changed')
  const ofRole = {
    ...who,
    limits: { orderUsd: new Decimal(1), dayUsd: new Decimal('100.5'), withdrawDayUsd: new Decimal(3) },
  }
  await as({ act: 'placeOrder', by: ofRole }).begin(order('o3'), 1)
  await revokePerson(base.pool, { name: 'ANNA', by: 'ops@host' })
  expect(await refused('placeOrder', ofRole)).toContain('was revoked or given another role')
  expect(await refused('plan', null)).toContain('was revoked or given another role')
  await hubJournal.as({ ...anna, standing: () => null }).begin(order('o4'), 1)
})

test.each([
  ['revocation', "UPDATE hub_person SET revoked_at_ms = 1 WHERE name = 'anna'", 'was revoked or given another role'],
  ['halt', "UPDATE hub_halt SET reason = 'drill'", 'was halted just now'],
])(
  'a %s that has returned comes after every write that began before it, and before every other',
  async (_, change, refusal) => {
    const base = await database()
    await added(base, 'anna')
    const journal = (await open(base)).as({ ...anna, standing: () => ({ act: 'plan', by: null }) })
    const client = await base.pool.connect()
    await client.query('BEGIN')
    await client.query(change)
    let isBegun = false
    const begun = journal
      .begin(order('o1'), 1)
      .then(() => 'begun', errorText)
      .finally(() => {
        isBegun = true
      })
    await eventually(async () => {
      const { rows } = await base.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
      expect(isBegun || rows.length === 1).toBe(true)
    })
    await client.query('COMMIT')
    client.release()
    expect(await begun).toContain(refusal)
  },
)

test('a halt or resume whose host has stopped in the middle of it holds up no heartbeat of the lead: cancels go', async () => {
  const base = await database()
  const journal = (await open(base)).as(anna)
  const client = await base.pool.connect()
  try {
    await client.query('BEGIN; SELECT FROM hub_halt FOR UPDATE')
    expect(await journal.begin(order('o1'), 1).catch(errorText)).toContain('was halted just now')
    await base.pool.query("SET LOCAL lock_timeout = '1s'; UPDATE hub_lead SET beat = clock_timestamp()")
    await journal.begin({ kind: 'cancel', orderId: '7' }, 2)
    await client.query('COMMIT')
    await journal.begin(order('o1'), 3)
  } finally {
    client.release()
  }
})

test('who resumes what is not halted stops no write of that moment', async () => {
  const base = await database()
  const journal = (await open(base)).as(anna)
  const said: string[] = []
  const client = await base.pool.connect()
  const asking = {
    on: () => undefined,
    off: () => undefined,
    release: () => client.release(),
    async query(text: string) {
      if (text === 'COMMIT') said.push(await journal.begin(order('o1'), 1).then(() => 'begun', errorText))
      return await client.query(text)
    },
  }
  const pool = { connect: () => Promise.resolve(asking) } as unknown as pg.Pool
  expect(await setHalt(pool, null, { person: null, by: 'ops@host' })).toBeNull()
  expect(said).toEqual(['begun'])
})

test('a write that is being recorded holds up no heartbeat of the lead, and nobody else takes the lead meanwhile', async () => {
  const base = await database()
  const client = await base.pool.connect()
  try {
    await client.query(
      `BEGIN; SELECT hub_begin(1, 'w1', 'anna', 1, '{}', NULL, '{"kind":"cancel","orderId":"7"}', NULL, NULL)`,
    )
    await base.pool.query("SET LOCAL lock_timeout = '1s'; UPDATE hub_lead SET beat = clock_timestamp()")
    const taken = base.pool.query("SET LOCAL lock_timeout = '1ms'; UPDATE hub_lead SET fence = fence + 1")
    await expect(taken).rejects.toThrow('lock timeout')
  } finally {
    client.release(true)
  }
})

test('a hub that leads no more takes nothing from what the writes of the next one count', async () => {
  const base = await database()
  const before = await open(base)
  await base.pool.query('UPDATE hub_lead SET fence = 2')
  const next = await open(base, 2)
  await next.as(anna).begin(order('o1'), 1)
  // The same was asked of the one before too, where it did not begin.
  await expect(before.as(anna).begin(order('o1'), 1)).rejects.toThrow('another hub leads now')
  await before.count({ kind: 'order', id: 'o1' }, new Decimal(0))
  const counts = async () => (await next.counted({ sinceMs: 0, newest: 0 })).map(({ usd }) => usd.toFixed())
  expect(await counts()).toEqual([anna.countedUsd.toFixed()])
  await next.count({ kind: 'order', id: 'o1' }, new Decimal(1))
  expect(await counts()).toEqual(['1'])
})

test('a beginning that reaches the database after it was given up is not left open', async () => {
  const base = await database()
  const late: (() => Promise<unknown>)[] = []
  const state = { isSlow: true }
  const query = (...given: unknown[]) => {
    const asked = () => Reflect.apply(base.pool.query, base.pool, given) as Promise<unknown>
    if (!state.isSlow) return asked()
    late.push(asked)
    return Promise.reject(new Error('Query read timeout'))
  }
  const own = { pool: { query } as unknown as HubDatabase['pool'] }
  state.isSlow = false
  const opened = await open(base, 1, own)
  const journal = opened.as(anna)
  state.isSlow = true
  await expect(journal.begin(order('o1'), 1_000)).rejects.toThrow('does not take it')
  state.isSlow = false
  // Its end is written first: there is nothing to end yet.
  await journal.adopt()
  for (const asked of late) await asked()
  await journal.begin(order('o2'), 1_000)
  expect(await stored(base)).toMatchObject([{ is_open: true }, { is_open: true }])
  await expect(journal.begin(order('o1'), 1_000)).rejects.toThrow('was used before')
  await journal.adopt()
  expect(await stored(base)).toMatchObject([{ is_open: false, outcome: { kind: 'notSent' } }, { is_open: true }])
  expect((await opened.counted({ sinceMs: 0, newest: 0 })).map(({ keys: [key] }) => key?.id)).toEqual(['o2'])
  expect((await journal.begin(order('o1'), 1_000)).id).toBeDefined()
})

test('a database that says nothing holds nobody up: what was to begin is given up before a desk gives up', async () => {
  const base = await database()
  const clock = new FakeClock()
  const state = { isSilent: false }
  const query = (...asked: unknown[]) =>
    state.isSilent ? new Promise(() => undefined) : Reflect.apply(base.pool.query, base.pool, asked)
  const pool = { query } as unknown as HubDatabase['pool']
  const journal = (await open({ pool }, 1, { clock })).as(anna)
  state.isSilent = true
  const begun = journal.begin({ kind: 'cancel', orderId: '1' }, 1).catch(String)
  await clock.advance(3_000)
  expect(await begun).toContain("the hub's database does not answer")
  expect(journal.open()).toEqual([])
})

test('a new leader reads the writes that may count, and not each one of the years before', async () => {
  const base = await database()
  await base.pool.query(`INSERT INTO hub_write (id, fence, person, begun_at_ms, recorded_at_ms, counted_usd, intent, outcome)
    SELECT 'w' || n, 1, 'anna', n, n, 600, '{"kind":"cancelAll","symbol":null}', '{"kind":"canceled"}'
    FROM generate_series(1, 20000) AS n`)
  await base.pool.query('ANALYZE hub_write')
  const journal = await open(base)
  const asked = vi.spyOn(base.pool, 'query')
  const counted = await journal.counted({ sinceMs: 19_991, newest: 20 })
  expect(counted.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, at) => 19_981 + at))
  const { text, values } = z.object({ text: z.string(), values: z.array(z.unknown()) }).parse(asked.mock.lastCall?.[0])
  const { rows } = await base.pool.query(`EXPLAIN (ANALYZE, FORMAT TEXT) ${text}`, values)
  const removed = [...JSON.stringify(rows).matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count))
  expect(Math.max(0, ...removed)).toBeLessThan(5_000)
})
