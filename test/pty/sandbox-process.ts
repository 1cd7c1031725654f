import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The practice exchange as a program of its own. */
export type SandboxProcess = {
  /** The base address of the exchange. */
  url: string
  /** The key of the account that trades. */
  token: string
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

type FirstLine = { exchange: string; accounts: { name: string; token: string }[] }

/**
 * Starts the built program in `folder` as a practice exchange on free ports, its data below `home`, with `flags` beside
 * the usual.
 */
export async function startSandboxProcess(folder: string, home: string, ...flags: string[]): Promise<SandboxProcess> {
  const ports = ['--port', '0', '--gateway-port', '0', '--admin-port', '0']
  const argv = [`${folder}/pitdesk.js`, 'sandbox', ...ports, '--seed', '5', ...flags]
  const child = spawn(process.execPath, argv, {
    env: { PATH: process.env.PATH, HOME: join(home, 'sandbox') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { exchange, accounts }: FirstLine = JSON.parse(await firstLine(child, ended))
  return {
    url: exchange,
    token: accounts.find(({ name }) => name === 'trader')?.token ?? '',
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function firstLine(child: ChildProcess, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
    void ended.then(() => reject(new Error('the practice exchange ended before it said where it is')))
  })
}
