const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed by the other side',
  UND_ERR_SOCKET: 'the connection was closed by the other side',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CLOSED: 'the desk is closing its connections',
  UND_ERR_DESTROYED: 'the desk has closed its connections',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
}

const certificateCode = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/**
 * Puts a failure of the network into words by its name and code alone: the message and the data of another library's
 * error may hold anything, the raw answer included.
 */
export function describeNetworkError(error: Error): { isMalformed: boolean; reason: string } {
  if (error.name === 'HTTPParserError') return { isMalformed: true, reason: 'the answer is not HTTP' }
  const code = codeOf(error)
  if (certificateCode.test(code)) return { isMalformed: false, reason: `the certificate is not accepted (${code})` }
  const reason = reasons[code] ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
  return { isMalformed: code === 'UND_ERR_HEADERS_OVERFLOW', reason }
}

function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,60}$/.test(code) ? code : ''
}
