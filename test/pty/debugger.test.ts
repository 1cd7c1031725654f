import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anyPorts, firstLine } from '../fakes/child-program.ts'
import { aHome, builtForTests, spawnLauncher } from './program.ts'

const home = aHome('debugger')

builtForTests()

/** Ports of this machine that the process listens on. */
function listeningPorts(pid: number): number[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`)) ?? []
    return inode === undefined ? [] : [inode]
  })
  const listen = '0A'
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '']) => state === listen && sockets.includes(inode))
      .map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16)),
  )
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // Closed since it was listed.
    return ''
  }
}

const ascending = (one: number, other: number) => one - other

type Started = { child: ChildProcess; ports: number[]; log: () => string; ended: Promise<number | null> }

async function startSandbox(environment: Record<string, string> = {}, onSpawn = (_child: ChildProcess) => {}) {
  const argv = ['sandbox', ...anyPorts, '--market', 'off']
  const { child, log, ended } = spawnLauncher(argv, { HOME: home, ...environment })
  child.once('spawn', () => onSpawn(child))
  const line = await firstLine(child).catch(() => null)
  if (line === null) return null
  const { exchange, gateway, admin } = JSON.parse(line)
  const started: Started = {
    child,
    ports: [exchange, gateway, admin].map((url: string) => Number(new URL(url).port)).toSorted(ascending),
    log,
    ended,
  }
  return started
}

const portsOf = ({ child }: Started) => listeningPorts(child.pid ?? 0).toSorted(ascending)

test('SIGUSR1 opens no debugger in the running program, and does not end it', async () => {
  const started = await startSandbox()
  if (started === null) throw new Error('it did not start')
  for (let count = 0; count < 3; count += 1) {
    started.child.kill('SIGUSR1')
    // An answer after the signal: whatever the signal does has begun.
    expect((await globalThis.fetch(`http://127.0.0.1:${started.ports[0]}/`)).status).toBeGreaterThan(0)
  }
  expect(portsOf(started)).toEqual(started.ports)
  expect(started.log()).not.toContain('Debugger')
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
})

test('SIGUSR1 at any moment of the start opens none either: at worst there is no start', async () => {
  for (let round = 0; round < 12; round += 1) {
    const started = await startSandbox({}, (child) => child.kill('SIGUSR1'))
    if (started === null) continue
    expect(portsOf(started)).toEqual(started.ports)
    started.child.kill('SIGKILL')
  }
  // Once the program speaks, it is ready for the signal.
  const started = await startSandbox({}, (child) => child.stderr?.on('data', () => child.kill('SIGUSR1')))
  expect(started && portsOf(started)).toEqual(started?.ports)
})

test('a debugger that the environment asks for is closed again before the program begins', async () => {
  const started = await startSandbox({ NODE_OPTIONS: '--inspect=127.0.0.1:0' })
  if (started === null) throw new Error('it did not start')
  expect(started.log()).toContain('pitdesk: NODE_OPTIONS opens a debugger')
  expect(portsOf(started)).toEqual(started.ports)
})
