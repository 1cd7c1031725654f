import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/base/postgres/open.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'

const tables = { prefix: 'thing', lock: '4711', migrations: ['CREATE TABLE thing (name text)'] }
/** A change that takes longer than a statement may there. */
const slow = { ...tables, migrations: [...tables.migrations, 'SELECT pg_sleep(2.1)'] }

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const place = { what: 'the store of things', program: 'shop', tables, wouldLose: null, ifMissing: null }
const open = (url: string, change: Partial<typeof place> = {}) =>
  openPostgres({ ...place, url, ...change }, (settings) => new pg.Client(settings))

test('whatever role and database are set to, sessions see what others committed, wait for the disk and may be idle', async () => {
  const url = await cluster.createDatabase()
  for (const setting of [
    "default_transaction_isolation = 'serializable'",
    'synchronous_commit = off',
    "idle_session_timeout = '2s'",
    "idle_in_transaction_session_timeout = '1ms'",
    "statement_timeout = '2s'",
  ])
    await cluster.ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`)
  const opened = await open(url, { tables: slow })
  if (!opened.ok) throw new Error(opened.error)
  const pool = new pg.Pool({ ...opened.value.pooled, max: 1 })
  onTestFinished(() => pool.end())
  const { rows } = await pool.query(`SELECT current_setting('transaction_isolation') AS isolation,
    current_setting('synchronous_commit') AS commit, current_setting('idle_session_timeout') AS idle,
    current_setting('statement_timeout') AS late, current_setting('idle_in_transaction_session_timeout') AS left`)
  // A host that is gone in the middle of a transaction holds its locks no longer than that.
  expect(rows).toEqual([{ isolation: 'read committed', commit: 'on', idle: '0', late: '4s', left: '10s' }])
  // A pooler in session mode refuses a connection that begins with a setting it does not know.
  expect(opened.value.pooled).not.toHaveProperty('statement_timeout')
})

test('a connection may take four seconds, or as long as the address says', async () => {
  const limitOf = async (url: string) => {
    const asked: number[] = []
    await openPostgres({ ...place, url }, (settings) => {
      asked.push(settings.connectionTimeoutMillis)
      throw new Error('not now')
    })
    return asked
  }
  expect(await limitOf('postgres://db.example/x')).toEqual([4_000])
  expect(await limitOf('postgres://db.example/x?connect_timeout=30')).toEqual([30_000])
})

test('a replica with the tables of a newer program says so to who only reads it, and nothing is written', async () => {
  const url = await cluster.createDatabase()
  expect(await open(url)).toMatchObject({ ok: true })
  await cluster.ask('INSERT INTO thing_version VALUES (99)', url)
  await cluster.ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const opened = await openPostgres(
    { ...place, url, ifMissing: 'none is there' },
    (settings) => new pg.Client(settings),
  )
  expect(opened).toMatchObject({ error: expect.stringMatching(/: it was made by a newer version of this program\.$/) })
})

test.each([
  ['older', { tables: slow, ifMissing: 'none is there' }],
  ['no', {}],
])('a replica with %s tables is told of in one sentence that says when it can be read', async (which, change) => {
  const url = await cluster.createDatabase()
  if (which === 'older') expect(await open(url)).toMatchObject({ ok: true })
  await cluster.ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const opened = await openPostgres({ ...place, url, ...change }, (settings) => new pg.Client(settings))
  expect(opened).toMatchObject({
    error: expect.stringMatching(/: it is read only: a replica can be read once its primary has .* this version\.$/),
  })
})

/** Connections that share so many sessions: each transaction gets a free one, that used last or that longest idle. */
function pooler(url: string, count: number, next: 'last' | 'longest') {
  const sessions = Array.from({ length: count }, () => new pg.Client({ connectionString: url }))
  const begun = Promise.all(sessions.map((each) => each.connect()))
  onTestFinished(() => Promise.all(sessions.map((each) => each.end())).then(() => undefined))
  const free = [...sessions]
  return () => {
    let own: pg.Client | null = null
    return {
      connect: () => begun,
      on: () => undefined,
      async query(text: string) {
        const session = own ?? (next === 'last' ? free.pop() : free.shift())
        if (session === undefined) throw new Error('no session is free')
        if (text.startsWith('BEGIN')) own = session
        const answer = await session.query(text)
        if (own === null) free.push(session)
        return answer
      },
      end: () => Promise.resolve(),
    }
  }
}

test.each([
  [1, 'last'],
  [3, 'last'],
  [3, 'longest'],
] as const)(
  'behind a pooler that lends %i sessions, the one used %s first, to a transaction at a time nothing is opened',
  async (count, next) => {
    const url = await cluster.createDatabase()
    const opened = await openPostgres({ ...place, url }, pooler(url, count, next))
    expect(opened).toMatchObject({
      error: expect.stringMatching(/: no pooler in transaction mode may be between it and PostgreSQL, as there is\.$/),
    })
    expect(await cluster.ask("SELECT to_regclass('thing_version') AS made", url)).toEqual([{ made: null }])
  },
)

test('a database whose encoding lacks letters is refused with what to do; one that takes any bytes is not', async () => {
  const inEncoding = async (name: string) => {
    await cluster.ask(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${name}' LC_COLLATE 'C' LC_CTYPE 'C'`)
    return await open(cluster.url(name.toLowerCase()))
  }
  expect(await inEncoding('LATIN1')).toMatchObject({
    error: expect.stringMatching(
      /^The store of things cannot be opened at postgres:\/\/.*\/latin1: its encoding LATIN1 lacks .* ENCODING 'UTF8'/,
    ),
  })
  expect(await inEncoding('SQL_ASCII')).toMatchObject({ ok: true })
})

test('who finds the tables held for long is told so, and waits no longer', async () => {
  const url = await cluster.createDatabase()
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${tables.lock})`)
  expect(await open(url)).toMatchObject({
    error: expect.stringMatching(/: another program has held its tables for over 10 s\.$/),
  })
  await holder.query('ROLLBACK')
  expect(await open(url)).toMatchObject({ ok: true })
})
