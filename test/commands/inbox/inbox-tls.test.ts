import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { makeIdentity } from '../../fakes/certificates.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { openShell } from '../harness.ts'

/** The certificate that the inbox shows, in PEM form; the authority must have signed it. */
function certificateAt(url: string, authority: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      ca: authority,
      servername: 'localhost',
    })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().raw.toString('base64'))
      socket.destroy()
    })
  })
}

test('with a certificate it serves https, and takes up a new one while it runs', async () => {
  const shell = openShell({}, new FakeClock(Date.now()))
  const authority = makeIdentity('authority', { isAuthority: true, days: 90 })
  const paths = { cert: join(shell.home, 'cert.pem'), key: join(shell.home, 'key.pem') }
  const put = () => {
    const { certificatePem, keyPem } = makeIdentity('localhost', { issuer: authority, days: 90 })
    writeFileSync(paths.cert, certificatePem)
    writeFileSync(paths.key, keyPem, { mode: 0o600 })
  }
  put()
  const running = shell.start(
    `inbox serve --port 0 --host 127.0.0.1 --tls-cert ${paths.cert} --tls-key ${paths.key} --allow 127.0.0.1`,
  )
  onTestFinished(async () => {
    running.signal('SIGTERM')
    await running.ended
  })
  // A thread begins in its own time, which is not the clock's.
  while (running.ran.stdout.length === 0) await settle()
  const { url } = JSON.parse(running.ran.stdout[0] ?? '')
  expect(url).toMatch(/^https:/)
  const first = await certificateAt(url, authority.certificatePem)
  writeFileSync(paths.key, 'half written')
  await running.until(() => running.ran.stderr.some((line) => line.includes('the last good certificate stays in use')))
  expect(await certificateAt(url, authority.certificatePem)).toBe(first)
  put()
  await running.until(() => running.ran.stderr.some((line) => line.endsWith('tls: a new certificate is in use')))
  expect(await certificateAt(url, authority.certificatePem)).not.toBe(first)
})

test('with a key that others can read it does not start', async () => {
  const shell = openShell()
  const { certificatePem, keyPem } = makeIdentity('localhost', { days: 90 })
  const [cert, key] = [join(shell.home, 'cert.pem'), join(shell.home, 'key.pem')]
  writeFileSync(cert, certificatePem)
  writeFileSync(key, keyPem)
  chmodSync(key, 0o644)
  expect(await shell.run(`inbox serve --port 0 --tls-cert ${cert} --tls-key ${key}`)).toMatchObject({
    code: 1,
    stdout: [],
    stderr: [`pitdesk inbox serve: ${key} has mode 0644, so that others can read or change the key: chmod 600 it`],
  })
})

test('without a usable certificate it does not start', async () => {
  const shell = openShell()
  const path = join(shell.home, 'none.pem')
  expect(await shell.run(`inbox serve --port 0 --tls-cert ${path} --tls-key ${path}`)).toMatchObject({
    code: 1,
    stdout: [],
    stderr: [`pitdesk inbox serve: ${path} does not exist`],
  })
})
