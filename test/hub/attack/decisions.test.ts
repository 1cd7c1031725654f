import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { signApproval } from '../../../src/base/token-signature.ts'
import { approvalText } from '../../../src/domain/hub/draft.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import { rotateToken } from '../../../src/hub/people/people.ts'
import { readHubDrafts } from '../../../src/wire/hub-drafts.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Firm, openFirm, ready } from '../harness.ts'
import { failing, json, openOffice } from '../office.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

/** A draft of anna's at a halted firm, and what an approver would sign of it. */
async function undecided() {
  const firm = await openFirm(cluster)
  await firm.quote()
  const [trader, approver, root] = [
    await firm.person('anna'),
    await firm.member('boss', 'approver'),
    await firm.person('root', 'admin'),
  ]
  const hub = await firm.hub()
  const [anna, boss, admin] = [trader(hub), approver.at(hub), root(hub)]
  await ready(anna)
  const places = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId ?? ''
  const terms = { currency: 'BTC', beneficiary, amount: '0.05' }
  expect((await anna('POST', '/hub/drafts', { ...terms, draftId: 'd1' })).status).toBe(200)
  const { pool } = firm.database
  await setHalt(pool, 'drill', { person: null, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ halted: 'drill' }))
  const list = readHubDrafts((await boss('GET', '/hub/drafts')).text)
  const [draft] = list.ok ? list.value.drafts : []
  if (!list.ok || draft === undefined) throw new Error('no draft')
  const text = approvalText(list.value.hub, draft)
  return { pool, boss, admin, signed: { terms: text, signature: signApproval(approver.token, text) } }
}

/** Has both of them decide, and says what the hub answered. */
async function deciding({ boss, admin, signed }: Awaited<ReturnType<typeof undecided>>) {
  const answers = [
    await boss('POST', '/hub/drafts/d1/approve', signed),
    await boss('POST', '/hub/drafts/d1/reject', { reason: 'no' }),
    await admin('POST', '/hub/resume', {}),
    await admin('POST', '/hub/writes/nothing/settle', { verdict: 'notPlaced' }),
  ]
  return answers.map(({ status }) => status)
}

const decided = async ({ pool }: Pick<Awaited<ReturnType<typeof undecided>>, 'pool'>) =>
  (
    await pool.query(`SELECT (SELECT count(*)::int FROM hub_approval) AS approvals,
      (SELECT ended_as FROM hub_draft) AS ended, (SELECT reason FROM hub_halt) AS halted`)
  ).rows

test('an end of a halt names the one that was read: another one stays, and an older caller ends whichever it is', async () => {
  const { admin, pool } = await undecided()
  const halted = async () => (await pool.query('SELECT reason FROM hub_halt')).rows
  expect(await admin('POST', '/hub/resume', { reason: 'another' })).toMatchObject({
    ...{ status: 409, json: { error: 'it is halted for another reason by now (drill): nothing was changed' } },
  })
  expect(await halted()).toEqual([{ reason: 'drill' }])
  expect(await admin('POST', '/hub/resume', { reason: 'drill' })).toMatchObject({ status: 200 })
  expect(await halted()).toEqual([{ reason: null }])
})

test('who is no approver or admin any more decides nothing, also in the moment before the hub hears of it', async () => {
  const scene = await undecided()
  // No hub is told of it.
  await scene.pool.query('ALTER TABLE hub_person DISABLE TRIGGER hub_person_changed')
  await scene.pool.query("UPDATE hub_person SET role = 'viewer' WHERE name IN ('boss', 'root')")
  expect(await deciding(scene)).toEqual([403, 403, 403, 403])
  expect(await decided(scene)).toEqual([{ approvals: 0, ended: null, halted: 'drill' }])
})

test('a token that was rotated away decides nothing, also in the moment before the hub hears of it', async () => {
  const scene = await undecided()
  await scene.pool.query('ALTER TABLE hub_token DISABLE TRIGGER hub_token_changed')
  for (const name of ['boss', 'root'])
    await rotateToken(scene.pool, { name, overlapMs: 0, by: 'ops@host' }, randomBytes)
  expect(await deciding(scene)).toEqual([403, 403, 403, 403])
  expect(await decided(scene)).toEqual([{ approvals: 0, ended: null, halted: 'drill' }])
})

test('a token that was rotated away changes no draft and no plan, also in the moment before the hub hears of it', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const [trader, hub] = [await firm.person('anna'), await firm.hub()]
  const anna = trader(hub)
  await ready(anna)
  const places = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId ?? ''
  const draft = { currency: 'BTC', beneficiary, amount: '0.05' }
  const terms = {
    ...{ kind: 'oco', symbol: 'BTC-USD', side: 'SELL', quantity: '0.01', stopPrice: '55000', targetPrice: '66000' },
    ...{ nearBy: '99', backBy: '198' },
  }
  expect((await anna('POST', '/hub/drafts', { ...draft, draftId: 'd1' })).status).toBe(200)
  await eventually(async () => expect((await anna('GET', '/hub/plans')).status).toBe(200))
  expect((await anna('POST', '/hub/plans', { askedAs: 'a1', terms })).status).toBe(200)
  const { pool } = firm.database
  await pool.query('ALTER TABLE hub_token DISABLE TRIGGER hub_token_changed')
  await rotateToken(pool, { name: 'anna', overlapMs: 0, by: 'ops@host' }, randomBytes)
  const answers = [
    await anna('POST', '/hub/drafts', { ...draft, draftId: 'd2' }),
    await anna('PUT', '/hub/drafts/d1', { ...draft, amount: '0.06', version: 1 }),
    await anna('DELETE', '/hub/drafts/d1', { version: 1 }),
    await anna('POST', '/hub/plans', { askedAs: 'a2', terms: { ...terms, quantity: '0.02' } }),
    await anna('POST', '/hub/plans/p1/edit', { terms: { ...terms, stopPrice: '56000' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  for (const { text } of answers) expect(text).toContain('nothing was changed')
  const { rows } = await pool.query('SELECT id, amount, ended_as FROM hub_draft')
  expect(rows).toEqual([{ id: 'd1', amount: '0.05', ended_as: null }])
  expect((await pool.query("SELECT FROM hub_audit WHERE action LIKE 'plan%'")).rows).toHaveLength(1)
})

/** From now on the database goes away in each commit that changes this table, as one does whose answer is lost. */
const loseCommits = ({ database }: Firm, table: string) =>
  database.pool.query(`CREATE FUNCTION lose_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER lost_commit AFTER UPDATE OR INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION lose_commit()`)

test('a halt whose commit was not answered may hold, and is never told as none', async () => {
  const { firm, machine } = await openOffice(cluster, { kind: 'never' })
  const otto = await machine('otto', 'admin')
  await loseCommits(firm, 'hub_halt')
  const lost = failing(await otto.run('firm halt lost'))
  expect(lost.code).toBe(6)
  expect(lost.said).toContain(
    "it may be halted: The hub had no answer (504): the hub's database does not answer: " +
      'no money was sent; look whether the change is there',
  )
  await firm.database.pool.query('DROP TRIGGER lost_commit ON hub_halt')
  await firm.database.pool.query('ALTER TABLE hub_halt RENAME TO hub_gone')
  const none = failing(await otto.run('firm halt none'))
  await firm.database.pool.query('ALTER TABLE hub_gone RENAME TO hub_halt')
  expect(none.code).toBe(4)
  expect(none.said).toContain(
    "not halted: The hub did not pass this on (503): the hub's database does not take it: " +
      'relation "hub_halt" does not exist: nothing was changed',
  )
})

test('what somebody on the way answers in place of the hub is no refusal of it: the change may have been made', async () => {
  const { hub, machine } = await openOffice(cluster, { kind: 'never' })
  const otto = await machine('otto', 'admin')
  const proxy = await startRewritingProxy(`${hub.url}/v3`)
  otto.environment.PITDESK_EXCHANGE_BASE_URL = proxy.url
  for (const status of [403, 404, 409]) {
    proxy.rewrite = () => ({ status, body: '{"error":"no"}' })
    const { code, said } = failing(await otto.run(`firm halt drill${status}`))
    expect([code, said]).toEqual([6, expect.stringContaining('it may be halted')])
    expect(said).not.toContain('Nothing was changed')
  }
})

test('a rejection whose commit was not answered is looked for, and may hold', async () => {
  const { firm, anna, machine, to } = await openOffice(cluster, { kind: 'never' })
  const ida = await machine('ida', 'approver')
  const { draftId } = json(await anna.run(`withdraw BTC 0.01 --to ${to} --draft --json`))
  await loseCommits(firm, 'hub_draft')
  const { code, said } = failing(await ida.run(`withdraw --reject ${draftId} --reason no --yes`))
  expect(code).toBe(6)
  expect(said).toContain('the draft may be rejected: whether the hub took it is not known')
  expect(said).not.toContain('Nothing was changed')
})
