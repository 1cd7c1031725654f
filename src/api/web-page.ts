import type { HttpAnswer } from './http-call.ts'

/**
 * True for an answer that is a page for a browser: it comes from a proxy, a login page or a wrong address, and a 200 on
 * it says nothing about the call.
 */
export function isWebPage({ headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): boolean {
  const type = headers['content-type']
  return /^\s*(text\/html|application\/xhtml)/i.test(String(type ?? '')) || /^[\s\ufeff]*</.test(body)
}
