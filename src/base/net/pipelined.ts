import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** More than a client sends that does not wait for answers; those in use wait for each. */
const waitingMax = 128

/**
 * Cuts a connection on which more requests wait for their answers. What one read brings is parsed as a whole, two
 * thousand small requests of 64 KB, and each is kept until those before it are answered: without this a few connections
 * of whoever may not even ask take a gigabyte, and all others wait for seconds.
 */
export function limitPipelined(handle: Handle): Handle {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // The rest of what came with the one too many.
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > waitingMax) {
      socket.destroy()
      return
    }
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    handle(request, response)
  }
}
