import { beforeAll, expect, test } from 'vitest'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { changed, type Rewrite, type RewritingProxy, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { openFirm, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
  return () => cluster.stop()
})

const withFields =
  (fields: object): Rewrite =>
  (_, answer) =>
    changed(answer, (value: object) => ({ ...value, ...fields }))

/** What is answered in the place of the exchange, what the hub then says, and how many are out. */
const forgeries: readonly (readonly [answer: Rewrite, status: number, words: string, out: number])[] = [
  [withFields({ withdrawalId: 'w-1' }), 504, 'answered w-1, which is an earlier withdrawal', 1],
  [withFields({ withdrawalId: 'w-999' }), 200, '"amount":0.003', 1],
  [withFields({ amount: 0.5 }), 504, 'sent amount 0.004, answered 0.5', 1],
  [withFields({ beneficiary: 'wl-9' }), 504, 'answered wl-9', 1],
  [() => ({ status: 200, body: '{"error":"Insufficient Balance"}' }), 504, 'answered with an error', 1],
  [() => ({ status: 400, body: '{"error":"Insufficient Balance"}' }), 200, '"amount":0.007', 1],
  [() => ({ status: 502, body: '' }), 504, 'bad gateway', 1],
  [(_asked, _answer, again) => again(), 504, 'listed since it was sent: ', 2],
]

test('a withdrawal that a proxy answers with something else is told as it is, and is not sent once more', async () => {
  const proxies: RewritingProxy[] = []
  const firm = await openFirm(cluster, {}, { kind: 'never' }, {}, async (exchangeUrl) => {
    const proxy = await startRewritingProxy(exchangeUrl)
    proxies.push(proxy)
    return proxy.url
  })
  await firm.quote()
  const [member, hub] = [await firm.person('anna'), await firm.hub()]
  const anna = member(hub)
  await ready(anna)
  const [proxy] = proxies
  const places = (await anna('GET', '/whitelist')).json as { whitelistId: string; currency: string }[]
  const beneficiary = places.find(({ currency }) => currency === 'BTC')?.whitelistId
  if (proxy === undefined || beneficiary === undefined) throw new Error('no way to the exchange, or nobody there')
  const terms = (amount: string) => ({ currency: 'BTC', beneficiary, amount })
  expect((await anna('POST', '/withdrawals', terms('0.01'))).status).toBe(200)
  for (const [at, [answer, status, words, out]] of forgeries.entries()) {
    const own = terms(`0.00${at + 2}`)
    const isMoney = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/withdrawals'
    proxy.rewrite = (asked, came, again) => (isMoney(asked) ? answer(asked, came, again) : came)
    expect((await anna('POST', '/hub/drafts', { ...own, draftId: `d${at}` })).status).toBe(200)
    const told = await anna('POST', `/hub/drafts/d${at}/send`, own)
    expect(`${told.status} ${told.text}`).toMatch(new RegExp(`^${status} .*${words}`))
    proxy.rewrite = (_, came) => came
    const again = await anna('POST', `/hub/drafts/d${at}/send`, own)
    expect([again.status, again.text]).toEqual([504, expect.not.stringContaining('nothing was sent')])
    const list = (await anna('GET', '/withdrawals', undefined, { 'x-hub-fresh': '1' })).json as { amount: number }[]
    expect(list.filter(({ amount }) => amount === Number(own.amount))).toHaveLength(out)
  }
})
