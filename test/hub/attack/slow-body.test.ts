import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { revokePerson } from '../../../src/hub/people/people.ts'
import { eventually } from '../../fakes/eventually.ts'
import { PostgresCluster } from '../../fakes/postgres.ts'
import { openFirm, order, ready } from '../harness.ts'

let cluster: PostgresCluster
beforeAll(async () => {
  cluster = await PostgresCluster.start()
})
afterAll(() => cluster.stop())

/** An order whose end is kept back: `finish` sends it, and gives the first line of the answer. */
function slowOrder(url: string, token: string) {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(order('slow'))
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const answered = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString().split('\r\n')[0] ?? ''))
    socket.on('error', reject)
  })
  const head = `host: h\r\nx-api-token: ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  socket.write(`POST /v3/orders HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, 20)}`)
  return {
    async finish() {
      socket.write(body.slice(20))
      const line = await answered
      socket.destroy()
      return line
    },
  }
}

test('whoever is revoked while their order is still coming in sends nothing', async () => {
  const firm = await openFirm(cluster)
  await firm.quote()
  const hub = await firm.hub()
  const [anna, bob] = [await firm.member('anna'), await firm.member('bob')]
  await ready(anna.at(hub))
  await ready(bob.at(hub))
  const [slow, other] = [slowOrder(hub.url, anna.token.reveal()), slowOrder(hub.url, bob.token.reveal())]
  // Both were let in when later ones of other connections are.
  await ready(anna.at(hub))
  await revokePerson(firm.database.pool, { name: 'anna', by: 'ops@host' })
  await eventually(async () => expect((await anna.at(hub)('GET', '/orders')).status).toBe(401))
  expect(await slow.finish()).toBe('HTTP/1.1 401 Unauthorized')
  expect((await bob.at(hub)('GET', '/orders')).json).toEqual([])
  expect(await other.finish()).toBe('HTTP/1.1 200 OK')
})
