import type { Server } from 'node:net'
import { errorCode } from './error-text.ts'

/** The port is in use; `flag` is the option that chooses another one. */
export class PortTaken extends Error {
  constructor(port: number, flag: string) {
    super(`port ${port} is in use already; choose another with ${flag}, or 0 for any free one`)
    this.name = 'PortTaken'
  }
}

/** True when listening failed because the port is in use. */
export const isPortTaken = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE'

/**
 * Starts listening and resolves with the server's address, without a trailing slash. When the port is taken, rejects
 * with a sentence that names the flag.
 */
export function listenOn(
  server: Server,
  { host, port, flag }: { readonly host: string; readonly port: number; readonly flag: string },
  scheme: 'http' | 'https',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      if (isPortTaken(error)) reject(new PortTaken(port, flag))
      else reject(new Error(`cannot listen on ${host}, port ${port}: ${error.message}`))
    }
    server.once('error', onError)
    server.listen({ host, port }, () => {
      server.off('error', onError)
      const address = server.address()
      const at = typeof address === 'object' && address !== null ? address.port : port
      resolve(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${at}`)
    })
  })
}
