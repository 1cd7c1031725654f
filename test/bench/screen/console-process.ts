import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ChildReply, ChildRequest } from './child-talk.ts'
import { drawing, PtyProcess } from './pty-process.ts'
import type { Size } from './terminal-screen.ts'
import type { Version } from './versions.ts'
import type { Workshop } from './workshop.ts'

let count = 0

/** How the launcher of that version has the heaps of a desk kept; an older one leaves them as they are. */
async function heapsOf(consoleProgram: string): Promise<{ options: string[]; environment: Record<string, string> }> {
  const tools = await import(pathToFileURL(join(dirname(consoleProgram), '../../.tools/own-node.mjs')).href)
  return {
    options: tools.heapOptions?.(process.execPath, []) ?? [],
    environment: tools.heapBounds?.([]) ?? {},
  }
}

/**
 * What a usual terminal answers when it is asked: that its ground is black, that it knows synchronised updates, and
 * what it is.
 */
const answers = [
  ['\u001b]11;?', '\u001b]11;rgb:0000/0000/0000\u001b\\'],
  ['\u001b[?2026$p', '\u001b[?2026;2$y'],
  ['\u001b[c', '\u001b[?62;22c'],
] as const
const answersTo = (output: string): string =>
  answers.flatMap(([question, answer]) => (output.includes(question) ? answer : [])).join('')

/** The console on a tape in a terminal, and the line over which it is told what to play. */
export class ConsoleProcess {
  readonly pty: PtyProcess
  readonly #socket: Socket
  #text = ''
  readonly #waiting: ((reply: ChildReply | null) => void)[] = []

  /** Starts the console of a version. */
  static async start({ consoleProgram }: Version, size: Size, { tapePath, home }: Workshop) {
    count += 1
    const path = join(home, `line-${count}`)
    const server = createServer()
    server.listen(path)
    await once(server, 'listening')
    const { options, environment: bounds } = await heapsOf(consoleProgram)
    const argv = [...options, consoleProgram, tapePath, path]
    const environment = { ...drawing(home), ...bounds }
    const pty = new PtyProcess({ ...size, file: process.execPath, argv, environment })
    pty.onOutput = (chunk) => pty.type(answersTo(chunk.toString()))
    const connection = once(server, 'connection')
    const socket = await Promise.race([connection, pty.exited.then(() => null)])
    server.close()
    if (socket === null) throw await endedEarly(pty)
    const started = new ConsoleProcess(pty, socket[0])
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
    void pty.exited.then(() => {
      for (const answer of this.#waiting.splice(0)) answer(null)
    })
  }

  /** Resolves when it is done; throws when the console ends instead. What was drawn last may still be on its way. */
  async ask(request: ChildRequest): Promise<ChildReply> {
    const reply = await new Promise<ChildReply | null>((resolve) => {
      this.#waiting.push(resolve)
      this.#socket.write(`${JSON.stringify(request)}\n`)
    })
    if (reply === null) throw await endedEarly(this.pty)
    return reply
  }

  async end(): Promise<void> {
    this.#socket.destroy()
    await this.pty.end()
  }
}

async function endedEarly(pty: PtyProcess): Promise<Error> {
  return new Error(`the console ended:\n${(await pty.screen()).join('\n').trim()}`)
}
