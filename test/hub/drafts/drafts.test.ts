import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Secret } from '../../../src/base/secret.ts'
import { signApproval, tokenDigest } from '../../../src/base/token-signature.ts'
import { approvalText } from '../../../src/domain/hub/draft.ts'
import type { ApprovalRule } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { createHubDrafts } from '../../../src/hub/drafts/drafts.ts'
import { readAudit } from '../../../src/hub/people/audit.ts'
import { describeAudit } from '../../../src/hub/people/audit-events.ts'
import type { JournalEntry } from '../../../src/journal/entry.ts'
import { readHubDraft, readHubDrafts } from '../../../src/wire/hub-drafts.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type HttpAnswer, httpCall } from '../../sandbox/http/harness.ts'
import { type Caller, type Firm, openFirm, order, ready } from '../harness.ts'
import { added, newDatabase } from '../hub-database.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

type Hub = Awaited<ReturnType<Firm['hub']>>
type Member = { call: Caller; token: Secret }
type Place = { whitelistId: string; currency: string }
type Scene = { firm: Firm; hub: Hub; anna: Caller; vic: Member; wid: Member; place: Place }

/** A hub that leads, a trader, two approvers and a beneficiary. Every withdrawal needs an approval unless said. */
async function trading(approval: ApprovalRule = { kind: 'always' }): Promise<Scene> {
  const firm = await openFirm(cluster, {}, approval)
  await firm.quote()
  const anna = await firm.person('anna')
  const [vic, wid] = [await firm.member('vic', 'approver'), await firm.member('wid', 'approver')]
  const hub = await firm.hub()
  await ready(anna(hub))
  await ready(wid.at(hub))
  const entries = (await anna(hub)('GET', '/whitelist')).json as Place[]
  const place = entries.find(({ currency }) => currency === 'BTC')
  if (place === undefined) throw new Error('the practice exchange has no beneficiary in BTC')
  return {
    ...{ firm, hub, anna: anna(hub), place },
    vic: { call: vic.at(hub), token: vic.token },
    wid: { call: wid.at(hub), token: wid.token },
  }
}

const content = ({ place }: Pick<Scene, 'place'>, fields: object = {}) => ({
  ...{ currency: place.currency, beneficiary: place.whitelistId, amount: '0.05' },
  ...fields,
})

async function made(scene: Scene, fields: object = {}) {
  const answer = await scene.anna('POST', '/hub/drafts', content(scene, fields))
  expect(answer.status).toBe(200)
  return draftIn(answer)
}

function draftIn({ text }: HttpAnswer) {
  const draft = readHubDraft(text, null)
  if (!draft.ok) throw new Error(`${draft.error}: ${text}`)
  return draft.value
}

async function listed(call: Caller) {
  const list = readHubDrafts((await call('GET', '/hub/drafts')).text)
  if (!list.ok) throw new Error(list.error)
  return list.value
}

/** Signs what the hub lists of the draft, as the approver's machine does. */
async function signed({ call, token }: Member, draftId: string) {
  const { hub, drafts } = await listed(call)
  const draft = drafts.find((each) => each.draftId === draftId)
  if (draft === undefined) throw new Error(`no draft ${draftId}`)
  const terms = approvalText(hub, draft)
  return { terms, signature: signApproval(token, terms) }
}

const approve = async (member: Member, draftId: string) =>
  await member.call('POST', `/hub/drafts/${draftId}/approve`, await signed(member, draftId))

const send = (scene: Scene, draftId: string, fields: object = {}) => {
  const { currency, beneficiary, amount } = content(scene, fields)
  return scene.anna('POST', `/hub/drafts/${draftId}/send`, { currency, beneficiary, amount })
}

/** What the exchange itself lists. */
const withdrawals = async ({ firm }: Pick<Scene, 'firm'>) => {
  const trader = firm.exchange.accounts.find(({ name }) => name === 'trader')
  const { json } = await httpCall(firm.exchange.exchangeUrl.replace(/\/v3$/, ''), {
    path: '/v3/withdrawals',
    headers: { 'x-api-token': trader?.token ?? '' },
  })
  return json as { withdrawalId: string }[]
}

const actions = async ({ database }: Firm) => {
  const { rows } = await database.pool.query(
    "SELECT person, action FROM hub_audit WHERE action <> 'signIn' AND person IS NOT NULL ORDER BY number",
  )
  return rows.map(({ person, action }) => `${person} ${action}`)
}

test('without an approval nothing leaves; approved by another person it leaves once, and everybody sees it', async () => {
  const scene = await trading()
  const { anna, vic, firm } = scene
  const bare = await anna('POST', '/withdrawals', content(scene))
  expect(bare).toMatchObject({ status: 403 })
  expect(bare.text).toContain('have a draft of it approved')
  const draft = await made(scene, { note: 'rent' })
  expect(draft).toMatchObject({ madeBy: 'anna', version: 1, revision: 1, approval: { kind: 'none' }, note: 'rent' })
  expect((await send(scene, draft.draftId)).status).toBe(403)
  expect((await approve(vic, draft.draftId)).status).toBe(200)
  const given = { approval: { kind: 'given', by: 'vic' }, state: { kind: 'draft' } }
  expect((await listed(anna)).drafts[0]).toMatchObject(given)
  expect((await send(scene, draft.draftId, { amount: '0.06' })).status).toBe(409)
  const sent = await Promise.all([send(scene, draft.draftId), send(scene, draft.draftId)])
  // A refusal would have a script pay again by another draft: the money left, or may have.
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 504])
  const again = await send(scene, draft.draftId)
  expect(again).toMatchObject({ status: 504 })
  expect(again.text).not.toContain('nothing was sent')
  expect(again.text).toContain('it was sent as')
  expect(await withdrawals(scene)).toHaveLength(1)
  expect((await listed(vic.call)).drafts[0]).toMatchObject({ state: { kind: 'sent' } })
  await eventually(async () =>
    expect(await actions(firm)).toEqual(
      expect.arrayContaining(['anna drafted', 'vic approved', 'anna writeEnded', 'anna writeRefused']),
    ),
  )
})

test('an own draft that nobody approved is sent by who made it alone, and the list says whose was sent', async () => {
  const scene = await trading({ kind: 'never' })
  const { vic, firm, hub, anna } = scene
  const ben = (await firm.person('ben'))(hub)
  await ready(ben)
  const own = await made(scene)
  const refused = await send({ ...scene, anna: ben }, own.draftId)
  expect(refused).toMatchObject({ status: 403 })
  expect(refused.text).toContain(`anna made draft ${own.draftId}, and alone sends it while nobody has approved it`)
  expect(refused.text).toContain('nothing was sent')
  expect(await withdrawals(scene)).toHaveLength(0)
  expect((await approve(vic, own.draftId)).status).toBe(200)
  expect((await send({ ...scene, anna: ben }, own.draftId)).status).toBe(200)
  const other = await made(scene, { amount: '0.01' })
  expect((await send(scene, other.draftId, { amount: '0.01' })).status).toBe(200)
  expect((await listed(anna)).drafts.map(({ state }) => state.kind)).toEqual(['sent', 'sent'])
  await eventually(async () => {
    const rows = await readAudit(firm.database.pool, { before: null, most: 200, person: 'ben' })
    expect(rows.map(describeAudit).join()).toContain(`(draft ${own.draftId} made by anna): accepted by the exchange`)
  })
})

test('of two approvers at once one approves; what is edited has to be approved anew', async () => {
  const scene = await trading()
  const { anna, vic, wid } = scene
  const { draftId } = await made(scene)
  const texts = await Promise.all([signed(vic, draftId), signed(wid, draftId)])
  const answers = await Promise.all(
    [vic, wid].map((each, at) => each.call('POST', `/hub/drafts/${draftId}/approve`, texts[at])),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const now = (await listed(anna)).drafts[0]
  const noted = await anna('PUT', `/hub/drafts/${draftId}`, content(scene, { note: 'x', version: now?.version }))
  expect(draftIn(noted)).toMatchObject({ revision: 1, approval: { kind: 'given' } })
  const edited = draftIn(
    await anna('PUT', `/hub/drafts/${draftId}`, content(scene, { amount: '0.04', version: draftIn(noted).version })),
  )
  expect(edited).toMatchObject({ revision: 2, approval: { kind: 'none' } })
  expect((await send(scene, draftId, { amount: '0.04' })).status).toBe(403)
  // What was signed of the revision before says nothing of this one, also once it asks for the same again.
  const back = await anna('PUT', `/hub/drafts/${draftId}`, content(scene, { version: edited.version }))
  expect(draftIn(back).revision).toBe(3)
  expect((await wid.call('POST', `/hub/drafts/${draftId}/approve`, texts[1])).status).toBe(409)
  expect((await send(scene, draftId)).status).toBe(403)
  expect(await withdrawals(scene)).toHaveLength(0)
})

test('what a proxy delivers twice is done once, and told as done both times', async () => {
  const scene = await trading()
  const { anna, vic, wid, firm } = scene
  const asked = content(scene, { draftId: 'd1', note: 'rent' })
  const path = '/hub/drafts/d1'
  const twice = async (call: Caller, method: string, to: string, body: object) => {
    const answers = [await call(method, to, body), await call(method, to, body)]
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(2).fill(`200 ${answers[0]?.text}`))
  }
  await twice(anna, 'POST', '/hub/drafts', asked)
  const approval = await signed(vic, 'd1')
  await twice(vic.call, 'POST', `${path}/approve`, approval)
  await twice(anna, 'PUT', path, { ...asked, note: 'rent of May', version: 2 })
  const other = { ...asked, note: 'rent of June', version: 2 }
  expect((await anna('PUT', path, other)).text).toContain('was changed meanwhile')
  await twice(anna, 'DELETE', path, { version: 3 })
  // What was dropped since is not told as saved.
  expect((await anna('POST', '/hub/drafts', { ...asked, note: 'rent of May' })).status).toBe(409)
  await twice(anna, 'POST', '/hub/drafts', content(scene, { draftId: 'd2' }))
  await twice(wid.call, 'POST', '/hub/drafts/d2/reject', { reason: 'no' })
  // What another one did, or did otherwise, is not what was asked for.
  expect((await wid.call('POST', '/hub/drafts/d2/reject', { reason: 'yes' })).status).toBe(409)
  expect(await vic.call('POST', '/hub/drafts/d2/reject', { reason: 'no' })).toMatchObject({
    status: 409,
    text: expect.stringContaining('draft d2 stays as it was: it was not sent (rejected by wid: no)'),
  })
  expect((await anna('POST', '/hub/drafts', { ...asked, draftId: 'd2' })).status).toBe(409)
  await twice(anna, 'POST', '/hub/drafts', content(scene, { draftId: 'd3' }))
  expect((await approve(vic, 'd3')).status).toBe(200)
  expect((await wid.call('POST', '/hub/drafts/d3/approve', await signed(wid, 'd3'))).status).toBe(409)
  const rows = (await actions(firm)).filter((each) => /draft|approved/i.test(each))
  const done = [
    'drafted',
    'approved',
    'draftChanged',
    'draftDropped',
    'drafted',
    'draftRejected',
    'drafted',
    'approved',
  ]
  expect(rows.map((each) => each.split(' ')[1])).toEqual(done)
})

test('forged and replayed signatures, own drafts and strangers approve nothing', async () => {
  const scene = await trading()
  const { anna, vic, wid, firm } = scene
  const [first, second] = [await made(scene), await made(scene)]
  const path = `/hub/drafts/${first.draftId}/approve`
  const own = await signed(vic, first.draftId)
  expect((await wid.call('POST', path, own)).status).toBe(403)
  expect((await wid.call('POST', path, { ...own, signature: 'A'.repeat(86) })).status).toBe(403)
  expect((await wid.call('POST', path, await signed(wid, second.draftId))).status).toBe(409)
  expect((await anna('POST', path, own)).status).toBe(403)
  // Who made it and is an approver by now does not approve it either.
  await firm.database.pool.query("UPDATE hub_person SET role = 'approver' WHERE name = 'anna'")
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ role: 'approver' }))
  const refused = await anna('POST', path, own)
  expect(refused).toMatchObject({ status: 403, json: { error: 'you cannot approve your own draft' } })
  await firm.database.pool.query("UPDATE hub_person SET role = 'trader' WHERE name = 'anna'")
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ role: 'trader' }))
  // A row put into the database by hand is no approval.
  await firm.database.pool.query(
    "INSERT INTO hub_approval (draft_id, revision, person, terms, signature, at_ms) VALUES ($1, 1, 'vic', $2, $3, 1)",
    [first.draftId, own.terms, 'B'.repeat(86)],
  )
  expect((await send(scene, first.draftId)).text).toContain('vic did not sign what it says now')
  expect((await approve(vic, second.draftId)).status).toBe(200)
  await firm.database.pool.query("UPDATE hub_person SET revoked_at_ms = 1 WHERE name = 'vic'")
  expect((await send(scene, second.draftId)).text).toContain('is not an approver now')
  expect(await withdrawals({ firm })).toHaveLength(0)
  expect(await actions(firm)).toContain('wid approvalRefused')
})

test('who made a draft changes it, each version once; one that was rejected or dropped is never sent', async () => {
  const scene = await trading({ kind: 'never' })
  const { anna, vic, firm, hub } = scene
  const ben = (await firm.person('ben'))(hub)
  await ready(ben)
  const { draftId } = await made(scene, { key: 'rent-11' })
  expect((await anna('POST', '/hub/drafts', content(scene, { key: 'rent-11' }))).status).toBe(409)
  expect((await ben('PUT', `/hub/drafts/${draftId}`, content(scene, { version: 1 }))).status).toBe(403)
  const both = await Promise.all(
    ['0.01', '0.02'].map((amount) => anna('PUT', `/hub/drafts/${draftId}`, content(scene, { amount, version: 1 }))),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)?.json).toMatchObject({ draft: { draftId, version: 2 } })
  expect((await vic.call('POST', `/hub/drafts/${draftId}/reject`, { reason: 'too much' })).status).toBe(200)
  expect((await send(scene, draftId, { amount: both[0]?.status === 200 ? '0.01' : '0.02' })).text).toContain(
    'rejected by vic: too much',
  )
  const other = await made(scene)
  expect((await anna('DELETE', `/hub/drafts/${other.draftId}`, { version: 1 })).status).toBe(200)
  expect((await send(scene, other.draftId)).status).toBe(409)
  expect((await anna('POST', '/hub/drafts', content(scene, { beneficiary: 'nobody' }))).status).toBe(409)
  expect((await vic.call('POST', '/hub/drafts', content(scene))).status).toBe(403)
  expect(await withdrawals(scene)).toHaveLength(0)
})

test('a draft that could not leave is dropped also before the database has that on record', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const anna = { name: 'anna', tokenDigest: tokenDigest((await added(database, 'anna')).token.reveal()) }
  const beneficiary = { whitelistId: 'w1', name: 'cold' }
  const request = { currency: 'BTC', amount: new Decimal('0.05'), beneficiary: 'w1' }
  const outcome: { current: JournalEntry['outcome'] } = { current: null }
  const entry = (): JournalEntry => ({
    ...{ id: 'e1', atMs: 1, steps: [], outcome: outcome.current, settlement: null },
    intent: { kind: 'withdrawal', request, draftId: 'd1', key: undefined, seen: undefined },
  })
  const drafts = createHubDrafts({
    ...{ pool, hub: 'h1' },
    journal: { findAll: () => Promise.resolve({ entries: [entry()], gap: null }) },
  })
  await drafts.make(anna, 'd1', { ...request, beneficiary, note: null, key: null, wantsApproval: false })
  await pool.query("INSERT INTO hub_write_key VALUES ('draft d1', 'e1')")
  expect(await drafts.drop(anna, 'd1', 1)).toMatchObject({ ok: false, error: { status: 409 } })
  outcome.current = { kind: 'notSent', reason: 'the connection was refused' }
  expect(await drafts.list()).toMatchObject([{ draftId: 'd1', state: { kind: 'draft' } }])
  expect(await drafts.drop(anna, 'd1', 1)).toMatchObject({ ok: true, value: { state: { kind: 'dropped' } } })
})

test('the last draft that one person may have is told as made also the second time, and never as one that asks for more', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const anna = { name: 'anna', tokenDigest: tokenDigest((await added(database, 'anna')).token.reveal()) }
  const drafts = createHubDrafts({ pool, hub: 'h1', journal: { findAll: async () => ({ entries: [], gap: null }) } })
  const beneficiary = { whitelistId: 'w1', name: 'cold' }
  const asked = { currency: 'BTC', amount: new Decimal('1'), beneficiary, note: null, key: null, wantsApproval: false }
  await pool.query(`INSERT INTO hub_draft (id, made_by, created_at_ms, currency, beneficiary, beneficiary_name, amount,
    wants_approval) SELECT 'o' || n, 'anna', 1, 'BTC', 'w1', 'cold', '1', false FROM generate_series(1, 399) AS n`)
  const first = await drafts.make(anna, 'd1', asked)
  expect(first.ok).toBe(true)
  expect(await drafts.make(anna, 'd1', asked)).toEqual(first)
  const refusal = { ok: false, error: { error: 'draft d1 is there already' } }
  expect(await drafts.make(anna, 'd1', { ...asked, wantsApproval: true })).toMatchObject(refusal)
  expect(await drafts.make(anna, 'd1', { ...asked, key: 'k1' })).toMatchObject(refusal)
  expect(await drafts.make(anna, 'd2', asked)).toMatchObject({
    error: { error: expect.stringContaining('400 drafts') },
  })
})

test('of several drafts in the same moment none is more than one person may have', async () => {
  const database = await newDatabase(cluster)
  const { pool } = database
  const anna = { name: 'anna', tokenDigest: tokenDigest((await added(database, 'anna')).token.reveal()) }
  const drafts = createHubDrafts({ pool, hub: 'h1', journal: { findAll: async () => ({ entries: [], gap: null }) } })
  const beneficiary = { whitelistId: 'w1', name: 'cold' }
  const asked = { currency: 'BTC', amount: new Decimal('1'), beneficiary, note: null, key: null, wantsApproval: false }
  await pool.query(`INSERT INTO hub_draft (id, made_by, created_at_ms, currency, beneficiary, beneficiary_name, amount,
    wants_approval) SELECT 'o' || n, 'anna', 1, 'BTC', 'w1', 'cold', '1', false FROM generate_series(1, 399) AS n`)
  const made = await Promise.all(['d1', 'd2', 'd3', 'd4'].map((draftId) => drafts.make(anna, draftId, asked)))
  expect(made.map(({ ok }) => ok).toSorted()).toEqual([false, false, false, true])
})

test('a halt stops everything but cancels, at once and on record, until it is lifted', async () => {
  const scene = await trading({ kind: 'never' })
  const { anna, firm, hub, place } = scene
  const ada = (await firm.person('ada', 'admin'))(hub)
  await ready(ada)
  const placed = await anna('POST', '/orders', {
    ...{ clOrdId: 'a1', ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.01', price: '59000' },
  })
  const { exOrdId } = placed.json as { exOrdId: number }
  expect((await anna('POST', '/hub/halt', { reason: 'mine' })).status).toBe(403)
  expect((await ada('POST', '/hub/halt', { reason: ' ' })).status).toBe(400)
  expect((await ada('POST', '/hub/halt', { reason: 'feed looks odd' })).json).toEqual({ halted: 'feed looks odd' })
  // The database itself lets nothing begin, whatever the hub has heard of by then.
  const refused = await anna('POST', '/withdrawals', content({ place }))
  expect([403, 409]).toContain(refused.status)
  expect(refused.text).toContain('halted')
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ halted: 'feed looks odd' }))
  expect((await anna('POST', '/withdrawals', content({ place }))).status).toBe(403)
  expect((await anna('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  expect(await withdrawals(scene)).toHaveLength(0)
  const metrics = await httpCall(hub.metricsUrl.replace(/\/metrics$/, ''), { path: '/metrics' })
  expect(metrics.text).toContain('pitdesk_hub_halted 1')
  expect((await ada('POST', '/hub/resume')).json).toEqual({ halted: null })
  await eventually(async () =>
    expect(await anna('POST', '/withdrawals', content({ place }))).toMatchObject({ status: 200 }),
  )
  expect(await actions(firm)).toEqual(expect.arrayContaining(['ada halted', 'ada resumed']))
})

test('a hub that takes over knows drafts and approvals, and does not send what left before', async () => {
  const scene = await trading()
  const { firm, hub, vic } = scene
  const [before, after] = [await made(scene), await made(scene, { amount: '0.07' })]
  await approve(vic, before.draftId)
  await approve(vic, after.draftId)
  // The answer is lost on its way to the hub: the money has left.
  await firm.admin('/fault/drop', { rate: 1, path: 'POST /withdrawals', when: 'after' })
  expect((await send(scene, before.draftId)).status).toBe(504)
  await firm.admin('/fault/off', {})
  const second = await firm.hub()
  const cara = (await firm.person('cara'))(second)
  const refused = await cara('POST', '/hub/drafts', content(scene))
  expect(refused).toMatchObject({ status: 503, headers: { 'x-hub-standby': '1' } })
  await hub.stop()
  await ready(cara)
  const other = { ...scene, anna: cara }
  expect((await send(other, before.draftId)).status).toBe(504)
  expect((await send(other, after.draftId, { amount: '0.07' })).status).toBe(200)
  await eventually(async () => {
    const states = (await listed(cara)).drafts.map(({ state }) => state.kind)
    expect(states).toEqual(['sent', 'sent'])
  })
  expect(await withdrawals(scene)).toHaveLength(2)
})

type Known = { whitelistId: string; trustedName: string | null }

test('what is new on the whitelist is new for the firm until it was paid, and known to all then', async () => {
  const scene = await trading({ kind: 'never' })
  const { anna, firm } = scene
  const known = async () => ((await anna('GET', '/hub/whitelist')).json as { entries: Known[] }).entries
  await eventually(async () => expect((await known()).every(({ trustedName }) => trustedName !== null)).toBe(true))
  const entry = await firm.admin('/whitelist/add', { account: 'trader', currency: 'BTC', name: 'new cold' })
  const { whitelistId } = entry.json as { whitelistId: string }
  const draft = draftIn(await anna('POST', '/hub/drafts', content(scene, { beneficiary: whitelistId })))
  expect(draft.beneficiary.name).toBe('new cold')
  const now = async () => (await known()).find((each) => each.whitelistId === whitelistId)
  expect(await now()).toMatchObject({ trustedName: null })
  expect((await send(scene, draft.draftId, { beneficiary: whitelistId })).status).toBe(200)
  await eventually(async () => expect(await now()).toMatchObject({ trustedName: 'new cold' }))
})

test('whoever makes drafts without end puts none of another off the list', async () => {
  const scene = await trading()
  const { firm, hub, anna, place } = scene
  const mine = await made(scene)
  const bob = (await firm.person('bob'))(hub)
  await ready(bob)
  await firm.database.pool.query(
    `INSERT INTO hub_draft (id, made_by, created_at_ms, currency, beneficiary, beneficiary_name, amount, wants_approval)
     SELECT 'b' || at, 'bob', 0, 'BTC', $1, 'cold', '1', false FROM generate_series(1, 399) AS at`,
    [place.whitelistId],
  )
  const last = await bob('POST', '/hub/drafts', content(scene))
  expect(last.status).toBe(200)
  const more = await bob('POST', '/hub/drafts', content(scene))
  expect(more).toMatchObject({ status: 409, text: expect.stringContaining('400 drafts of yours') })
  expect((await listed(anna)).drafts.map(({ draftId }) => draftId)).toContain(mine.draftId)
  await bob('DELETE', `/hub/drafts/${draftIn(last).draftId}`, { version: 1 })
  expect((await bob('POST', '/hub/drafts', content(scene))).status).toBe(200)
})

test('nothing that somebody writes makes the list of drafts longer than every desk reads', async () => {
  const scene = await trading()
  const { anna, vic, hub, firm } = scene
  const long = 'x'.repeat(60_000)
  expect((await anna('POST', '/hub/drafts', content(scene, { currency: long }))).status).toBe(400)
  const { draftId } = await made(scene)
  const rejected = await vic.call('POST', `/hub/drafts/${draftId}/reject`, { reason: long })
  expect(rejected).toMatchObject({ status: 400, text: expect.stringContaining('200 characters') })
  expect((await vic.call('POST', `/hub/drafts/${draftId}/reject`, { reason: 'x'.repeat(200) })).status).toBe(200)
  const placed = await anna('POST', '/orders', order('o1', { symbol: long }))
  expect(placed.status).not.toBe(200)
  const root = (await firm.person('root', 'admin'))(hub)
  await ready(root)
  await eventually(async () => expect((await root('GET', '/hub/audit?limit=100')).text).toContain('xxx'))
  expect((await root('GET', '/hub/audit?limit=100')).text.length).toBeLessThan(30_000)
})
