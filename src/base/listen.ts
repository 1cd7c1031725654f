import { isIPv4, type Server } from 'node:net'
import { errorCode } from './error-text.ts'

/** A port that somebody else listens on already. */
export class PortTaken extends Error {
  readonly port: number
  constructor(port: number) {
    super(`port ${port} is in use already; choose another, or 0 for any free one`)
    this.name = 'PortTaken'
    this.port = port
  }
}

/** True when listening failed because the port is in use. */
export const isPortTaken = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE'

/** Lets the server listen; resolves with its address without a slash at the end. Rejects with a sentence. */
export function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  scheme: 'http' | 'https',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      if (isPortTaken(error)) reject(new PortTaken(port))
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

/**
 * True for names and addresses that never leave this machine. `host` is as `URL` writes it: IPv6 in brackets. A name
 * that only begins as an address does, such as `127.example.com`, leads wherever its owner says.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (host.startsWith('127.') && isIPv4(host))
