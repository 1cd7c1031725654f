import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { createTransport } from '../../src/api/call.ts'
import { ExchangeError } from '../../src/api/errors.ts'
import type { Transport, TransportOptions } from '../../src/api/transport.ts'
import { Secret } from '../../src/base/secret.ts'
import { FakeClock } from '../fakes/fake-clock.ts'

export type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
export type Answerer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

/** A server that keeps what it was asked and answers as told; it is closed when the test ends. */
export type StubServer = {
  url: string
  requests: SeenRequest[]
  connectionCount: () => number
  /** Resolves when the next request has come in whole. */
  nextRequest: () => Promise<void>
}

export async function startServer(answer: Answerer): Promise<StubServer> {
  const requests: SeenRequest[] = []
  let connectionCount = 0
  let wake = () => {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(seen)
    wake()
    await answer(response, seen)
  })
  server.on('connection', () => connectionCount++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: urlOf(server.address()),
    requests,
    connectionCount: () => connectionCount,
    nextRequest: () => new Promise((resolve) => (wake = resolve)),
  }
}

/** A server that takes connections and says `words` to each, or nothing at all; not HTTP. */
export async function startRawServer(words: string | null): Promise<{ url: string; connected: Promise<void> }> {
  const sockets = new Set<{ destroy: () => void }>()
  let connect = () => {}
  const connected = new Promise<void>((resolve) => (connect = resolve))
  const server = createNetServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => sockets.delete(socket))
    socket.on('data', () => words !== null && socket.write(words))
    connect()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: urlOf(server.address()), connected }
}

const addressOf = (address: AddressInfo | string | null): AddressInfo => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address
}
const urlOf = (address: AddressInfo | string | null) => `http://127.0.0.1:${addressOf(address).port}`

export const token = 'tok-7d1f-never-shown'

/** A transport on a clock that stands still; it is closed when the test ends. */
export function startTransport(url: string, overrides: Partial<TransportOptions> = {}) {
  const base = readBaseAddress(url)
  if (!base.ok) throw new Error(base.error)
  const clock = new FakeClock(1_700_000_000_000)
  const transport = createTransport({
    base: base.value,
    key: new Secret(token),
    keyHeader: 'x-api-token',
    clock,
    random: () => 0.5,
    mayWrite: () => true,
    ...overrides,
  })
  onTestFinished(() => transport.close())
  return { transport, clock }
}

/** Sends and gives the error that comes of it. */
export async function errorOf(sending: Promise<unknown>): Promise<ExchangeError> {
  const error: unknown = await sending.then(
    () => null,
    (reason) => reason,
  )
  if (error instanceof ExchangeError) return error
  throw new Error('no ExchangeError came', { cause: error })
}

export const get = (transport: Transport, path = '/orders') => transport.send({ method: 'GET', path })
export const post = (transport: Transport, path = '/orders') => transport.send({ method: 'POST', path, body: '{}' })

/** Ends an answer with a status and a body. */
export const answerWith =
  (status: number, body = '', headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }
