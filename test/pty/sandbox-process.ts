import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { anyPorts, cacheOf, ended, firstLine, nodeArgv, type SandboxLine, tokenIn } from '../fakes/child-program.ts'

/** The practice exchange as a program of its own. */
export type SandboxProcess = {
  /** The base address of the exchange. */
  url: string
  /** The key of the account that trades. */
  token: string
  /** What the exchange itself answers that account at this path: a command would start the program each time. */
  read(path: string): Promise<unknown>
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/**
 * Starts the built program in `folder` as a practice exchange on free ports, its data below `home`, with `flags` beside
 * the usual.
 */
export async function startSandboxProcess(folder: string, home: string, ...flags: string[]): Promise<SandboxProcess> {
  const argv = nodeArgv(folder, 'sandbox', ...anyPorts, '--seed', '5', ...flags)
  const child = spawn(process.execPath, argv, {
    env: { PATH: process.env.PATH, HOME: join(home, 'sandbox'), XDG_CACHE_HOME: cacheOf(folder) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line: SandboxLine = JSON.parse(await firstLine(child, 'the practice exchange'))
  const token = tokenIn(line)
  return {
    url: line.exchange,
    token,
    async read(path) {
      const answer = await globalThis.fetch(`${line.exchange}${path}`, { headers: { 'x-api-token': token } })
      return answer.json()
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
