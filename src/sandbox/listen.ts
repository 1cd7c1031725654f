import type { FastifyInstance } from 'fastify'

/** A port that somebody else listens on already. */
export class PortTaken extends Error {
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is in use already; choose another, or 0 for any free one`)
    this.name = 'PortTaken'
    this.port = port
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Lets each server listen on its port of the loopback address; their addresses in the same order. All or none. */
export async function listenAll(servers: readonly FastifyInstance[], ports: readonly number[]): Promise<string[]> {
  const addresses: string[] = []
  for (const [index, server] of servers.entries()) {
    const port = ports[index] ?? 0
    try {
      addresses.push(await server.listen({ port, host: '127.0.0.1' }))
    } catch (error) {
      await Promise.all(servers.map((each) => each.close()))
      throw isTaken(error) ? new PortTaken(port) : error
    }
  }
  return addresses
}
