import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type CertificatePair,
  readCertificatePair,
  watchCertificate,
} from '../../../src/inbox/receiver/certificate-files.ts'
import { makeIdentity } from '../../fakes/certificates.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

type Pem = { certificatePem: string; keyPem: string }

function folder() {
  const home = temporaryFolder('tls')
  const paths = { certPath: join(home, 'cert.pem'), keyPath: join(home, 'key.pem') }
  const put = ({ certificatePem, keyPem }: Pem) => {
    writeFileSync(paths.certPath, certificatePem)
    writeFileSync(paths.keyPath, keyPem, { mode: 0o600 })
  }
  return { paths, put }
}

test('a pair that does not belong together, is no PEM or is not there is refused by name', () => {
  const { paths, put } = folder()
  expect(readCertificatePair(paths)).toEqual({ ok: false, error: `${paths.certPath} does not exist` })
  const [one, other] = [makeIdentity('localhost', { days: 90 }), makeIdentity('localhost', { days: 90 })]
  put({ ...one, keyPem: other.keyPem })
  expect(readCertificatePair(paths)).toMatchObject({ ok: false, error: expect.stringContaining('do not belong') })
  put({ ...one, certificatePem: 'nothing' })
  expect(readCertificatePair(paths)).toMatchObject({ ok: false, error: expect.stringContaining('in PEM form') })
  put(one)
  expect(readCertificatePair(paths)).toEqual({ ok: true, value: { cert: one.certificatePem, key: one.keyPem } })
})

test('a key that others can read is refused, and so is a certificate that they can change', () => {
  const { paths, put } = folder()
  put(makeIdentity('localhost', { days: 90 }))
  expect(readCertificatePair(paths)).toMatchObject({ ok: true })
  chmodSync(paths.certPath, 0o666)
  expect(readCertificatePair(paths)).toEqual({
    ok: false,
    error: `${paths.certPath} can be changed by others (mode 0666): chmod go-w it`,
  })
  chmodSync(paths.certPath, 0o644)
  chmodSync(paths.keyPath, 0o644)
  expect(readCertificatePair(paths)).toEqual({
    ok: false,
    error: `${paths.keyPath} has mode 0644, so that others can read or change the key: chmod 600 it`,
  })
})

async function watched(days = 90) {
  const { paths, put } = folder()
  const first = makeIdentity('localhost', { days })
  put(first)
  const clock = new FakeClock(Date.now())
  const ended = new AbortController()
  const used: CertificatePair[] = []
  const lines: string[] = []
  const current = { cert: first.certificatePem, key: first.keyPem }
  const use = (pair: CertificatePair) => void used.push(pair)
  const log = (line: string) => void lines.push(line)
  const watching = watchCertificate({ paths, current, clock, signal: ended.signal, use, log })
  onTestFinished(async () => {
    ended.abort()
    await watching
  })
  /** The next look at the files, whole. */
  const look = async () => {
    await clock.advance(5_000)
    await clock.paused()
  }
  return { put, first, used, lines, look }
}

test('a new pair is taken up, a half exchanged one is not, and the last good one stays', async () => {
  const { put, first, used, lines, look } = await watched()
  await look()
  expect(used).toEqual([])
  const next = makeIdentity('localhost', { days: 90 })
  put({ ...first, certificatePem: next.certificatePem })
  await look()
  await look()
  expect(used).toEqual([])
  expect(lines).toEqual([expect.stringMatching(/do not belong together; the last good certificate stays in use$/)])
  put(next)
  await look()
  expect(used).toEqual([{ cert: next.certificatePem, key: next.keyPem }])
  expect(lines.slice(1)).toEqual(['tls: a new certificate is in use'])
})

test('says when the certificate is about to expire', async () => {
  const { lines, look } = await watched(10)
  await look()
  expect(lines).toEqual([expect.stringMatching(/^tls: the certificate expires in [89] days$/)])
})

test('a new certificate that is out of date does not take the place of one that is valid; of a new one it is said anew when it ends', async () => {
  const { put, used, lines, look } = await watched(10)
  await look()
  put(makeIdentity('localhost', { days: 0.5 }))
  await look()
  expect(used).toEqual([])
  expect(lines[1]).toMatch(/^tls: the certificate in .* has expired; the last good certificate stays in use$/)
  put(makeIdentity('localhost', { days: 6 }))
  await look()
  await look()
  expect(used).toHaveLength(1)
  expect(lines.slice(2)).toEqual([
    'tls: a new certificate is in use',
    expect.stringMatching(/^tls: the certificate expires in [45] days$/),
  ])
})

test('where the certificate in use has expired too, whatever is there is taken, and told to have expired', async () => {
  const { put, used, lines, look } = await watched(0.5)
  put(makeIdentity('localhost', { days: 0.6 }))
  await look()
  await look()
  expect(used).toHaveLength(1)
  const expired = 'tls: the certificate has expired'
  expect(lines).toEqual([expired, 'tls: a new certificate is in use', expired])
})
