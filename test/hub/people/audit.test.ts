import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { approvalText } from '../../../src/domain/hub/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { appendAudit, readAudit, verifyAudit } from '../../../src/hub/people/audit.ts'
import { type AuditEvent, auditActions, describeAudit } from '../../../src/hub/people/audit-events.ts'
import { revokePerson, rotateToken, setPersonLimits, setRoleLimits } from '../../../src/hub/people/people.ts'
import { type HubDatabase, inTransaction } from '../../../src/hub/store/database.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { added, newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const going = new AbortController().signal
const write = { kind: 'order', terms: 'BUY 0.5 BTC-USD LIMIT 60000 as a1' } as const

/** One of each kind, with what is said of it. */
const samples: readonly (readonly [AuditEvent, string])[] = [
  [
    {
      person: null,
      subject: 'ada',
      action: 'personAdded',
      detail: { role: 'trader', wasRevoked: false, by: 'ops@pit' },
    },
    'A command of ops@pit added ada as trader',
  ],
  [
    { person: null, subject: 'ada', action: 'tokenRotated', detail: { overlapMs: 86_400_000, by: 'ops@pit' } },
    'A command of ops@pit gave ada a new token, the old one ends in 24 h',
  ],
  [
    { person: null, subject: 'ada', action: 'personRevoked', detail: { by: 'ops@pit' } },
    'A command of ops@pit revoked ada',
  ],
  [
    {
      ...{ person: null, subject: 'ada', action: 'personLimits' },
      detail: { limits: { orderUsd: '5000', withdrawDayUsd: null }, by: 'ops@pit' },
    },
    "A command of ops@pit limited ada: an order up to 5000 USD, a day's withdrawals without a limit of their own",
  ],
  [
    { person: null, action: 'roleLimits', detail: { role: 'trader', limits: { dayUsd: '1' }, by: 'ops@pit' } },
    "A command of ops@pit limited the role trader: a day's orders up to 1 USD",
  ],
  [{ person: 'ada', action: 'signIn', detail: { address: '192.0.2.7' } }, 'ada came from the new address 192.0.2.7'],
  [
    { person: 'ada', action: 'writeRefused', detail: { ...write, reason: 'over your limit' } },
    'ada was refused order BUY 0.5 BTC-USD LIMIT 60000 as a1: over your limit',
  ],
  [
    {
      person: 'ada',
      action: 'writeEnded',
      detail: { kind: 'withdrawal', terms: '1 BTC', draftId: 'd1', outcome: 'sent' },
    },
    'ada: withdrawal 1 BTC (draft d1): sent',
  ],
  [
    { person: 'root', action: 'settled', detail: { writeId: '7', verdict: 'placed', withdrawalId: '99' } },
    'root resolved write 7: placed as withdrawal 99',
  ],
  [
    { person: 'ada', action: 'drafted', detail: { draftId: 'd1', terms: '1 BTC to cold' } },
    'ada made draft d1: 1 BTC to cold',
  ],
  [
    { person: 'ada', action: 'draftChanged', detail: { draftId: 'd1', terms: '2 BTC to cold', endsApproval: 'bob' } },
    'ada changed draft d1: 2 BTC to cold; bob had approved it',
  ],
  [{ person: 'ada', action: 'draftDropped', detail: { draftId: 'd1' } }, 'ada dropped draft d1'],
  [
    { person: 'bob', action: 'draftRejected', detail: { draftId: 'd1', terms: '1 BTC to cold', reason: 'too much' } },
    'bob rejected draft d1: 1 BTC to cold: too much',
  ],
  [
    { person: 'bob', action: 'approved', detail: { draftId: 'd1', terms: '1 BTC to cold' } },
    'bob approved draft d1: 1 BTC to cold',
  ],
  [
    { person: 'ada', action: 'approvalRefused', detail: { draftId: 'd1', reason: 'it is their own' } },
    'ada could not approve draft d1: it is their own',
  ],
  [
    { person: 'ada', action: 'planBegun', detail: { planId: 'p1', terms: 'oco sell 1 BTC-USD stop 9 target 11' } },
    'ada began plan p1: oco sell 1 BTC-USD stop 9 target 11',
  ],
  [
    { person: 'ada', action: 'planChanged', detail: { planId: 'p1', terms: 'oco sell 2 BTC-USD stop 9 target 11' } },
    'ada changed plan p1: oco sell 2 BTC-USD stop 9 target 11',
  ],
  [
    { person: 'eve', subject: 'ada', action: 'planCanceled', detail: { planId: 'p1', how: 'leave' } },
    'eve canceled plan p1 of ada: its orders left at the exchange',
  ],
  [{ person: 'ada', action: 'planResumed', detail: { planId: 'p1' } }, 'ada let plan p1 go on'],
  [
    {
      ...{ person: 'ada', action: 'planSent' },
      detail: { planId: 'p1', role: 'entry', terms: 'BUY 1 BTC-USD MARKET', clientOrderId: 'a1' },
    },
    'plan p1 of ada sends its entry: order BUY 1 BTC-USD MARKET (client order id a1)',
  ],
  [
    { person: 'ada', action: 'planEnded', detail: { planId: 'p1', how: 'done', why: 'Fully exited: 1' } },
    'plan p1 of ada ended: Fully exited: 1',
  ],
  [
    { person: 'root', action: 'halted', detail: { reason: 'odd prices' } },
    'root halted all orders and withdrawals: odd prices',
  ],
  [{ person: 'root', action: 'resumed', detail: {} }, 'root allowed orders and withdrawals again'],
]

test('each kind of row has its sentence, and all of them make one whole chain', async () => {
  const { pool } = await newDatabase(cluster)
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: 0, broken: null, digest: '0'.repeat(64) })
  expect(samples.map(([{ action }]) => action)).toEqual(Object.keys(auditActions))
  for (const [event] of samples) await appendAudit(pool, event)
  const rows = await readAudit(pool, { after: 0, most: 100 })
  expect(rows.map(describeAudit)).toEqual(samples.map(([, sentence]) => sentence))
  expect(rows.map(({ number }) => number)).toEqual(samples.map((_, at) => at + 1))
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: samples.length, broken: null })
})

test('what an approver signed is on record whole, however long a name in it is', async () => {
  const { pool } = await newDatabase(cluster)
  const text = approvalText('hub', {
    ...{ draftId: 'd1', revision: 1, currency: 'BTC', amount: new Decimal('0.05') },
    beneficiary: { whitelistId: 'w'.repeat(1_000), name: 'n'.repeat(1_000) },
  })
  await appendAudit(pool, { person: 'bob', action: 'approved', detail: { draftId: 'd1', terms: 'x', text } })
  const [row] = await readAudit(pool, { after: 0, most: 1 })
  expect(JSON.parse(row?.detail ?? '')).toMatchObject({ text })
})

test('what commands do to persons is on record with who ran them', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const by = 'ops@pit'
  await added(database, 'ada')
  await setPersonLimits(pool, { name: 'ada', change: { orderUsd: new Decimal('5000.50') }, by })
  await setRoleLimits(pool, { role: 'trader', change: { dayUsd: null }, by })
  await rotateToken(pool, { name: 'ada', overlapMs: 0, by }, (count) => Buffer.alloc(count))
  await revokePerson(pool, { name: 'ADA', by })
  expect((await readAudit(pool, { after: 0, most: 10 })).map(describeAudit)).toEqual([
    'A command of ops@host added ada as trader',
    'A command of ops@pit limited ada: an order up to 5000.5 USD',
    "A command of ops@pit limited the role trader: a day's orders without limit",
    'A command of ops@pit gave ada a new token, the old one ended at once',
    'A command of ops@pit revoked ada',
  ])
})

test('rows are neither changed nor deleted, nor is the head of the list, from any connection', async () => {
  const { pool } = await newDatabase(cluster)
  await appendAudit(pool, { person: 'ada', action: 'halted', detail: {} })
  for (const attempt of [
    "UPDATE hub_audit SET person = 'bob'",
    'UPDATE hub_audit SET number = number WHERE false',
    'DELETE FROM hub_audit',
    'TRUNCATE hub_audit',
    'UPDATE hub_audit_head SET count = 0',
    'DELETE FROM hub_audit_head',
    'TRUNCATE hub_audit_head',
    "INSERT INTO hub_audit_head (is_only, count, digest) VALUES (true, 0, '') ON CONFLICT DO NOTHING",
  ])
    await expect(pool.query(attempt), attempt).rejects.toThrow(/only grows: what is in it stays/)
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: 1, broken: null })
})

test('a row of somebody with a hand in the database is chained like any, whatever they say of its number and digest', async () => {
  const { pool } = await newDatabase(cluster)
  await pool.query(`INSERT INTO hub_audit (number, at_ms, person, action, detail, previous, digest)
    VALUES (77, 0, 'ada', 'halted', '{}', '', '')`)
  await pool.query(`INSERT INTO hub_audit (person, action, detail) VALUES ('a', 'x', '1'), ('b', 'y', '2')`)
  expect((await readAudit(pool, { after: 0, most: 9 })).map(({ number }) => number)).toEqual([1, 2, 3])
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: 3, broken: null })
})

/** Changes the list as only the owner of the tables can: with its guards switched off. */
async function tampered({ pool }: HubDatabase, statement: string): Promise<void> {
  const guards = ['hub_audit', 'hub_audit_head']
  for (const each of guards) await pool.query(`ALTER TABLE ${each} DISABLE TRIGGER USER`)
  await pool.query(statement)
  for (const each of guards) await pool.query(`ALTER TABLE ${each} ENABLE TRIGGER USER`)
}

test.each([
  ["UPDATE hub_audit SET person = 'eve' WHERE number = 3", 3, 'it is not what was written'],
  ['UPDATE hub_audit SET subject = person, person = NULL WHERE number = 1', 1, 'it is not what was written'],
  ['UPDATE hub_audit SET at_ms = at_ms + 1 WHERE number = 5', 5, 'it is not what was written'],
  ["UPDATE hub_audit SET detail = '{}' WHERE number = 2", 2, 'it is not what was written'],
  ['DELETE FROM hub_audit WHERE number = 2', 2, 'it is missing'],
  ['DELETE FROM hub_audit WHERE number = 5', 5, 'it is missing'],
  ['DELETE FROM hub_audit', 1, 'it is missing'],
  ["UPDATE hub_audit SET previous = sha256('') WHERE number = 4", 4, 'it does not follow from the row before it'],
  ['UPDATE hub_audit SET digest = sha256(digest) WHERE number = 5', 5, 'it is not what was written'],
  [
    `UPDATE hub_audit SET person = 'eve', digest = sha256(previous || convert_to(concat_ws(E'\\n', number, at_ms, 'eve',
      coalesce(subject, ''), action, detail), 'UTF8')) WHERE number = 5`,
    5,
    'it is not the one that was written last',
  ],
])('%s is found out', async (statement, number, why) => {
  const database = await newDatabase(cluster)
  for (let at = 1; at <= 5; at += 1)
    await appendAudit(database.pool, { person: 'ada', action: 'halted', detail: { reason: `${at}` } })
  await tampered(database, statement)
  expect(await verifyAudit(database.pool, going)).toMatchObject({
    rows: number - (why.includes('last') ? 0 : 1),
    broken: { number, why },
  })
})

test('rows that many add at the same time follow one another, and a transaction that is undone leaves none', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const add = (at: number) =>
    inTransaction(pool, async (client) => {
      await appendAudit(client, { person: `p${at}`, action: 'resumed', detail: {} })
      if (at % 5 === 0) throw new Error('undone')
    }).catch((error: Error) => expect(error.message).toBe('undone'))
  await Promise.all(Array.from({ length: 40 }, (_, at) => add(at)))
  const rows = await readAudit(pool, { after: 0, most: 100 })
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 32 }, (_, at) => at + 1))
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: 32, broken: null })
})

test('a list of more than a page is verified whole, read by pages, and left alone at a signal', async () => {
  const { pool } = await newDatabase(cluster)
  await pool.query(`INSERT INTO hub_audit (person, action, detail)
    SELECT CASE WHEN n % 3 = 0 THEN 'Bob' ELSE 'ada' END, 'halted', '{}' FROM generate_series(1, 2500) AS n`)
  expect(await verifyAudit(pool, going)).toMatchObject({ rows: 2_500, broken: null })
  expect(await verifyAudit(pool, AbortSignal.abort())).toBeNull()
  const numbers = async (query: Parameters<typeof readAudit>[1]) =>
    (await readAudit(pool, query)).map((row) => row.number)
  expect(await numbers({ before: null, most: 3 })).toEqual([2_500, 2_499, 2_498])
  expect(await numbers({ before: 2_498, most: 2 })).toEqual([2_497, 2_496])
  expect(await numbers({ after: 2_498, most: 9 })).toEqual([2_499, 2_500])
  expect(await numbers({ after: 0, person: 'bob', most: 2 })).toEqual([3, 6])
  expect(await numbers({ after: 0, most: 9_999 })).toHaveLength(1_000)
  const [first] = await readAudit(pool, { after: 0, most: 1 })
  expect(await numbers({ after: 0, toMs: (first?.atMs ?? 0) - 1, most: 5 })).toEqual([])
  expect(await numbers({ before: null, fromMs: first?.atMs ?? 0, most: 1 })).toEqual([2_500])
})

test('whatever somebody outside wrote is kept whole up to 500 characters, and steers no terminal', async () => {
  const { pool } = await newDatabase(cluster)
  const texts = fc.string({ unit: 'binary', maxLength: 700 })
  await fc.assert(
    fc.asyncProperty(texts, texts, async (terms, outcome) => {
      const detail = { kind: 'order', terms, outcome } as const
      const event = { person: 'ada', action: 'writeEnded', detail } as const
      await appendAudit(pool, event)
      const [row] = await readAudit(pool, { before: null, most: 1 })
      if (row === undefined) throw new Error('nothing was kept')
      expect(JSON.parse(row.detail)).toEqual({
        kind: 'order',
        terms: terms.toWellFormed().slice(0, 500),
        outcome: outcome.toWellFormed().slice(0, 500),
      })
      expect(row.detail).toMatch(/^[\x20-\x7e]*$/)
      expect(describeAudit(row)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    }),
    { numRuns: 60 },
  )
  expect((await verifyAudit(pool, going))?.broken).toBeNull()
})

test('a row that this version does not know is shown as it stands', () => {
  const row = { number: 1, atMs: 0, person: 'ada', subject: null, action: 'flew', detail: '{"to":"the\\u001bmoon"}' }
  expect(describeAudit(row)).toBe('ada: flew {"to":"the\\u001bmoon"}')
  expect(describeAudit({ ...row, person: null, action: 'halted', detail: 'no\u001bJSON' })).toBe(
    'A command: halted noJSON',
  )
  expect(describeAudit({ ...row, action: 'constructor' })).toContain('constructor')
})
