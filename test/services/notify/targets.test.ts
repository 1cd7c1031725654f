import { randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { openUserService, type UserService } from '../../../src/api/user-service.ts'
import { commandEnvironment, runCommand } from '../../../src/base/process/run-command.ts'
import { ok } from '../../../src/base/result.ts'
import { Secret } from '../../../src/base/secret.ts'
import { messageKinds } from '../../../src/domain/notify/message.ts'
import { startHeartbeat } from '../../../src/services/notify/heartbeat.ts'
import { createCommandTarget, createUrlTarget, readSigningSecret } from '../../../src/services/notify/targets.ts'
import { startProxy, startTlsServer } from '../../api/tls-server.ts'
import { makeIdentity } from '../../fakes/certificates.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { freePort } from '../../fakes/free-port.ts'
import { listenHere } from './loopback.ts'

const kinds = new Set(messageKinds)
const sender = { profileName: 'main', venueKind: 'live' } as const
const secretText = `whsec_${randomBytes(32).toString('base64')}`
const delivery = {
  id: 'msg_one',
  droppedCount: 0,
  messages: [{ kind: 'fill', level: 'good', text: 'Fill BUY 0.5 BTC-USD ✓.', atMs: 0 }],
} as const
const unending = new AbortController().signal

function aService(url: URL, clock = new FakeClock(Date.now()), caPem?: string): UserService {
  const service = openUserService(url, { clock, environment: {}, ...(caPem === undefined ? {} : { caPem }) })
  if (!service.ok) throw new Error(service.error)
  onTestFinished(() => service.value.close())
  return service.value
}

function aUrlTarget(url: URL, clock = new FakeClock(Date.now()), secret: string | null = secretText) {
  const signer = secret === null ? ok(null) : readSigningSecret(new Secret(secret))
  return createUrlTarget({
    name: 'notify_url',
    kinds,
    service: aService(url, clock),
    signer: async () => signer,
    sender,
    clock,
  })
}

test('posts JSON that a receiver with the secret verifies, anew for each attempt and under one id', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end('{}'))
  const clock = new FakeClock(Date.now())
  const target = aUrlTarget(url, clock)
  expect(await target.send(delivery, unending)).toEqual({ kind: 'taken' })
  await clock.advance(5_000)
  expect(await target.send(delivery, unending)).toEqual({ kind: 'taken' })
  const receiver = new Webhook(secretText)
  for (const { method, path, headers, body } of posts) {
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook/k3y?a=b', 'application/json'])
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(receiver.verify(body, plain)).toMatchObject({ type: 'pitdesk.fill', data: { id: 'msg_one' } })
    expect(() => receiver.verify(`${body} `, plain)).toThrow('No matching signature')
    expect(JSON.stringify(headers) + body).not.toContain(secretText.slice('whsec_'.length))
  }
  const [first, second] = posts.map(({ headers }) => headers)
  expect(first?.['webhook-id']).toBe(second?.['webhook-id'])
  expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature'])
})

test('without a secret nothing is signed', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  await aUrlTarget(url, undefined, null).send(delivery, unending)
  expect(posts[0]?.headers).toMatchObject({ 'webhook-id': 'msg_one' })
  expect(posts[0]?.headers['webhook-signature']).toBeUndefined()
})

test.each([
  [204, {}, '', { kind: 'taken' }],
  [410, {}, '', { kind: 'gone' }],
  [302, { location: '/elsewhere' }, '', { kind: 'refused', reason: 'the answer was 302: redirects are not followed' }],
  [400, {}, '', { kind: 'refused', reason: 'the answer was 400' }],
  [429, { 'retry-after': '7' }, '', { kind: 'refused', reason: 'the answer was 429', retryAfterMs: 7_000 }],
  [404, {}, '<html>no</html>', { kind: 'refused', reason: 'the answer was 404' }],
  [
    404,
    {},
    'no \u001b[31mPOST /hook/k3y?a=b\nhere, nor /hook/k3y',
    { kind: 'refused', reason: 'the answer was 404', words: 'no [31mPOST ••• here, nor •••' },
  ],
  [
    404,
    {},
    '{"path":"\\/hook\\/k3y?a=b","was":"/hook/k\u200b3y"}',
    { kind: 'refused', reason: 'the answer was 404', words: '{"path":"•••","was":"•••"}' },
  ],
])(
  'answered %i, that is what became of it, in words that are safe to print',
  async (status, headers, body, attempt) => {
    const { posts, url } = await listenHere((_posted, response) => void response.writeHead(status, headers).end(body))
    expect(await aUrlTarget(url).send(delivery, unending)).toEqual(attempt)
    expect(posts).toHaveLength(1)
  },
)

test('of an address that is a key no part is told either, where a receiver repeats that alone', async () => {
  const key = 'tk_AgQdq7mVBoFD37zQ'
  const { url } = await listenHere((_posted, response) => void response.writeHead(403).end(`token ${key} is revoked`))
  for (const address of [`/services/${key}`, `/post?auth=${key}&to=me`])
    expect(await aUrlTarget(new URL(address, url)).send(delivery, unending)).toMatchObject({
      words: 'token ••• is revoked',
    })
})

test('a yes with an endless body is a yes', async () => {
  const { url } = await listenHere((_posted, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await aUrlTarget(url).send(delivery, unending)).toEqual({ kind: 'taken' })
})

test('no answer, and nobody there, are said as such', async () => {
  const { posts, url } = await listenHere(() => undefined)
  const clock = new FakeClock(Date.now())
  const attempt = aUrlTarget(url, clock).send(delivery, unending)
  await eventually(() => expect(posts).toHaveLength(1))
  await clock.advance(5_000)
  expect(await attempt).toEqual({ kind: 'refused', reason: 'no answer within 5000 ms' })
  const nobody = new URL(`http://127.0.0.1:${await freePort()}/hook`)
  expect(await aUrlTarget(nobody).send(delivery, unending)).toEqual({
    kind: 'refused',
    reason: 'the connection was refused',
  })
})

test('a certificate that nobody vouches for is refused, one of the own authority is not', async () => {
  const authority = makeIdentity('desk authority', { isAuthority: true })
  const own = makeIdentity('127.0.0.1', { issuer: authority })
  let count = 0
  const server = createServer({ cert: own.certificatePem, key: own.keyPem }, (_request, response) => {
    count += 1
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = new URL(`https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`)
  expect(await aUrlTarget(url).send(delivery, unending)).toMatchObject({
    reason: expect.stringMatching(/issuer|certificate/),
  })
  expect(count).toBe(0)
  const clock = new FakeClock(Date.now())
  const service = aService(url, clock, authority.certificatePem)
  const trusting = createUrlTarget({ name: 'notify_url', kinds, service, signer: async () => ok(null), sender, clock })
  expect(await trusting.send(delivery, unending)).toEqual({ kind: 'taken' })
})

test('a secret is whsec_ and base64 of 24 bytes at least, and is never repeated', () => {
  expect(readSigningSecret(new Secret(secretText)).ok).toBe(true)
  expect(readSigningSecret(new Secret(secretText.slice('whsec_'.length))).ok).toBe(true)
  for (const wrong of [
    'whsec_',
    'whsec_short',
    'whsec_***',
    `whsec_${randomBytes(23).toString('base64')}`,
    'a=b=c=d='.repeat(9),
  ]) {
    const read = readSigningSecret(new Secret(wrong))
    expect(read.ok, wrong).toBe(false)
    expect(JSON.stringify(read)).not.toContain(wrong.slice('whsec_'.length) || 'nothing')
  }
})

test('what is sent goes through the proxy of the environment, as calls to the exchange do', async () => {
  const authority = makeIdentity('desk authority', { isAuthority: true })
  const server = await startTlsServer(makeIdentity('hooks.invalid', { issuer: authority }))
  const proxy = await startProxy(server.port, 'tunnel')
  const clock = new FakeClock(Date.now())
  const environment = { HTTPS_PROXY: proxy.url }
  const url = new URL('https://hooks.invalid:8443/desk')
  const service = openUserService(url, { clock, environment, caPem: authority.certificatePem })
  if (!service.ok) throw new Error(service.error)
  onTestFinished(() => service.value.close())
  const given = { name: 'notify_url', kinds, service: service.value, signer: async () => ok(null), sender, clock }
  expect(await createUrlTarget(given).send(delivery, unending)).toEqual({ kind: 'taken' })
  expect(proxy.asked[0]).toMatch(/^CONNECT hooks\.invalid:8443 /)
  expect(server.requests).toEqual([expect.stringMatching(/^POST \/desk/)])
})

function aCommandTarget(line: string, input: 'text' | 'json' = 'text', clock = new FakeClock()) {
  return createCommandTarget({
    ...{ name: 'notify_command', kinds, input, sender, clock, run: runCommand, patienceMs: 30_000 },
    command: { kind: 'shell', line },
    environment: commandEnvironment(process.env),
  })
}

test('a command gets the text on stdin, or the JSON, and nothing as an argument', async () => {
  const text = 'pitdesk LIVE main: Fill BUY 0.5 BTC-USD ✓.'
  expect(await aCommandTarget(`test "$(cat)" = "${text}" && test $# = 0`).send(delivery, unending)).toEqual({
    kind: 'taken',
  })
  expect(await aCommandTarget(`grep -q '"type":"pitdesk.fill"'`, 'json').send(delivery, unending)).toEqual({
    kind: 'taken',
  })
  const args = "tr '\\0' ' ' < /proc/$$/cmdline | grep -q 'Fill [B]UY' && exit 0; exit 4"
  expect(await aCommandTarget(args).send(delivery, unending)).toEqual({ kind: 'refused', reason: 'it ended with 4' })
})

test('a command that fails says why, in words that are safe to print; one that hangs is ended', async () => {
  expect(await aCommandTarget('printf "no \\033[31mway\\nhere" >&2; exit 7').send(delivery, unending)).toEqual({
    ...{ kind: 'refused', reason: 'it ended with 7', words: 'no [31mway here' },
  })
  const clock = new FakeClock()
  const attempt = aCommandTarget('sleep 300', 'text', clock).send(delivery, unending)
  await clock.advance(30_000)
  await clock.advance(2_000)
  expect(await attempt).toEqual({ kind: 'refused', reason: 'it took longer than 30 s and was ended' })
})

test('a command that repeats its own words does not tell a key among them, and tells the rest', async () => {
  const says = (words: string) => `echo "${words}" >&2; exit 7`
  const key = 'tk_AgQdq7mVBoFD37zQ'
  const wordsOf = async (line: string) => (await aCommandTarget(line).send(delivery, unending)) as { words?: string }
  const posted = await wordsOf(
    `: -H 'Authorization: Bearer ${key}'; ${says(`> Bearer ${key} refused by push.example`)}`,
  )
  expect(posted.words).toBe('> Bearer ••• refused by push.example')
  const address = await wordsOf(
    `: --url=https://push.example/my-desk?k=v; ${says('POST /my-desk?k=v to push.example, /my-desk: 404')}`,
  )
  expect(address.words).toBe('POST ••• to push.example, •••: 404')
  const file = await wordsOf(says('cannot read /home/ada/.config/push.curl'))
  expect(file.words).toBe('cannot read /home/ada/.config/push.curl')
})

test('the heartbeat is called at once and in each interval; its failure is told once, and so is its end', async () => {
  const answers = { status: 200 }
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(answers.status).end())
  const clock = new FakeClock(Date.now())
  const lines: string[] = []
  const heartbeat = startHeartbeat({
    ...{ service: aService(url, clock), method: 'GET', everyMs: 60_000, clock },
    tell: (level, sentence) => lines.push(`${level}: ${sentence}`),
  })
  const beat = async (count: number) => {
    await eventually(() => expect(posts).toHaveLength(count))
    await clock.reached(60_000)
    await clock.advance(60_000)
  }
  await beat(1)
  expect([posts[0]?.method, posts[0]?.path, heartbeat.trouble()]).toEqual(['GET', '/hook/k3y?a=b', null])
  answers.status = 500
  await beat(2)
  await beat(3)
  expect(heartbeat.trouble()).toBe('the answer was 500')
  answers.status = 200
  await beat(4)
  await beat(5)
  await eventually(() => expect(posts).toHaveLength(6))
  await clock.reached(60_000)
  await heartbeat.stop()
  expect(lines).toEqual([
    'warn: heartbeat_url: call failed, the answer was 500; trying again each time.',
    'info: heartbeat_url: call accepted again.',
  ])
  expect(clock.sleeperCount).toBe(0)
})
