import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startCollector } from '../../fakes/collector.ts'
import { eventually, steadily } from '../../fakes/eventually.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { eventBody } from '../../fakes/memory-events.ts'
import { failureIn, openShell, type Running, type Shell } from '../harness.ts'

let shell: Shell
beforeEach(() => {
  shell = openShell()
})

async function serve(
  flags = '',
): Promise<{ running: Running; url: string; metricsUrl: string; stop(): Promise<void> }> {
  const running = shell.start(`inbox serve --port 0 --allow 127.0.0.1 ${flags}`)
  const stop = async () => {
    running.signal('SIGTERM')
    await running.ended
  }
  onTestFinished(stop)
  // A thread begins in its own time, which is not the clock's.
  while (running.ran.stdout.length === 0) await settle()
  return { running, stop, ...JSON.parse(running.ran.stdout[0] ?? '') }
}

/** A partner's service, which refuses the events of `refused`. */
async function partner() {
  const got: { eventId: string; headers: IncomingHttpHeaders; body: string }[] = []
  const refused = new Set<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { eventId } = JSON.parse(body)
    got.push({ eventId, headers: request.headers, body })
    if (refused.has(eventId)) response.writeHead(422).end('\u001b[31mno such user\u0007')
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { got, refused, url: `http://127.0.0.1:${address.port}/events`, ids: () => got.map(({ eventId }) => eventId) }
}

const send = async (url: string, fields: Record<string, unknown>): Promise<void> => {
  const answer = await globalThis.fetch(`${url}/hook`, { method: 'POST', body: eventBody(fields) })
  expect(answer.status).toBe(200)
}

function configure(text: string): void {
  const folder = join(shell.home, '.config', 'pitdesk')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), text)
}

const json = async (line: string) => {
  const { code, stdout, stderr } = await shell.run(`${line} --json`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  return JSON.parse(stdout.join('\n'))
}

const secretOf = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
const isSignedBy = (secret: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

test('each target gets what its filters let pass, from a place of its own, signed by both of its secrets', async () => {
  const [ledger, audit] = [await partner(), await partner()]
  const paths = ['new', 'old'].map((name) => join(shell.home, `${name}.secret`))
  const secrets = [secretOf('n'), secretOf('o')]
  for (const [at, path] of paths.entries()) writeFileSync(path, `${secrets[at]}\n`, { mode: 0o600 })
  configure(`[[inbox.targets]]
name = "ledger"
url = "${ledger.url}"
states = ["COMPLETED"]
currencies = ["eur"]
countries = ["DE"]
secret_file = "${paths[0]}"
old_secret_file = "${paths[1]}"

[[inbox.targets]]
name = "audit"
url = "${audit.url}"
types = ["SELL"]
`)
  const { url, running, metricsUrl } = await serve()
  const completed = { orderState: 'COMPLETED', userCountry: 'DE', orderId: 'o1' }
  await send(url, { ...completed, eventId: 'e1' })
  await send(url, { ...completed, eventId: 'e2', orderState: 'PENDING' })
  await send(url, { ...completed, eventId: 'e3', userCountry: 'FR', orderType: 'SELL' })
  await send(url, { ...completed, eventId: 'e4', inputCurrency: 'USD', outputCurrency: 'BTC' })
  await send(url, { ...completed, eventId: 'e 5', inputCurrency: 'BTC', outputCurrency: 'EUR' })
  await running.until(() => ledger.got.length === 2 && audit.got.length === 1)
  expect(ledger.ids()).toEqual(['e1', 'e 5'])
  expect(audit.ids()).toEqual(['e3'])
  for (const message of ledger.got) for (const secret of secrets) expect(isSignedBy(secret, message)).toBe(true)
  expect(isSignedBy(secretOf('x'), ledger.got[0] ?? { headers: {}, body: '' })).toBe(false)
  expect(ledger.got.map(({ headers }) => headers['webhook-id'])).toEqual([
    'e1',
    expect.stringMatching(/^sha256-[0-9a-f]{64}$/),
  ])
  expect(audit.got[0]?.headers).toMatchObject({ 'webhook-id': 'e3', 'content-type': 'application/json' })
  expect(audit.got[0]?.headers).not.toHaveProperty('webhook-signature')
  await eventually(async () => {
    const metrics = await (await globalThis.fetch(metricsUrl)).text()
    expect(metrics).toContain('pitdesk_inbox_forward_attempts_total{target="ledger",outcome="taken"} 2')
    expect(metrics).toContain('pitdesk_inbox_forward_oldest_seconds{target="ledger"} 0')
    expect(metrics).toMatch(/pitdesk_inbox_forward_holder\{target="audit",holder="[^"]+:\d+"\} 1/)
    expect(metrics).toContain('pitdesk_inbox_quarantine 0')
  })
  // Rotated while it runs: the new file counts without a start.
  writeFileSync(paths[0] ?? '', secretOf('m'), { mode: 0o600 })
  await shell.clock.advance(10_000)
  await send(url, { ...completed, eventId: 'e6' })
  await running.until(() => ledger.got.length === 3)
  expect(ledger.got.map((message) => isSignedBy(secretOf('m'), message))).toEqual([false, false, true])
  for (const line of running.ran.stderr) for (const secret of secrets) expect(line).not.toContain(secret)
})

test('a place is kept under its name, wherever its url leads; one that begins now gets nothing of before', async () => {
  const [old, moved, late] = [await partner(), await partner(), await partner()]
  const named = (url: string, more = '') => `[[inbox.targets]]\nname = "ledger"\nurl = "${url}"\n${more}`
  configure(named(old.url))
  const first = await serve()
  await send(first.url, { eventId: 'e1', orderId: 'o1' })
  await first.running.until(() => old.got.length === 1)
  await first.stop()
  // A command that tells a secret runs at the start, and then no more.
  const path = join(shell.home, 'late.secret')
  writeFileSync(path, secretOf('l'), { mode: 0o600 })
  const begins = `begin = "now"\nsecret_command = ["cat", "${path}"]\n`
  configure(`${named(moved.url)}\n[[inbox.targets]]\nname = "late"\nurl = "${late.url}"\n${begins}`)
  const second = await serve()
  await eventually(async () => expect(await json('inbox ls targets')).toHaveLength(2))
  writeFileSync(path, secretOf('m'))
  await shell.clock.advance(10_000)
  await send(second.url, { eventId: 'e2', orderId: 'o2' })
  await second.running.until(() => moved.got.length === 1 && late.got.length === 1)
  expect([old.ids(), moved.ids(), late.ids()]).toEqual([['e1'], ['e2'], ['e2']])
  expect(late.got.map((message) => isSignedBy(secretOf('l'), message))).toEqual([true])
  await second.stop()
  // By the address of forward another address begins at the first event.
  configure('')
  const other = await partner()
  const third = await serve(`--forward ${other.url}`)
  await third.running.until(() => other.got.length === 2)
  expect(new Set(other.ids())).toEqual(new Set(['e1', 'e2']))
})

test('a signature is made by hand from what the manual says', async () => {
  const ledger = await partner()
  const path = join(shell.home, 'hand.secret')
  const secret = secretOf('h')
  writeFileSync(path, secret, { mode: 0o600 })
  configure(`[[inbox.targets]]\nname = "ledger"\nurl = "${ledger.url}"\nsecret_file = "${path}"\n`)
  const { url, running } = await serve()
  await send(url, { eventId: 'e1', orderId: 'o1' })
  await running.until(() => ledger.got.length === 1)
  const [message] = ledger.got
  if (message === undefined) throw new Error('nothing came')
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message.headers
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const made = createHmac('sha256', key).update(`${id}.${at}.${message.body}`).digest('base64')
  expect(signature).toBe(`v1,${made}`)
})

test('while an order is stuck the list of targets says why', async () => {
  const ledger = await partner()
  ledger.refused.add('e1')
  configure(`[[inbox.targets]]\nname = "ledger"\nurl = "${ledger.url}"\n`)
  const { url } = await serve()
  await send(url, { eventId: 'e0', orderId: 'order-0' })
  await send(url, { eventId: 'e1', orderId: 'order-1' })
  const stuck = { target: 'ledger', stuckOrders: 1, stuckReason: 'the answer was 422' }
  await steadily(async () => {
    await shell.clock.advance(100)
    expect(await json('inbox ls targets')).toMatchObject([stuck])
  })
  ledger.refused.clear()
  await steadily(async () => {
    await shell.clock.advance(100)
    const [target] = await json('inbox ls targets')
    expect([target.stuckOrders, target.stuckReason]).toEqual([0, undefined])
  })
})

test('what a target refuses is given up, listed with its reason and its attempts, and sent again when asked', async () => {
  const ledger = await partner()
  ledger.refused.add('e1')
  configure(`[[inbox.targets]]\nname = "ledger"\nurl = "${ledger.url}"\ngive_up_after = 2\n`)
  const { url, running, metricsUrl } = await serve()
  await send(url, { eventId: 'e1', orderId: 'order-1' })
  await send(url, { eventId: 'e2', orderId: 'order-1' })
  await running.until(() => ledger.got.length === 3)
  expect(ledger.ids()).toEqual(['e1', 'e1', 'e2'])
  expect(running.ran.stderr.join('\n')).toContain('ALARM event e1 given up after 2 tries, the answer was 422')
  await steadily(async () => {
    await shell.clock.advance(100)
    const [letter, ...others] = await json('inbox ls dead')
    expect(others).toEqual([])
    expect(letter).toMatchObject({ target: 'ledger', eventId: 'e1', orderId: 'order-1', tries: 2 })
    expect(letter.reason).toBe('the answer was 422')
    expect((await json('inbox show e2')).attempts).toHaveLength(1)
  })
  const { attempts } = await json('inbox show e1')
  expect(attempts).toEqual(
    [1, 2].map((number) => ({
      ...{ at: expect.any(Number), target: 'ledger', number, status: 422, durationMs: expect.any(Number) },
      ...{ reason: 'the answer was 422', answer: '[31mno such user' },
    })),
  )
  expect((await json('inbox show order-1')).attempts.map(({ eventId }: { eventId: string }) => eventId)).toEqual([
    'e1',
    'e1',
    'e2',
  ])
  expect(await json('inbox ls targets')).toMatchObject([
    { target: 'ledger', isForwarding: true, waiting: 0, dead: 1, stuckOrders: 0, leaseNumber: 1 },
  ])
  expect(await (await globalThis.fetch(metricsUrl)).text()).toContain('pitdesk_inbox_forward_dead{target="ledger"} 1')
  ledger.refused.clear()
  expect(await json('inbox send-again --dead')).toEqual([
    { target: 'ledger', events: 1, sentAgain: 1, waitingAnyway: 0 },
  ])
  await running.until(() => ledger.got.length === 4)
  expect(ledger.ids().at(-1)).toBe('e1')
  expect(await json('inbox ls dead')).toEqual([])
  expect((await shell.run('inbox send-again --dead --json')).code).toBe(1)
})

test('sends again by id, order, time and filter; many only with a yes', async () => {
  const ledger = await partner()
  configure(`[[inbox.targets]]\nname = "ledger"\nurl = "${ledger.url}"\n`)
  const { url, running, stop } = await serve()
  for (let at = 1; at <= 12; at += 1)
    await send(url, { eventId: `event-${at}`, orderId: `order-${at % 4}`, orderType: at === 7 ? 'SELL' : 'BUY' })
  await running.until(() => ledger.got.length === 12)
  const again = async (line: string, count: number): Promise<string[]> => {
    const before = ledger.got.length
    // What was taken is known to the store a moment later.
    await steadily(async () => {
      await shell.clock.advance(100)
      expect((await json('inbox ls targets'))[0]).toMatchObject({ waiting: 0 })
    })
    const [row] = await json(`inbox send-again ${line}`)
    expect(row).toEqual({ target: 'ledger', events: count, sentAgain: count, waitingAnyway: 0 })
    await running.until(() => ledger.got.length === before + count)
    return ledger.ids().slice(before)
  }
  expect(await again('event-3', 1)).toEqual(['event-3'])
  expect(await again('order-2 event-1 --target ledger', 4)).toEqual(
    expect.arrayContaining(['event-1', 'event-2', 'event-6', 'event-10']),
  )
  expect(await again('--type SELL --from today', 1)).toEqual(['event-7'])
  const order = await again('--order order-0', 3)
  expect(order).toEqual(['event-4', 'event-8', 'event-12'])
  const many = await shell.run('inbox send-again --state PENDING --json')
  expect(many.code).toBe(2)
  expect(failureIn(many).message).toContain('12 events: stdin is not a terminal: add --yes')
  expect(await again('--state PENDING --yes', 12)).toHaveLength(12)
  for (const [line, code, words] of [
    ['', 2, 'say which events'],
    ['--dead event-1', 2, '--dead goes without ids'],
    ['event-99', 1, 'no order or event event-99'],
    ['event-1 --target other', 1, 'no target other: there is ledger'],
    ['--to 2020-01-01', 1, 'no such event in the inbox'],
  ] as const) {
    const ran = await shell.run(`inbox send-again ${line}`)
    expect({ line, code: ran.code, text: ran.stderr.join('\n') }).toMatchObject({ line, code })
    expect(ran.stderr.join('\n')).toContain(words)
  }
  await stop()
  const late = await shell.run('inbox send-again event-1 --json')
  expect(late.stderr).toEqual(['warning: no inbox forwards to ledger just now: they go out when one does'])
  expect(late.code).toBe(0)
})

test('goes on where the file of an older version stands, once, and puts it aside', async () => {
  const taker = await partner()
  const first = await serve()
  for (const id of ['e1', 'e2', 'e3']) await send(first.url, { eventId: id, orderId: id })
  await first.stop()
  const store = `sqlite://${shell.home}/.local/share/pitdesk/inbox.sqlite`
  const name = createHash('sha256').update(`${store}\n${taker.url}`).digest('hex').slice(0, 16)
  const folder = join(shell.home, '.local/state/pitdesk/inbox')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `forward-${name}.json`), '{"upTo":2,"waiting":[1]}', { mode: 0o600 })
  const second = await serve(`--forward ${taker.url}`)
  await second.running.until(() => taker.got.length === 2)
  expect(new Set(taker.ids())).toEqual(new Set(['e1', 'e3']))
  await second.stop()
  const third = await serve(`--forward ${taker.url}`)
  await send(third.url, { eventId: 'e4', orderId: 'e4' })
  await third.running.until(() => taker.got.length === 3)
  expect(taker.ids().at(-1)).toBe('e4')
  expect(existsSync(join(folder, `forward-${name}.json`))).toBe(false)
  expect(readdirSync(folder)).toContain(`forward-${name}.json.in-store`)
  await third.stop()
  // The same address as a target of its own: it goes on there as well.
  configure(`[[inbox.targets]]\nname = "ledger"\nurl = "${taker.url}"\n`)
  const fourth = await serve()
  await send(fourth.url, { eventId: 'e5', orderId: 'e5' })
  await fourth.running.until(() => taker.got.length === 4)
  expect(taker.ids().at(-1)).toBe('e5')
})

test.each([
  ['name = "ledger"', 'each of [[inbox.targets]] needs a name and a url'],
  ['name = "forward-1"\nurl = "http://127.0.0.1:1/"', 'inbox.targets.0.name must be up to 40 small letters'],
  ['name = "a"\nurl = "http://partner.example/"', 'url of the target a would send what users do over plain http'],
  [
    'name = "a"\nurl = "http://127.0.0.1:1/"\nsecret_file = "/nowhere"',
    'secret_file of the target a: /nowhere does not',
  ],
  ['name = "a"\nurl = "http://127.0.0.1:1/"\nsecret = "whsec_x"', 'secret would keep a key in this file'],
  ['name = "a"\nurl = "http://127.0.0.1:1/"\nstate = ["X"]', 'unknown setting "state" in [inbox.targets.0], did you'],
  ['name = "a"\nurl = "http://127.0.0.1:1/"\nstates = ["X"]', 'inbox.targets.0.states must be a list of "PENDING"'],
])('a target with %j is refused', async (text, sentence) => {
  configure(`[[inbox.targets]]\n${text}\n`)
  const ran = await shell.run('inbox serve --port 0')
  expect(ran.code).not.toBe(0)
  expect(ran.stderr.join('\n')).toContain(sentence)
})

test('with a collector a target is told of the trace of the sender, and both see every step of it', async () => {
  const collector = await startCollector()
  shell = openShell({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const ledger = await partner()
  const { url, stop } = await serve(`--forward ${ledger.url}`)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  await globalThis.fetch(url, { method: 'POST', body: eventBody({ eventId: 'e1' }), headers })
  await eventually(() => expect(ledger.ids()).toEqual(['e1']))
  await stop()
  const spans = collector.spans.filter((span) => span.traceId === traceId)
  expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(['delivery', 'forward']))
  const forward = spans.find(({ name }) => name === 'forward')
  expect(forward?.attributes).toMatchObject({ 'pitdesk.try': '1', 'pitdesk.outcome': 'taken' })
  expect(ledger.got[0]?.headers.traceparent).toBe(`00-${traceId}-${forward?.spanId}-01`)
  const names = collector.metrics.map(({ name }) => name)
  for (const name of ['forward_oldest_seconds', 'forward_stuck_orders', 'quarantine', 'waiting', 'commit_seconds'])
    expect(names).toContain(`pitdesk_inbox_${name}`)
})

test('a collector that would be sent to in the clear keeps the inbox from starting, without its address', async () => {
  shell = openShell({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' })
  const { code, stderr, stdout } = await shell.run('inbox serve --port 0')
  expect({ code, stdout }).toEqual({ code: 1, stdout: [] })
  expect(stderr.join()).toMatch(
    /OTEL_EXPORTER_OTLP_ENDPOINT would send .* over plain http to another machine: use https/,
  )
  expect(stderr.join()).not.toContain('collector.example')
})

test('the place of a target is forgotten once it is neither set nor forwarded to, and only with a yes', async () => {
  const ledger = await partner()
  ledger.refused.add('e2')
  const set = `[[inbox.targets]]\nname = "ledger"\nurl = "${ledger.url}"\n`
  configure(set)
  const { url, stop } = await serve()
  for (const eventId of ['e1', 'e2']) await send(url, { eventId, orderId: eventId })
  await eventually(() => expect(new Set(ledger.ids())).toEqual(new Set(['e1', 'e2'])))
  const forget = async (flags = '', options = {}) => {
    const { code, stdout, stderr } = await shell.run(`inbox forget-target ledger ${flags}`, options)
    return { code, text: [...stdout, ...stderr].join('\n') }
  }
  expect(await forget('--yes')).toEqual({ code: 1, text: expect.stringMatching(/ledger is set in \[inbox\]/) })
  configure('')
  expect(await forget('--yes')).toEqual({ code: 1, text: expect.stringMatching(/:\d+ forwards to ledger now/) })
  await stop()
  // What came while nobody forwarded waits too, though nobody has taken it up.
  const later = await serve()
  await send(later.url, { eventId: 'e3' })
  await later.stop()
  expect(await forget()).toEqual({ code: 2, text: expect.stringContaining('add --yes to forget it') })
  const no = await forget('', { isTerminal: true, typed: 'no\r' })
  expect(no).toEqual({
    code: 3,
    text: expect.stringMatching(/1 waiting, 1 not taken up yet and 0 given up will not be sent/),
  })
  expect(await json('inbox ls targets')).toMatchObject([{ target: 'ledger', waiting: 1, behind: 1 }])
  expect(await json('inbox forget-target ledger --yes')).toMatchObject([{ target: 'ledger', waiting: 1 }])
  expect(await json('inbox ls targets')).toEqual([])
  expect(await forget('--yes')).toEqual({ code: 1, text: expect.stringContaining('no target ledger: there is none') })
  expect(await shell.run('inbox forget-target')).toMatchObject({ code: 2 })
})

test('a target whose inbox died, in a file, is not forwarded to any more', async () => {
  const ledger = await partner()
  const { url, stop } = await serve(`--forward ${ledger.url}`)
  await send(url, { eventId: 'e1' })
  await eventually(() => expect(ledger.ids()).toEqual(['e1']))
  await stop()
  const [{ target }] = await json('inbox ls targets')
  const file = new DatabaseSync(join(shell.home, '.local/share/pitdesk/inbox.sqlite'))
  const dead = (holder: string) => file.prepare('UPDATE forward_places SET is_held = 1, holder = ?').run(holder)
  // Another machine's process is nothing that can be looked at here.
  dead('elsewhere:1')
  expect(await json('inbox ls targets')).toMatchObject([{ isForwarding: true }])
  expect(await shell.run(`inbox forget-target ${target} --yes`)).toMatchObject({ code: 1 })
  const { pid } = spawnSync(process.execPath, ['--version'])
  dead(`${hostname()}:${pid}`)
  expect(await json('inbox ls targets')).toMatchObject([{ isForwarding: false }])
  expect(await shell.run(`inbox forget-target ${target} --yes`)).toMatchObject({ code: 0 })
  file.close()
})
