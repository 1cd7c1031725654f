import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { httpDate } from '../../base/http-date.ts'
import { writeError } from '../../wire/error.ts'

const reasons: Readonly<Record<string, { status: number; error: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'the request line and headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'the request took too long to arrive' },
}

/** Answers what was no HTTP request at all, on its bare socket, and closes it. */
export function answerClientError(error: { code?: string; rawPacket?: unknown }, socket: Socket, nowMs: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, error: text } = reasons[error.code ?? ''] ?? { status: 400, error: 'this is not an HTTP request' }
  const body = writeError(text)
  // Whoever asked for no body takes one for the beginning of another answer.
  const { rawPacket } = error
  const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD '
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${httpDate(nowMs)}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      isHead ? '' : body,
    ].join('\r\n'),
  )
}
