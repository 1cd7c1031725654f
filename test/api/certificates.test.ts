import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkCaPem, readCaFile } from '../../src/api/transport.ts'
import { makeIdentity } from '../fakes/certificates.ts'
import { answerWith, errorOf, get, post, startServer, startTransport, token } from './stub-server.ts'
import { startTlsServer } from './tls-server.ts'

const authority = makeIdentity('A house of its own', { isAuthority: true })
/** A certificate that is trusted and may not issue others. */
const leaf = makeIdentity('No house at all')
const noRetry = { retry: { count: 0 } }

test('a service whose certificate comes from the given authority is reached', async () => {
  const server = await startTlsServer(makeIdentity('127.0.0.1', { issuer: authority }))
  const { transport } = startTransport(`https://127.0.0.1:${server.port}/v3`, { caPem: authority.certificatePem })
  expect(await post(transport)).toBe('fine')
  expect(server.requests).toEqual([`POST /v3/orders ${token}`])
})

test.each([
  ['of an authority nobody trusts', makeIdentity('127.0.0.1', { issuer: authority }), undefined, 'untrusted issuer'],
  ['signed by itself', makeIdentity('127.0.0.1'), authority.certificatePem, 'untrusted issuer'],
  ['of another host', makeIdentity('10.0.0.1', { issuer: authority }), authority.certificatePem, 'for another host'],
  [
    'that has expired',
    makeIdentity('127.0.0.1', { issuer: authority, days: 0.5 }),
    authority.certificatePem,
    'expired',
  ],
  [
    'of an issuer that is no authority',
    makeIdentity('127.0.0.1', { issuer: leaf }),
    leaf.certificatePem,
    'the certificate is not accepted (INVALID_',
  ],
])('a service with a certificate %s is not told anything, nor asked again', async (_name, identity, caPem, words) => {
  const server = await startTlsServer(identity)
  const options = caPem === undefined ? {} : { caPem }
  const { transport } = startTransport(`https://127.0.0.1:${server.port}`, options)
  const error = await errorOf(post(transport))
  expect(error).toMatchObject({ kind: 'connectivity', fault: 'certificate', outcome: 'notSent' })
  expect(error.reason).toContain(words)
  expect(await errorOf(get(transport))).toMatchObject({ fault: 'certificate' })
  expect(server.requests).toEqual([])
})

test('a service that does not speak TLS is told apart from one that is away', async () => {
  const server = await startServer(answerWith(200))
  const { transport } = startTransport(server.url.replace('http:', 'https:'), noRetry)
  expect(await errorOf(post(transport))).toMatchObject({ fault: 'certificate', outcome: 'notSent' })
})

test('with a certificate file that is not usable nothing is sent, and every call says why', async () => {
  const server = await startTlsServer(makeIdentity('127.0.0.1', { issuer: authority }))
  const { transport } = startTransport(`https://127.0.0.1:${server.port}`, { caPem: 'no certificate' })
  const reason = 'the certificate file is not usable: it holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)'
  expect(await errorOf(post(transport))).toMatchObject({ fault: 'setup', outcome: 'notSent', reason })
  expect(await errorOf(get(transport))).toMatchObject({ fault: 'setup', outcome: null, reason })
  await transport.close()
  expect(server.requests).toEqual([])
})

test('a certificate file is read, or refused with a sentence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitdesk-ca-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'ca.pem')
  const bundle = `# House\n${authority.certificatePem}\n# Other\n${makeIdentity('other').certificatePem}`
  await writeFile(path, bundle)
  expect(readCaFile(path)).toEqual({ ok: true, value: bundle })
  const twoCertificates = checkCaPem(bundle)
  expect(twoCertificates.ok && twoCertificates.value).toHaveLength(2)
  const broken = authority.certificatePem.replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA')
  await writeFile(path, `${authority.certificatePem}${broken}`)
  expect(readCaFile(path)).toEqual({
    ok: false,
    error: `the certificate file ${path} is not usable: its certificate number 2 cannot be read`,
  })
  await writeFile(path, makeIdentity('key only').keyPem)
  expect(readCaFile(path)).toMatchObject({ ok: false, error: expect.stringContaining('it holds no certificate') })
  const away = join(folder, 'away.pem')
  expect(readCaFile(away)).toEqual({
    ok: false,
    error: `the certificate file ${away} does not exist`,
  })
  await chmod(path, 0o666)
  expect(readCaFile(path)).toEqual({
    ok: false,
    error: `the certificate file ${path} can be changed by others (mode 0666): chmod go-w it`,
  })
  expect(readCaFile(folder)).toEqual({
    ok: false,
    error: `the certificate file ${folder} is not a plain file`,
  })
})
