import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { anyPorts, cacheOf, ended, firstLine, nodeArgv, type SandboxLine, tokenIn } from '../fakes/child-program.ts'

/** The practice exchange as a program of its own. */
export type SandboxProcess = {
  /** The base address of the exchange. */
  url: string
  /** The key of the account that trades. */
  token: string
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
  return {
    url: line.exchange,
    token: tokenIn(line),
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
