import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { build } from '../../.tools/build.mjs'
import { eventBody } from '../fakes/memory-events.ts'

const program = `${process.cwd()}/.cache/pty-inbox`
const home = mkdtempSync(join(tmpdir(), 'pitdesk-inbox-'))
const environment = { PATH: process.env.PATH ?? '', HOME: home }

beforeAll(() => build(program))
afterAll(() => rmSync(home, { recursive: true, force: true }))

type Inbox = { child: ChildProcess; url: string; metricsUrl: string; log: () => string; ended: Promise<number | null> }

async function serve(...flags: string[]): Promise<Inbox> {
  const argv = [`${program}/pitdesk.js`, 'inbox', 'serve', '--port', '0', '--allow', '127.0.0.1/32', ...flags]
  const child = spawn(process.execPath, argv, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const first = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', () => reject(new Error(log)))
  })
  expect(first.split('\n')).toHaveLength(2)
  return { child, ...JSON.parse(first), log: () => log, ended }
}

const run = promisify(execFile)
const pitdesk = (...argv: string[]) => run(process.execPath, [`${program}/pitdesk.js`, ...argv], { env: environment })
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
