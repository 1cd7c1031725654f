import { connect, createServer, type Socket } from 'node:net'
import { systemClock } from '../../src/base/clock.ts'

/**
 * How often it is looked whether a host answers, and how long a host may take: one that works on a busy machine takes
 * longer than a look, and what it has open would be cut again and again.
 */
const lookMs = 150
const patienceMs = 2_000

/** Resolves with whether the host behind this port answers its health check, in whatever way. */
async function answers(port: number): Promise<boolean> {
  try {
    const answer = await globalThis.fetch(`http://127.0.0.1:${port}/healthz`, {
      signal: AbortSignal.timeout(patienceMs),
    })
    await answer.arrayBuffer()
    return true
  } catch {
    return false
  }
}

export type Balancer = { url: URL; stop(): Promise<void> }

/**
 * Passes connections on to the hosts that answer, in turn. What goes to one that does not is cut, as a balancer does:
 * whoever sent it does not know whether it came through.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const well = new Map<number, boolean>(ports.map((port) => [port, true]))
  const open = new Map<number, Set<Socket>>(ports.map((port) => [port, new Set()]))
  const stopped = new AbortController()
  let turn = 0
  const next = (): number | undefined => {
    const able = ports.filter((port) => well.get(port) === true)
    turn += 1
    return able[turn % Math.max(1, able.length)]
  }
  const server = createServer((near) => {
    const port = next()
    near.on('error', () => near.destroy())
    if (port === undefined) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => {
      far.destroy()
      open.get(port)?.delete(near)
    })
    open.get(port)?.add(near)
    near.pipe(far).pipe(near)
  })
  const look = async (port: number): Promise<void> => {
    while (!stopped.signal.aborted) {
      const isWell = await answers(port)
      well.set(port, isWell)
      if (!isWell) for (const socket of open.get(port) ?? []) socket.destroy()
      await systemClock.sleep(lookMs, stopped.signal)
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const looking = ports.map(look)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    url: new URL(`http://127.0.0.1:${address.port}/`),
    async stop() {
      stopped.abort()
      await Promise.all(looking)
      for (const sockets of open.values()) for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
