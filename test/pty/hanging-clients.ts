import { connect } from 'node:net'

/** Beginnings of requests that never come to their end, and none at all. */
const beginnings = [
  '',
  'GET /metrics HTTP/1.1\r\n',
  'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{',
] as const

/**
 * Opens connections that hold a server up, each with a beginning of its own or with `more` in turn. Returns what ends
 * them.
 */
export function hangOn(url: string, count: number, more: readonly string[] = []): () => void {
  const { port } = new URL(url)
  const texts = [...beginnings, ...more]
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' })
    socket.on('error', () => socket.destroy())
    socket.write(texts[at % texts.length] ?? '')
    return socket
  })
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}
