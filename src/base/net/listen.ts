import type { Server } from 'node:net'
import { errorCode } from '../text/error-text.ts'

/** Port of a hub and of an inbox, unless they are told another. */
export const usualPort = 4020

/** The `rival` of a hub or an inbox at a port: the other command at their usual port, null at any other. */
export const rivalAt = (port: number, command: 'pitdesk hub serve' | 'pitdesk inbox serve'): string | null =>
  port === usualPort ? command : null

/**
 * The port is in use; `flag` is the option that chooses another one. `rival`: the command that has the same port unless
 * it is told another; null for none.
 */
export class PortTaken extends Error {
  constructor(port: number, flag: string, rival: string | null = null) {
    const [who, such] = rival === null ? ['', ''] : [`, as by ${rival}, which usually has it too`, ` ${port + 1}`]
    super(`port ${port} is in use already${who}; choose another with ${flag}${such}, or 0 for any free one`)
    this.name = 'PortTaken'
  }
}

/** True when listening failed because the port is in use. */
export const isPortTaken = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE'

type Listening = {
  readonly host: string
  readonly port: number
  /** The option that chooses the port. */
  readonly flag: string
  /** See `PortTaken`. */
  readonly rival?: string | null
}

/**
 * Starts listening and resolves with the server's address, without a trailing slash. When the port is taken, rejects
 * with a sentence that names the flag.
 */
export function listenOn(
  server: Server,
  { host, port, flag, rival = null }: Listening,
  scheme: 'http' | 'https',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      if (isPortTaken(error)) reject(new PortTaken(port, flag, rival))
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
