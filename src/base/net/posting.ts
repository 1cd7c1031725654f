import { err, ok, type Result } from '../result.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * Reads the address of a user's own service that data is posted to. Plain http is allowed on this machine only;
 * `whatLeaves` names what it would reveal, as in `what users do`. The error continues a sentence that starts with the
 * setting's name, and omits the address, which may contain a key.
 */
export function readPostAddress(
  text: string,
  { example, whatLeaves }: { readonly example: string; readonly whatLeaves: string },
): Result<URL> {
  const url = URL.parse(text.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return err(`must be an address such as ${example}`)
  if (url.username !== '' || url.password !== '') return err('must not carry a user name or password')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return err(`would send ${whatLeaves} over plain http to another machine: use https`)
  url.hash = ''
  return ok(url)
}
