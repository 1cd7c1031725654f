import { expect, test } from 'vitest'
import { gatewaySources } from '../../../src/inbox/receiver/settings.ts'
import { sourceCheck } from '../../../src/inbox/receiver/source-check.ts'
import { eventBody } from '../../fakes/memory-events.ts'
import { exchange, lastPost, open, rawConnection, statuses } from './harness.ts'

test('the gateway sends from its five addresses, and IPv4 inside IPv6 is IPv4', () => {
  const { sourceOf } = sourceCheck(gatewaySources, [])
  for (const source of ['34.76.54.194', '34.77.167.89', '35.187.43.203', '35.241.153.74', '35.241.224.80']) {
    expect(sourceOf(source, '')).toEqual({ source, isAllowed: true })
    expect(sourceOf(`::ffff:${source}`, '')).toEqual({ source, isAllowed: true })
  }
  for (const source of ['127.0.0.1', '34.76.54.195', '::1', '10.0.0.1'])
    expect(sourceOf(source, '').isAllowed).toBe(false)
})

test('what proxies say counts from trusted ones only: the right-most hop that is none is the source', () => {
  const { sourceOf } = sourceCheck(['34.76.54.194', '2001:db8::/32'], ['10.0.0.0/8', '::1'])
  const source = (peer: string, forwardedFor: string) => sourceOf(peer, forwardedFor)
  // A stranger may write what it likes.
  expect(source('5.5.5.5', '34.76.54.194')).toEqual({ source: '5.5.5.5', isAllowed: false })
  expect(source('34.76.54.194', '5.5.5.5')).toEqual({ source: '34.76.54.194', isAllowed: true })
  expect(source('10.1.1.1', '34.76.54.194')).toEqual({ source: '34.76.54.194', isAllowed: true })
  expect(source('::ffff:10.1.1.1', 'junk, 34.76.54.194, ::ffff:10.2.2.2 ,10.3.3.3')).toEqual({
    source: '34.76.54.194',
    isAllowed: true,
  })
  expect(source('10.1.1.1', '34.76.54.194, 5.5.5.5')).toEqual({ source: '5.5.5.5', isAllowed: false })
  expect(source('10.1.1.1', '34.76.54.194,unknown')).toEqual({ source: '', isAllowed: false })
  expect(source('10.1.1.1', '34.76.54.194:443')).toEqual({ source: '34.76.54.194', isAllowed: true })
  expect(source('::1', '[2001:DB8:0::7]:80')).toEqual({ source: '2001:db8::7', isAllowed: true })
  // Forms that are read in more than one way are no address.
  expect(source('10.1.1.1', '0x22.0x4c.0x36.0xc2').isAllowed).toBe(false)
  expect(source('10.1.1.1', '')).toEqual({ source: '10.1.1.1', isAllowed: false })
  expect(source('', '34.76.54.194').isAllowed).toBe(false)
})

test('a malformed range is told when the receiver starts', async () => {
  expect(() => sourceCheck(['10.0.0.0/99'], [])).toThrow('10.0.0.0/99 is neither an address nor a range')
  expect(() => sourceCheck([], ['a proxy'])).toThrow('a proxy is neither')
})

test('a stranger is refused before the body is read, and nothing of it is kept', async () => {
  const { port, store } = await open({ allow: gatewaySources })
  const connection = rawConnection(port)
  connection.send('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n')
  expect(statuses(await connection.until('\r\n\r\n'))).toEqual([403])
  connection.socket.destroy()
  const asking = rawConnection(port)
  asking.send('POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n')
  expect(statuses(await asking.ended)).toEqual([403])
  const headers = ['X-Forwarded-For: 34.76.54.194']
  expect(statuses(await exchange(port, lastPost(eventBody(), headers)))).toEqual([403])
  expect(statuses(await exchange(port, lastPost('x'.repeat(70_000))))).toEqual([403])
  expect(await store.counts()).toEqual({ events: 0, copies: 0, conflicts: 0, quarantined: 0 })
})

test('behind a trusted proxy the sender is who the proxy says, over several headers', async () => {
  const { port, store } = await open({ allow: gatewaySources, trustProxies: ['127.0.0.1'] })
  const send = (headers: readonly string[]) => exchange(port, lastPost(eventBody(), headers))
  expect(statuses(await send(['X-Forwarded-For: 35.241.224.80']))).toEqual([200])
  expect(statuses(await send(['x-forwarded-for: 35.241.224.80', 'X-Forwarded-For: 8.8.8.8']))).toEqual([403])
  expect(statuses(await send(['x-forwarded-for: 8.8.8.8', 'X-Forwarded-For: 35.241.224.80, 127.0.0.1']))).toEqual([200])
  expect(statuses(await send([]))).toEqual([403])
  expect(await store.event('e1')).toMatchObject({ source: '35.241.224.80', copies: 1 })
})
