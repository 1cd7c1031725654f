/**
 * A deposit address as it is used: what money is sent to, and the tag or memo that must go with it, where there is one.
 */
export type AddressParts = { address: string; tag: string | null }

/** `bitcoincash:` and its like: a word in small letters, and behind it what is far too long for a tag. */
const schemed = /^[a-z]+:[^:]{30,}$/

/**
 * Takes a tag apart from its address: the service writes it after a colon. In doubt it is a tag, for money that is sent
 * without one is lost; only the name of a scheme before a whole address belongs to it.
 */
export function addressParts(text: string): AddressParts {
  const at = text.lastIndexOf(':')
  const tag = text.slice(at + 1)
  const isTagged = at > 0 && tag !== '' && !schemed.test(text)
  return isTagged ? { address: text.slice(0, at), tag } : { address: text, tag: null }
}
