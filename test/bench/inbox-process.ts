import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { firstLine } from '../fakes/child-program.ts'
import { program, usageOf } from './practice-process.ts'

/** A server of events as a process of its own: the inbox as it is shipped, or a peer of it. */
export class InboxProcess {
  readonly process: ChildProcess
  readonly port: number

  /** `pitdesk inbox serve` on this store; `home` is where it may keep what is not events. */
  static inbox(store: string, home: string, nodeFlags: readonly string[] = []): Promise<InboxProcess> {
    const argv = [`${program}/pitdesk.js`, 'inbox', 'serve', '--port', '0', '--allow', '127.0.0.1', '--store', store]
    return InboxProcess.start([...nodeFlags, ...argv], home)
  }

  /** The benchmark's own file with other words. */
  static peer(words: readonly string[], home: string): Promise<InboxProcess> {
    return InboxProcess.start([process.argv[1] ?? '', ...words], home)
  }

  private static async start(argv: readonly string[], home: string): Promise<InboxProcess> {
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home, NODE_ENV: 'production' },
    })
    const line = await firstLine(child)
    return new InboxProcess(child, Number(new URL(JSON.parse(line).url).port))
  }

  private constructor(child: ChildProcess, port: number) {
    this.process = child
    this.port = port
  }

  async end(): Promise<void> {
    const exited = once(this.process, 'exit')
    this.process.kill('SIGTERM')
    await exited
  }

  /** The same; zeros where the system does not tell. */
  usage(): { cpuMs: number; memoryMiB: number } {
    return usageOf(this.process) ?? { cpuMs: 0, memoryMiB: 0 }
  }
}
