import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { openStore } from '../../../src/inbox/store/open-store.ts'
import { openPostgresStore } from '../../../src/inbox/store/postgres-store.ts'
import { makeIdentity } from '../../fakes/certificates.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { clusterPassword, PostgresCluster } from '../../fakes/postgres.ts'
import { describeStore, incoming, readOn } from './store-suite.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})
const open = (url: string): Promise<EventStore> => openPostgresStore({ url, clock: systemClock, mayLoseEvents: true })

describeStore('events in PostgreSQL', async () => {
  const url = await cluster.createDatabase()
  return { open: () => open(url), remove: async () => undefined }
})

test('what was answered with yes outlives a crash, what cannot be recorded is an error, and listeners hear again after it', async () => {
  const url = await cluster.createDatabase()
  const [receiver, desk] = await Promise.all([open(url), open(url)])
  let heard = () => {}
  const hears = () =>
    new Promise<void>((resolve) => {
      heard = resolve
    })
  const connected = hears()
  const unlisten = desk.listen(() => heard())
  await connected
  await receiver.record([incoming('before')])
  await cluster.crash()
  await expect(receiver.record([incoming('during')])).rejects.toThrow()
  await expect(desk.events({ after: 0, count: 5 })).rejects.toThrow()
  const again = hears()
  await cluster.serveAgain()
  await again
  expect(await readOn(desk)).toEqual(['before'])
  const after = hears()
  expect(await receiver.record([incoming('during')])).toEqual(['new'])
  await after
  unlisten()
  await Promise.all([receiver.close(), desk.close()])
})

test('programs that start together make the tables once; tables of a newer program are refused', async () => {
  const url = await cluster.createDatabase()
  const stores = await Promise.all([open(url), open(url), open(url)])
  expect(await cluster.ask('SELECT * FROM inbox_version', url)).toEqual([{ version: 3 }])
  await Promise.all(stores.map((store) => store.close()))
  await cluster.ask('INSERT INTO inbox_version VALUES (999)', url)
  await expect(open(url)).rejects.toThrow(/test_\d+: it was made by a newer version of this program\.$/)
})

test('a batch that the database refuses leaves nothing of itself', async () => {
  const url = await cluster.createDatabase()
  const store = await open(url)
  await cluster.ask("ALTER TABLE inbox_event ADD CHECK (event_key <> 'bad')", url)
  await expect(store.record([incoming('good'), incoming('bad')])).rejects.toThrow('violates check')
  expect(await store.counts()).toEqual({ events: 0, copies: 0, conflicts: 0, quarantined: 0 })
  expect(await store.record([incoming('good')])).toEqual(['new'])
  await store.close()
})

test('whatever waits for a locked table of forwarding, events are recorded meanwhile', async () => {
  const url = await cluster.createDatabase()
  const store = await open(url)
  await store.record([incoming('before')])
  const stranger = new pg.Client(url)
  await stranger.connect()
  await stranger.query('BEGIN; LOCK TABLE inbox_waiting')
  let overCount = 0
  const asked = Array.from({ length: 8 }, (_, at) =>
    store
      .waitingEvents(`target-${at}`, { after: 0, count: 1, isAsked: false })
      .then((page) => page.length)
      .finally(() => {
        overCount += 1
      }),
  )
  expect(await store.record([incoming('meanwhile')])).toEqual(['new'])
  expect(overCount).toBe(0)
  await stranger.query('COMMIT')
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 8 }, () => 0))
  await stranger.end()
  await store.close()
})

test('a session that would not wait for the disk waits for it when an event is recorded', async () => {
  const url = await cluster.createDatabase()
  await cluster.ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit TO off`)
  const store = await open(url)
  // What holds at the end of the transaction is what its commit goes by.
  const record = `SELECT inbox_record('{a}', NULL, '{o}', NULL, '{PENDING}', '{1}', NULL, '{1}', '{s}', '{1}', '{1}', 'x')`
  const shown = await cluster.ask(`BEGIN; ${record}; SHOW synchronous_commit`, url)
  expect(shown).toEqual([{ synchronous_commit: 'on' }])
  expect(await cluster.ask('SHOW synchronous_commit', url)).toEqual([{ synchronous_commit: 'off' }])
  await store.close()
})

test('a server that does not write to its disk is refused, and taken once it does', async () => {
  const address = await cluster.createDatabase()
  const refused = await openStore(address, { clock: systemClock })
  expect(refused).toEqual({ ok: false, error: expect.stringContaining('fsync off') })
  await cluster.set('fsync', 'on')
  const opened = await openStore(address, { clock: systemClock })
  await cluster.set('fsync', 'off')
  if (!opened.ok) throw new Error(opened.error)
  expect(await opened.value.record([incoming('a')])).toEqual(['new'])
  await opened.value.close()
})

test('an address that does not lead to a database is told by host and database alone', async () => {
  const wrong = [
    cluster.url('missing'),
    cluster.url().replace(clusterPassword, 'guess-0815'),
    'postgres://desk:guess-0815@127.0.0.1:1/postgres',
    'postgres://desk:guess-0815@127.0.0.1/x?sslmode=sometimes',
    `${cluster.url()}&sslrootcert=/nowhere/at/all.pem`,
    'postgres://desk:guess-0815@[oops/x',
  ]
  for (const address of wrong) {
    const opened = await openStore(address, { clock: systemClock })
    if (opened.ok) throw new Error(`${address} was opened`)
    expect(opened.error).toMatch(/^[A-Z][^\n]*\.$/)
    for (const secret of [clusterPassword, 'guess-0815']) expect(opened.error).not.toContain(secret)
  }
})

test('an encrypted connection is made only to a server whose certificate is verified', async () => {
  const authority = makeIdentity('Authority', { isAuthority: true })
  const stranger = makeIdentity('Stranger', { isAuthority: true })
  await cluster.encrypt(makeIdentity('127.0.0.1', { issuer: authority }))
  const url = await cluster.createDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-roots-'))
  const withRoot = (pem: string, mode: string) => {
    writeFileSync(join(folder, 'root.pem'), pem)
    return open(`${url}&sslmode=${mode}&sslrootcert=${folder}/root.pem`)
  }
  await expect(withRoot(stranger.certificatePem, 'require')).rejects.toThrow(/certificate|issuer/)
  await expect(open(`${url}&sslmode=require`)).rejects.toThrow(/certificate|issuer/)
  chmodSync(join(folder, 'root.pem'), 0o666)
  await expect(withRoot(authority.certificatePem, 'require')).rejects.toThrow(
    "The store's sslrootcert can be changed by others (mode 0666): chmod go-w it.",
  )
  chmodSync(join(folder, 'root.pem'), 0o644)
  const store = await withRoot(authority.certificatePem, 'require')
  expect(await store.record([incoming('a')])).toEqual(['new'])
  const seen = await cluster.ask(
    "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'pitdesk inbox'",
  )
  expect(seen).toContainEqual({ ssl: true })
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a database that was dropped and made anew takes nothing from a receiver of the one before, until that is started again', async () => {
  const url = await cluster.createDatabase()
  const name = new URL(url).pathname.slice(1)
  const store = await open(url)
  expect(await store.record([incoming('a')])).toEqual(['new'])
  await cluster.ask(`DROP DATABASE ${name} WITH (FORCE)`)
  await expect(store.record([incoming('b')])).rejects.toThrow()
  await cluster.ask(`CREATE DATABASE ${name} STRATEGY file_copy`)
  await expect(store.record([incoming('b')])).rejects.toThrow('inbox_identity')
  const other = await open(url)
  const sentence = /^ALARM the inbox at postgres:\/\/127\.0\.0\.1:\d+\/test_\d+ is another one than was opened/
  await expect(store.record([incoming('b')])).rejects.toThrow(sentence)
  await expect(store.events({ after: 0, count: 5 })).rejects.toThrow(sentence)
  expect(await other.record([incoming('b')])).toEqual(['new'])
  expect(await readOn(other)).toEqual(['b'])
  expect(await other.identity()).not.toBe(await store.identity())
  await Promise.all([store.close(), other.close()])
})

test('a server that stands still holds up no end', async () => {
  const url = new URL(await cluster.createDatabase())
  const { hostname, port } = url
  const through: Socket[] = []
  const proxy = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) through.push(each.on('error', () => each.destroy()))
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  const clock = new FakeClock()
  const store = await openPostgresStore({ url: url.href, clock, mayLoseEvents: true })
  store.listen(() => undefined)
  expect(await store.record([incoming('a')])).toEqual(['new'])
  for (const socket of through) socket.unpipe().pause()
  const closed = store.close()
  for (let turns = 0; turns < 5; turns += 1) await clock.advance(1_000)
  await closed
  for (const socket of through) socket.destroy()
  proxy.close()
})
