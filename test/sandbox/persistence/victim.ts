import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const source = fileURLToPath(new URL('crash-child.ts', import.meta.url))
const program = `${process.cwd()}/.cache/crash/child.mjs`

/** Bundles the process to be killed; packages stay outside. */
export async function buildVictim(): Promise<void> {
  const bundle = await rolldown({ input: source, platform: 'node', external: [/^[^./]/], logLevel: 'warn' })
  await bundle.write({ file: program, format: 'esm', codeSplitting: false })
}

export type Answer = { status: number; json: unknown }
type Address = {
  exchangeUrl: string
  adminUrl: string
  adminToken: string
  accounts: { name: string; token: string }[]
}

/** A practice exchange in a process of its own. */
export class Victim {
  readonly process: ChildProcess
  /** What it wrote to stderr. */
  complaints = ''
  private readonly agent = new Agent({ keepAlive: true })
  private address: Address | undefined
  private readonly exited: Promise<unknown>

  /** With `statements` it kills itself before the one that comes after so many. */
  constructor(folder: string, market: 'on' | 'off', statements: number | null = null) {
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: `${process.cwd()}/.cache/crash/compiled` }
    const argv = [program, folder, market, ...(statements === null ? [] : [String(statements)])]
    this.process = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'], env })
    this.exited = once(this.process, 'close')
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.complaints += chunk.toString()
    })
  }

  /** Resolves when it serves; rejects with its complaint when it ended instead. */
  async started(): Promise<void> {
    const stdout = this.process.stdout
    if (stdout === null) throw new Error('it has no stdout')
    let line = ''
    const read = (async () => {
      for await (const chunk of stdout) {
        line += String(chunk)
        if (line.includes('\n')) break
      }
    })()
    await Promise.race([read, this.exited])
    if (!line.includes('\n')) await this.exited
    if (!line.includes('\n')) throw new Error(`it did not start: ${this.complaints}`)
    this.address = JSON.parse(line)
  }

  /** Ends it as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.ended()
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM')
    await this.ended()
  }

  async ended(): Promise<void> {
    await this.exited
    this.agent.destroy()
  }

  /** One request; null when the exchange went away before the answer was there. */
  call(person: string, method: string, path: string, body?: unknown): Promise<Answer | null> {
    const token = this.address?.accounts.find(({ name }) => name === person)?.token ?? ''
    return this.send(`${this.address?.exchangeUrl}${path}`, method, { 'X-API-Token': token }, body)
  }

  admin(path: string, body: unknown): Promise<Answer | null> {
    const headers = { authorization: `Bearer ${this.address?.adminToken}` }
    return this.send(`${this.address?.adminUrl}${path}`, 'POST', headers, body)
  }

  /** A list that has to come. */
  async list<T>(person: string, path: string): Promise<T[]> {
    const answer = await this.call(person, 'GET', path)
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.json as T[]
  }

  private send(url: string, method: string, headers: Record<string, string>, body: unknown): Promise<Answer | null> {
    return new Promise((resolve) => {
      const sent = request(url, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => resolve(null))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, json: text === '' ? null : JSON.parse(text) })
        })
      })
      sent.on('error', () => resolve(null))
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
}
