import type { Server } from 'node:net'

const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code

/** Lets the server listen; resolves with its address without a slash at the end. Rejects with a sentence. */
export function listenOn(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  scheme: 'http' | 'https',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      if (hasCode(error, 'EADDRINUSE'))
        reject(new Error(`port ${port} is in use already; choose another, or 0 for any free one`))
      else reject(new Error(`cannot listen on ${host}, port ${port}: ${error.message}`))
    }
    server.once('error', onError)
    server.listen({ host, port }, () => {
      server.off('error', onError)
      const address = server.address()
      const at = typeof address === 'object' && address !== null ? address.port : port
      resolve(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${at}`)
    })
  })
}
