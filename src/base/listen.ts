import type { Server } from 'node:net'
import { errorCode } from './error-text.ts'

/** A port that somebody else listens on already; `flag` is what chooses another one. */
export class PortTaken extends Error {
  constructor(port: number, flag: string) {
    super(`port ${port} is in use already; choose another with ${flag}, or 0 for any free one`)
    this.name = 'PortTaken'
  }
}

/** True when listening failed because the port is in use. */
export const isPortTaken = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE'

/**
 * Lets the server listen; resolves with its address without a slash at the end. Rejects with a sentence that names the
 * flag where the port is taken.
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
