import { createServer } from 'node:http'
import type { Random } from '../../src/base/random.ts'

export type Partner = {
  url: string
  /** How often each event was taken. */
  taken: ReadonlyMap<string, number>
  /** The events of each order in the order in which they were first taken. */
  orders: ReadonlyMap<string, readonly string[]>
  stop(): Promise<void>
}

/** The partner's own service, which events are handed on to: it takes most of them, and fails now and then. */
export async function startPartner(random: Random): Promise<Partner> {
  const taken = new Map<string, number>()
  const orders = new Map<string, string[]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (random.chance(0.003)) {
        response.writeHead(500).end()
        return
      }
      const text = Buffer.concat(chunks).toString('utf8')
      const id = /"eventId":"([^"]*)"/.exec(text)?.[1] ?? ''
      const orderId = /"orderId":"([^"]*)"/.exec(text)?.[1] ?? ''
      const before = taken.get(id) ?? 0
      if (before === 0) orders.set(orderId, [...(orders.get(orderId) ?? []), id])
      taken.set(id, before + 1)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the partner has no port')
  return {
    url: `http://127.0.0.1:${address.port}/events`,
    taken,
    orders,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}
