import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { figure, quantile } from './figures.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import { listed, withEach } from './versions.ts'
import type { Workshop } from './workshop.ts'

const size = { columns: 120, rows: 40 }
const startCount = 15
const patienceMs = 10_000
/**
 * What Node that does nothing takes, in ms, where the aims were set: on another machine a start is held against its own
 * Node by the same ratio.
 */
const bareAimedMs = 21

type Start = { paintedMs: number; dataMs: number }

/**
 * The program as it is shipped, with its own practice exchange: from the command to the first screen, and to prices in
 * it.
 */
export async function benchStart({ home, versions }: Workshop): Promise<void> {
  const programs = await withEach(versions, async (version) => ({
    name: version.name,
    launcher: await version.buildLauncher(),
    home: mkdtempSync(join(home, 'start-')),
    starts: [] as Start[],
  }))
  console.log('start of the shipped program with its practice exchange, 120x40')
  for (const each of listed(programs)) {
    const first = await startOnce(each)
    figure(`${each.name}, very first start: first painted screen`, first.paintedMs, 'ms')
    figure(`${each.name}, very first start: first data`, first.dataMs, 'ms')
  }
  const bare: number[] = []
  for (let index = 0; index < startCount; index += 1) {
    bare.push(await bareNode(home))
    await withEach(programs, async (each) => each.starts.push(await startOnce(each)))
  }
  const bareMs = quantile(bare, 0.5)
  figure('node alone, median', bareMs, 'ms')
  for (const each of listed(programs)) {
    const isAimed = each === programs.now
    const print = (what: string, values: readonly number[], aimMs: number) => {
      const slowest = `to ${Math.max(...values).toFixed(0)} ms`
      const medianMs = quantile(values, 0.5)
      figure(`${each.name}, ${what}, median of ${startCount}`, medianMs, 'ms', isAimed ? aimMs : undefined)
      const ratio = isAimed ? Math.round((aimMs / bareAimedMs) * 10) / 10 : undefined
      figure(`${each.name}, ${what}, times node alone`, medianMs / bareMs, '', ratio)
      figure(`${each.name}, ${what}, quickest and slowest`, Math.min(...values), slowest)
    }
    print(
      'first painted screen',
      each.starts.map(({ paintedMs }) => paintedMs),
      120,
    )
    print(
      'first data',
      each.starts.map(({ dataMs }) => dataMs),
      350,
    )
  }
}

/** Starts it, waits for what is to be seen, and ends it as a person does who closes the terminal politely. */
async function startOnce({ launcher, home }: { launcher: string; home: string }): Promise<Start> {
  const terminal = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 0 })
  const startedAtMs = performance.now()
  const pty = new PtyProcess({ ...size, file: process.execPath, argv: [launcher], environment: drawing(home) })
  // Terminals answer what they are asked, so this one does as well.
  terminal.onData((answer) => pty.type(answer))
  const seen: Partial<Start> = {}
  const start = await new Promise<Start | null>((resolve) => {
    const tooLate = new AbortController()
    void wait(patienceMs, null, { signal: tooLate.signal }).then(resolve, () => undefined)
    pty.onOutput = (chunk, atMs) =>
      terminal.write(chunk, () => {
        const { active } = terminal.buffer
        const lines = Array.from({ length: size.rows }, (_, row) => active.getLine(row)?.translateToString() ?? '')
        if (lines.some((line) => line.includes('PRACTICE'))) seen.paintedMs ??= atMs - startedAtMs
        // A row of the ladder with a bid or an offer in it.
        if (lines.some((line) => /[┃│].*\d \d{3,}\.\d\d.*[┃│]|[┃│] *\d{3,}\.\d\d \d.*[┃│]/.test(line)))
          seen.dataMs ??= atMs - startedAtMs
        const { paintedMs, dataMs } = seen
        if (paintedMs === undefined || dataMs === undefined) return
        tooLate.abort()
        resolve({ paintedMs, dataMs })
      })
  })
  if (start === null) throw new Error(`no data was seen in ${patienceMs} ms:\n${(await pty.screen()).join('\n')}`)
  await pty.end()
  return start
}

/** What the machine needs for a Node that does nothing, in a terminal as well. */
async function bareNode(home: string): Promise<number> {
  const startedAtMs = performance.now()
  const pty = new PtyProcess({ ...size, file: process.execPath, argv: ['-e', '0'], environment: drawing(home) })
  await pty.exited
  return performance.now() - startedAtMs
}
