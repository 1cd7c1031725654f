/**
 * The one spelling of a service's address: without user name and password, slashes at its end, and a dot at the end of
 * the host, because all these name the same service. Empty for a text that is no address.
 */
export function serviceAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null) return ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
