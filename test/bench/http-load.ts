import { connect, type Socket } from 'node:net'

/** What one connection sends next, as the bytes of a request. */
export type NextRequest = () => string
export type LoadResult = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  count: number
  statuses: Map<number, number>
}

export const request = (method: string, path: string, token: string, body = ''): string => {
  const content = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} /v3${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-token: ${token}\r\n${content}\r\n${body}`
}

/**
 * Keeps `connections` connections busy, each with one request in flight, until `isOver`; latencies count from the first
 * byte sent to the last received. Written on bare sockets so that the load costs little beside what it measures.
 */
export async function load(
  port: number,
  connections: number,
  next: NextRequest,
  isOver: () => boolean,
): Promise<LoadResult> {
  const latencies: number[] = []
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(connect({ port, host: '127.0.0.1', noDelay: true }), next, isOver, (ms, status) => {
        latencies.push(ms)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  latencies.sort((left, right) => left - right)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return {
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    count: latencies.length,
    statuses,
  }
}

function keepBusy(
  socket: Socket,
  next: NextRequest,
  isOver: () => boolean,
  report: (ms: number, status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    let sentAt = 0
    const send = () => {
      if (isOver()) {
        socket.end()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(next())
    }
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      received += chunk
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(received)?.[1] ?? '0'
      if (received.length < end + 4 + Number(length)) return
      report(performance.now() - sentAt, Number(received.slice(9, 12)))
      received = ''
      send()
    })
  })
}
