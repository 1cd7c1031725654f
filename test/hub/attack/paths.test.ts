import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { openFirm, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

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
  const asked: string[] = []
  const firm = await openFirm(cluster, {}, undefined, undefined, async (url) => {
    const proxy = await startRewritingProxy(url)
    proxy.rewrite = ({ path }, answer) => {
      asked.push(path)
      return answer
    }
    return proxy.url
  })
  const hub = await firm.hub()
  const { token, at } = await firm.member('vera', 'viewer')
  await ready(at(hub))
  const odd = [
    ...['/orders/..', '/orders/.', '/orders/%2e%2E', '/accounts/../admin', '/accounts/%2e%2e/admin', '/orders/.%2e'],
    ...['/accounts/x/..%2f..%2fadmin', '/orders/..%5cadmin', '/orders#admin'],
  ]
  const lines = await Promise.all(odd.map((target) => raw(hub.url, token.reveal(), target)))
  expect(lines).toEqual(odd.map(() => 'HTTP/1.1 404 Not Found'))
  expect(asked.filter((path) => /[.#]|%2e/i.test(path))).toEqual([])
  expect(await raw(hub.url, token.reveal(), '/l2/BTC-USD')).toBe('HTTP/1.1 200 OK')
})
