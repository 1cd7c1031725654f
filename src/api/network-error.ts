import type { Fault } from './exchange-error.ts'

export type NetworkFailure = { fault: Fault; reason: string }

const lost: NetworkFailure = { fault: 'connectionLost', reason: 'the connection was closed by the other side' }
const noConnection: NetworkFailure = { fault: 'connectTimeout', reason: 'no connection in time' }
const notTrusted: NetworkFailure = { fault: 'certificate', reason: 'the certificate is signed by nobody trusted here' }

const failures: Record<string, NetworkFailure> = {
  ECONNREFUSED: { fault: 'connectionRefused', reason: 'the connection was refused' },
  ECONNRESET: { fault: 'connectionLost', reason: 'the connection was reset' },
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { fault: 'connectionLost', reason: 'the answer broke off' },
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  ETIMEDOUT: noConnection,
  ENOTFOUND: { fault: 'hostUnknown', reason: 'the host name is not known' },
  EAI_AGAIN: { fault: 'hostUnknown', reason: 'the host name could not be looked up' },
  EHOSTUNREACH: { fault: 'hostUnreachable', reason: 'the host cannot be reached' },
  ENETUNREACH: { fault: 'hostUnreachable', reason: 'the network cannot be reached' },
  UND_ERR_CLOSED: { fault: 'closed', reason: 'the desk is closing its connections' },
  UND_ERR_DESTROYED: { fault: 'closed', reason: 'the desk has closed its connections' },
  UND_ERR_HEADERS_OVERFLOW: { fault: 'notHttp', reason: 'the headers of the answer are too long' },
  UND_ERR_INVALID_ARG: { fault: 'badRequest', reason: 'the call cannot be put into a request' },
  UND_ERR_PRX_CONN: { fault: 'proxy', reason: 'the proxy closed the connection' },
  UND_ERR_PRX_TLS: { fault: 'proxy', reason: 'the certificate of the proxy is for another host' },
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: { fault: 'certificate', reason: 'the certificate has expired' },
  CERT_NOT_YET_VALID: { fault: 'certificate', reason: 'the certificate is not valid yet' },
  CERT_REVOKED: { fault: 'certificate', reason: 'the certificate has been revoked' },
  ERR_TLS_CERT_ALTNAME_INVALID: { fault: 'certificate', reason: 'the certificate is for another host' },
}

const certificateCode = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/
const tlsCode = /^(ERR_SSL_|EPROTO$)/

/**
 * Puts a failure of the network into words by its name and code alone: the message and the data of another library's
 * error may hold anything, the raw answer included.
 */
export function describeNetworkError(error: Error): NetworkFailure {
  if (error.name === 'HTTPParserError') return { fault: 'notHttp', reason: 'the answer is not HTTP' }
  const code = codeOf(error)
  // The proxy's answer to the request for a tunnel; the desk's own cancelling carries no code.
  if (code === 'UND_ERR_ABORTED') return { fault: 'proxy', reason: proxyReason(error) }
  if (tlsCode.test(code)) return { fault: 'certificate', reason: `no encrypted connection comes about (${code})` }
  const known = failures[code]
  if (known !== undefined) return known
  if (certificateCode.test(code)) return { fault: 'certificate', reason: `the certificate is not accepted (${code})` }
  const reason = code === '' ? 'the connection failed' : `the connection failed (${code})`
  return { fault: 'connectionLost', reason }
}

function proxyReason(error: Error): string {
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1]
  return status === undefined ? 'the proxy made no connection' : `the proxy made no connection and answered ${status}`
}

function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : ''
}
