import { randomBytes } from 'node:crypto'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { errorText } from '../../../src/base/text/error-text.ts'
import { missingWrites } from '../../../src/hub/continuity.ts'
import { openHubDatabase } from '../../../src/hub/open-hub-database.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { openHubJournal } from '../../../src/hub/writes/hub-journal.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { httpCall } from '../../sandbox/http/harness.ts'
import { type Firm, openFirm, order, ready } from '../harness.ts'
import { newDatabase } from '../hub-database.ts'

/** For tests that neither stop a cluster nor put a copy in its place. */
let shared: PostgresCluster
beforeAll(async () => {
  shared = await PostgresCluster.start()
  return () => shared.stop()
})

/** One that a test stops and restores. */
async function ownCluster(): Promise<PostgresCluster> {
  const cluster = await PostgresCluster.start([`fsync=off`, `restore_command=/bin/false`])
  onTestFinished(() => cluster.stop())
  return cluster
}

/** A firm which has placed an order. */
async function trading(cluster: PostgresCluster) {
  const firm = await openFirm(cluster)
  await firm.quote()
  const person = await firm.person('anna')
  const started = async (home?: string) => {
    const hub = await firm.hub(home)
    const anna = person(hub)
    await ready(anna)
    return { hub, anna }
  }
  const { hub, anna } = await started()
  expect(await anna('POST', '/orders', order('before', { price: '58000' }))).toMatchObject({ status: 200 })
  await hub.stop()
  return { cluster, firm, started }
}

/** One more order, by a hub that is gone afterwards. */
async function oneMore(started: Awaited<ReturnType<typeof trading>>['started']): Promise<void> {
  const { hub, anna } = await started()
  expect(await anna('POST', '/orders', order('after', { price: '58100' }))).toMatchObject({ status: 200 })
  await hub.stop()
}

const reasonOf = async ({ database }: Firm): Promise<string | null> =>
  String((await database.pool.query('SELECT reason FROM hub_halt')).rows[0]?.reason ?? '') || null

/**
 * The hub halts with this reason. It leads before the exchange has said all that it is compared with, where that takes
 * its time.
 */
const haltsBecause = (firm: Firm, reason: unknown): Promise<void> =>
  eventually(async () => expect(await reasonOf(firm)).toEqual(reason))

const approve = ({ database }: Firm) =>
  database.pool.query(`INSERT INTO hub_draft (id, made_by, created_at_ms, currency, beneficiary, beneficiary_name,
      amount, wants_approval) VALUES ('d1', 'anna', 1, 'BTC', 'wl-1', 'cold', '1', true);
    INSERT INTO hub_approval VALUES ('d1', 1, 'boss', '', '', 1)`)

test('an older copy in the place of the database halts the hub until a person has looked, and once', async () => {
  const { cluster, firm, started } = await trading(await ownCluster())
  await approve(firm)
  await cluster.keepCopy()
  await oneMore(started)
  await cluster.putBack()
  const { hub, anna } = await started()
  await haltsBecause(firm, 'writes may be missing: its database ends at write 1, and this host knows 2: an older copy')
  expect(hub.log.join('\n')).toContain('ALARM halted, writes may be missing')
  const refused = await anna('POST', '/orders', order('more', { price: '58200' }))
  expect(refused.text).toContain('halted')
  expect([403, 409]).toContain(refused.status)
  // What is there can be taken back all the same, also what the database knows nothing of.
  const open = (await anna('GET', '/orders', undefined, { 'x-hub-fresh': '1' })).json as { exOrdId: number }[]
  expect(open).toHaveLength(2)
  for (const { exOrdId } of open) expect((await anna('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  expect((await firm.database.pool.query('SELECT * FROM hub_approval')).rows).toEqual([])
  await setHalt(firm.database.pool, null, { person: null, by: 'ops@host' })
  await eventually(async () => {
    const placed = await anna('POST', '/orders', order('again', { price: '58300' }))
    expect(placed.status).toBe(200)
  })
  await hub.stop()
  await started()
  expect(await reasonOf(firm)).toBeNull()
})

test('on a host that remembers nothing, orders at the exchange tell that the copy is older', async () => {
  const { cluster, firm, started } = await trading(await ownCluster())
  // The exchange dates by a clock of its own: only what is clearly later says something.
  await firm.database.pool.query('UPDATE hub_write SET begun_at_ms = begun_at_ms - 60000')
  await cluster.keepCopy()
  await oneMore(started)
  await cluster.putBack()
  await started(temporaryFolder('other'))
  await haltsBecause(
    firm,
    'writes may be missing: the exchange has 1 later orders that it does not know, such as after',
  )
})

test('on a host that remembers nothing, withdrawals at the exchange tell it where no order followed', async () => {
  const { cluster, firm, started } = await trading(await ownCluster())
  await cluster.keepCopy()
  const { hub, anna } = await started()
  const [entry] = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const terms = { currency: entry?.currency, beneficiary: entry?.whitelistId, amount: '0.01' }
  const sent = await anna('POST', '/withdrawals', terms)
  expect(sent).toMatchObject({ status: 200 })
  await hub.stop()
  // What the database knows says nothing, on whichever host.
  await (await started(temporaryFolder('second'))).hub.stop()
  expect(await reasonOf(firm)).toBeNull()
  await cluster.putBack()
  await started(temporaryFolder('third'))
  const { withdrawalId } = sent.json as { withdrawalId: string }
  await haltsBecause(
    firm,
    `writes may be missing: the exchange has 1 later withdrawals that it does not know, such as ${withdrawalId}`,
  )
})

test('a host that led before the copy was made is told by the exchange, too', async () => {
  const { cluster, firm, started } = await trading(await ownCluster())
  const former = temporaryFolder('former')
  await (await started(former)).hub.stop()
  await (await started()).hub.stop()
  await cluster.keepCopy()
  await oneMore(started)
  await cluster.putBack()
  await approve(firm)
  const { hub } = await started(former)
  await haltsBecause(
    firm,
    'writes may be missing: the exchange has 1 later orders that it does not know, such as after',
  )
  expect((await firm.database.pool.query('SELECT * FROM hub_approval')).rows).toEqual([])
  // A person has looked, which takes longer than the clocks are apart: the same says nothing more.
  await setHalt(firm.database.pool, null, { person: null, by: 'ops@host' })
  await hub.stop()
  await firm.database.pool.query('UPDATE hub_continuity SET known_until_ms = known_until_ms + 3000')
  await started(former)
  expect(await reasonOf(firm)).toBeNull()
})

/** Places an order with the key of the account, past every hub. */
async function placedElsewhere(firm: Firm, clientOrderId: string): Promise<void> {
  const trader = firm.exchange.accounts.find(({ name }) => name === 'trader')
  const { status } = await httpCall(firm.exchange.exchangeUrl.replace(/\/v3$/, ''), {
    ...{ method: 'POST', path: '/v3/orders', body: JSON.stringify(order(clientOrderId, { price: '57000' })) },
    headers: { 'x-api-token': trader?.token ?? '', 'content-type': 'application/json' },
  })
  expect(status).toBe(200)
}

test('what others placed with the key of the account while a hub led halts none, and what came while none led does', async () => {
  const { firm, started } = await trading(shared)
  const { hub } = await started()
  await placedElsewhere(firm, 'elsewhere1')
  await hub.stop()
  // The exchange dates by a clock of its own: what came right before says the same as what came after.
  await firm.database.pool.query('UPDATE hub_continuity SET known_until_ms = known_until_ms + 3000')
  await (await started()).hub.stop()
  expect(await reasonOf(firm)).toBeNull()
  await placedElsewhere(firm, 'elsewhere2')
  await started()
  await haltsBecause(firm, expect.stringContaining('such as elsewhere2'))
})

test('at an exchange whose clock is minutes ahead only what came while no hub led halts one, and it does so once', async () => {
  const { firm, started } = await trading(shared)
  expect((await firm.admin('/clock/advance', { ms: 300_000 })).status).toBe(200)
  const { hub } = await started()
  await placedElsewhere(firm, 'elsewhere1')
  await hub.stop()
  const { rows } = await firm.database.pool.query('SELECT known_skew_ms FROM hub_continuity')
  expect(Math.abs(Number(rows[0]?.known_skew_ms) - 300_000)).toBeLessThan(30_000)
  await firm.database.pool.query('UPDATE hub_continuity SET known_until_ms = known_until_ms + 3000')
  await (await started()).hub.stop()
  expect(await reasonOf(firm)).toBeNull()
  await placedElsewhere(firm, 'elsewhere2')
  await firm.database.pool.query('UPDATE hub_continuity SET known_until_ms = known_until_ms - 60000')
  await (await started()).hub.stop()
  await haltsBecause(firm, expect.stringContaining('such as elsewhere'))
  // A person has looked, and the hub dies before it notes that it is complete.
  await setHalt(firm.database.pool, null, { person: null, by: 'ops@host' })
  await firm.database.pool.query('UPDATE hub_continuity SET known_until_ms = known_until_ms - 60000')
  const last = await started()
  expect([await reasonOf(firm), last.hub.log.filter((line) => line.includes('ALARM'))]).toEqual([null, []])
  expect(await last.anna('POST', '/orders', order('goesOn', { price: '58400' }))).toMatchObject({ status: 200 })
})

test('a recovery to a point in time halts also a host that remembers nothing; a host that moves on does not', async () => {
  const { cluster, firm, started } = await trading(await ownCluster())
  await (await started(temporaryFolder('second'))).hub.stop()
  expect(await reasonOf(firm)).toBeNull()
  await cluster.keepCopy()
  await cluster.putBack({ isRecovered: true })
  await started(temporaryFolder('third'))
  await haltsBecause(firm, 'writes may be missing: its database was restored, moved or promoted')
})

test('what a host remembers counts until writes were missing once, and never against a newer look', () => {
  const present = {
    place: 'a 1',
    known_place: 'a 1',
    epoch: 2,
    writes: 10,
    last_write_ms: 0,
    known_until_ms: null,
    version: 2,
  }
  expect(missingWrites(present, 5, null)).toBeNull()
  expect(missingWrites({ ...present, known_place: null }, 1, null)).toBeNull()
  expect(missingWrites(present, 5, { epoch: 2, fence: 4, writes: 10 })).toBeNull()
  expect(missingWrites(present, 5, { epoch: 2, fence: 5, writes: 10 })).toContain('lead 5')
  expect(missingWrites(present, 5, { epoch: 2, fence: 4, writes: 11 })).toContain('write 10')
  expect(missingWrites(present, 5, { epoch: 1, fence: 9, writes: 99 })).toBeNull()
  expect(missingWrites(present, 5, { epoch: 3, fence: 1, writes: 1 })).toContain('older copy')
})

test('a role that owns its database and nothing else is enough', async () => {
  const address = new URL(await shared.createDatabase())
  const name = address.pathname.slice(1)
  await shared.ask(`CREATE ROLE hub LOGIN PASSWORD 'hub-agave'`)
  await shared.ask(`ALTER DATABASE ${name} OWNER TO hub`)
  await shared.ask(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`)
  Object.assign(address, { username: 'hub', password: 'hub-agave' })
  const firm = await openFirm({ createLike: () => Promise.resolve(address.href) })
  await firm.quote()
  const person = await firm.person('anna')
  const hub = await firm.hub()
  const anna = person(hub)
  await ready(anna)
  expect(await anna('POST', '/orders', order('a1'))).toMatchObject({ status: 200 })
  // Another hub ends the connection of one that stands still.
  await firm.database.pool.query('SELECT pg_terminate_backend(backend) FROM hub_lead')
  await eventually(async () =>
    expect((await anna('POST', '/orders', order('a2', { price: '58000' }))).status).toBe(200),
  )
})

test('a database that a newer program has changed is refused, also by a hub that was open before', async () => {
  const firm = await openFirm(shared)
  await firm.database.pool.query('INSERT INTO hub_version VALUES (99)')
  const opened = await openHubDatabase({ url: firm.url, clock: systemClock, mayLoseWrites: true })
  expect(opened).toMatchObject({ ok: false })
  expect(opened.ok ? '' : opened.error).toContain('it was made by a newer version of this program')
  await firm.database.pool.query('DELETE FROM hub_version WHERE version = 99')
  const standby = await firm.hub()
  await eventually(() => Promise.resolve(expect(standby.isLeading(), standby.log.join('; ')).toBe(true)))
  await firm.database.pool.query('INSERT INTO hub_version VALUES (99)')
  await firm.database.pool.query('SELECT pg_terminate_backend(backend) FROM hub_lead')
  await eventually(() => Promise.resolve(expect(standby.log.join()).toContain('a newer version of this program')))
  expect(standby.isLeading()).toBe(false)
})

test('a new key of the same account takes the database over where that is said, and one of another exchange never', async () => {
  const { pool } = await newDatabase(shared)
  const lead = { fence: 0, isValid: () => true }
  const open = (account: string, isNewKey = false) =>
    openHubJournal({ pool, lead, randomBytes, clock: systemClock, account, isNewKey }).then(() => 'open', errorText)
  expect(await open('https://x.example/v3 aaa')).toBe('open')
  expect(await open('https://x.example/v3 bbb')).toContain('--new-key')
  expect(await open('https://y.example/v3 bbb', true)).toContain('is of another account')
  expect(await open('https://x.example/v3 bbb', true)).toBe('open')
  expect(await open('https://x.example/v3 aaa')).toContain('is of another account')
})
