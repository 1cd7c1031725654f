import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { onTestFinished } from 'vitest'

/** What a client asked for, below the exchange's address. */
export type Asked = { method: string; path: string; body: string }
/** `date`: what its header says; without one, what this machine's clock says. */
export type Answer = { status: number; body: string; date?: string }

/** Gives another answer in the place of the exchange's; `again` delivers the same request once more. */
export type Rewrite = (asked: Asked, answer: Answer, again: () => Promise<Answer>) => Answer | Promise<Answer>

export type RewritingProxy = { url: string; rewrite: Rewrite; asked: Asked[] }

const asItCame: Rewrite = (_asked, answer) => answer

/** Something between a desk and its exchange, which changes answers as the test says. */
export async function startRewritingProxy(exchangeUrl: string): Promise<RewritingProxy> {
  const target = new URL(exchangeUrl)
  const proxy: RewritingProxy = { url: '', rewrite: asItCame, asked: [] }
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { method = '', url: path = '' } = incoming
    const body = Buffer.concat(chunks).toString()
    const asked = { method, path: path.slice(target.pathname.length), body }
    proxy.asked.push(asked)
    const deliver = async (): Promise<Answer> => {
      const headers = { 'x-api-token': String(incoming.headers['x-api-token']), 'content-type': 'application/json' }
      const known = method === 'POST' ? 'POST' : method === 'DELETE' ? 'DELETE' : 'GET'
      const sent = body === '' ? { method: known, headers } : { method: known, headers, body }
      const answer = await request(target.origin + path, sent)
      return { status: answer.statusCode, body: await answer.body.text() }
    }
    const { status, body: text, date } = await proxy.rewrite(asked, await deliver(), deliver)
    outgoing
      .writeHead(status, { 'content-type': 'application/json', ...(date === undefined ? {} : { date }) })
      .end(text)
  }
  // Either end may go away in the middle: the other one sees a connection that was reset.
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.on('clientError', (_error, socket) => socket.destroy())
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`
  return proxy
}

/** The JSON of an answer with something changed. */
export const changed = (answer: Answer, change: (value: never) => unknown): Answer => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(answer.body) as never)),
})
