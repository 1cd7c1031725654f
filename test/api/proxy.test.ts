import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readProxy } from '../../src/api/proxy.ts'
import { makeIdentity } from '../fakes/certificates.ts'
import { freePort } from '../fakes/free-port.ts'
import { errorOf, get, post, startTransport, token } from './stub-server.ts'
import { startProxy, startTlsServer } from './tls-server.ts'

const authority = makeIdentity('A house of its own', { isAuthority: true })
const caPem = authority.certificatePem
const exchange = 'https://exchange.invalid:8443/v3'
const noRetry = { retry: { count: 0 } }

const startExchange = () => startTlsServer(makeIdentity('exchange.invalid', { issuer: authority }))

test('calls go through the proxy of the environment, in a tunnel that it cannot look into', async () => {
  const server = await startExchange()
  const proxy = await startProxy(server.port, 'tunnel')
  const { transport } = startTransport(exchange, { caPem, environment: { HTTPS_PROXY: proxy.url } })
  expect(await post(transport)).toBe('fine')
  expect(await get(transport)).toBe('fine')
  expect(server.requests).toEqual([`POST /v3/orders ${token}`, `GET /v3/orders ${token}`])
  expect(proxy.asked.length).toBeLessThanOrEqual(2)
  expect(proxy.asked[0]).toMatch(/^CONNECT exchange\.invalid:8443 HTTP\/1\.1\r\n/)
  expect(proxy.asked.join('')).not.toContain(token)
})

test('the password of a proxy goes to the proxy and nowhere else', async () => {
  const server = await startExchange()
  const tunnel = await startProxy(server.port, 'tunnel')
  const refusing = await startProxy(server.port, { refusal: '407 Proxy Authentication Required' })
  const withPassword = (url: string) => ({ https_proxy: url.replace('//', '//desk:pr0xy-s3cret@') })
  const good = startTransport(exchange, { caPem, environment: withPassword(tunnel.url) })
  expect(await get(good.transport)).toBe('fine')
  expect(tunnel.asked[0]).toContain(`Basic ${Buffer.from('desk:pr0xy-s3cret').toString('base64')}`)
  const bad = startTransport(exchange, { ...noRetry, caPem, environment: withPassword(refusing.url) })
  const error = await errorOf(post(bad.transport))
  expect(error).toMatchObject({
    fault: 'proxy',
    outcome: 'notSent',
    reason: `the proxy did not connect and answered 407 (proxy ${refusing.url.slice('http://'.length)})`,
  })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret')
})

test('a proxy that is away, hangs up or says nothing: nothing was sent', async () => {
  const server = await startExchange()
  const away = { HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` }
  const refused = startTransport(exchange, { ...noRetry, caPem, environment: away })
  expect(await errorOf(post(refused.transport))).toMatchObject({ fault: 'proxy', outcome: 'notSent' })
  const silent = await startProxy(server.port, 'silent')
  const waiting = startTransport(exchange, { ...noRetry, caPem, environment: { HTTPS_PROXY: silent.url } })
  const failing = errorOf(post(waiting.transport))
  await waiting.clock.reached(3_000)
  await waiting.clock.advance(3_000)
  expect(await failing).toMatchObject({ fault: 'connectTimeout', outcome: 'notSent' })
  const failed = await startProxy(server.port, { refusal: '503 Service Unavailable' })
  const without = startTransport(exchange, { ...noRetry, caPem, environment: { HTTPS_PROXY: failed.url } })
  expect(await errorOf(post(without.transport))).toMatchObject({ fault: 'proxy', outcome: 'notSent' })
  expect(server.requests).toEqual([])
})

test('the certificate is checked through a proxy too', async () => {
  const server = await startTlsServer(makeIdentity('other.invalid', { issuer: authority }))
  const proxy = await startProxy(server.port, 'tunnel')
  const environment = { HTTPS_PROXY: proxy.url }
  const wrongName = startTransport(exchange, { ...noRetry, caPem, environment })
  expect(await errorOf(post(wrongName.transport))).toMatchObject({ fault: 'certificate', outcome: 'notSent' })
  const notTrusted = startTransport(exchange.replace('exchange', 'other'), { ...noRetry, environment })
  expect(await errorOf(post(notTrusted.transport))).toMatchObject({ fault: 'certificate', outcome: 'notSent' })
  expect(server.requests).toEqual([])
})

test('loopback, and what NO_PROXY names, never goes through a proxy', async () => {
  const server = await startTlsServer(makeIdentity('127.0.0.1', { issuer: authority }))
  const proxy = await startProxy(server.port, 'tunnel')
  const own = startTransport(`https://127.0.0.1:${server.port}`, { caPem, environment: { HTTPS_PROXY: proxy.url } })
  expect(await get(own.transport)).toBe('fine')
  const environment = { HTTPS_PROXY: proxy.url, NO_PROXY: 'exchange.invalid' }
  const direct = startTransport(exchange, { ...noRetry, caPem, environment })
  expect(await errorOf(post(direct.transport))).toMatchObject({ fault: 'hostUnknown', outcome: 'notSent' })
  expect(proxy.asked).toEqual([])
})

const hostOf = (origin: string, environment: Record<string, string>) => {
  const proxy = readProxy(origin, environment)
  return proxy.ok ? (proxy.value?.host ?? null) : proxy.error
}

test('proxies are read from the environment, lower-case names first', () => {
  const origin = 'https://exchange.invalid:8443'
  expect(hostOf(origin, {})).toBe(null)
  const both = { https_proxy: 'http://desk:s3cret@a:1', HTTPS_PROXY: 'http://b:2', HTTP_PROXY: 'https://c' }
  expect(hostOf(origin, both)).toBe('a:1')
  expect(hostOf(origin, { ...both, https_proxy: '' })).toBe('c')
  expect(hostOf(origin, { HTTP_PROXY: 'https://c' })).toBe('c')
  expect(hostOf(origin, { ALL_PROXY: 'http://d:4' })).toBe(null)
})

test.each([
  ['*', null],
  ['other.invalid, exchange.invalid', null],
  ['other.invalid exchange.invalid.', null],
  ['EXCHANGE.invalid:8443', null],
  ['exchange.invalid:443', 'a:1'],
  ['invalid', null],
  ['.invalid', null],
  ['*.invalid', null],
  ['.exchange.invalid', null],
  ['*.exchange.invalid', 'a:1'],
  ['change.invalid', 'a:1'],
  [',, .', 'a:1'],
  ['10.0.0.0/8', 'a:1'],
])('NO_PROXY %s', (list, expected) => {
  expect(hostOf('https://exchange.invalid:8443', { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBe(expected)
})

test.each([
  ['::1', 'a:1'],
  ['fd00::2', null],
  ['[fd00::2]', null],
  ['[fd00::2]:443', null],
  ['[fd00::2]:8443', 'a:1'],
])('NO_PROXY %s with addresses of IPv6', (list, expected) => {
  expect(hostOf('https://[fd00::2]', { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBe(expected)
})

test('what is wrong with a proxy does not matter to a service that has none', async () => {
  const server = await startTlsServer(makeIdentity('127.0.0.1', { issuer: authority }))
  const environment = { HTTPS_PROXY: 'socks5://desk:s3cret@proxy.invalid:1' }
  const own = startTransport(`https://127.0.0.1:${server.port}`, { caPem, environment })
  expect(await get(own.transport)).toBe('fine')
  expect(hostOf('https://exchange.invalid', { ...environment, NO_PROXY: 'exchange.invalid' })).toBe(null)
})

test('a failure on the way through a proxy names the proxy, without its password', async () => {
  const port = await freePort()
  const away = { HTTPS_PROXY: `http://desk:s3cret@127.0.0.1:${port}` }
  const refused = startTransport(exchange, { ...noRetry, caPem, environment: away })
  expect(await errorOf(post(refused.transport))).toMatchObject({
    fault: 'proxy',
    outcome: 'notSent',
    reason: `the connection was refused (proxy 127.0.0.1:${port})`,
  })
  const unknown = { HTTPS_PROXY: 'http://desk:s3cret@proxy.invalid:3128' }
  const lost = startTransport(exchange, { ...noRetry, caPem, environment: unknown })
  const error = await errorOf(post(lost.transport))
  expect(error).toMatchObject({ fault: 'proxy', outcome: 'notSent' })
  expect(error.reason).toMatch(/^the host name .*\(proxy proxy\.invalid:3128\)$/)
})

test.each([
  'http://desk:s3%cret@proxy.invalid:3128',
  'http://desk:p@ss/s3cret@proxy.invalid:3128',
  'http://desk:p@ss?s3cret@proxy.invalid:3128',
  'http://desk:p#s3cret@proxy.invalid:3128',
])('a proxy whose password ends its host or cannot be decoded (%s) is told without its value', async (value) => {
  const { transport } = startTransport(exchange, { environment: { HTTPS_PROXY: value } })
  const error = await errorOf(post(transport))
  expect(error).toMatchObject({ fault: 'setup', outcome: 'notSent' })
  expect(error.reason).toMatch(/^HTTPS_PROXY is not the address of a proxy: .*\(%40 for @\)$/)
})

test.each(['proxy.invalid', 'http://proxy.invalid/path', 'socks5://user:s3cret@host:1', 'http://', '::'])(
  'a proxy that is none (%s) is told without its value, and nothing is sent',
  async (value) => {
    const { transport } = startTransport(exchange, { environment: { HTTPS_PROXY: value } })
    const error = await errorOf(post(transport))
    expect(error).toMatchObject({ fault: 'setup', outcome: 'notSent' })
    expect(error.reason).toBe('HTTPS_PROXY is not the address of a proxy: write it as http://host:port')
  },
)
