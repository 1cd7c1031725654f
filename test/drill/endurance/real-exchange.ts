import { type ChildProcess, spawn } from 'node:child_process'
import { cacheOf, ended, firstLine, isGone, type SandboxLine, tokenIn } from '../../fakes/child-program.ts'
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
  const environment = { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: cacheOf(program) }
  let child: ChildProcess | null = null
  let isHalted = false

  async function start(): Promise<SandboxLine> {
    const started = spawn(process.execPath, [...argv, ...places], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    return JSON.parse(await firstLine(started, 'the exchange'))
  }

  // A drill that is ended leaves no exchange behind, halted or not.
  process.once('exit', () => child?.kill('SIGKILL'))
  const first = await start()
  const { adminToken, partnerKey } = first
  return {
    exchangeUrl: first.exchange,
    gatewayUrl: first.gateway,
    partnerKey,
    token: tokenIn(first),
    admin: (path, values) => administer({ adminUrl: first.admin, adminToken }, path, values),
    async down(signal) {
      child?.kill(signal)
      if (signal === 'SIGSTOP') isHalted = true
      else if (child !== null) await ended(child)
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
      await ended(child)
    },
  }
}
