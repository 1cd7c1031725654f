import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { Result } from '../../../src/base/result.ts'
import { approvalKeyOf, tokenDigest } from '../../../src/base/token-signature.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { openHubDatabase } from '../../../src/hub/open-hub-database.ts'
import { createDirectory, type Finding, rereadMs, trustedMs } from '../../../src/hub/people/directory.ts'
import {
  addPerson,
  approvalKeysOf,
  listPersons,
  type NewToken,
  readPersonName,
  revokePerson,
  roleLimits,
  rotateToken,
  setPersonLimits,
  setRoleLimits,
  usualOverlapMs,
} from '../../../src/hub/people/people.ts'
import { createSignIns } from '../../../src/hub/people/sign-ins.ts'
import { type HubDatabase, inTransaction } from '../../../src/hub/store/database.ts'
import { eventually, steadily } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { clusterPassword, PostgresCluster } from '../../fakes/postgres.ts'
import { added, newDatabase, openDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const by = 'ops@host'

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

const rotated = async ({ pool }: HubDatabase, name: string, overlapMs: number): Promise<NewToken> =>
  must(await rotateToken(pool, { name, overlapMs, by }, randomBytes))

async function directoryOf(database: HubDatabase, clock = systemClock) {
  const troubles: (Error | null)[] = []
  const directory = await createDirectory(database, { clock, report: (trouble) => troubles.push(trouble) })
  onTestFinished(() => directory.close())
  const find = ({ token }: Pick<NewToken, 'token'>): Finding => directory.find(tokenDigest(token.reveal()))
  return { directory, find, troubles }
}

const nameOf = (found: Finding): string => (found.kind === 'known' ? found.person.name : found.kind)

test('what the database keeps of a token opens nothing, and the public key is the one that signs', async () => {
  const database = await newDatabase(cluster)
  const { token } = await added(database, 'ada')
  const [row] = (await database.pool.query('SELECT * FROM hub_token')).rows
  expect(row).toMatchObject({ digest: tokenDigest(token.reveal()), approval_key: approvalKeyOf(token) })
  const dump = await database.pool.query("SELECT query_to_xml('SELECT * FROM hub_token, hub_audit', true, true, '')")
  expect(JSON.stringify(dump.rows)).not.toContain(token.reveal().slice(4))
})

test('a name is taken in any case of letters, also while two add it at the same time', async () => {
  const database = await newDatabase(cluster)
  const add = (name: string) => addPerson(database.pool, { name, role: 'viewer', by }, randomBytes)
  const both = await Promise.all([add('Ada'), add('ADA')])
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
  const refused = both.find((each) => !each.ok)
  expect(refused).toMatchObject({ error: expect.stringMatching(/^(Ada|ADA) is there already, as viewer: /) })
  expect(await listPersons(database.pool)).toHaveLength(1)
  expect((await database.pool.query('SELECT * FROM hub_token')).rows).toHaveLength(1)
})

test('names are 1 to 40 letters, digits, dots, _ and -; the database takes no other', async () => {
  const database = await newDatabase(cluster)
  const odd = ['', 'a b', '-ada', '.ada', 'a'.repeat(41), 'ädä', "a';--", 'a\n', 'ada\u0000']
  expect(odd.filter((name) => readPersonName(name).ok)).toEqual([])
  for (const name of odd) await expect(added(database, name)).rejects.toThrow()
  const words = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/)
  fc.assert(
    fc.property(words, (name) => {
      expect(readPersonName(name)).toEqual({ ok: true, value: name })
    }),
  )
})

test('a rotated token stays valid for its overlap, and ends at once without one', async () => {
  const database = await newDatabase(cluster)
  const first = await added(database, 'ada')
  const second = await rotated(database, 'ADA', usualOverlapMs)
  expect(second.name).toBe('ada')
  const { find } = await directoryOf(database)
  expect([first, second].map(find).map(nameOf)).toEqual(['ada', 'ada'])
  const third = await rotated(database, 'ada', 3_600_000)
  expect((third.oldUntilMs ?? 0) - systemClock.wallMs()).toBeLessThanOrEqual(3_600_000)
  await rotated(database, 'ada', 0)
  await eventually(() => expect([first, second, third].map(find).map(nameOf)).toEqual(Array(3).fill('unknown')))
  expect(await approvalKeysOf(database.pool, 'Ada')).toHaveLength(4)
})

test('an overlap ends by itself, by the clock of the database and of the hub that runs on', async () => {
  const database = await newDatabase(cluster)
  const clock = new FakeClock(Date.UTC(2001, 0, 1))
  const first = await added(database, 'ada')
  const second = await rotated(database, 'ada', 60_000)
  const { find } = await directoryOf(database, clock)
  expect([first, second].map(find).map(nameOf)).toEqual(['ada', 'ada'])
  // Nothing is read meanwhile: the hub stands still.
  clock.standStill(60_001)
  expect([first, second].map(find).map(nameOf)).toEqual(['unknown', 'ada'])
})

test('somebody revoked has no token any more on any hub, and is taken back with a new one', async () => {
  const database = await newDatabase(cluster)
  const other = await openDatabase(database.pool.options.connectionString ?? '')
  const [first, bob] = [await added(database, 'ada'), await added(database, 'bob')]
  // Their clocks stand still: they are told, and do not wait for their next reading.
  const still = () => new FakeClock(systemClock.wallMs())
  const hubs = [await directoryOf(database, still()), await directoryOf(other, still())]
  expect(hubs.map(({ find }) => nameOf(find(first)))).toEqual(['ada', 'ada'])
  expect(must(await revokePerson(database.pool, { name: 'Ada', by }))).toBe('ada')
  await eventually(() => expect(hubs.map(({ find }) => nameOf(find(first)))).toEqual(['unknown', 'unknown']))
  expect(hubs.map(({ find }) => nameOf(find(bob)))).toEqual(['bob', 'bob'])
  expect(await rotateToken(database.pool, { name: 'ada', overlapMs: 0, by }, randomBytes)).toMatchObject({ ok: false })
  expect(await revokePerson(database.pool, { name: 'ada', by })).toMatchObject({
    error: 'ada is revoked: pitdesk hub user add ada --role trader takes them back.',
  })
  const back = must(await addPerson(database.pool, { name: 'ADA', role: 'viewer', by }, randomBytes))
  expect(back).toMatchObject({ name: 'ada', role: 'viewer', wasRevoked: true })
  await eventually(() => expect(hubs.map(({ find }) => nameOf(find(back)))).toEqual(['ada', 'ada']))
  expect(hubs.map(({ find }) => nameOf(find(first)))).toEqual(['unknown', 'unknown'])
})

test('who is not there can neither be rotated nor revoked nor limited', async () => {
  const { pool } = await newDatabase(cluster)
  const answers = await Promise.all([
    rotateToken(pool, { name: 'eve', overlapMs: 0, by }, randomBytes),
    revokePerson(pool, { name: 'eve', by }),
    setPersonLimits(pool, { name: 'eve', change: {}, by }),
  ])
  for (const answer of answers)
    expect(answer).toEqual({
      ok: false,
      error: 'The hub has nobody called eve: pitdesk hub user list shows everybody.',
    })
  expect((await pool.query('SELECT * FROM hub_audit')).rows).toEqual([])
})

test('limits keep every digit; the own ones count before those of the role, and go when taken away', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const ada = await added(database, 'ada')
  const { find } = await directoryOf(database)
  const limitsNow = () => {
    const found = find(ada)
    return found.kind === 'known' ? Object.values(found.person.limits).map((each) => each?.toFixed() ?? null) : []
  }
  expect(limitsNow()).toEqual([null, null, null])
  const orderUsd = new Decimal('123456789012345.12345678')
  await setRoleLimits(pool, { role: 'trader', change: { orderUsd, dayUsd: new Decimal('20000.10') }, by })
  await eventually(() => expect(limitsNow()).toEqual([orderUsd.toFixed(), '20000.1', null]))
  const own = { orderUsd: new Decimal(0), withdrawDayUsd: new Decimal('0.00000001') }
  expect(must(await setPersonLimits(pool, { name: 'ADA', change: own, by }))).toMatchObject({ name: 'ada' })
  await eventually(() => expect(limitsNow()).toEqual(['0', '20000.1', '0.00000001']))
  await setPersonLimits(pool, { name: 'ada', change: { orderUsd: null }, by })
  await setRoleLimits(pool, { role: 'trader', change: { dayUsd: null }, by })
  await eventually(() => expect(limitsNow()).toEqual([orderUsd.toFixed(), null, '0.00000001']))
  expect((await roleLimits(pool)).get('trader')?.orderUsd?.toFixed()).toBe(orderUsd.toFixed())
  for (const wrong of ["'NaN'", "'Infinity'", '-1'])
    await expect(pool.query(`UPDATE hub_person SET day_usd = ${wrong}`)).rejects.toThrow(/check constraint/)
})

test('a hub that the database left alone goes on with what it knows for five minutes, then admits nobody', async () => {
  const own = await PostgresCluster.start()
  onTestFinished(() => own.stop())
  const clock = new FakeClock()
  const opened = must(await openHubDatabase({ url: await own.createDatabase(), clock, mayLoseWrites: true }))
  onTestFinished(() => opened.close())
  const ada = await added(opened, 'ada')
  const { find, troubles, directory } = await directoryOf(opened, clock)
  // The reading of the start, and the one that comes with the listening, are over.
  await eventually(() => clock.reached(rereadMs))
  await own.crash()
  await clock.advance(rereadMs)
  await eventually(() => expect(troubles).toHaveLength(1))
  expect(nameOf(find(ada))).toBe('ada')
  clock.standStill(trustedMs - directory.ageMs())
  expect(nameOf(find(ada))).toBe('ada')
  clock.standStill(1)
  expect(nameOf(find(ada))).toBe('unavailable')
  await own.serveAgain()
  await steadily(async () => {
    await clock.advance(1_000)
    expect(nameOf(find(ada))).toBe('ada')
  })
  expect(troubles.map((trouble) => trouble === null)).toEqual([false, true])
})

test('a machine that slept knows by its wall clock that what it read is too old', async () => {
  const database = await newDatabase(cluster)
  const clock = new FakeClock()
  const ada = await added(database, 'ada')
  const { find } = await directoryOf(database, clock)
  clock.setWall(trustedMs + 1)
  expect(nameOf(find(ada))).toBe('unavailable')
})

test('who comes from an address for the first time is noted once, by whatever hub', async () => {
  const database = await newDatabase(cluster)
  await added(database, 'ada')
  const hubs = [createSignIns(database.pool), createSignIns(database.pool)]
  await Promise.all(hubs.flatMap((hub) => [hub.note('ada', '192.0.2.7'), hub.note('ada', '::ffff:192.0.2.7')]))
  await hubs[0]?.note('ada', '2001:db8::1')
  await hubs[0]?.note('ada', '2001:db8::ffff')
  await hubs[0]?.note('nobody', '192.0.2.7')
  const { rows } = await database.pool.query(
    "SELECT person, detail FROM hub_audit WHERE action = 'signIn' ORDER BY 1, 2",
  )
  expect(rows).toEqual([
    { person: 'ada', detail: '{"address":"192.0.2.7"}' },
    { person: 'ada', detail: '{"address":"2001:db8:0:0::/64"}' },
  ])
})

test('programs that start together make the tables once; those of a newer program are refused', async () => {
  const url = await cluster.createDatabase()
  await Promise.all([openDatabase(url), openDatabase(url), openDatabase(url)])
  expect(await cluster.ask('SELECT count(*)::int AS count FROM hub_version', url)).toEqual([{ count: 1 }])
  await cluster.ask('INSERT INTO hub_version VALUES (999)', url)
  const refused = await openHubDatabase({ url, clock: systemClock, mayLoseWrites: true })
  expect(refused).toMatchObject({
    ok: false,
    error: expect.stringMatching(/made by a newer version of this program\.$/),
  })
})

test('a server that does not wait for its disk is refused, as are odd addresses, without a password in the sentence', async () => {
  const url = await cluster.createDatabase()
  const refused = await openHubDatabase({ url, clock: systemClock })
  expect(refused).toMatchObject({ error: expect.stringContaining('fsync off and would lose recorded writes') })
  const wrong = url.replace(clusterPassword, 'wrong-agave')
  for (const each of [wrong, 'mysql://u:wrong-agave@host/x', 'postgres://u:wrong-agave@127.0.0.1:1/x']) {
    const answer = await openHubDatabase({ url: each, clock: systemClock, mayLoseWrites: true })
    expect(answer.ok).toBe(false)
    expect(JSON.stringify(answer)).not.toContain('agave')
  }
})

test('every connection waits for the disk, whatever the database says, and knows another one in its place', async () => {
  const url = await cluster.createDatabase()
  const name = new URL(url).pathname.slice(1)
  await cluster.ask(`ALTER DATABASE ${name} SET synchronous_commit TO off`)
  const database = await openDatabase(url)
  expect((await database.pool.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }])
  await cluster.ask('UPDATE hub_identity SET id = 0', url)
  const client = await database.pool.connect()
  // Whoever holds one keeps it; the next one is new.
  await expect(database.pool.query('SELECT 1')).rejects.toThrow(/^ALARM the hub's store at .* is another one/)
  client.release()
})

test('what a transaction throws undoes all of it', async () => {
  const database = await newDatabase(cluster)
  const add = inTransaction(database.pool, async (client) => {
    await client.query("INSERT INTO hub_person (name, role, added_at_ms) VALUES ('ada', 'viewer', 0)")
    throw new Error('no')
  })
  await expect(add).rejects.toThrow('no')
  expect(await listPersons(database.pool)).toEqual([])
  await expect(inTransaction(database.pool, (client) => client.query('SELECT nothing'))).rejects.toThrow(/nothing/)
  expect(await inTransaction(database.pool, async () => 1)).toBe(1)
})

test('a change that was told of while the database failed is passed on once it is read', async () => {
  const database = await newDatabase(cluster)
  const clock = new FakeClock()
  const told = { hurry: () => {}, changes: 0, fails: false, troubles: 0 }
  const query = (...given: Parameters<typeof database.pool.query>) =>
    told.fails ? Promise.reject(new Error('timeout')) : database.pool.query(...given)
  const directory = await createDirectory(
    {
      pool: Object.assign(Object.create(database.pool), { query }),
      watch: () => ({
        listen(listener) {
          told.hurry = listener
          return () => undefined
        },
        end: () => Promise.resolve(),
      }),
    },
    {
      clock,
      report: (trouble) => {
        told.troubles += trouble === null ? 0 : 1
      },
      changed: () => {
        told.changes += 1
      },
    },
  )
  onTestFinished(() => directory.close())
  told.fails = true
  told.hurry()
  await eventually(() => expect(told.troubles).toBe(1))
  told.fails = false
  await steadily(async () => {
    await clock.advance(1_000)
    expect(told.changes).toBe(1)
  })
  await clock.advance(rereadMs)
  expect(told.changes).toBe(1)
})
