import { type ChildProcess, execFile } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeIdentity } from '../fakes/certificates.ts'
import { cacheOf, firstLine, nodeArgv } from '../fakes/child-program.ts'
import { startCollector } from '../fakes/collector.ts'
import { eventually } from '../fakes/eventually.ts'
import { eventBody } from '../fakes/memory-events.ts'
import { hangOn } from './hanging-clients.ts'
import { holdingStoreThread } from './held-thread.ts'
import { aHome, builtForTests, program, spawnProgram } from './program.ts'
import { Terminal } from './terminal.ts'

const home = aHome('inbox')
const environment = { PATH: process.env.PATH ?? '', HOME: home }

builtForTests()

type Inbox = { child: ChildProcess; url: string; metricsUrl: string; log: () => string; ended: Promise<number | null> }

const serve = (...flags: string[]): Promise<Inbox> => serveWith({}, ...flags)

async function serveWith(more: Readonly<Record<string, string>>, ...flags: string[]): Promise<Inbox> {
  const argv = ['inbox', 'serve', '--port', '0', '--allow', '127.0.0.1/32', ...flags]
  const { child, log, ended } = spawnProgram(argv, { ...environment, ...more })
  return { child, ...JSON.parse(await firstLine(child)), log, ended }
}

/** A body of a request whose last byte is sent later; resolves once the inbox has begun to read it. */
async function halfSent(url: string): Promise<{ finish(): Promise<void> }> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answered = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => socket.destroy()).resume()
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  socket.write(`POST /x HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 8\r\nExpect: 100-continue\r\n\r\n`)
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.write('no even')
  return {
    finish() {
      socket.end('t')
      return answered
    },
  }
}

/** A file with a whole line. */
const wholeFile = (folder: string, name: string): Promise<string> =>
  eventually(() => {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text).toMatch(/\n$/)
    return text
  })

const childOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())

const run = promisify(execFile)
const pitdesk = (...argv: string[]) => run(process.execPath, nodeArgv(program, ...argv), { env: environment })
const send = async (url: string, body: string) =>
  (await globalThis.fetch(`${url}/any/path`, { method: 'POST', body })).status

test('what got a yes outlives a kill, and a signal ends the next run well', async () => {
  const killed = await serve()
  for (let index = 0; index < 20; index += 1)
    expect(await send(killed.url, eventBody({ eventId: `e${index}`, orderId: `o${index % 4}` }))).toBeLessThan(300)
  killed.child.kill('SIGKILL')
  await killed.ended
  const inbox = await serve()
  expect(await send(inbox.url, eventBody({ eventId: 'e0', orderId: 'o0' }))).toBeLessThan(300)
  expect(await send(inbox.url, 'no event')).toBeLessThan(300)
  expect(await (await globalThis.fetch(inbox.metricsUrl)).text()).toContain(
    'pitdesk_inbox_bodies_total{outcome="known"} 1',
  )
  inbox.child.kill('SIGTERM')
  expect(await inbox.ended).toBe(0)
  expect(inbox.log()).toMatch(/went to quarantine: .*\n.* ending on SIGTERM\n$/)
  const { stdout } = await pitdesk('inbox', 'ls', '--json')
  expect(JSON.parse(stdout)).toHaveLength(20)
  expect(JSON.parse((await pitdesk('inbox', 'ls', 'orders')).stdout)).toHaveLength(4)
  expect(JSON.parse((await pitdesk('inbox', 'show', 'o0')).stdout)).toMatchObject({ events: 5, copies: 1 })
  // Who traded what is for the owner alone.
  expect(statSync(join(home, '.local/share/pitdesk/inbox.sqlite')).mode & 0o077).toBe(0)
})

test('a second signal ends it where its store does not answer: what it took is on disk', async () => {
  const inbox = await serveWith(holdingStoreThread(home))
  expect(await send(inbox.url, eventBody({ eventId: 'held', orderId: 'held' }))).toBe(200)
  inbox.child.kill('SIGTERM')
  await eventually(() => expect(inbox.log()).toContain('ending on SIGTERM'))
  await eventually(() => {
    // One that comes at once is the same.
    inbox.child.kill('SIGINT')
    expect(inbox.child.exitCode).toBe(143)
  })
  await inbox.ended
  expect(inbox.log()).toContain('ended by a second signal, SIGINT, without waiting for what is under way\n')
  expect(JSON.parse((await pitdesk('inbox', 'show', 'held')).stdout)).toMatchObject({ orderId: 'held' })
})

test('a signal that is passed on as well, as by npm, is not taken for a second one: it ends in order', async () => {
  const inbox = await serve()
  inbox.child.kill('SIGTERM')
  inbox.child.kill('SIGINT')
  expect(await inbox.ended).toBe(0)
  expect(inbox.log()).not.toContain('second signal')
})

test('a terminal that is gone is no second signal, however often a line of the log meets that: it ends in order', async () => {
  const folder = aHome('gone')
  const desk = [process.execPath, ...nodeArgv(program)].join(' ')
  // In a session of its own: the kernel tells it nothing, its own lines do.
  const shell = 'trap "" HUP; echo $$ > shell; setsid -w $INBOX > first; echo $? > code'
  const INBOX = `${desk} inbox serve --port 0 --allow 127.0.0.1/32`
  const terminal = new Terminal('/bin/sh', ['-c', shell], {
    ...{ columns: 200, rows: 24, folder },
    environment: { ...environment, HOME: folder, XDG_CACHE_HOME: cacheOf(program), INBOX },
  })
  const { url } = JSON.parse(await wholeFile(folder, 'first'))
  const pid = childOf(Number(await wholeFile(folder, 'shell')))
  // A request that is under way when it ends, and has a line of the log in the end.
  const begun = await halfSent(url)
  terminal.hangUp()
  const beganMs = performance.now()
  process.kill(pid, 'SIGTERM')
  await eventually(() => expect(performance.now() - beganMs).toBeGreaterThan(1_200))
  await begun.finish()
  expect(await wholeFile(folder, 'code')).toBe('0\n')
})

test('the variables of OpenTelemetry make it send traces and metrics, the last of them when it ends', async () => {
  const collector = await startCollector()
  const more = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s3cret' }
  const inbox = await serveWith(more)
  expect(await send(inbox.url, eventBody({ eventId: 'traced' }))).toBe(200)
  inbox.child.kill('SIGTERM')
  expect(await inbox.ended).toBe(0)
  expect(collector.spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['commit', 'delivery']))
  expect(collector.headers.map((each) => each['api-key'])).toEqual(collector.headers.map(() => 's3cret'))
  expect(collector.metrics).toContainEqual(expect.objectContaining({ name: 'pitdesk_inbox_commit_seconds' }))
  expect(inbox.log()).not.toContain('s3cret')
})

/** A service with a certificate of an own authority, which is kept at `path`. */
async function ownService() {
  const authority = makeIdentity('services', { isAuthority: true })
  const own = makeIdentity('localhost', { issuer: authority })
  let posts = 0
  const server = createTlsServer({ cert: own.certificatePem, key: own.keyPem }, (request, response) => {
    request.resume()
    posts += 1
    response.end('{}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const path = join(home, 'services.pem')
  writeFileSync(path, authority.certificatePem)
  return { path, url: `https://localhost:${typeof address === 'object' ? address?.port : 0}`, posts: () => posts }
}

test('a collector whose certificate is of an own authority is told, and no other', async () => {
  const { path, url, posts } = await ownService()
  const told = async (more: Readonly<Record<string, string>>) => {
    const inbox = await serveWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more })
    expect(await send(inbox.url, eventBody({ eventId: 'traced' }))).toBe(200)
    inbox.child.kill('SIGTERM')
    expect(await inbox.ended).toBe(0)
    return posts()
  }
  expect(await told({})).toBe(0)
  expect(await told({ OTEL_EXPORTER_OTLP_CERTIFICATE: path })).toBeGreaterThan(0)
})

test('a target whose certificate is of an own authority gets events where that is named, and none without', async () => {
  const { path, url, posts } = await ownService()
  const settings = { HOME: aHome('own-target'), PITDESK_INBOX_FORWARD: url }
  const without = await serveWith(settings)
  expect(await send(without.url, eventBody({ eventId: 'e1' }))).toBe(200)
  await eventually(() => expect(without.log()).toContain('not accepted, its certificate has an untrusted issuer'))
  without.child.kill('SIGTERM')
  expect(await without.ended).toBe(0)
  expect(posts()).toBe(0)
  await serveWith({ ...settings, NODE_EXTRA_CA_CERTS: path })
  await eventually(() => expect(posts()).toBe(1))
})

test('a reader that has had enough is no failure', async () => {
  const line = `${process.execPath} ${program}/pitdesk.js inbox export | head -1; echo "\${PIPESTATUS[*]}"`
  const { stdout, stderr } = await run('bash', ['-c', line], { env: environment })
  expect(stdout).toMatch(/^sequence,receivedAt,.*\n0 0\n$/)
  expect(stderr).toBe('')
})

test('nothing secret is in the list of processes, for it is refused there', async () => {
  const failed = await pitdesk('inbox', 'serve', '--store', 'postgres://desk:hunter2@db/inbox').catch((error) => error)
  expect(failed).toMatchObject({ code: 2, stdout: '' })
  expect(failed.stderr).toMatch(/PITDESK_INBOX_STORE/)
  expect(failed.stderr).not.toContain('hunter2')
})

test('with a target that is dead, or takes and never answers, and clients that hang, a signal ends it, and the next run hands all of it on', async () => {
  const silent = createServer(() => undefined)
  const got: string[] = []
  const taker = createServer((socket) => {
    socket.on('data', (chunk) => {
      got.push(...[...chunk.toString().matchAll(/"eventId":"(d\d+)"/g)].map(([, id]) => id ?? ''))
      if (chunk.toString().endsWith('}')) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  for (const server of [silent, taker])
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const urlOf = (server: Server) => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
  }
  const store = `sqlite://${home}/dead.sqlite`
  const all = Array.from({ length: 60 }, (_, index) => `d${index}`)
  for (const target of ['http://127.0.0.1:9/', urlOf(silent)]) {
    const inbox = await serve('--store', store, '--forward', target)
    for (const id of all) expect(await send(inbox.url, eventBody({ eventId: id, orderId: id }))).toBe(200)
    const letGo = [inbox.url, inbox.metricsUrl].map((url) => hangOn(url, 30))
    expect(await (await globalThis.fetch(inbox.metricsUrl)).text()).toContain('pitdesk_inbox_forward_waiting')
    inbox.child.kill('SIGTERM')
    expect(await inbox.ended).toBe(0)
    for (const end of letGo) end()
  }
  // Places belong to one target: this is the one that was dead, alive again.
  const file = new DatabaseSync(`${home}/dead.sqlite`, { readOnly: true })
  expect(file.prepare('SELECT up_to, is_held FROM forward_places').all()).toEqual([
    { up_to: 60, is_held: 0 },
    { up_to: 60, is_held: 0 },
  ])
  expect(file.prepare('SELECT count(*) AS count FROM forward_waiting').get()).toEqual({ count: 120 })
  file.close()
  const last = await serve('--store', store, '--forward', urlOf(taker))
  await eventually(() => expect(new Set(got)).toEqual(new Set(all)))
  last.child.kill('SIGTERM')
  expect(await last.ended).toBe(0)
  for (const server of [silent, taker]) server.close()
})

test('with its file removed it says 503, an alarm, and where what it held is; never a 2xx', async () => {
  const path = join(home, 'lost.sqlite')
  const inbox = await serve('--store', `sqlite://${path}`)
  expect(await send(inbox.url, eventBody({ eventId: 'kept' }))).toBe(200)
  rmSync(path)
  for (const id of ['l1', 'l2']) expect(await send(inbox.url, eventBody({ eventId: id }))).toBe(503)
  expect((await globalThis.fetch(`${inbox.url}/healthz`)).status).toBe(503)
  expect(inbox.log()).toMatch(
    /events cannot be kept, and are refused meanwhile: ALARM the inbox file .*lost\.sqlite was removed/,
  )
  const [, saved = ''] = /What it held is in (\S+lost\.sqlite\.rescued-\S+Z)\./.exec(inbox.log()) ?? []
  inbox.child.kill('SIGTERM')
  expect(await inbox.ended).toBe(0)
  const { stdout } = await pitdesk('inbox', 'ls', '--json', '--store', `sqlite://${saved}`)
  expect(JSON.parse(stdout).map(({ eventId }: { eventId: string }) => eventId)).toContain('kept')
  const again = await serve('--store', `sqlite://${path}`)
  expect(await send(again.url, eventBody({ eventId: 'l1' }))).toBe(200)
})
