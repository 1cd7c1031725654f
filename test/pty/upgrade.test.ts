import { execFile } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { type HeldExchange, startHeldExchange } from './held-exchange.ts'
import { aHome, builtForTests, program } from './program.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

const home = aHome('upgrade')

let sandbox: SandboxProcess
let held: HeldExchange

builtForTests()

beforeAll(async () => {
  sandbox = await startSandboxProcess(program, home)
  held = await startHeldExchange(sandbox.url)
})

afterAll(async () => {
  await held.close()
  await sandbox.stop()
})

/** A copy of the program, which an upgrade can take away. */
function aCopy(name: string): string {
  const copy = join(home, name)
  cpSync(program, copy, { recursive: true })
  return copy
}

test('what became of an order is told, though the program was replaced while it was under way', async () => {
  const copy = aCopy('program')
  const reached = held.refuse('/orders')
  const order = ['order', 'place', 'buy', '0.01', 'BTC-USD', '--limit', '63000', '--yes', '--json']
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CACHE_HOME: cacheOf(program),
    LANG: 'C.UTF-8',
    PITDESK_EXCHANGE_BASE_URL: held.url,
    PITDESK_API_TOKEN: sandbox.token,
  }
  const ended = new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, nodeArgv(copy, ...order), { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end()
  })
  await Promise.race([reached, ended])
  rmSync(copy, { recursive: true })
  held.release()
  const { code, stdout, stderr } = await ended
  expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('pitdesk order place: ') })
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { kind: 'rejected' } })
})
