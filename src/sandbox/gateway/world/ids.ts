import { createHash } from 'node:crypto'
import type { Listed } from './currencies.ts'

const digest = (...parts: readonly (string | number)[]): Buffer => createHash('sha256').update(parts.join('/')).digest()

/** An id in the form of a UUID: the same parts give the same one, others another. */
export function idOf(...parts: readonly (string | number)[]): string {
  const hex = digest(...parts).toString('hex')
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** An address that looks like those of this coin; nothing can be sent to it. */
export function addressOf({ look }: Listed, ...parts: readonly (string | number)[]): string {
  if (look === null) throw new Error('fiat has no addresses')
  let letters = ''
  for (let block = 0; letters.length < look.letters; block += 1)
    for (const byte of digest(...parts, block)) letters += look.alphabet[byte % look.alphabet.length]
  return look.prefix + letters.slice(0, look.letters)
}

/** A transaction hash that looks like those of this coin's network. */
export const hashOf = ({ look }: Listed, ...parts: readonly (string | number)[]): string =>
  `${look?.hashPrefix ?? ''}${digest(...parts).toString('hex')}`

/** Below a millisecond: 0 to 999,999 nanoseconds. */
export const nanosOf = (...parts: readonly (string | number)[]): number => digest(...parts).readUInt32BE() % 1_000_000
