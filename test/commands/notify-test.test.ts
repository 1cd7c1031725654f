import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { listenHere } from '../services/notify/loopback.ts'
import { failureIn, openShell } from './harness.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`

test('notify test sends one message by every way, signed, and says what became of each', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(204).end())
  const out = join(temporaryFolder('notify-test'), 'out')
  const { run } = openShell({
    PITDESK_NOTIFY_URL: url.href,
    PITDESK_NOTIFY_SECRET: secret,
    PITDESK_NOTIFY_COMMAND: `cat > ${out}`,
    PITDESK_NOTIFY_COMMAND_KINDS: 'fill,end',
    PITDESK_NOTIFY_QUIET: '00:00-23:59',
    PITDESK_HEARTBEAT_URL: new URL('/beat', url).href,
    PITDESK_HEARTBEAT_METHOD: 'POST',
  })
  const all = await run('notify test')
  expect(all.stdout).toEqual([
    'ok    notify_command  taken',
    'ok    notify_url      taken',
    'ok    heartbeat_url   taken',
  ])
  expect(all.code).toBe(0)
  const called = posts.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(called)).toEqual(new Set(['POST /beat', 'POST /hook/k3y?a=b']))
  expect(called).toHaveLength(2)
  const hook = posts.find(({ path }) => path.startsWith('/hook'))
  const id = String(hook?.headers['webhook-id'])
  const signedAt = new Date(Number(hook?.headers['webhook-timestamp']) * 1_000)
  expect(new Webhook(secret).sign(id, signedAt, hook?.body ?? '')).toBe(hook?.headers['webhook-signature'])
  const one = await run('notify test --kind transfer --json')
  expect(JSON.parse(one.stdout[0] ?? '')).toEqual([
    { target: 'notify_command', outcome: 'skipped' },
    { target: 'notify_url', outcome: 'taken' },
    { target: 'heartbeat_url', outcome: 'taken' },
  ])
  expect([...all.stdout, ...all.stderr, ...one.stdout].join('\n')).not.toMatch(/k3y|whsec/)
})

test('a signal before the answer is told as one: what was sent may have been taken', async () => {
  const { posts, url } = await listenHere(() => undefined)
  const running = openShell({ PITDESK_NOTIFY_URL: url.href }).start('notify test --json')
  await running.until(() => posts.length > 0)
  running.signal('SIGTERM')
  await running.until(() => running.ran.code !== -1)
  expect({ code: running.ran.code, told: failureIn(running.ran) }).toEqual({
    code: 143,
    told: {
      kind: 'failed',
      message: 'ended before the answer came from notify_url: what was sent may arrive all the same',
    },
  })
})

test('one that does not take it is named, with what it said made safe, and the exit code is 1', async () => {
  const { url } = await listenHere((_posted, response) => {
    response.writeHead(403).end(`\u001b]0;no\u0007 channel ${url.pathname}`)
  })
  const { run } = openShell({
    PITDESK_NOTIFY_URL: url.href,
    PITDESK_NOTIFY_COMMAND: 'echo no mailbox >&2; exit 9',
  })
  const ran = await run('notify test')
  expect(ran.stdout).toEqual([
    'fail  notify_command  not taken: it ended with 9 (no mailbox)',
    'fail  notify_url      not taken: the answer was 403 (]0;no channel •••)',
  ])
  expect(ran.code).toBe(1)
  expect(ran.stderr.join()).toContain('not taken by notify_command, notify_url. No money is at risk')
  const json = await run('notify test --json')
  expect(failureIn(json)).toMatchObject({ kind: 'failed' })
  expect(JSON.parse(json.stdout[0] ?? '')[0]).toEqual({
    ...{ target: 'notify_command', outcome: 'failed', reason: 'it ended with 9', answer: 'no mailbox' },
  })
})

test('where nothing is set it says what to set; a secret in the file is refused there', async () => {
  const { run, home } = openShell()
  const ran = await run('notify test')
  expect([ran.code, ran.stderr.join()]).toEqual([
    1,
    expect.stringContaining('set notify_command, notify_url or heartbeat_url'),
  ])
  expect((await run('notify test --kind fills')).code).toBe(2)
  mkdirSync(join(home, '.config/pitdesk'), { recursive: true, mode: 0o700 })
  const text = `[profiles.a]\nnotify_secret = "${secret}"\n`
  writeFileSync(join(home, '.config/pitdesk/config.toml'), text, { mode: 0o600 })
  const refused = await run('notify test')
  expect(refused.stderr.join()).toMatch(/notify_secret would keep a key in this file/)
  expect(refused.stderr.join()).not.toContain(secret)
})

test('doctor names the hosts alone, and what is missing', async () => {
  const { run } = openShell({
    PITDESK_NOTIFY_URL: 'https://hooks.example/k3y',
    PITDESK_NOTIFY_COMMAND: 'mail ada',
    PITDESK_HEARTBEAT_URL: 'https://deadman.example/k3y',
  })
  const { stdout } = await run('doctor')
  expect(stdout.filter((line) => line.includes('notify') || line.includes('heartbeat'))).toEqual([
    'ok    notify         notify_command: a line for the shell',
    'ok    notify         notify_url: hooks.example',
    'warn  notify         no notify_secret_file: what notify_url gets is not signed, and its receiver cannot check it',
    'ok    notify         heartbeat_url: deadman.example, every 60 s',
  ])
  expect(stdout.join()).not.toContain('k3y')
  const signed = openShell({
    PITDESK_NOTIFY_URL: 'https://hooks.example/x',
    PITDESK_NOTIFY_SECRET_FILE: '/no/such/file',
  })
  expect((await signed.run('doctor')).stdout.join('\n')).toMatch(
    /fail {2}key source.*PITDESK_NOTIFY_SECRET_FILE: \/no\/such\/file does not exist/,
  )
})
