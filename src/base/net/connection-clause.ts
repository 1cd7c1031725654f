import { errorCode } from '../text/error-text.ts'

const lost = 'the connection was closed without an answer'
const notTrusted = 'its certificate has an untrusted issuer'

const clauses: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  ERR_INTERIM_FLOOD: 'interim answers (1xx) without end',
  ETIMEDOUT: 'no connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be looked up',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/**
 * Why a request to somebody's service failed, as a clause for a person, from the error's name and code alone: its
 * message may hold anything.
 */
export function connectionClause(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP'
  const code = errorCode(error)
  const known = clauses[code]
  if (known !== undefined) return known
  // When a host has several addresses the error of the first one tells enough.
  if (error instanceof AggregateError && error.errors.length > 0) return connectionClause(error.errors[0])
  if (/^(ERR_SSL_|EPROTO$)/.test(code)) return `TLS handshake failed (${code})`
  return /^[A-Z0-9_]{1,60}$/.test(code) ? `the connection failed (${code})` : 'the connection failed'
}
