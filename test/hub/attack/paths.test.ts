import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** A firm, and every path that its hubs ask the exchange for. */
async function aWatchedFirm() {
  const asked: string[] = []
  const firm = await openFirm(cluster, {}, undefined, undefined, async (url) => {
    const proxy = await startRewritingProxy(url)
    proxy.rewrite = ({ path }, answer) => {
      asked.push(path)
      return answer
    }
    return proxy.url
  })
  return { firm, asked }
}

/** The first line of the answer to a request whose path nothing on the way makes good. */
const raw = (url: string, token: string, target: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    socket.on('close', () => resolve(got.split('\r\n')[0] ?? ''))
    socket.on('error', reject)
    socket.write(`GET /v3${target} HTTP/1.1\r\nhost: h\r\nx-api-token: ${token}\r\nconnection: close\r\n\r\n`)
  })

test("nobody reaches another place of the exchange with the firm's key than those that the hub passes on", async () => {
  const { firm, asked } = await aWatchedFirm()
  const hub = await firm.hub()
  const { token, at } = await firm.member('vera', 'viewer')
  await ready(at(hub))
  const elsewhere = [
    ...['/orders/..', '/orders/.', '/orders/%2e%2E', '/accounts/../admin', '/accounts/%2e%2e/admin', '/orders/.%2e'],
    ...['/accounts/x/..%2f..%2fadmin', '/orders/..%5cadmin', '/orders#admin'],
  ]
  const lines = await Promise.all(elsewhere.map((target) => raw(hub.url, token.reveal(), target)))
  expect(lines).toEqual(elsewhere.map(() => 'HTTP/1.1 404 Not Found'))
  expect(asked.filter((path) => /[.#]|%2e/i.test(path))).toEqual([])
  expect(await raw(hub.url, token.reveal(), '/l2/BTC-USD')).toBe('HTTP/1.1 200 OK')
})

/** What nothing can be called: too long for any name, with what nobody sees, or a way to somewhere else. */
const odd = [
  ...['a'.repeat(1_025), 'a'.repeat(12_000), '%00', 'd%00', '%C2%85', 'd%E2%80%8B', '%F3%A0%81%81'],
  ...['..%2Forders', '%2F', '7%2F..%2F', '..%5Corders', '%2e%2e%2Forders'],
]

test('what nothing can be called is answered as missing, by whatever path, and is neither recorded nor taken for a database in trouble', async () => {
  const { firm, asked } = await aWatchedFirm()
  const people = [await firm.person('anna'), await firm.person('boss', 'approver'), await firm.person('root', 'admin')]
  const hub = await firm.hub()
  const [anna, boss, root] = people.map((at) => at(hub))
  if (anna === undefined || boss === undefined || root === undefined) throw new Error('nobody')
  await ready(anna)
  for (const name of odd) {
    const at = name.slice(0, 20)
    for (const path of [`/orders/${name}`, `/deposits/${name}`, `/withdrawals/${name}`])
      expect(await anna('GET', path), at).toMatchObject({ status: 404, text: '' })
    expect(await anna('DELETE', `/orders/${name}`), at).toMatchObject({ status: 404, text: '' })
    const named = ['/l2', '/l3', '/tickers', '/symbols', '/whitelist', '/accounts/primary'].map((path) =>
      anna('GET', `${path}/${name}`),
    )
    const changes = [
      anna('PUT', `/hub/drafts/${name}`, { version: 1 }),
      anna('DELETE', `/hub/drafts/${name}`, { version: 1 }),
      boss('POST', `/hub/drafts/${name}/approve`, { terms: 't', signature: 's' }),
      boss('POST', `/hub/drafts/${name}/reject`, {}),
      anna('POST', `/hub/plans/${name}/cancel`, {}),
      anna('POST', `/hub/plans/${name}/resume`, {}),
      root('POST', `/hub/writes/${name}/settle`, { verdict: 'notPlaced' }),
    ]
    const terms = { currency: 'BTC', beneficiary: 'wl-1', amount: '0.05' }
    const sent = anna('POST', `/hub/drafts/${name}/send`, terms)
    for (const answer of await Promise.all([...named, ...changes, sent, anna('POST', `/deposits/${name}`)]))
      expect(answer, at).toMatchObject({ status: 404, json: { error: expect.any(String) } })
    for (const answer of await Promise.all(changes)) expect(answer.text, at).toContain(': nothing was changed')
    expect((await sent).text).toContain(': nothing was sent')
  }
  for (const symbol of ['%00', 'BTC%E2%80%8B-USD'])
    expect(await anna('DELETE', `/orders?symbol=${symbol}`)).toMatchObject({ status: 400 })
  expect(asked.filter((path) => odd.some((name) => path.includes(name)))).toEqual([])
  // Nor does a body bring the exchange, the journal or the audit list a name of 60 KB.
  const long = 'x'.repeat(60_000)
  for (const answer of [
    await anna('DELETE', '/orders', { symbol: long }),
    await anna('POST', '/orders', order('a1', { symbol: long })),
    await anna('POST', '/withdrawals', { currency: long, beneficiary: 'wl-1', amount: '0.05' }),
    await anna('POST', '/withdrawals', { currency: 'BTC', beneficiary: long, amount: '0.05' }),
    await anna('POST', '/hub/drafts', { currency: 'BTC', beneficiary: long, amount: '0.05', wantsApproval: false }),
    await anna('DELETE', `/orders?symbol=${'x'.repeat(1_025)}`),
  ])
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('is longer than 1024 characters') })
  expect(asked.filter((path) => path.includes(long))).toEqual([])
  expect(hub.log.filter((line) => line.includes('ALARM'))).toEqual([])
  const { rows } = await firm.database.pool.query('SELECT 1 FROM hub_write')
  expect(rows).toEqual([])
  // The next longer name there may be is asked about.
  expect((await anna('GET', `/orders/${'a'.repeat(1_024)}`)).status).toBe(404)
  expect(asked.some((path) => path.endsWith('a'.repeat(1_024)))).toBe(true)
})
