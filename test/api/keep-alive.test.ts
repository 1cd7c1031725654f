import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ExchangeError } from '../../src/api/errors.ts'
import { settle } from '../fakes/fake-clock.ts'
import { startTransport } from './stub-server.ts'

/**
 * A server on kept connections that counts the orders it has read, by the id in their path, and answers each. `hangUp`
 * closes all its connections the given way at once.
 */
async function startFickleServer() {
  const sockets = new Set<Socket>()
  const read = new Map<string, number>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      for (const [, path = ''] of chunk.toString().matchAll(/(?:GET|POST) (\S+) HTTP/g)) {
        read.set(path, (read.get(path) ?? 0) + 1)
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\nkeep-alive: timeout=60\r\n\r\nfine')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const hangUp = (way: 'end' | 'destroy' | 'resetAndDestroy') => {
    for (const socket of sockets) socket[way]()
  }
  return { url: `http://127.0.0.1:${address.port}`, read, hangUp, connectionCount: () => sockets.size }
}

const generous = { rate: { perSecond: 100_000, burst: 100_000, pollShare: 1 } }

test.each([
  ['end', 0],
  ['end', 1],
  ['end', 2],
  ['destroy', 0],
  ['destroy', 1],
  ['destroy', 2],
  ['resetAndDestroy', 0],
  ['resetAndDestroy', 1],
  ['resetAndDestroy', 2],
] as const)(
  'kept connections that the server closes (%s) %i turns before an order goes out: it goes once or is told as unknown or not sent',
  async (way, turns) => {
    const server = await startFickleServer()
    const { transport, clock } = startTransport(server.url, generous)
    const ends = { fine: 0, unknown: 0, notSent: 0 }
    for (let count = 0; count < 40; count += 1) {
      await transport.send({ method: 'GET', path: `/warm${count}` })
      server.hangUp(way)
      for (let turn = 0; turn < turns; turn += 1) await settle()
      const path = `/orders${count}`
      const end: unknown = await transport.send({ method: 'POST', path, body: '{}' }).catch((error: unknown) => error)
      const timesRead = server.read.get(path) ?? 0
      if (end === 'fine') {
        ends.fine += 1
        expect(timesRead).toBe(1)
      } else {
        if (!(end instanceof ExchangeError)) throw end
        expect(end).toMatchObject({ kind: 'connectivity', fault: 'connectionLost' })
        // That it was not sent is said only where the server cannot have it.
        expect(timesRead).toBeLessThanOrEqual(end.outcome === 'notSent' ? 0 : 1)
        ends[end.outcome === 'notSent' ? 'notSent' : 'unknown'] += 1
      }
      while (server.connectionCount() > 1) await settle()
    }
    expect(ends.fine + ends.unknown + ends.notSent).toBe(40)
    if (turns === 0) expect(ends.unknown).toBeGreaterThan(0)
    expect(transport.rate()).toMatchObject({ inFlight: 0, waiting: 0 })
    expect(clock.sleeperCount).toBe(0)
  },
)
