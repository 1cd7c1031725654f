import { createServer, request } from 'node:http'

export type HeldExchange = {
  /** The base address to use in the place of the exchange's own. */
  url: string
  /**
   * Lets the exchange answer the next POST of this path, and keeps the answer from whoever asked: resolves once it is
   * there.
   */
  hold(path: string): Promise<void>
  /** Keeps the next POST of this path from the exchange: resolves once it came, and `release` refuses it with 403. */
  refuse(path: string): Promise<void>
  /** Gives the answer that is held. */
  release(): void
  close(): Promise<void>
}

/**
 * Stands before an exchange and passes everything on; an answer can be held back after what was asked for has taken
 * effect.
 */
export async function startHeldExchange(exchangeUrl: string): Promise<HeldExchange> {
  const base = new URL(exchangeUrl)
  let held: { path: string; reached: () => void; isRefused: boolean } | null = null
  let release = () => {}
  const server = createServer((asked, answer) => {
    if (held?.isRefused === true && asked.method === 'POST' && asked.url?.endsWith(held.path)) {
      release = () => answer.writeHead(403).end('{"error":"not allowed"}')
      held.reached()
      held = null
      return
    }
    const sent = request(
      { host: base.hostname, port: base.port, path: asked.url, method: asked.method, headers: asked.headers },
      (came) => {
        const pass = () => {
          answer.writeHead(came.statusCode ?? 500, came.headers)
          came.pipe(answer)
        }
        if (held === null || asked.method !== 'POST' || !asked.url?.endsWith(held.path)) return pass()
        release = pass
        held.reached()
        held = null
      },
    )
    // Whoever asked may be gone, and so may the exchange: the other side sees a connection that ends.
    sent.on('error', () => answer.destroy())
    asked.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${base.pathname}`,
    hold: (path) =>
      new Promise((reached) => {
        held = { path, reached, isRefused: false }
      }),
    refuse: (path) =>
      new Promise((reached) => {
        held = { path, reached, isRefused: true }
      }),
    release: () => release(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
