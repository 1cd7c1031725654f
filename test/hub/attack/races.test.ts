import { afterAll, beforeAll, expect, test } from 'vitest'
import { signApproval } from '../../../src/base/token-signature.ts'
import { approvalText } from '../../../src/domain/hub/draft.ts'
import type { ApprovalRule, Limits } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { revokePerson, rotateToken, setPersonLimits } from '../../../src/hub/people/people.ts'
import { readHubDrafts } from '../../../src/wire/hub-drafts.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Caller, type Firm, openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

const by = 'ops@host'

type Scene = {
  firm: Firm
  proxy: RewritingProxy
  hub: Awaited<ReturnType<Firm['hub']>>
  anna: Caller
  /** The same at another hub. */
  annaAt: (hub: Scene['hub']) => Caller
  member: (name: string) => Promise<Caller>
  /** Approves a draft as boss. */
  approve: (draftId: string) => Promise<void>
  terms: { currency: string; beneficiary: string; amount: string }
}

/** A hub that leads, behind something that can hold back what the exchange answers it. */
async function aFirm(approval: ApprovalRule = { kind: 'never' }, limits: Partial<Limits> = {}): Promise<Scene> {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, approval, limits, async (exchangeUrl) => {
    proxies.push(await startRewritingProxy(exchangeUrl))
    return proxies[0]?.url ?? ''
  })
  const [proxy] = proxies
  if (proxy === undefined) throw new Error('there is no proxy')
  await firm.quote()
  const [at, boss] = [await firm.person('anna'), await firm.member('boss', 'approver')]
  const hub = await firm.hub()
  const anna = at(hub)
  await ready(anna)
  const places = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId ?? ''
  return {
    ...{ firm, proxy, hub, anna, annaAt: at, terms: { currency: 'BTC', beneficiary, amount: '0.05' } },
    async member(name) {
      const other = (await firm.person(name))(hub)
      await ready(other)
      return other
    },
    async approve(draftId) {
      const list = readHubDrafts((await boss.at(hub)('GET', '/hub/drafts')).text)
      const draft = list.ok ? list.value.drafts.find((each) => each.draftId === draftId) : undefined
      if (!list.ok || draft === undefined) throw new Error(`no draft ${draftId}`)
      const text = approvalText(list.value.hub, draft)
      const signed = { terms: text, signature: signApproval(boss.token, text) }
      expect((await boss.at(hub)('POST', `/hub/drafts/${draftId}/approve`, signed)).status).toBe(200)
    },
  }
}

/** Starts something, lets `meanwhile` happen while the exchange is slow to answer this read, and then it answers. */
async function whileAsked<T>(
  proxy: RewritingProxy,
  path: string,
  start: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
) {
  const asked = Promise.withResolvers<null>()
  const gate = Promise.withResolvers<null>()
  proxy.rewrite = async ({ method, path: at }, answer) => {
    if (method !== 'GET' || !at.startsWith(path)) return answer
    asked.resolve(null)
    await gate.promise
    return answer
  }
  const started = start()
  await asked.promise
  await meanwhile()
  gate.resolve(null)
  return await started
}

const posted = ({ proxy }: Pick<Scene, 'proxy'>, path: string) =>
  proxy.asked.filter((asked) => asked.method === 'POST' && asked.path === path).map(({ body }) => body)

/** What may end the right to write while a write is checked. */
const ends: Record<string, (firm: Firm) => Promise<unknown>> = {
  revoked: ({ database }) => revokePerson(database.pool, { name: 'anna', by }),
  'given another role': ({ database }) =>
    database.pool.query("UPDATE hub_person SET role = 'viewer' WHERE name = 'anna'"),
  'given another token': ({ database }) =>
    rotateToken(database.pool, { name: 'anna', overlapMs: 0, by }, () => Buffer.alloc(32, 7)),
  limited: ({ database }) =>
    setPersonLimits(database.pool, {
      ...{ name: 'anna', by },
      change: { dayUsd: new Decimal(1), withdrawDayUsd: new Decimal(1) },
    }),
}

test.each(Object.keys(ends))(
  'who is %s while an order or a withdrawal of theirs is checked sends neither',
  async (how) => {
    const scene = await aFirm()
    const { firm, proxy, anna, terms, member } = scene
    const end = () => ends[how]?.(firm) ?? Promise.reject(new Error(how))
    const withdrawn = await whileAsked(proxy, '/whitelist', () => anna('POST', '/withdrawals', terms), end)
    expect([403, 409]).toContain(withdrawn.status)
    expect(withdrawn.text).toContain('nothing was sent')
    expect(posted(scene, '/withdrawals')).toEqual([])
    const { anna: other, ...again } = await aFirm()
    const placed = await whileAsked(
      again.proxy,
      '/l2/BTC-USD',
      () => other('POST', '/orders', order('a1')),
      () => ends[how]?.(again.firm) ?? Promise.reject(new Error(how)),
    )
    expect([403, 409]).toContain(placed.status)
    expect(placed.text).toContain('nothing was sent')
    expect(posted(again, '/orders')).toEqual([])
    // Nobody else is held up by that, and what was not sent counts nothing.
    const ben = await member('ben')
    expect(await ben('POST', '/withdrawals', terms)).toMatchObject({ status: 200 })
  },
  60_000,
)

test('a draft whose approver is revoked while it is checked is not sent, and one whose approval ended neither', async () => {
  const scene = await aFirm({ kind: 'always' })
  const { firm, proxy, anna, terms, approve } = scene
  const sending = async (draftId: string, meanwhile: () => Promise<unknown>) => {
    expect((await anna('POST', '/hub/drafts', { ...terms, draftId })).status).toBe(200)
    await approve(draftId)
    const send = () => anna('POST', `/hub/drafts/${draftId}/send`, terms)
    return await whileAsked(proxy, '/whitelist', send, meanwhile)
  }
  const refused = { status: 409, text: expect.stringContaining('who approved the draft is not an approver now') }
  const { pool } = firm.database
  expect(await sending('d1', () => pool.query('DELETE FROM hub_approval'))).toMatchObject(refused)
  expect(await sending('d2', () => revokePerson(pool, { name: 'boss', by }))).toMatchObject(refused)
  expect(posted(scene, '/withdrawals')).toEqual([])
})

const noBound = { soft: null, hard: null }

test.each([
  [
    'of the currency',
    { dayUsd: noBound, dayPerCurrency: new Map([['BTC', { soft: null, hard: new Decimal('0.1') }]]) },
  ],
  ['in USD', { dayUsd: { soft: null, hard: new Decimal(6_000) }, dayPerCurrency: new Map() }],
])(
  "the firm's hard limit of the day %s holds for withdrawals that two persons send at once",
  async (_, bounds) => {
    const scene = await aFirm(undefined, { withdrawals: { ...bounds, approval: { kind: 'never' } } })
    const { anna, terms, member } = scene
    const ben = await member('ben')
    // Unlike each other, so that nothing else speaks against the second.
    const amounts = ['0.055', '0.056', '0.057', '0.058', '0.059', '0.06']
    const answers = await Promise.all(
      amounts.map((amount, at) => (at % 2 === 0 ? anna : ben)('POST', '/withdrawals', { ...terms, amount })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403])
    expect(answers.filter(({ text }) => text.includes('is over the hard limit'))).toHaveLength(5)
    expect(posted(scene, '/withdrawals')).toHaveLength(1)
  },
  30_000,
)

test('while the exchange is slow to say whether writes are missing only cancels go', async () => {
  const { firm, proxy, hub, anna, annaAt } = await aFirm()
  const placed = await anna('POST', '/orders', order('a1'))
  const { exOrdId } = placed.json as { exOrdId: number }
  await hub.stop()
  const other = Promise.withResolvers<Scene['hub']>()
  const start = async () => other.resolve(await firm.hub())
  await whileAsked(proxy, '/withdrawals', start, async () => {
    const again = annaAt(await other.promise)
    await ready(again)
    expect(await again('POST', '/orders', order('a2', { price: '58000' }))).toMatchObject({
      ...{ status: 403, text: expect.stringContaining('until then only cancels go') },
    })
    expect((await again('DELETE', `/orders/${exOrdId}`)).status).toBe(200)
  })
  const again = annaAt(await other.promise)
  await eventually(async () =>
    expect(await again('POST', '/orders', order('a3', { price: '58000' }))).toMatchObject({ status: 200 }),
  )
})
