import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { hangOn } from './hanging-clients.ts'
import { aHome, builtForTests, program } from './program.ts'

const home = aHome('endings')

builtForTests()

type FirstLine = { exchange: string; gateway: string; admin: string; adminToken: string; accounts: { token: string }[] }

test('the practice exchange ends on a signal while clients of its three servers hang and its answers are stalled', async () => {
  const ports = ['--port', '0', '--gateway-port', '0', '--admin-port', '0']
  const child = spawn(process.execPath, [`${program}/pitdesk.js`, 'sandbox', ...ports], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(`${chunk}`)))
  const { exchange, gateway, admin, adminToken, accounts }: FirstLine = JSON.parse(line)
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
