import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readProxies } from '../../src/api/transport.ts'
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
    reason: 'the proxy did not connect and answered 407',
  })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret')
})

test('a proxy that is away, hangs up or says nothing: nothing was sent', async () => {
  const server = await startExchange()
  const away = { HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` }
  const refused = startTransport(exchange, { ...noRetry, caPem, environment: away })
  expect(await errorOf(post(refused.transport))).toMatchObject({ fault: 'connectionRefused', outcome: 'notSent' })
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

test('proxies are read from the environment, lower-case names first', () => {
  expect(readProxies({})).toEqual({ ok: true, value: { httpProxy: '', httpsProxy: '', noProxy: '' } })
  const environment = { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2', HTTP_PROXY: 'https://c', NO_PROXY: 'x,y' }
  expect(readProxies(environment)).toEqual({
    ok: true,
    value: { httpProxy: 'https://c', httpsProxy: 'http://a:1', noProxy: 'x,y' },
  })
})

test.each(['proxy.invalid', 'socks5://user:s3cret@host:1', 'http://', '::'])(
  'a proxy that is none (%s) is told without its value, and nothing is sent',
  async (value) => {
    const { transport } = startTransport(exchange, { environment: { HTTPS_PROXY: value } })
    const error = await errorOf(post(transport))
    expect(error).toMatchObject({ fault: 'setup', outcome: 'notSent' })
    expect(error.reason).toBe('HTTPS_PROXY is not the address of a proxy: write it as http://host:port')
  },
)
