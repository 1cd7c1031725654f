import { createServer } from 'node:https'
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Identity } from '../fakes/certificates.ts'

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** An https server on loopback that answers `fine` to everything; `requests` are `METHOD url key`. */
export async function startTlsServer({ certificatePem, keyPem }: Identity) {
  const requests: string[] = []
  const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-api-token']}`)
    response.end('fine')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: portOf(server.address()), requests }
}

/**
 * A proxy on loopback that takes `CONNECT name:port` and goes to `targetPort` of loopback whatever the name, or answers
 * with `refusal`, or says nothing at all.
 */
export async function startProxy(targetPort: number, behaviour: 'tunnel' | 'silent' | { refusal: string }) {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    return socket
  }
  const server = createNetServer((client) => {
    keep(client).once('data', (head: Buffer) => {
      asked.push(head.toString())
      if (behaviour === 'silent') return
      if (behaviour !== 'tunnel') return void client.end(`HTTP/1.1 ${behaviour.refusal}\r\ncontent-length: 0\r\n\r\n`)
      const target = keep(connect(targetPort, '127.0.0.1'))
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      client.pipe(target).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${portOf(server.address())}`, asked }
}
