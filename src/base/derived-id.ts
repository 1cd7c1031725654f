import { createHash } from 'node:crypto'

/**
 * An id of `length` characters of `alphabet`, the same for the same text, that says nothing of it: as hard to guess as
 * the text is. At most 40 characters of a few dozen, as many as a digest has.
 */
export function derivedId(alphabet: string, length: number, text: string): string {
  const count = BigInt(alphabet.length)
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  let id = ''
  for (; id.length < length; rest /= count) id += alphabet[Number(rest % count)]
  return id
}
