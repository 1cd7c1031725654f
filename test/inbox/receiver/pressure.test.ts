import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { Agent, fetch } from 'undici'
import { expect, test } from 'vitest'
import { makeIdentity } from '../../fakes/certificates.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import {
  event,
  exchange,
  lastPost,
  metrics,
  open,
  openInbox,
  post,
  rawConnection,
  statuses,
  untilWaiting,
} from './harness.ts'

const ask = (port: number, path: string) =>
  exchange(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)

test('while the disk fails every event is 503 with a time to come again, the health check says so, and then all is well', async () => {
  const { port, store, log } = await open({ clock: new FakeClock() })
  store.failure = new Error('database or disk is full')
  for (const id of ['e1', 'e2']) {
    const answer = await exchange(port, lastPost(event(id)))
    expect(statuses(answer)).toEqual([503])
    expect(answer).toMatch(/retry-after: \d+\r\n/i)
  }
  expect(statuses(await ask(port, '/healthz'))).toEqual([503])
  expect(statuses(await exchange(port, lastPost('not an event')))).toEqual([503])
  store.failure = null
  expect(statuses(await exchange(port, lastPost(event('e1'))))).toEqual([200])
  expect(statuses(await ask(port, '/healthz'))).toEqual([200])
  expect(await store.counts()).toMatchObject({ events: 1, quarantined: 0 })
  expect(log).toEqual([
    'events cannot be kept, and are refused meanwhile: database or disk is full',
    'events are kept again',
  ])
})

test('a full queue is 503 before the body is read, and what was taken is answered all the same', async () => {
  const full = await open({ limits: { waiting: 2 }, metrics })
  const { port, store } = full
  const letGo = store.hold()
  const taken = ['e1', 'e2'].map((id) => exchange(port, lastPost(event(id))))
  await untilWaiting(full, 2)
  const connection = rawConnection(port)
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n')
  const refused = await connection.until('\r\n\r\n')
  connection.socket.destroy()
  expect(statuses(refused)).toEqual([503])
  expect(refused).toMatch(/retry-after: \d+/i)
  letGo()
  for (const answer of await Promise.all(taken)) expect(statuses(answer)).toEqual([200])
  expect(statuses(await exchange(port, lastPost(event('e3'))))).toEqual([200])
})

test('slow senders are cut off: without headers, within them, within the body, and between requests', async () => {
  const { port, store, end } = await open({ limits: { headersMs: 150, requestMs: 300 } })
  const silent = rawConnection(port)
  const halfHeaders = rawConnection(port)
  halfHeaders.send('POST / HTTP/1.1\r\nHost: x\r\n')
  const halfBody = rawConnection(port)
  halfBody.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"eventId":')
  const endings = await Promise.all([silent.ended, halfHeaders.ended, halfBody.ended])
  expect(endings.map(statuses)).toEqual([[408], [408], [408]])
  expect(await store.counts()).toMatchObject({ events: 0, quarantined: 0 })
  await end()
  // Alone, so that a busy machine cannot take its request for a slow one.
  const other = await open({ limits: { idleMs: 150 } })
  const idle = rawConnection(other.port)
  idle.send(post(event('e1')))
  expect(statuses(await idle.ended)).toEqual([200])
})

test('a stop answers what is under way, keeps what it said yes to, and takes nothing new', async () => {
  const { port, store, receiver } = await open({ clock: new FakeClock() })
  const letGo = store.hold()
  const idle = rawConnection(port)
  idle.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await idle.until('ok\n')
  const busy = rawConnection(port)
  busy.send(post(event('e1')))
  while (store.batches.length === 0) await new Promise(setImmediate)
  const stopped = receiver.stop()
  await idle.ended
  letGo()
  expect(await busy.ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
  await stopped
  expect(await store.counts()).toMatchObject({ events: 1 })
  expect(await exchange(port, lastPost(event('e2')))).toBe('')
})

test('a sender that never comes to its end does not hold a stop up for longer than its limit', async () => {
  const { port, receiver } = await open({ limits: { stopMs: 50 } })
  const slow = rawConnection(port)
  slow.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n')
  await slow.until('100 Continue')
  await receiver.stop()
  expect(statuses(await slow.ended)).toEqual([100])
})

test('the metrics stand on a port of their own, with what became of the bodies', async () => {
  const { port, receiver } = await open({ metrics })
  for (const body of [event('e1'), event('e1'), 'junk']) await exchange(port, lastPost(body))
  await exchange(port, lastPost('x'.repeat(70_000)))
  const text = await (await fetch(receiver.metricsUrl ?? '')).text()
  expect(text).toContain('pitdesk_inbox_bodies_total{outcome="new"} 1')
  expect(text).toContain('pitdesk_inbox_bodies_total{outcome="known"} 1')
  expect(text).toContain('pitdesk_inbox_bodies_total{outcome="quarantined"} 1')
  expect(text).toContain('pitdesk_inbox_refused_total{status="413"} 1')
  expect(text).toContain('pitdesk_inbox_commit_bodies_count 3')
  expect(text).toContain('pitdesk_inbox_commit_seconds_count 3')
  expect(text).toContain('pitdesk_inbox_waiting 0')
  const side = Number(new URL(receiver.metricsUrl ?? '').port)
  expect(statuses(await ask(side, '/healthz'))).toEqual([200])
  expect(statuses(await ask(side, '/other'))).toEqual([404])
  for (const header of ['Host: evil.example', 'Host: localhost\r\nOrigin: http://evil.example'])
    expect(statuses(await exchange(side, `GET /metrics HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`))).toEqual([
      403,
    ])
  expect(statuses(await ask(port, '/metrics'))).toEqual([405])
})

test('over TLS, with a certificate that is exchanged while it runs; an unusable one leaves the old', async () => {
  const authority = makeIdentity('authority', { isAuthority: true })
  const pair = () => {
    const { certificatePem, keyPem } = makeIdentity('localhost', { issuer: authority })
    return { cert: certificatePem, key: keyPem }
  }
  const first = pair()
  const { receiver, store, port } = await open({ tls: first })
  expect(receiver.url).toMatch(/^https:/)
  const tls = { ca: authority.certificatePem, servername: 'localhost' }
  const send = async (id: string) => {
    const agent = new Agent({ connect: tls })
    const { status } = await fetch(receiver.url, { method: 'POST', body: event(id), dispatcher: agent })
    await agent.close()
    return status
  }
  /** The certificate that a new connection is shown. */
  const shown = async () => {
    const socket = connect({ ...tls, host: '127.0.0.1', port })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
  const fingerprint = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256
  expect(await send('e1')).toBe(200)
  expect(await shown()).toBe(fingerprint(first))
  expect(() => receiver.renewCertificate({ cert: pair().cert, key: first.key })).toThrow()
  expect(await send('e2')).toBe(200)
  expect(await shown()).toBe(fingerprint(first))
  const second = pair()
  receiver.renewCertificate(second)
  expect(await send('e3')).toBe(200)
  expect(await shown()).toBe(fingerprint(second))
  expect(await store.counts()).toMatchObject({ events: 3 })
})

test('a port that is taken is told in a sentence, and nothing stays open', async () => {
  const { port } = await open()
  await expect(openInbox({ listen: { host: '127.0.0.1', port } })).rejects.toThrow(`port ${port} is in use already`)
  await expect(openInbox({ metrics: { host: '127.0.0.1', port } })).rejects.toThrow(`port ${port} is in use already`)
})

const crumbs = (count: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${'1\r\n{\r\n'.repeat(count)}0\r\n\r\n`

test('a body in more tiny pieces than an event has bytes is refused: keeping each took megabytes for some kilobytes', async () => {
  const { port, store } = await open()
  expect(statuses(await exchange(port, crumbs(4_000)))).toEqual([200])
  expect(statuses(await exchange(port, crumbs(5_000)))).toEqual([400])
  expect(await store.counts()).toMatchObject({ events: 0, quarantined: 1 })
})

test('events that do not wait for answers are taken up to a number; more cut the connection, and what was taken is kept', async () => {
  const { port, store, receiver } = await open({ clock: new FakeClock(), metrics })
  const events = (name: string, count: number) => Array.from({ length: count }, (_, at) => post(event(`${name}-${at}`)))
  const letGo = store.hold()
  const cut = exchange(port, [...events('many', 128), lastPost(event('too many'))].join(''))
  await eventually(async () => {
    const text = await (await fetch(receiver.metricsUrl ?? '')).text()
    expect(Number(/^pitdesk_inbox_waiting (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(128)
  })
  letGo()
  expect(await cut).toBe('')
  const few = await exchange(port, [...events('few', 99), lastPost(event('last'))].join(''))
  expect(statuses(few)).toEqual(Array.from({ length: 100 }, () => 200))
  expect(await store.counts()).toMatchObject({ events: 228 })
})
