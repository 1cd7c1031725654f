import type { IncomingMessage, ServerResponse } from 'node:http'

const texts: Readonly<Record<number, string>> = {
  200: 'ok\n',
  403: 'This address may not send events here.\n',
  404: 'There is nothing here.\n',
  405: 'Events are sent by POST.\n',
  413: 'The body is too large for an event.\n',
  503: 'The event could not be kept. Send it again later.\n',
}
const headersOf: Readonly<Record<number, readonly string[]>> = {
  405: ['Allow', 'POST'],
  503: ['Retry-After', '5'],
}

const closing = ['Connection', 'close']
const empty = ['Content-Length', '0']
const lastEmpty = [...empty, ...closing]

/**
 * How much of a refused body is read past before the connection is cut: closing at once would take the answer away from
 * its sender.
 */
const mostReadPast = 1_048_576

/**
 * Says no (or, to a health check, yes) with a sentence. The rest of the body is read past, so that the answer arrives.
 */
export function answer(request: IncomingMessage, response: ServerResponse, status: number, isLast: boolean): void {
  if (response.headersSent || response.destroyed) return
  const text = texts[status] ?? ''
  const headers = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(text.length)]
  // Who asked before sending may send nothing after a no: what came next on the connection could not be told from the
  // body.
  if (isLast || request.headers.expect !== undefined) headers.push(...closing)
  response.writeHead(status, [...headers, ...(headersOf[status] ?? [])])
  response.end(request.method === 'HEAD' ? undefined : text)
  let readPast = 0
  request.removeAllListeners('data')
  request.on('data', (chunk: Buffer) => {
    readPast += chunk.length
    if (readPast > mostReadPast) request.socket.destroy()
  })
  request.resume()
}

/** Says yes. A sender that is told the connection ends sends what it has next on another. */
export function accept(response: ServerResponse, isLast: boolean): void {
  if (response.destroyed) return
  response.writeHead(200, isLast ? lastEmpty : empty)
  response.end()
}
