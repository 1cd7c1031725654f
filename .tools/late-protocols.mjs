// What the packages that speak HTTP load for protocols of which a start needs none: Node's own for HTTP/2, which
// nothing here speaks (`allowH2` is false in `src/api/transport.ts`, Fastify is not asked for it), takes 10 ms in each
// thread that loads it, and that for TLS as much again in what serves on loopback. `test/tools/program-parts.test.ts`
// fails when they come back.
import { fileURLToPath } from 'node:url'

const empty = fileURLToPath(new URL('empty.mjs', import.meta.url))
const lateHttps = '\0late-https'
const isIn = (importer, end) => importer?.replaceAll('\\', '/').endsWith(end) === true

export const lateProtocolsPlugin = {
  name: 'late-protocols',
  resolveId(source, importer) {
    if (source === './client-h2.js' && isIn(importer, '/undici/lib/dispatcher/client.js')) return empty
    if (!isIn(importer, '/fastify/lib/server.js')) return undefined
    return source === 'node:http2' ? empty : source === 'node:https' ? lateHttps : undefined
  },
  load: (id) =>
    id === lateHttps
      ? `export const createServer = (...given) => process.getBuiltinModule('node:https').createServer(...given)`
      : undefined,
}
