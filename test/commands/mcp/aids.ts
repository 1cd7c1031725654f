import { onTestFinished } from 'vitest'
import type { Exchange, RunOptions, Shell } from '../harness.ts'

export type Message = {
  id?: number
  result?: {
    isError?: boolean
    content?: readonly { type: string; text: string }[]
    structuredContent?: Readonly<Record<string, unknown>>
    [field: string]: unknown
  }
  error?: { code: number; message: string }
}

/** What a tool answered: its value, and the very text of it. */
export type Told = { isError: boolean; text: string; value: Readonly<Record<string, unknown>> }

/** An agent in front of the program in this process, by raw lines of the protocol. */
export type Agent = {
  /** Writes a line as it is. */
  write: (line: string) => void
  /** Asks, and waits for the answer while time passes. */
  ask: (method: string, params?: object) => Promise<Message>
  /** Calls a tool. */
  call: (name: string, input?: object) => Promise<Told>
  /** Every line that came on stdout. */
  lines: () => readonly string[]
  log: () => string
  ended: Promise<{ code: number }>
  running: ReturnType<Shell['start']>
}

let idCount = 0

export async function openAgent(shell: Shell, name = 'tester', options: RunOptions = {}): Promise<Agent> {
  const running = shell.start('mcp', options)
  onTestFinished(async () => {
    running.signal('SIGTERM')
    await running.until(() => running.ran.code !== -1)
  })
  const write = (line: string) => running.type(`${line}\n`)
  const answerTo = (id: number): Message | undefined => {
    for (const line of running.ran.stdout) {
      const message: Message = JSON.parse(line)
      if (message.id === id) return message
    }
    return undefined
  }
  const ask = async (method: string, params: object = {}): Promise<Message> => {
    idCount += 1
    const id = idCount
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await running.until(() => answerTo(id) !== undefined || running.ran.code !== -1)
    const answer = answerTo(id)
    if (answer === undefined) throw new Error(`no answer: ${running.ran.stderr.join('\n')}`)
    return answer
  }
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } })
  write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  return {
    ...{ write, ask, running, ended: running.ended },
    lines: () => running.ran.stdout,
    log: () => running.ran.stderr.join('\n'),
    async call(tool, input = {}) {
      const { result, error } = await ask('tools/call', { name: tool, arguments: input })
      if (result === undefined) return { isError: true, text: error?.message ?? '', value: {} }
      const text = result.content?.[0]?.text ?? ''
      return { isError: result.isError === true, text, value: result.structuredContent ?? {} }
    },
  }
}

/** Environment of a shell at the exchange, whoever it is. */
export const at = (exchange: Exchange, account = 'trader'): Record<string, string> => exchange.environment(account)
