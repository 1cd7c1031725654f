import { createHash, timingSafeEqual } from 'node:crypto'

/** Random bytes that nobody can guess, `byteCount` of them. */
export type RandomBytes = (byteCount: number) => Uint8Array

/** Text that cannot be guessed: 192 bits, in letters, digits, `-` and `_`. */
export const secretText = (randomBytes: RandomBytes): string => Buffer.from(randomBytes(24)).toString('base64url')

/** SHA-256 in hex: all that the exchange keeps of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two secrets in a time that tells nothing about them. */
export const isSameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(left)), Buffer.from(hashToken(right)))
