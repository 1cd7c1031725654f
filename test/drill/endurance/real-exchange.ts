import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { freePort } from '../../fakes/free-port.ts'
import { administer } from '../administer.ts'

export type RealExchange = {
  readonly exchangeUrl: string
  readonly gatewayUrl: string
  readonly token: string
  readonly partnerKey: string
  admin(path: string, values: object): Promise<void>
  /** Ended by this signal; with one that only halts it, it is there and says nothing. */
  down(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP'): Promise<void>
  /** There again, at the same addresses. */
  up(): Promise<void>
  stop(): Promise<void>
}

type FirstLine = {
  exchange: string
  gateway: string
  admin: string
  adminToken: string
  partnerKey: string
  accounts: ReadonlyArray<{ name: string; token: string }>
}

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
const gone = (child: ChildProcess): Promise<void> =>
  isGone(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()))

/**
 * The built program's practice exchange in a process of its own, which lives on in `data` whatever happens to the
 * process.
 */
export async function startRealExchange(
  program: string,
  home: string,
  data: string,
  seed: number,
): Promise<RealExchange> {
  const ports = [await freePort(), await freePort(), await freePort()]
  const [port, gatewayPort, adminPort] = ports.map(String)
  const argv = [`${program}/pitdesk.js`, 'sandbox', '--data', data, '--seed', String(seed)]
  const places = ['--port', port, '--gateway-port', gatewayPort, '--admin-port', adminPort].map(String)
  const environment = { PATH: process.env.PATH ?? '', HOME: home }
  let child: ChildProcess | null = null
  let isHalted = false
  let log: string[] = []

  async function start(): Promise<FirstLine> {
    const started = spawn(process.execPath, [...argv, ...places], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    log = []
    createInterface({ input: started.stderr }).on('line', (line) => {
      log = [...log.slice(-19), line]
    })
    const text = await new Promise<string>((resolve, reject) => {
      createInterface({ input: started.stdout }).once('line', resolve)
      started.once('exit', (code) =>
        reject(new Error(`the exchange ended with ${code} at its start: ${log.join(' | ')}`)),
      )
    })
    return JSON.parse(text)
  }

  // A drill that is ended leaves no exchange behind, halted or not.
  process.once('exit', () => child?.kill('SIGKILL'))
  const first = await start()
  const { adminToken, partnerKey } = first
  return {
    exchangeUrl: first.exchange,
    gatewayUrl: first.gateway,
    partnerKey,
    token: first.accounts.find(({ name }) => name === 'trader')?.token ?? '',
    admin: (path, values) => administer({ adminUrl: first.admin, adminToken }, path, values),
    async down(signal) {
      child?.kill(signal)
      if (signal === 'SIGSTOP') isHalted = true
      else if (child !== null) await gone(child)
    },
    async up() {
      if (isHalted) child?.kill('SIGCONT')
      else await start()
      isHalted = false
    },
    async stop() {
      if (child === null || isGone(child)) return
      if (isHalted) child.kill('SIGCONT')
      child.kill('SIGTERM')
      await gone(child)
    },
  }
}
