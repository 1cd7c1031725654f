/** Host names that always mean this machine. Any other name can be pointed at 127.0.0.1 by the owner of its domain. */
const ownHost = /^(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/**
 * Which requests a local server accepts. `local`: from programs that name it as this machine. `direct`: from any client
 * that connects to it. `proxied`: from a local proxy, which forwards the headers of its own clients.
 */
export type PageRule = 'local' | 'direct' | 'proxied'

/**
 * True when a web page made the request: a browser reaches every port of its machine, and sends there what any page
 * tells it to. Browsers reveal it by `Origin` or `Sec-Fetch-Site`, which other programs do not send, and by the page's
 * own name in `Host` when that name was pointed at this machine. `rawHeaders` are names and values in turn.
 */
export function isFromWebPage(rawHeaders: readonly string[], rule: PageRule): boolean {
  let host = ''
  let origin: string | null = null
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Skips the other headers by length alone, without lowercasing their names.
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
