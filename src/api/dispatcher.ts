import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates } from 'node:tls'
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { isLoopbackHost } from '../base/loopback.ts'
import { readOwnFile } from '../base/own-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { TransportOptions } from './transport.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Above the calls in flight: a cancelled call leaves its connection busy until it is gone. */
const connectionsMost = 32

/**
 * What carries the calls: a pool of kept connections to the service, directly or through the proxy that the environment
 * names. One request at a time on a connection and no HTTP/2: either could send a request again that was under way.
 */
export function openDispatcher(options: TransportOptions, connectMs: number): Result<Dispatcher> {
  const tls = tlsOptions(options.caPem)
  if (!tls.ok) return tls
  const proxies = readProxies(options.environment ?? process.env)
  if (!proxies.ok) return proxies
  const { origin } = options.base
  const pool = { connections: connectionsMost, pipelining: 1, allowH2: false, connectTimeout: connectMs } as const
  // The service on this very machine is never behind a proxy, whatever the environment says.
  if (isLoopbackHost(new URL(origin).hostname)) return ok(new Pool(origin, { ...pool, connect: tls.value }))
  const toService = { ...tls.value, allowH2: false }
  return ok(
    new EnvHttpProxyAgent({
      ...pool,
      ...proxies.value,
      connect: tls.value,
      requestTls: toService,
      proxyTls: toService,
      // A proxy that says nothing would keep its place for minutes.
      clientFactory: (proxy, own) => new Pool(proxy, { ...own, headersTimeout: connectMs }),
    }),
  )
}

function tlsOptions(caPem: string | undefined) {
  if (caPem === undefined) return ok({ rejectUnauthorized: true })
  const own = checkCaPem(caPem)
  if (!own.ok) return err(`the certificate file is not usable: ${own.error}`)
  // Made once: a list would be read anew for every connection.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...own.value] })
  return ok({ rejectUnauthorized: true, secureContext })
}

/** What undici is to go by instead of looking into the environment itself; an empty text is no proxy. */
type Proxies = { httpProxy: string; httpsProxy: string; noProxy: string }

/**
 * Reads the proxies of an environment; lower-case names come first. The sentence of an error names the variable, not
 * its value: that may hold a password.
 */
export function readProxies(environment: Environment): Result<Proxies> {
  const read = (name: string) => environment[name.toLowerCase()] ?? environment[name] ?? ''
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY']) {
    const protocol = URL.parse(read(name))?.protocol
    if (read(name) !== '' && protocol !== 'http:' && protocol !== 'https:') {
      return err(`${name} is not the address of a proxy: write it as http://host:port`)
    }
  }
  return ok({ httpProxy: read('HTTP_PROXY'), httpsProxy: read('HTTPS_PROXY'), noProxy: read('NO_PROXY') })
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const longestFileBytes = 4 * 1024 * 1024

/**
 * Reads a file of certificates in PEM form and gives its text, checked as `checkCaPem` does. Who can change it decides
 * whom the desk takes for the exchange: it must be nobody else.
 */
export function readCaFile(path: string): Result<string> {
  const text = readOwnFile(path, { rule: 'trusted', bytesMost: longestFileBytes })
  if (!text.ok) return err(`the certificate file ${path} ${text.error}`)
  if (text.value === null) return err(`the certificate file ${path} does not exist`)
  const checked = checkCaPem(text.value)
  return checked.ok ? ok(text.value) : err(`the certificate file ${path} is not usable: ${checked.error}`)
}

/** The certificates of a PEM text, at least one; text around them is left out, as it is in the bundles of systems. */
export function checkCaPem(text: string): Result<string[]> {
  if (text.length > longestFileBytes) return err('it is longer than a file of certificates can be')
  const blocks = text.match(certificate) ?? []
  if (blocks.length === 0) return err('it holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  const broken = blocks.findIndex((block) => !isCertificate(block))
  return broken === -1 ? ok(blocks) : err(`its certificate number ${broken + 1} cannot be read`)
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).serialNumber !== ''
  } catch {
    return false
  }
}
