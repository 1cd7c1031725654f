import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { anyPorts, firstLine, type SandboxLine, tokenIn } from '../fakes/child-program.ts'

export const program = `${process.cwd()}/.cache/bench-program`

/** Builds the program as it is shipped. */
export async function buildProgram(): Promise<void> {
  const { build } = await import(pathToFileURL(`${process.cwd()}/.tools/build.mjs`).href)
  await build(program)
}

/** Processor time used so far, in ms, and memory in use, in MiB; null where the system does not tell. */
export function usageOf({ pid }: ChildProcess): { cpuMs: number; memoryMiB: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    // The kernel counts in hundredths of a second.
    const cpuMs = (Number(stat[11]) + Number(stat[12])) * 10
    return { cpuMs, memoryMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024 }
  } catch {
    return null
  }
}

/** `pitdesk sandbox` as a process of its own. */
export class PracticeProcess {
  readonly process: ChildProcess
  readonly startedInMs: number
  readonly port: number
  private readonly line: SandboxLine

  /** Starts it on this folder; `home` is where it may keep what is not data. */
  static async start(folder: string, home: string, market: 'on' | 'off', nodeFlags: readonly string[] = []) {
    const startedAt = performance.now()
    const argv = [...nodeFlags, `${program}/pitdesk.js`, 'sandbox', '--data', folder, '--market', market, ...anyPorts]
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home },
    })
    const line = await firstLine(child)
    return new PracticeProcess(child, performance.now() - startedAt, JSON.parse(line))
  }

  private constructor(child: ChildProcess, startedInMs: number, line: SandboxLine) {
    this.process = child
    this.startedInMs = startedInMs
    this.line = line
    this.port = Number(new URL(line.exchange).port)
  }

  token(name: string): string {
    return tokenIn(this.line, name)
  }

  async admin(path: string, body: unknown): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${this.line.adminToken}` }
    const answer = await globalThis.fetch(`${this.line.admin}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json() as Promise<Record<string, unknown>>
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const exited = once(this.process, 'exit')
    this.process.kill(signal)
    await exited
  }

  usage() {
    return usageOf(this.process)
  }
}
