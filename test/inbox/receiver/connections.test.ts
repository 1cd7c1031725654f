import { connect as connectPlain } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { makeIdentity } from '../../fakes/certificates.ts'
import { eventually } from '../../fakes/eventually.ts'
import { event, exchange, lastPost, open, post, type RawConnection, rawConnection, statuses } from './harness.ts'

const held: RawConnection[] = []
afterEach(async () => {
  for (const { socket } of held.splice(0)) socket.destroy()
})

/** Opens a connection that is kept for as long as the inbox lets it. */
function hold(port: number, from: string, text = ''): RawConnection {
  const connection = rawConnection(port, from)
  held.push(connection)
  if (text !== '') connection.send(text)
  return connection
}
const isUp = ({ socket }: RawConnection): Promise<boolean> =>
  new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
const stranger = '127.0.0.2'

test('a thousand connections of an address off the list, each kept after a refused event, lock nobody out', async () => {
  const { port, store, log } = await open({ limits: { connections: 50 } })
  const refused = Array.from({ length: 1_000 }, (_, index) => hold(port, stranger, post(event(`s${index}`))))
  const answers = await Promise.all(refused.map(({ ended }) => ended))
  // Told so and closed, or cut when there are too many at once; none stays.
  expect(new Set(answers.flatMap(statuses))).toEqual(new Set([403]))
  expect(answers.every((answer) => answer === '' || /connection: close/i.test(answer))).toBe(true)
  const silent = Array.from({ length: 200 }, () => hold(port, stranger))
  await Promise.all(silent.map(isUp))
  for (let index = 0; index < 40; index += 1) {
    const own = hold(port, '127.0.0.1', post(event(`e${index}`)))
    expect(statuses(await own.until('\r\n\r\n'))).toEqual([200])
  }
  expect(await store.counts()).toMatchObject({ events: 40, quarantined: 0 })
  expect(log.filter((line) => line.startsWith('connections cut'))).toEqual([
    'connections cut: 1, the last of 127.0.0.2, which may not send here',
  ])
})

test('strangers have a few places each and a few together; one that leaves makes room', async () => {
  const { port } = await open({ limits: { strangers: 4, strangersEach: 2 } })
  const first = hold(port, stranger)
  const second = hold(port, stranger)
  await Promise.all([isUp(first), isUp(second)])
  expect(await exchange(port, lastPost(event('e1')), stranger)).toBe('')
  expect(statuses(await exchange(port, lastPost(event('e1')), '127.0.0.3'))).toEqual([403])
  const others = ['127.0.0.3', '127.0.0.4'].map((from) => hold(port, from))
  await Promise.all(others.map(isUp))
  expect(await exchange(port, lastPost(event('e1')), '127.0.0.5')).toBe('')
  first.socket.destroy()
  let answer = ''
  while (answer === '') answer = await exchange(port, lastPost(event('e1')), stranger)
  expect(statuses(answer)).toEqual([403])
})

test('one address that may send cannot take the places of the others', async () => {
  const { port, log } = await open({
    allow: ['127.0.0.1', '127.0.0.9'],
    limits: { connections: 10, connectionsEach: 3 },
  })
  const own = Array.from({ length: 3 }, () => hold(port, '127.0.0.9'))
  await Promise.all(own.map(isUp))
  expect(await exchange(port, lastPost(event('e1')), '127.0.0.9')).toBe('')
  expect(statuses(await exchange(port, lastPost(event('e1'))))).toEqual([200])
  expect(log).toEqual(['connections cut: 1, the last of 127.0.0.9, which has too many'])
})

test('a trusted proxy speaks for many: only the limit of all holds for it', async () => {
  const { port } = await open({
    allow: ['203.0.113.7'],
    trustProxies: ['127.0.0.9'],
    limits: { connections: 6, connectionsEach: 2, strangers: 1 },
  })
  const own = Array.from({ length: 5 }, () => hold(port, '127.0.0.9'))
  await Promise.all(own.map(isUp))
  const through = (from: string) => exchange(port, lastPost(event('e1'), [`X-Forwarded-For: ${from}`]), '127.0.0.9')
  expect(statuses(await through('203.0.113.7'))).toEqual([200])
  expect(statuses(await through('203.0.113.8'))).toEqual([403])
  const last = hold(port, '127.0.0.9')
  await isUp(last)
  expect(await through('203.0.113.7')).toBe('')
})

test('over TLS a stranger is cut before the handshake, and costs none', async () => {
  const { certificatePem, keyPem } = makeIdentity('localhost')
  const { port, store } = await open({ tls: { cert: certificatePem, key: keyPem } })
  const shaken = (from: string) =>
    new Promise<boolean>((resolve) => {
      const at = { port, host: '127.0.0.1', localAddress: from }
      const options: ConnectionOptions & typeof at = { ...at, rejectUnauthorized: false }
      const socket = connect(options)
      socket.once('secureConnect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
      socket.once('close', () => resolve(false))
    })
  expect(await shaken('127.0.0.1')).toBe(true)
  for (let count = 0; count < 20; count += 1) expect(await shaken(stranger)).toBe(false)
  const raw = hold(port, stranger, 'anything')
  expect(await raw.ended).toBe('')
  expect(await shaken('127.0.0.1')).toBe(true)
  expect(await store.counts()).toMatchObject({ events: 0 })
})

test('a web page on this machine sends nothing, whatever it says it is', async () => {
  const { port, store } = await open()
  for (const header of [
    'Origin: http://evil.example',
    'origin: null',
    'Sec-Fetch-Site: cross-site',
    'SEC-FETCH-SITE: same-origin',
  ])
    expect(statuses(await exchange(port, lastPost(event('e1'), [header]))), header).toEqual([403])
  expect(
    statuses(await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\n\r\n')),
  ).toEqual([403])
  expect(await store.counts()).toMatchObject({ events: 0, quarantined: 0 })
  // A person who looks at the address by hand.
  expect(
    statuses(
      await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: none\r\nConnection: close\r\n\r\n'),
    ),
  ).toEqual([200])
})

test('a sender on another machine is not a page: what it calls itself costs it no event', async () => {
  const { port, store } = await open({ allow: ['203.0.113.7'], trustProxies: ['127.0.0.9'] })
  const headers = ['X-Forwarded-For: 203.0.113.7', 'Origin: https://gateway.example']
  // Also a proxy on this machine passes on what its client said.
  expect(statuses(await exchange(port, lastPost(event('e1'), headers), '127.0.0.9'))).toEqual([200])
  expect(await store.counts()).toMatchObject({ events: 1 })
  // But for a page whose name was made to point here, and which says what a proxy would.
  const rebound = ['X-Forwarded-For: 203.0.113.7', 'Origin: http://inbox']
  expect(statuses(await exchange(port, lastPost(event('e2'), rebound), '127.0.0.9'))).toEqual([403])
  const fetched = ['X-Forwarded-For: 203.0.113.7', 'Sec-Fetch-Site: same-origin']
  expect(statuses(await exchange(port, lastPost(event('e2'), fetched), '127.0.0.9'))).toEqual([403])
})

test('an inbox for this machine alone answers to no other name', async () => {
  const { port } = await open({ isLocalOnly: true })
  const named = (host: string) => exchange(port, lastPost(event('e1')).replace('Host: inbox', host))
  for (const host of [
    'Host: evil.example',
    'Host: evil.example:4020',
    'Host: 127.0.0.1.evil.example',
    'host: 10.0.0.1',
  ])
    expect(statuses(await named(host)), host).toEqual([403])
  for (const host of ['Host: 127.0.0.1', `Host: localhost:${port}`, 'Host: [::1]:80', 'Host: a.localhost'])
    expect(statuses(await named(host)), host).toEqual([200])
})

/** Sends this, ends its side at once, and resolves with what came until the other side ended too. */
function halfClosed(isSecure: boolean, port: number, text: string): Promise<string> {
  const at = { port, host: '127.0.0.1', allowHalfOpen: true }
  const secure: ConnectionOptions & typeof at = { ...at, rejectUnauthorized: false }
  const socket = isSecure ? connect(secure) : connectPlain(at)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  socket.on('error', () => socket.destroy())
  socket.end(text)
  return new Promise((resolve) => socket.once('close', () => resolve(received)))
}

describe.each([
  ['plain', false],
  ['over TLS', true],
])('a sender that ends its side once it has sent, %s', (_, isSecure) => {
  const dial = async () => {
    const { certificatePem: cert, keyPem: key } = makeIdentity('localhost')
    const { port, store } = await open({ tls: isSecure ? { cert, key } : null })
    return { store, ask: (text: string) => halfClosed(isSecure, port, text) }
  }

  test('is answered once its event is on disk, and the connection ends with that', async () => {
    const { store, ask } = await dial()
    for (const [sent, texts] of [['e1'], ['e2', 'e3']].entries()) {
      const release = store.hold()
      const answer = ask(texts.map((eventId) => post(event(eventId))).join(''))
      await eventually(() => expect(store.batches.length).toBeGreaterThan(sent))
      // By then the receiver has seen the end of the first, which came before the second was asked for.
      expect(statuses(await ask('GET / HTTP/1.1\r\nHost: inbox\r\n\r\n'))).toEqual([405])
      release()
      expect(statuses(await answer)).toEqual(texts.map(() => 200))
    }
    expect((await store.events({ after: 0, count: 5 })).map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e3'])
  })

  test('is told of its refusal too; half a request keeps nothing, and no connection open', async () => {
    const { store, ask } = await dial()
    expect(statuses(await ask('GET / HTTP/1.1\r\nHost: inbox\r\n\r\n'))).toEqual([405])
    for (const half of [post(event('e1')).slice(0, -5), 'POST / HT', ''])
      expect(statuses(await ask(half)).filter((status) => status !== 400)).toEqual([])
    expect((await store.counts()).events).toBe(0)
  })
})
