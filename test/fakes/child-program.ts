import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

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
