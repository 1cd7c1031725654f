import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../../src/sandbox/start-sandbox.ts'
import { readGatewayEvent } from '../../../../src/wire/gateway-event.ts'
import { FakeClock } from '../../../fakes/fake-clock.ts'
import { countingBytes, httpCall, noonMs, type OpenExchange, openExchange } from '../../http/harness.ts'
import { newFolder } from '../../persistence/scene.ts'

let exchange: OpenExchange
beforeEach(async () => {
  exchange = await openExchange()
})
afterEach(() => exchange.sandbox.stop())

/** A partner's own server, made by hand, which can be switched off and on again at the same port. */
async function openPartner() {
  const bodies: string[] = []
  const serve = (port: number) => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      bodies.push(Buffer.concat(chunks).toString())
      response.writeHead(200).end('ok')
    })
    return new Promise<typeof server>((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
  }
  let server = await serve(0)
  const { port } = server.address() as AddressInfo
  const off = () => new Promise((resolve) => server.close(resolve))
  const on = async () => {
    server = await serve(port)
  }
  return { url: `http://127.0.0.1:${port}/events`, bodies, off, on }
}

type Shown = { deliveryId: string; state: string; attemptCount: number; lastStatus?: number; lastWords?: string }
type Listed = { endpoints: unknown[]; deliveries: Shown[] }

const listed = async (values: unknown = {}) => (await exchange.admin('webhook/deliveries', values)).json as Listed

/** Resolves when what is listed is as wanted: after the change that made it so. */
function until(isSo: (list: Listed) => boolean): Promise<Listed> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      listed().then((list) => {
        if (!isSo(list)) return
        end()
        resolve(list)
      }, reject)
    }
    const end = exchange.sandbox.webhooks.onChange(look)
    look()
  })
}

test('from an order to the partner’s server: tried again while it is away, expired after three days, sent by hand', async () => {
  const partner = await openPartner()
  const registered = await exchange.admin('webhook/register', { url: partner.url, name: 'main' })
  expect(registered.json).toEqual({ endpointId: 1, name: 'main', partner: 'practice', url: partner.url })
  const created = await exchange.admin('gateway-order/create', { orderType: 'BUY' })
  const { orderId } = created.json as { orderId: string }
  const first = await until(({ deliveries }) => deliveries[0]?.state === 'delivered')
  expect(first.endpoints).toEqual([registered.json])
  expect(first.deliveries).toEqual([
    {
      ...{ deliveryId: '1', state: 'delivered', endpoint: 'main', orderId, orderState: 'PENDING', attemptCount: 1 },
      ...{ madeAt: '2026-03-10T12:00:00.000Z', expiresAt: '2026-03-13T12:00:00.000Z', eventId: expect.any(String) },
      ...{ lastStatus: 200, lastLatencyMs: 0, lastWords: 'ok' },
    },
  ])
  const read = readGatewayEvent(partner.bodies[0] ?? '')
  expect(read.ok ? [read.value.orderId, read.value.orderState] : read.error).toEqual([orderId, 'PENDING'])

  await partner.off()
  await exchange.admin('gateway-order/advance', { orderId })
  await until(({ deliveries }) => deliveries[0]?.attemptCount === 1 && deliveries[0].state === 'pending')
  await exchange.clock.advance(12_000)
  const again = await until(({ deliveries }) => deliveries[0]?.attemptCount === 2)
  expect(again.deliveries[0]).toMatchObject({ state: 'pending', lastWords: 'the connection was refused' })
  expect(again.deliveries[0]).not.toHaveProperty('lastStatus')

  await exchange.admin('clock/advance', { ms: 72 * 3_600_000 })
  expect((await listed({ state: 'expired' })).deliveries).toMatchObject([
    { deliveryId: '2', state: 'expired', attemptCount: 2 },
  ])

  await partner.on()
  expect((await exchange.admin('webhook/retry', { deliveries: '1-2' })).json).toEqual({ tried: 1, passedOver: 1 })
  await until(({ deliveries }) => deliveries[0]?.state === 'delivered')
  const one = await exchange.admin('webhook/deliveries', { delivery: 2 })
  expect(one.json).toMatchObject({
    state: 'delivered',
    attempts: [
      { at: '2026-03-10T12:00:00.000Z', words: 'the connection was refused' },
      { words: 'the connection was refused' },
      { status: 200, words: 'ok' },
    ],
  })
  expect((await exchange.admin('webhook/rm', { endpointId: 1 })).json).toEqual(registered.json)
  expect((await listed()).endpoints).toEqual([])
  await partner.off()
})

test('a reset forgets deliveries and keeps endpoints', async () => {
  const partner = await openPartner()
  await exchange.admin('webhook/register', { url: partner.url })
  await exchange.admin('gateway-order/create', { orderType: 'SELL' })
  await until(({ deliveries }) => deliveries[0]?.state === 'delivered')
  await exchange.admin('reset')
  expect(await listed()).toMatchObject({ endpoints: [{ endpointId: 1, url: partner.url }], deliveries: [] })
  await exchange.admin('gateway-order/create', { orderType: 'BUY' })
  await until(({ deliveries }) => deliveries[0]?.state === 'delivered')
  const ids = partner.bodies.map((body) => {
    const read = readGatewayEvent(body)
    return read.ok ? read.value.eventId : read.error
  })
  expect(new Set(ids).size).toBe(2)
  await partner.off()
})

test.each([
  ['register', {}, 400, 'url'],
  ['register', { url: 'partner' }, 400, 'field "url" must be a whole address'],
  ['register', { url: 'http://partner.example/' }, 400, 'must begin with https://'],
  ['register', { url: 'https://192.168.1.1/' }, 400, 'must not be a private address'],
  ['register', { url: 'https://169.254.169.254/latest' }, 400, 'must not be a link-local address'],
  ['register', { url: 'https://partner.example/', partner: 'nobody' }, 404, 'no partner nobody'],
  ['register', { url: 'https://partner.example/', name: 'x'.repeat(41) }, 400, 'name'],
  ['rm', {}, 400, 'endpointId'],
  ['rm', { endpointId: 0 }, 400, 'endpointId'],
  ['rm', { endpointId: 9 }, 404, 'no webhook endpoint 9'],
  ['deliveries', { state: 'lost' }, 400, 'state'],
  ['deliveries', { count: 1_001 }, 400, 'count'],
  ['deliveries', { delivery: 9 }, 404, 'no delivery 9'],
  ['retry', {}, 400, 'deliveries'],
  ['retry', { deliveries: 'all' }, 400, 'field "deliveries" must be a number, or a range'],
  ['retry', { deliveries: '40-12' }, 400, 'from a lower number'],
  ['retry', { deliveries: '0' }, 400, 'from a lower number'],
  ['retry', { deliveries: '1-20000' }, 400, '10000 deliveries at the most'],
  ['retry', { deliveries: '9' }, 404, 'no delivery 9'],
])('webhook %s %j: %i', async (verb, values, status, words) => {
  const answer = await exchange.admin(`webhook/${verb}`, values)
  expect([answer.status, answer.json]).toEqual([status, { error: expect.stringContaining(words) }])
})

test('after a restart time goes on behind the last event, so that what is pending is not days away', async () => {
  const folder = newFolder()
  const clock = new FakeClock(noonMs)
  const start = () =>
    startSandbox(
      { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market: 'off', data: folder },
      { clock, randomBytes: countingBytes(), log: () => {} },
    )
  const call = (sandbox: Sandbox, path: string, values: unknown) =>
    httpCall(sandbox.adminUrl, {
      ...{ method: 'POST', path, body: JSON.stringify(values) },
      headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
    })
  const dayMs = 86_400_000
  const first = await start()
  await call(first, '/webhook/register', { url: 'http://127.0.0.1:1/' })
  await call(first, '/clock/advance', { ms: 10 * dayMs })
  await call(first, '/gateway-order/create', { orderType: 'BUY' })
  await first.stop()
  const again = await start()
  const { json } = await call(again, '/clock/advance', { ms: 0 })
  expect(json).toEqual({ nowMs: noonMs + 10 * dayMs })
  const made = again.webhooks.deliveries({ count: 1 })[0]?.madeAtMs
  expect(made).toBe(noonMs + 10 * dayMs)
  await again.stop()
})
