import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type IPty, spawn } from '@lydell/node-pty'
import { type Size, screenOf } from './terminal-screen.ts'

export type PtyOptions = Size & {
  file: string
  argv: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

/** The environment of a program that draws: 256 colours, as the terminal databases know the terminal, and UTF-8. */
export const drawing = (home: string): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  HOME: home,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
})

/** A program in a real pseudo-terminal. What it writes is counted at the other end, and kept until somebody looks. */
export class PtyProcess {
  readonly #pty: IPty
  readonly #size: Size
  /** Resolves when the program has ended. */
  readonly exited: Promise<void>
  #kept: Buffer[] = []
  #hasExited = false
  byteCount = 0
  writeCount = 0
  /** Called with each piece as it arrives, and when that was, by `performance.now()`. */
  onOutput: (chunk: Buffer, atMs: number) => void = () => undefined

  constructor({ columns, rows, file, argv, environment }: PtyOptions) {
    this.#size = { columns, rows }
    this.#pty = spawn(file, [...argv], {
      name: environment.TERM ?? 'xterm-256color',
      cols: columns,
      rows,
      cwd: process.cwd(),
      env: Object.fromEntries(Object.entries(environment).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
      encoding: null,
    })
    this.#pty.onData((data: string | Buffer) => {
      const atMs = performance.now()
      const chunk = typeof data === 'string' ? Buffer.from(data) : data
      this.byteCount += chunk.length
      this.writeCount += 1
      this.#kept.push(chunk)
      this.onOutput(chunk, atMs)
    })
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(() => {
        this.#hasExited = true
        resolve()
      })
    })
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }

  /** Resolves when nothing was written for a while. */
  async quiet(ms = 250): Promise<void> {
    for (let before = -1; before !== this.byteCount; ) {
      before = this.byteCount
      await wait(ms)
    }
  }

  /** Everything that was written so far, and was not forgotten. */
  output(): Buffer {
    return Buffer.concat(this.#kept)
  }

  /** The screen as all that was written so far made it, as lines of text. */
  screen(): Promise<string[]> {
    return screenOf([this.output()], this.#size)
  }

  /** Forgets what was written before now: for long runs, whose screen nobody looks at. */
  forget(): void {
    this.#kept = []
  }

  /** Processor time used so far, in ms, and memory in use, in MiB. */
  usage(): { cpuMs: number; memoryMiB: number } {
    const stat = readFileSync(`/proc/${this.#pty.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const status = readFileSync(`/proc/${this.#pty.pid}/status`, 'utf8')
    const ticksPerSecond = 100
    const cpuMs = ((Number(stat[11]) + Number(stat[12])) / ticksPerSecond) * 1_000
    return { cpuMs, memoryMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024 }
  }

  async end(signal = 'SIGTERM'): Promise<void> {
    if (!this.#hasExited) this.#pty.kill(signal)
    await this.exited
  }
}
