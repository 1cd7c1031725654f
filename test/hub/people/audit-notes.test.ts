import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { appendAudit, readAudit, verifyAudit } from '../../../src/hub/people/audit.ts'
import type { AuditEvent } from '../../../src/hub/people/audit-events.ts'
import { createAuditNotes } from '../../../src/hub/people/audit-notes.ts'
import { readHalt, setHalt } from '../../../src/hub/people/halt.ts'
import type { HubDatabase } from '../../../src/hub/store/database.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { fillDisk, newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const cancel = (terms: string, person = 'ada'): AuditEvent => ({
  ...{ person, action: 'writeEnded' },
  detail: { kind: 'cancelAll', terms, outcome: 'accepted by the exchange' },
})

async function open(pool?: (database: HubDatabase) => HubDatabase['pool']) {
  const database = await newDatabase(cluster)
  const log: string[] = []
  const notes = await createAuditNotes({
    ...{ pool: pool?.(database) ?? database.pool, clock: systemClock },
    log: (line) => log.push(line),
  })
  const listed = async () =>
    (await readAudit(database.pool, { after: 0, most: 100 })).map(({ detail }) => JSON.parse(detail).terms)
  return { database, log, notes, listed }
}

test('what the database does not take waits, and is on the list in its order once there is room', async () => {
  const { database, log, notes, listed } = await open()
  await notes.note(cancel('one'))
  const makeRoom = await fillDisk(database, 'hub_audit')
  const noted = ['two', 'three', 'four'].map((terms) => notes.note(cancel(terms)))
  // Nobody has to wait for that.
  await Promise.all(noted)
  expect(notes.waiting()).toBe(3)
  expect(log[0]).toBe('ALARM the database does not take the audit list: No space left on device')
  for (const terms of ['two', 'three', 'four'])
    expect(log.join('\n')).toContain(`not on the audit list yet: ada writeEnded {"kind":"cancelAll","terms":"${terms}"`)
  expect(await listed()).toEqual(['one'])
  await makeRoom()
  await eventually(async () => expect(await listed()).toEqual(['one', 'two', 'three', 'four']))
  await eventually(() => expect(log.at(-1)).toBe('the audit list has everything again'))
  expect(notes.waiting()).toBe(0)
  expect((await verifyAudit(database.pool, new AbortController().signal))?.broken).toBeNull()
  await notes.close()
  expect(log).toHaveLength(5)
})

test('a halt counts also while somebody holds the audit list, and its row comes when they are gone', async () => {
  const { database, notes } = await open()
  const { pool } = database
  const gone = await pool.connect()
  await gone.query('BEGIN')
  await appendAudit(gone, cancel('one'))
  expect(await setHalt(pool, 'a key is lost', { person: null, by: 'ops@host' }, notes)).toBeNull()
  expect(await readHalt(pool)).toBe('a key is lost')
  // What lets orders out again is on the list, or it is not done.
  const resumed = setHalt(pool, null, { person: null, by: 'ops@host' }, notes)
  await expect(resumed).rejects.toThrow('lock timeout')
  expect(await readHalt(pool)).toBe('a key is lost')
  await gone.query('ROLLBACK')
  gone.release()
  await eventually(async () =>
    expect((await readAudit(pool, { after: 0, most: 100 })).map(({ action }) => action)).toEqual(['halted']),
  )
  await notes.close()
})

test('a row whose answer was lost is on the list once, and one that says the same is there again', async () => {
  let losses = 0
  const { notes, listed, log } = await open(
    ({ pool }) =>
      ({
        async query(...asked: Parameters<typeof pool.query>) {
          const answer = await pool.query(...asked)
          if (losses > 0 && JSON.stringify(asked).includes('INSERT INTO hub_audit')) {
            losses -= 1
            throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
          }
          return answer
        },
      }) as unknown as HubDatabase['pool'],
  )
  await notes.note(cancel('same'))
  losses = 2
  await notes.note(cancel('same'))
  await eventually(() => expect(log.at(-1)).toBe('the audit list has everything again'))
  expect(await listed()).toEqual(['same', 'same'])
  await notes.close()
})

test('a row that says what another hub wrote long before is on the list all the same, though its first way broke', async () => {
  let losses = 1
  const { database, notes, listed, log } = await open(
    ({ pool }) =>
      ({
        query(...asked: Parameters<typeof pool.query>) {
          if (losses === 0 || !JSON.stringify(asked).includes('INSERT INTO hub_audit')) return pool.query(...asked)
          losses -= 1
          throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
        },
      }) as unknown as HubDatabase['pool'],
  )
  const setClock = (hours: number) =>
    database.pool.query(`CREATE OR REPLACE FUNCTION hub_now_ms() RETURNS bigint LANGUAGE sql VOLATILE
      AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${hours} * 3600000 $$`)
  // This hub stood by meanwhile: it takes over with a connection that broke.
  await setClock(-1)
  await appendAudit(database.pool, cancel('same'))
  await setClock(0)
  await notes.note(cancel('same'))
  await eventually(() => expect(log.at(-1)).toBe('the audit list has everything again'))
  expect(await listed()).toEqual(['same', 'same'])
  await notes.close()
})

test('a row that the database never takes holds up no other, and an end says what is not on the list', async () => {
  const { database, log, notes, listed } = await open()
  await notes.note(cancel('odd', 'not a name'))
  await notes.note(cancel('next'))
  expect(await listed()).toEqual(['next'])
  expect(log).toEqual([expect.stringMatching(/^ALARM not on the audit list: not a name writeEnded .* violates check/)])
  await fillDisk(database, 'hub_audit')
  await notes.note(cancel('last'))
  await notes.close()
  expect(log.at(-1)).toBe('ALARM rows that only this log has, not the audit list: 1')
  expect(await listed()).toEqual(['next'])
})
