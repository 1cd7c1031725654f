import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { childProgram } from './build-child.ts'
import type { ChildReply, ChildRequest } from './child-talk.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Size } from './terminal-screen.ts'

let count = 0

/** The console on a tape in a terminal, and the line over which it is told what to play. */
export class ConsoleProcess {
  readonly pty: PtyProcess
  readonly #socket: Socket
  #text = ''
  readonly #waiting: ((reply: ChildReply) => void)[] = []

  static async start(size: Size, tapePath: string, home: string, nodeFlags: readonly string[] = []) {
    count += 1
    const path = join(home, `line-${count}`)
    const server = createServer()
    server.listen(path)
    await once(server, 'listening')
    const argv = [...nodeFlags, childProgram, tapePath, path]
    const pty = new PtyProcess({ ...size, file: process.execPath, argv, environment: drawing(home) })
    const socket: Socket = await new Promise((resolve) => server.once('connection', resolve))
    server.close()
    const started = new ConsoleProcess(pty, socket)
    await pty.quiet()
    return started
  }

  private constructor(pty: PtyProcess, socket: Socket) {
    this.pty = pty
    this.#socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      const lines = (this.#text + chunk).split('\n')
      this.#text = lines.pop() ?? ''
      for (const line of lines) this.#waiting.shift()?.(JSON.parse(line))
    })
  }

  /** Resolves when it is done. What was drawn last may still be on its way. */
  ask(request: ChildRequest): Promise<ChildReply> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#socket.write(`${JSON.stringify(request)}\n`)
    })
  }

  async end(): Promise<void> {
    this.#socket.destroy()
    await this.pty.end()
  }
}
