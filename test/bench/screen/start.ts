import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { buildProgram, program } from '../practice-process.ts'
import { figure, quantile } from './figures.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Workshop } from './workshop.ts'

const size = { columns: 120, rows: 40 }
const startCount = 15
const patienceMs = 10_000

type Start = { paintedMs: number; dataMs: number }

/**
 * The program as it is shipped, with its own practice exchange: from the command to the first screen, and to prices in
 * it.
 */
export async function benchStart({ home }: Workshop): Promise<void> {
  await buildProgram()
  const own = mkdtempSync(join(home, 'start-'))
  console.log('start of the shipped program with its practice exchange, 120x40')
  const first = await startOnce(own)
  figure('very first start: first painted screen', first.paintedMs, 'ms')
  figure('very first start: first data', first.dataMs, 'ms')
  const starts: Start[] = []
  const bare: number[] = []
  for (let index = 0; index < startCount; index += 1) {
    bare.push(await bareNode(own))
    starts.push(await startOnce(own))
  }
  const painted = starts.map(({ paintedMs }) => paintedMs)
  const data = starts.map(({ dataMs }) => dataMs)
  figure('node alone, median', quantile(bare, 0.5), 'ms')
  figure(`first painted screen, median of ${startCount}`, quantile(painted, 0.5), 'ms', 250)
  figure('first painted screen, quickest and slowest', Math.min(...painted), `to ${Math.max(...painted).toFixed(0)} ms`)
  figure(`first data, median of ${startCount}`, quantile(data, 0.5), 'ms', 600)
  figure('first data, quickest and slowest', Math.min(...data), `to ${Math.max(...data).toFixed(0)} ms`)
}

/** Starts it, waits for what is to be seen, and ends it as a person does who closes the terminal politely. */
async function startOnce(home: string): Promise<Start> {
  const terminal = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 0 })
  const startedAtMs = performance.now()
  const argv = [`${program}/pitdesk.js`]
  const pty = new PtyProcess({ ...size, file: process.execPath, argv, environment: drawing(home) })
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
