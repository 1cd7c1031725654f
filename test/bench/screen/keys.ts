import { setTimeout as wait } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { seeded } from '../book-workload.ts'
import { ConsoleProcess } from './console-process.ts'
import { figure, quantile, sizeName } from './figures.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import { listed, type Version } from './versions.ts'
import type { Workshop } from './workshop.ts'

const size = { columns: 200, rows: 60 }
const keyCount = 250
const aimedPerSecond = 10
const pauseMs = 60
const spreadMs = 80
const patienceMs = 1_000

/** With updates going on, the slowest keys may take so many times as long as the slowest echoes. */
const timesEcho = 4

/**
 * From a key to the screen that shows what it did, measured at the other end of the terminal line while the market goes
 * on. The echo is measured before and after, so that it has the same machine.
 */
export async function benchKeys(workshop: Workshop): Promise<void> {
  console.log(`from a key to what it changed, ${sizeName(size)}, ${keyCount} keys each; about half a minute a line`)
  const echoes = await echoLatencies(workshop.home, keyCount / 2)
  const runs: Run[] = []
  for (const version of listed(workshop.versions))
    for (const perSecond of [0, aimedPerSecond]) {
      const isAimed = version === workshop.versions.now && perSecond === aimedPerSecond
      runs.push({ version, perSecond, isAimed, ...(await latenciesAt(version, workshop, perSecond)) })
    }
  echoes.push(...(await echoLatencies(workshop.home, keyCount / 2)))
  const slowEcho = quantile(echoes, 0.99)
  figure('an echo over a terminal line, p50', quantile(echoes, 0.5), 'ms')
  figure('an echo over a terminal line, p99', slowEcho, 'ms')
  for (const { version, perSecond, isAimed, latencies, costsMs } of runs) {
    const name = `${version.name}, ${perSecond} updates/s`
    const slow = quantile(latencies, 0.99)
    figure(`${name}, p50`, quantile(latencies, 0.5), 'ms', isAimed ? 6 : undefined)
    figure(`${name}, p99`, slow, 'ms', isAimed ? 16 : undefined)
    figure(`${name}, p99 of the echo's`, slow / slowEcho, '', isAimed ? timesEcho : undefined, 2)
    figure(`${name}, longest`, Math.max(...latencies), 'ms')
    figure(`${name}, processor time to its bytes, p50`, quantile(costsMs, 0.5), 'ms')
    figure(`${name}, processor time to its bytes, p99`, quantile(costsMs, 0.99), 'ms')
  }
}

type Run = Latencies & { version: Version; perSecond: number; isAimed: boolean }
type Latencies = { latencies: number[]; costsMs: readonly number[] }

async function latenciesAt(version: Version, workshop: Workshop, perSecond: number): Promise<Latencies> {
  const child = await ConsoleProcess.start(version, size, workshop)
  const watch = watchCursor()
  watch.take(child.pty.output(), 0)
  child.pty.onOutput = watch.take
  await child.ask({ kind: 'play', count: 300, perSecond: 60 })
  for (const key of 'jkjkjkjk') {
    child.pty.type(key)
    await wait(100)
  }
  await child.ask({ kind: 'play', count: 1, perSecond: 4 })
  const lengthMs = keyCount * (pauseMs + spreadMs / 2 + 20)
  const playing =
    perSecond === 0 ? null : child.ask({ kind: 'play', count: Math.ceil((lengthMs / 1_000) * perSecond), perSecond })
  const random = seeded(1)
  const latencies: number[] = []
  for (let index = 0; index < keyCount; index += 1) {
    // At any moment of an update's period, not in step with it.
    await wait(pauseMs + random(spreadMs))
    const moved = watch.moved()
    const pressedAtMs = performance.now()
    child.pty.type(index % 2 === 0 ? 'j' : 'k')
    const shownAtMs = await moved
    if (shownAtMs === null) throw new Error(`key ${index} moved no cursor:\n${(await child.pty.screen()).join('\n')}`)
    latencies.push(shownAtMs - pressedAtMs)
  }
  const { keyCostsMs } = await (playing ?? child.ask({ kind: 'play', count: 1, perSecond: 4 }))
  await child.end()
  return { latencies, costsMs: keyCostsMs }
}

/** The same keys to a program that sends each back at once. */
async function echoLatencies(home: string, count: number): Promise<number[]> {
  const script = 'process.stdin.setRawMode(true).on("data", (key) => process.stdout.write(key))'
  const argv = ['-e', script]
  const pty = new PtyProcess({ ...size, file: process.execPath, argv, environment: drawing(home) })
  await wait(500)
  const random = seeded(1)
  const latencies: number[] = []
  for (let index = 0; index < count; index += 1) {
    await wait(pauseMs / 4 + random(spreadMs / 4))
    const echo = new Promise<number>((resolve) => {
      pty.onOutput = (_, atMs) => resolve(atMs)
    })
    const pressedAtMs = performance.now()
    pty.type('j')
    latencies.push((await echo) - pressedAtMs)
  }
  await pty.end()
  return latencies
}

/** An emulator that says when the ladder's cursor is in another row than before. */
function watchCursor() {
  const terminal = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 0 })
  let told: ((atMs: number) => void) | null = null
  let rowBefore = -1
  const cursorRow = (): number => {
    for (let row = 0; row < size.rows; row += 1) {
      const line = terminal.buffer.active.getLine(row)?.translateToString() ?? ''
      if (/[┃│] ?>/.test(line)) return row
    }
    return -1
  }
  return {
    take(chunk: Buffer, atMs: number): void {
      terminal.write(chunk, () => {
        if (told === null) return
        const row = cursorRow()
        if (row === rowBefore) return
        told(atMs)
        told = null
      })
    },
    /** Resolves with the moment at which the bytes arrived that moved it; null when nothing did for a second. */
    moved(): Promise<number | null> {
      rowBefore = cursorRow()
      const tooLate = new AbortController()
      const timeOut = wait(patienceMs, null, { signal: tooLate.signal }).catch(() => null)
      const arrival = new Promise<number>((resolve) => {
        told = resolve
      })
      return Promise.race([timeOut, arrival]).finally(() => tooLate.abort())
    },
  }
}
