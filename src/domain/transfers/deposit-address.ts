/** A deposit address as it is used: what money is sent to, and the tag or memo that must go with it, where there is one. */
export type AddressParts = { address: string; tag: string | null }

/**
 * Takes a tag apart from its address: the service writes it after a colon. A word without a digit before the only colon is no address
 * but the name of a scheme, such as `bitcoincash:`, and belongs to it.
 */
export function addressParts(text: string): AddressParts {
  const at = text.lastIndexOf(':')
  const before = text.slice(0, at)
  const tag = text.slice(at + 1)
  const isTagged = at > 0 && tag !== '' && /\d/.test(before)
  return isTagged ? { address: before, tag } : { address: text, tag: null }
}
