import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export type Posted = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** A server on this machine that takes note of each call and answers as the test says; gone after it. */
export async function listenHere(answer: (posted: Posted, response: ServerResponse) => void) {
  const posts: Posted[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const posted = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    posts.push(posted)
    answer(posted, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { posts, url: new URL(`http://127.0.0.1:${address.port}/hook/k3y?a=b`) }
}
