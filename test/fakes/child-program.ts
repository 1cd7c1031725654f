import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * What Node is given to be the built program in `folder` as its launcher starts it anew, with no door for a debugger:
 * that spares a start of Node, a fifth of what a short command takes. What the launcher does itself is held by
 * `tools/start.test.ts`, `pty/debugger.test.ts`, and by all that starts `pitdesk.js` alone.
 */
export const nodeArgv = (folder: string, ...argv: readonly string[]): string[] => [
  '--disable-sigusr1',
  `${folder}/pitdesk.js`,
  ...argv,
]

/**
 * Where programs of all homes keep what Node compiled of them: a home of its own in each test, and with it a compiling
 * from the beginning, was a third of what a start takes.
 */
export const cacheOf = (folder: string): string => `${folder}.cache`

export const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** Resolves with the code it ended with, null after a signal; at once where it has ended already. */
export const ended = (child: ChildProcess): Promise<number | null> =>
  isGone(child) ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve))

/** What it has said on stderr so far. */
export function stderrOf(child: ChildProcess): () => string {
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  return () => log
}

/** The first line it prints, which says where it is; rejects where it ends before, with the last it said on stderr. */
export function firstLine(child: ChildProcess, name = 'the program'): Promise<string> {
  const { stdout } = child
  if (stdout === null) throw new Error('its stdout is not read')
  const log = stderrOf(child)
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve)
    child.once('exit', (code) =>
      reject(new Error(`${name} ended with ${code} before it said a word: ${log().slice(-2_000)}`)),
    )
  })
}

/** What `pitdesk sandbox` prints first, as far as tests want to know. */
export type SandboxLine = {
  exchange: string
  gateway: string
  admin: string
  adminToken: string
  partnerKey: string
  accounts: readonly { name: string; token: string }[]
}

export const tokenIn = ({ accounts }: SandboxLine, name = 'trader'): string =>
  accounts.find((account) => account.name === name)?.token ?? ''

export const anyPorts = ['--port', '0', '--gateway-port', '0', '--admin-port', '0']
