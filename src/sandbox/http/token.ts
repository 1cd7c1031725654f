import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns `byteCount` unpredictable random bytes. */
export type RandomBytes = (byteCount: number) => Uint8Array

/** An unguessable text: 192 bits, in letters, digits, `-` and `_`. */
export const secretText = (randomBytes: RandomBytes): string => Buffer.from(randomBytes(24)).toString('base64url')

/** SHA-256 in hex: the exchange stores nothing else of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares two secrets in a time that does not depend on them. */
export const isSameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(left)), Buffer.from(hashToken(right)))
