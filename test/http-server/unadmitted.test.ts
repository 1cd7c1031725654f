import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/http-server/app.ts'
import { failure, json } from '../../src/http-server/route.ts'
import { limitUnadmitted } from '../../src/http-server/unadmitted.ts'
import { makeIdentity } from '../fakes/certificates.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const identity = makeIdentity('localhost')

async function startApp({ isSecure = false } = {}) {
  const clock = new FakeClock(1_700_000_000_000)
  const app = await createApp<string>({
    basePath: '',
    routes: [{ method: 'GET', path: '/orders', handle: () => json('[]') }],
    admit: ({ 'x-api-token': key }) => (key === 'mine' ? { guest: 'anna' } : { refused: failure(401, 'who is it?') }),
    clock,
    log: () => {},
    pageRule: 'direct',
    ...(isSecure ? { tls: { cert: identity.certificatePem, key: identity.keyPem } } : {}),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { app, clock, port: portOf(app.server.address()) }
}

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** A connection that says nothing; `isCut` once the other side has ended it. */
function silent(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const state = { isCut: false, socket }
  socket
    .on('error', () => {})
    .on('close', () => {
      state.isCut = true
    })
  return state
}

const openCount = (app: { server: { getConnections(done: (error: Error | null, count: number) => void): void } }) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

test.each([false, true])(
  'whoever has no key holds a few connections, and none of those who have (TLS: %s)',
  async (isSecure) => {
    const { app, port } = await startApp({ isSecure })
    const agent = new SecureAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    onTestFinished(() => agent.destroy())
    const newAgent = new SecureAgent({ rejectUnauthorized: false })
    const headers = { 'x-api-token': 'mine' }
    const ask = async (isNew = false) => {
      const sent = isSecure
        ? secureRequest({ port, host: '127.0.0.1', path: '/orders', headers, agent: isNew ? newAgent : agent })
        : request({ port, host: '127.0.0.1', path: '/orders', headers, ...(isNew ? { agent: false } : {}) })
      sent.end()
      const [answer] = await once(sent, 'response')
      answer.resume()
      return answer.statusCode
    }
    expect(await ask()).toBe(200)
    const crowd = Array.from({ length: 520 }, () => silent(port))
    await eventually(() => expect(crowd.filter(({ isCut }) => isCut)).toHaveLength(20))
    expect(await openCount(app)).toBe(501)
    // The oldest ones went, the connection of before is still there, and a new one is let in too.
    expect(crowd.findIndex(({ isCut }) => !isCut)).toBe(20)
    expect(await ask()).toBe(200)
    expect(await ask(true)).toBe(200)
    for (const { socket } of crowd) socket.destroy()
    await eventually(async () => expect(await openCount(app)).toBe(1))
    expect(await Promise.all(Array.from({ length: 3 }, () => ask()))).toEqual([200, 200, 200])
  },
)

test('whoever sends something else and reads no answer is cut off after a moment', async () => {
  const { app, port, clock } = await startApp()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.pause().write('SSH-2.0-client\r\n\r\n')
  await clock.reached(2_000)
  expect(await openCount(app)).toBe(1)
  await clock.advance(2_000)
  await eventually(async () => expect(await openCount(app)).toBe(0))
})

test('all addresses together have a limit too', async () => {
  const server = createServer()
  limitUnadmitted(server, { each: 5, all: 3 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const port = portOf(server.address())
  const crowd = Array.from({ length: 5 }, () => silent(port))
  await eventually(() => expect(crowd.filter(({ isCut }) => isCut)).toHaveLength(2))
})
