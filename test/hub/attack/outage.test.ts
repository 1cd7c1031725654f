import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HubDraft } from '../../../src/domain/hub/draft.ts'
import type { RouteRequest } from '../../../src/http-server/route.ts'
import { type DraftRoutesContext, draftRoutes } from '../../../src/hub/http/draft-routes.ts'
import { setHalt } from '../../../src/hub/people/halt.ts'
import type { Guest } from '../../../src/hub/writes/context.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { httpCall } from '../../sandbox/http/harness.ts'
import { openFirm, order, ready } from '../harness.ts'
import { fillDisk } from '../hub-database.ts'
import { failing, json, openOffice } from '../office.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

async function aFirm() {
  const firm = await openFirm(cluster)
  await firm.quote()
  // Known before the hub is there: it counts what is tried with tokens that it has not heard of yet.
  const person = await firm.person('anna')
  const anna = person(await firm.hub())
  await ready(anna)
  const [place] = ((await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]).filter(
    ({ currency }) => currency === 'BTC',
  )
  if (place === undefined) throw new Error('no beneficiary in BTC')
  const terms = { currency: 'BTC', beneficiary: place.whitelistId, amount: '0.01' }
  return { firm, anna, terms }
}

test('a draft that cannot be looked up has not left, and nobody is told that it may have', async () => {
  const { firm, anna, terms } = await aFirm()
  expect((await anna('POST', '/hub/drafts', { ...terms, draftId: 'd1' })).status).toBe(200)
  await firm.database.pool.query('ALTER TABLE hub_draft RENAME TO hub_gone')
  const answer = await anna('POST', '/hub/drafts/d1/send', terms)
  await firm.database.pool.query('ALTER TABLE hub_gone RENAME TO hub_draft')
  expect(answer).toMatchObject({ status: 409, text: expect.stringContaining('nothing was sent') })
  await eventually(async () => {
    const { rows } = await firm.database.pool.query("SELECT person FROM hub_audit WHERE action = 'writeRefused'")
    expect(rows).toEqual([{ person: 'anna' }])
  })
  expect((await anna('POST', '/hub/drafts/d1/send', terms)).status).toBe(200)
  await firm.database.pool.query('ALTER TABLE hub_draft RENAME TO hub_gone')
  const again = await anna('POST', '/hub/drafts/d1/send', terms)
  await firm.database.pool.query('ALTER TABLE hub_gone RENAME TO hub_draft')
  // That one has left, and whoever lost the answer must not conclude that it has not.
  expect(again).toMatchObject({ status: 504, text: expect.stringContaining('it may be live') })
})

test('a draft that has left is not told as not sent because the firm was halted since', async () => {
  const { firm, anna, terms } = await aFirm()
  for (const draftId of ['d1', 'd2'])
    expect((await anna('POST', '/hub/drafts', { ...terms, draftId })).status).toBe(200)
  expect((await anna('POST', '/hub/drafts/d1/send', terms)).status).toBe(200)
  await setHalt(firm.database.pool, 'drill', { person: null, by: 'ops@host' })
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ halted: 'drill' }))
  expect(await anna('POST', '/hub/drafts/d2/send', terms)).toMatchObject({
    ...{ status: 403, text: expect.stringContaining('nothing was sent') },
  })
  expect(await anna('POST', '/hub/drafts/d1/send', terms)).toMatchObject({
    ...{ status: 504, text: expect.stringContaining('it was sent as') },
  })
})

test('a withdrawal whose draft got lost on the way is not sent as one without', async () => {
  const { anna, terms } = await aFirm()
  for (const draftId of ['', '%20']) expect((await anna('POST', `/hub/drafts/${draftId}/send`, terms)).status).toBe(404)
  expect((await anna('GET', '/withdrawals')).json).toEqual([])
})

test('whoever only looks has few questions at the database at once, and all the others have theirs', async () => {
  const asked: ((drafts: readonly HubDraft[]) => void)[] = []
  const list = () => new Promise<readonly HubDraft[]>((resolve) => asked.push(resolve))
  const context = { hub: 'h', drafts: { list } } as unknown as DraftRoutesContext
  const route = draftRoutes(() => context).find(({ method, path }) => method === 'GET' && path === '/hub/drafts')
  const as = (name: string) =>
    Promise.resolve(route?.handle({ guest: { name, role: 'viewer' } } as unknown as RouteRequest<Guest>))
  const looks = Array.from({ length: 100 }, () => as('vera'))
  const other = as('anna')
  expect(asked).toHaveLength(8 + 1)
  for (const answer of asked) answer([])
  const statuses = (await Promise.all(looks)).map((answer) => answer?.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(92)
  expect((await other)?.status).toBe(200)
  const later = as('vera')
  asked.at(-1)?.([])
  expect((await later)?.status).toBe(200)
})

test('a token that is not known is answered as that, however often it is tried', async () => {
  const { anna } = await aFirm()
  const answers: [number, unknown][] = []
  for (let tries = 0; tries < 7; tries += 1) {
    const { status, headers } = await anna('GET', '/orders', undefined, { 'x-api-token': 'not-known' })
    answers.push([status, headers['retry-after']])
  }
  expect(answers).toEqual([...Array.from({ length: 5 }, () => [401, undefined]), [401, '1'], [401, '2']])
  expect((await anna('GET', '/orders')).status).toBe(200)
})

test('a cancel that no hub takes says that the order goes on working, and a halt that it is not one', async () => {
  const { firm, anna } = await openOffice(cluster, { kind: 'never' })
  const { exOrdId } = json(await anna.run('order place buy 0.01 BTC-USD --limit 59000 --yes'))
  Object.assign(anna.environment, { PITDESK_HUB_STORE: firm.url })
  await cluster.crash()
  const elsewhere = 'cancel at the exchange itself: on its web page, or with its own key.'
  await eventually(async () => {
    const { code, said } = failing(await anna.run(`order cancel ${exOrdId}`))
    expect(said).toContain(`Order ${exOrdId} not canceled, not sent: this hub's database does not answer`)
    expect(said).toContain(`It goes on working. While no hub answers, ${elsewhere}`)
    expect(code).toBe(5)
  })
  const all = failing(await anna.run('order cancel-all --every-symbol --yes'))
  expect(all.said).toContain(`Nothing was canceled. Orders go on working. While no hub answers, ${elsewhere}`)
  const halted = failing(await anna.run('hub halt because'))
  expect(halted.said).toContain("NOT halted: The hub's store cannot be opened")
  expect(halted.said).toContain('orders go on working: cancel them at the exchange itself')
  await cluster.serveAgain()
})

test('a hub whose database is gone says so, as it does to whoever looks after it, and leads again with it', async () => {
  const { firm, anna } = await aFirm()
  const standby = await firm.hub()
  await eventually(() => expect(standby.log.join()).toContain('stands by'))
  const ben = (await firm.person('ben'))(standby)
  const health = async () => {
    const { status, text } = await httpCall(standby.metricsUrl.replace(/\/metrics$/, ''), { path: '/healthz' })
    return `${status} ${text}`
  }
  expect(await health()).toBe('200 stands by\n')
  await cluster.crash()
  await eventually(async () => {
    for (const caller of [anna, ben])
      expect(await caller('DELETE', '/orders')).toMatchObject({
        status: 503,
        headers: { 'x-hub-standby': 'no-store' },
        json: { error: "this hub's database does not answer, no hub leads: nothing was sent" },
      })
  })
  expect(await health()).toBe('503 the database does not answer: no hub leads\n')
  await cluster.serveAgain()
  await eventually(async () => expect(await health()).toMatch(/^200 /))
  await eventually(async () => {
    const statuses = [(await anna('DELETE', '/orders')).status, (await ben('DELETE', '/orders')).status]
    expect(statuses.sort()).toEqual([200, 503])
  })
})

test('a sign-in that is not recorded keeps nobody out, and is told once, however often they call', async () => {
  const firm = await openFirm(cluster)
  const [anna, ben] = [await firm.person('anna'), await firm.person('ben')]
  const hub = await firm.hub()
  await ready(anna(hub))
  const makeRoom = await fillDisk(firm.database, 'hub_sign_in')
  for (let call = 0; call < 20; call += 1) expect((await ben(hub)('GET', '/hub/me')).status).toBe(200)
  await makeRoom()
  await eventually(async () => {
    await ben(hub)('GET', '/hub/me')
    const { rows } = await firm.database.pool.query("SELECT 1 FROM hub_audit WHERE person = 'ben'")
    expect(rows).toHaveLength(1)
  })
  expect(hub.log.filter((line) => line.includes('a sign-in is not on record'))).toHaveLength(1)
})

test('under a full disk cancels go, nothing else does, whoever looks after the hub is told, and nothing is lost of it', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const [person, admin] = [await firm.person('anna'), await firm.person('boss', 'admin')]
  const hub = await firm.hub()
  const [anna, boss] = [person(hub), admin(hub)]
  await ready(anna)
  const { pool } = firm.database
  expect((await anna('POST', '/orders', order('a1'))).status).toBe(200)
  const listed = () => pool.query("SELECT detail FROM hub_audit WHERE action ~ 'write|halt' ORDER BY number")
  // A person has their answer before the audit list has its row.
  await eventually(async () => expect((await listed()).rows).toHaveLength(1))
  const full = 'No space left on device'
  const makeRoom = await fillDisk(firm.database, 'hub_write', 'hub_audit')
  const health = () => httpCall(hub.metricsUrl, { path: '/healthz' })
  expect(await health()).toMatchObject({ status: 200, text: 'leads\n' })
  const refused = await anna('POST', '/orders', order('a2', { price: '58900' }))
  expect(refused).toMatchObject({
    status: 409,
    text: expect.stringMatching(/No space left on device: nothing was sent/),
  })
  expect(await health()).toMatchObject({
    ...{
      status: 503,
      text: expect.stringMatching(/writes are not recorded, and none but cancels go: .*No space left/),
    },
  })
  expect((await anna('DELETE', '/orders?symbol=BTC-USD')).status).toBe(200)
  expect((await anna('GET', '/orders')).json).toEqual([])
  const numbers = (await httpCall(hub.metricsUrl, { path: '/metrics' })).text
  expect(numbers).toMatch(/^pitdesk_hub_unrecorded 1$/m)
  expect(numbers).toMatch(/^pitdesk_hub_audit_waiting [1-9]$/m)
  // The audit list is written beside the writes: which of their alarms comes first is the machine's.
  const alarms = new Set(hub.log.flatMap((line) => /^ALARM ([^:]+): /.exec(line)?.[1] ?? []))
  expect(alarms).toEqual(
    new Set([
      'writes are not recorded, and none but cancels go',
      'the database does not take the audit list',
      'Cancel sent unrecorded',
    ]),
  )
  expect((await boss('POST', '/hub/halt', { reason: 'disk' })).status).toBe(200)
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ halted: 'disk' }))
  // What permits more is on the list first, or it is not done.
  expect(await boss('POST', '/hub/resume', {})).toMatchObject({
    status: 503,
    json: { error: `the hub's database does not take it: ${full}: nothing was changed` },
  })
  await makeRoom()
  await eventually(async () => {
    const { rows } = await listed()
    expect(rows.map(({ detail }) => JSON.parse(detail)).map(({ terms, reason }) => terms ?? reason)).toEqual([
      expect.stringMatching(/as a1$/),
      expect.stringMatching(/as a2$/),
      'in BTC-USD',
      'disk',
    ])
  })
  expect((await boss('POST', '/hub/resume', {})).status).toBe(200)
  await eventually(async () => expect((await anna('GET', '/hub/me')).json).toMatchObject({ halted: null }))
  expect((await anna('POST', '/orders', order('a3', { price: '58800' }))).status).toBe(200)
  expect(await health()).toMatchObject({ status: 200, text: 'leads\n' })
})
