/**
 * Names of this machine that no other machine can take over: what a page's own name points to, its owner decides, and
 * may say 127.0.0.1.
 */
const ownHost = /^(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/**
 * Whom a server on this machine answers. `local`: programs of this machine, which name it as such. `direct`: whoever
 * connects from this machine. `proxied`: a proxy of this machine connects, which passes on what its client, wherever
 * that is, says of itself.
 */
export type PageRule = 'local' | 'direct' | 'proxied'

/**
 * Whether a request was made by a web page: a browser on this machine reaches every port of it, and would send what any
 * page tells it to. Browsers say so by `Origin` or `Sec-Fetch-Site`, which other programs do not send; a page whose
 * name was made to point here names itself as the host, too. `rawHeaders` are names and values in turn.
 */
export function isFromWebPage(rawHeaders: readonly string[], rule: PageRule): boolean {
  let host = ''
  let origin: string | null = null
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Most requests have many headers, and none of these.
    if (name.length !== 4 && name.length !== 6 && name.length !== 14) continue
    const value = (rawHeaders[at + 1] ?? '').toLowerCase()
    switch (name.toLowerCase()) {
      case 'host':
        host = value
        break
      case 'origin':
        origin = value
        break
      case 'sec-fetch-site':
        // `none`: the user typed the address.
        if (value !== 'none') return true
    }
  }
  if (rule === 'local' && host !== '' && !ownHost.test(host)) return true
  return origin !== null && (rule !== 'proxied' || origin.replace(/^https?:\/\//, '') === host)
}
