import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/http-server/app.ts'
import { failure, json } from '../../src/http-server/route.ts'
import { makeIdentity } from '../fakes/certificates.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

const identity = makeIdentity('localhost')

/** A server whose answers to `GET /orders` wait for `letGo`. */
async function startApp(isSecure = false) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const asked: string[] = []
  const app = await createApp<string>({
    basePath: '',
    routes: [
      {
        method: 'GET',
        path: '/orders',
        handle: async ({ guest }) => {
          asked.push(guest)
          await held
          return json('[]')
        },
      },
      { method: 'POST', path: '/orders', handle: ({ body }) => json(JSON.stringify({ length: body.text.length })) },
    ],
    admit: ({ 'x-api-token': key }) => (key === 'mine' ? { guest: 'anna' } : { refused: failure(401, 'who is it?') }),
    clock: new FakeClock(1_700_000_000_000),
    log: () => {},
    pageRule: 'direct',
    ...(isSecure ? { tls: { cert: identity.certificatePem, key: identity.keyPem } } : {}),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, letGo, asked }
}

/** Sends a text in one piece; resolves with what came until the connection ended. */
function sent(port: number, text: string, isSecure = false): Promise<string> {
  return new Promise((resolve) => {
    const host = '127.0.0.1'
    const socket = isSecure ? connectSecurely({ port, host, rejectUnauthorized: false }) : connect({ port, host })
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(text)
  })
}

const ask = (key: string, last = false) =>
  `GET /orders HTTP/1.1\r\nHost: h\r\nX-API-Token: ${key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)

test.each([false, true])(
  'requests that do not wait for answers are taken up to a number, and more cut the connection (TLS: %s)',
  async (isSecure) => {
    const { port, letGo, asked } = await startApp(isSecure)
    const many = (key: string) => sent(port, ask(key).repeat(199) + ask(key, true), isSecure)
    // Whoever has no key too, who is answered at once.
    expect(statuses(await many('theirs')).length).toBeLessThanOrEqual(128)
    const cut = many('mine')
    await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(128))
    letGo()
    expect(await cut).toBe('')
    expect(asked).toHaveLength(128)
    const answered = await sent(port, ask('mine').repeat(100) + ask('mine', true), isSecure)
    expect(statuses(answered)).toEqual(Array.from({ length: 101 }, () => '200'))
  },
)

const chunked = (pieces: readonly string[]) =>
  `POST /orders HTTP/1.1\r\nHost: h\r\nX-API-Token: mine\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${pieces
    .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
    .join('')}0\r\n\r\n`

test('a body in tiny pieces is read as far as one may be, and refused where only reading it would be the work', async () => {
  const { port } = await startApp()
  const few = await sent(port, chunked(Array.from({ length: 4_000 }, () => 'x')))
  expect(few).toContain('{"length":4000}')
  const crumbs = await sent(port, chunked(Array.from({ length: 5_000 }, () => 'x')))
  expect(statuses(crumbs)).toEqual(['400'])
  expect(crumbs).toContain('"error":"the body comes in too many tiny pieces"')
  const long = await sent(port, chunked(Array.from({ length: 60 }, () => 'x'.repeat(1_000))))
  expect(long).toContain('{"length":60000}')
})
