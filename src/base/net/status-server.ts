import { createServer, type ServerResponse } from 'node:http'
import { isFromWebPage } from './browser-request.ts'
import { listenOn } from './listen.ts'

/** A page at the moment of the request. */
export type StatusPage = { status: number; type: string; text: string }

export const plainType = 'text/plain; charset=utf-8'

/** Where the server listens; `flag` is the option that chooses another port. */
type StatusAddress = { readonly host: string; readonly port: number; readonly flag: string }

const end = (response: ServerResponse, { status, type, text }: StatusPage): void => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const said = (status: number, text: string): StatusPage => ({ status, type: plainType, text: `${text}\n` })

/**
 * Serves a few pages, such as `/metrics` and `/healthz`, on a port of their own for monitoring: GET only, never to a
 * web page in a browser. A page that fails is a 500. Rejects with a sentence when it cannot listen.
 */
export async function startStatusServer(
  pages: Readonly<Record<string, () => StatusPage | Promise<StatusPage>>>,
  listen: StatusAddress,
): Promise<{ url: string; stop(): Promise<void> }> {
  const isLocal = listen.host === '127.0.0.1' || listen.host === '::1'
  const answer = async (path: string): Promise<StatusPage> => {
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    return page === undefined ? said(404, 'Nothing here.') : page()
  }
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    if (isFromWebPage(request.rawHeaders, isLocal ? 'local' : 'direct'))
      return end(response, said(403, 'Not for web pages.'))
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, said(405, 'Read this by GET.'))
    answer((request.url ?? '').split('?', 1)[0] ?? '').then(
      (page) => end(response, page),
      (error: unknown) => end(response, said(500, String(error))),
    )
  })
  // Enough for scrapers and health checks.
  server.maxConnections = 100
  const url = await listenOn(server, listen, 'http')
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
