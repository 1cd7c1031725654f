import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anyPorts, firstLine, type SandboxLine } from '../fakes/child-program.ts'
import { eventually } from '../fakes/eventually.ts'
import { hangOn } from './hanging-clients.ts'
import { aHome, builtForTests, spawnLauncher, spawnProgram } from './program.ts'

const home = aHome('endings')

builtForTests()

test('the practice exchange ends on a signal while clients of its three servers hang and its answers are stalled', async () => {
  const { child, ended } = spawnProgram(['sandbox', ...anyPorts], { HOME: home })
  const { exchange, gateway, admin, adminToken, accounts }: SandboxLine = JSON.parse(await firstLine(child))
  const stalled = await globalThis.fetch(`${admin}/fault/stall`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(stalled.status).toBe(200)
  const key = `X-API-Token: ${accounts[0]?.token}`
  const asked = `GET /v3/fees HTTP/1.1\r\nHost: localhost\r\n${key}\r\n\r\n`
  const begun = `POST /v3/orders HTTP/1.1\r\nHost: localhost\r\n${key}\r\nContent-Length: 500\r\n\r\n{`
  const letGo = [exchange, gateway, admin].map((url) => hangOn(url, 30, [asked, begun]))
  // They are all there: this one comes after them.
  expect((await globalThis.fetch(`${admin}/nowhere`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  for (const end of letGo) end()
})

test('a program ends on a signal where the system holds one of its threads, and says how', async () => {
  const pipe = join(home, 'pipe')
  execFileSync('mkfifo', [pipe])
  // As the file of a disk that does not answer: who opens it to read waits for a writer.
  const thread = `console.error('held'); require('node:fs').openSync(${JSON.stringify(pipe)}, 'r')`
  const begin = `process.once('SIGUSR2', () => new Worker(${JSON.stringify(thread)}, { eval: true }))`
  const held = join(home, 'held.cjs')
  writeFileSync(held, `const { Worker, isMainThread } = require('node:worker_threads')\nif (isMainThread) ${begin}\n`)
  const variables = { HOME: home, NODE_OPTIONS: `--require=${held}` }
  const { child, log, ended } = spawnProgram(['sandbox', ...anyPorts], variables)
  await firstLine(child)
  child.kill('SIGUSR2')
  await eventually(() => expect(log()).toContain('held'))
  child.kill('SIGTERM')
  expect(await ended).toBe(null)
  expect(child.signalCode).toBe('SIGKILL')
  expect(log()).toContain('a thread does not end, as where its disk does not answer: the program ends by SIGKILL')
})

test('a fault that nobody expected ends a command as a crash, whatever of it still runs', async () => {
  const hook = join(home, 'faulty.cjs')
  const faulty = "{ get() { require('node:net').createServer().listen(0); throw new Error('a faulty terminal') } }"
  writeFileSync(hook, `Object.defineProperty(process.stdout, 'columns', ${faulty})`)
  const { log, ended } = spawnLauncher(['schema'], { HOME: home, NODE_OPTIONS: `--require=${hook}` })
  await eventually(() => expect(log()).toContain('pitdesk crashed: details are in'))
  expect(await ended).toBe(1)
})
