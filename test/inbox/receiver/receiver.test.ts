import { expect, test } from 'vitest'
import {
  event,
  exchange,
  type Inbox,
  lastPost,
  metrics,
  open,
  post,
  rawConnection,
  statuses,
  untilWaiting,
} from './harness.ts'

const ids = async ({ store }: Inbox): Promise<string[]> =>
  (await store.events({ after: 0, count: 100 })).map(({ eventId }) => eventId)

test('an event is answered 2xx on any path, and is in the store as it came', async () => {
  const { port, store } = await open()
  const body = event('e1')
  expect(statuses(await exchange(port, lastPost(body)))).toEqual([200])
  expect(await store.event('e1')).toMatchObject({ body, source: '127.0.0.1', copies: 0, conflicts: 0 })
})

test('no answer comes before the commit, and what waits meanwhile is one commit', async () => {
  const inbox = await open({ metrics })
  const { port, store } = inbox
  const letGo = store.hold()
  const first = rawConnection(port)
  first.send(lastPost(event('e1')))
  while (store.batches.length === 0) await new Promise(setImmediate)
  const others = ['e2', 'e3', 'e4'].map((id) => exchange(port, lastPost(event(id))))
  await untilWaiting(inbox, 4)
  expect(first.socket.bytesRead).toBe(0)
  letGo()
  expect(statuses(await first.ended)).toEqual([200])
  for (const other of await Promise.all(others)) expect(statuses(other)).toEqual([200])
  expect(store.batches.map(({ length }) => length)).toEqual([1, 3])
  expect(await ids(inbox)).toHaveLength(4)
})

test('a known event is answered 2xx again; another body under its id is kept beside it and raises an alarm', async () => {
  const { port, store, log } = await open()
  const first = event('e1')
  const other = event('e1', { outputAmount: '9.99' })
  for (const body of [first, first, other, other, first])
    expect(statuses(await exchange(port, lastPost(body)))).toEqual([200])
  expect(await store.event('e1')).toMatchObject({ body: first, copies: 2, conflicts: 1 })
  expect((await store.conflictsOf('e1')).map(({ body }) => body)).toEqual([other])
  expect(log.filter((line) => line.startsWith('ALARM'))).toHaveLength(2)
})

test('what is no event is kept as it came and answered 2xx, whatever it is', async () => {
  const { port, store, log } = await open()
  const bodies = ['', 'hello', '{', '[]', 'null', '{}', event('e1', { more: 1 }), '{"eventId":"\u001b[2J"}']
  for (const body of bodies) expect(statuses(await exchange(port, lastPost(body)))).toEqual([200])
  const kept = await store.quarantine({ after: 0, count: 50 })
  expect(kept.map(({ body }) => Buffer.from(body).toString())).toEqual(bodies)
  expect(log).toHaveLength(bodies.length)
  expect(log.join('')).not.toContain('\u001b')
  const binary = Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
  const connection = rawConnection(port)
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\n')
  connection.socket.write(binary)
  expect(statuses(await connection.ended)).toEqual([200])
  expect((await store.quarantine({ before: null, count: 1 }))[0]).toMatchObject({
    body: new Uint8Array(binary),
    reason: 'the body is not UTF-8 text',
  })
})

test('a body over 64 KiB is 413 and kept nowhere, one of exactly 64 KiB is taken; announced or in chunks', async () => {
  const { port, store } = await open()
  const full = 'x'.repeat(65_536)
  expect(statuses(await exchange(port, lastPost(full)))).toEqual([200])
  expect(statuses(await exchange(port, lastPost(`${full}x`)))).toEqual([413])
  const chunked = (text: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n8000\r\n${text.slice(0, 32_768)}\r\n${(text.length - 32_768).toString(16)}\r\n${text.slice(32_768)}\r\n0\r\n\r\n`
  expect(statuses(await exchange(port, chunked(full)))).toEqual([200])
  expect(statuses(await exchange(port, chunked(`${full}x`)))).toEqual([413])
  expect(await store.counts()).toMatchObject({ quarantined: 2, events: 0 })
})

test('a body that is announced too long is refused before it is sent; the answer arrives also when it is sent after all', async () => {
  const { port } = await open()
  const connection = rawConnection(port)
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\nConnection: close\r\n\r\n')
  expect(statuses(await connection.until('\r\n\r\n'))).toEqual([413])
  connection.socket.destroy()
  expect(statuses(await exchange(port, lastPost('y'.repeat(900_000))))).toEqual([413])
})

test('whoever sends on and on after a no is cut off', async () => {
  const { port } = await open()
  const connection = rawConnection(port)
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n')
  await connection.until('413')
  const piece = 'z'.repeat(65_536)
  const more = () => {
    while (!connection.socket.destroyed && connection.socket.write(piece));
  }
  connection.socket.on('drain', more)
  more()
  expect(statuses(await connection.ended)).toEqual([413])
})

test('other methods are 405, a health check is answered, HEAD has no body', async () => {
  const { port } = await open()
  const ask = (method: string, path: string) =>
    exchange(port, `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await ask(method, '/hooks')
    expect(statuses(answer)).toEqual([405])
    expect(answer).toMatch(/allow: POST/i)
  }
  const head = await ask('HEAD', '/hooks')
  expect(statuses(head)).toEqual([405])
  expect(head.endsWith('\r\n\r\n')).toBe(true)
  expect(await ask('GET', '/healthz?now')).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok\n$/)
  expect((await ask('HEAD', '/healthz')).endsWith('\r\n\r\n')).toBe(true)
})

test('pipelined requests are answered in their order, and one connection takes many', async () => {
  const inbox = await open()
  const { port } = inbox
  const text = ['e1', 'e2', 'e3'].map((id) => post(event(id))).join('')
  const long = post('x'.repeat(70_000))
  expect(statuses(await exchange(port, text + long + lastPost(event('e4'))))).toEqual([200, 200, 200, 413, 200])
  expect(await ids(inbox)).toEqual(['e1', 'e2', 'e3', 'e4'])
})

test('who asks whether to go on is told so, or refused before the body', async () => {
  const { port } = await open()
  const body = event('e1')
  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`
  const connection = rawConnection(port)
  connection.send(head(Buffer.byteLength(body)))
  await connection.until('HTTP/1.1 100 Continue\r\n\r\n')
  connection.send(body)
  expect(statuses(await connection.ended)).toEqual([100, 200])
  expect(statuses(await exchange(port, head(70_000)))).toEqual([413])
})

test('HTTP/1.0 is served, and its connection ends unless it is asked to stay', async () => {
  const inbox = await open()
  const { port } = inbox
  const old = (id: string, headers = '') => {
    const body = event(id)
    return `POST / HTTP/1.0\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`
  }
  expect(statuses(await exchange(port, old('e1')))).toEqual([200])
  expect(statuses(await exchange(port, old('e2', 'Connection: keep-alive\r\n') + old('e3')))).toEqual([200, 200])
  expect(await ids(inbox)).toEqual(['e1', 'e2', 'e3'])
})

test('what is no HTTP is a 400, too many headers a 431, and both end the connection', async () => {
  const { port } = await open()
  expect(statuses(await exchange(port, 'hello\r\n\r\n'))).toEqual([400])
  expect(statuses(await exchange(port, 'POST / HTTP/1.1\r\n\r\n'))).toEqual([400])
  const twoLengths = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  expect(statuses(await exchange(port, twoLengths))).toEqual([400])
  expect(statuses(await exchange(port, `POST / HTTP/1.1\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`))).toEqual([431])
})
