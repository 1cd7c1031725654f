import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Secret } from './secret.ts'

/** What tokens of a hub begin with, so that one that strays into a file or a chat is known for what it is. */
const tokenStart = 'pdh_'
const tokenBytes = 24
const tokenPattern = /^pdh_[A-Za-z0-9_-]{32}$/

/** A new token: `pdh_` and 192 random bits. */
export const makeToken = (randomBytes: (count: number) => Buffer): string =>
  tokenStart + randomBytes(tokenBytes).toString('base64url')

/** Whether a text has the form of a token at all. */
export const isTokenText = (text: string): boolean => tokenPattern.test(text)

/**
 * What a hub keeps of a token, 64 hexadecimal digits. A plain hash will do: there is nothing to guess about 192 random
 * bits.
 */
export const tokenDigest = (token: string): string => hash('sha256', token)

// What stands before the 32 bytes of an Ed25519 key in PKCS #8 and SPKI (RFC 8410).
const privateStart = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicStart = Buffer.from('302a300506032b6570032100', 'hex')
const keyBytes = 32

/** Derived under a name of its own: what the token is also used for says nothing of this key. */
const derivation = 'pitdesk hub approval key 1'
/** Before every text that is signed, so that no signature means anything elsewhere. */
const heading = 'pitdesk hub approval 1\n'

/** The key with which the owner of a token signs approvals. It is made of the token each time, and kept nowhere. */
function signingKey(token: Secret): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', token.reveal(), '', derivation, keyBytes))
  return createPrivateKey({ key: Buffer.concat([privateStart, seed]), format: 'der', type: 'pkcs8' })
}

/** The public half of a token's key, as a hub keeps it: the token cannot be found from it. 43 letters of base64url. */
export const approvalKeyOf = (token: Secret): string =>
  createPublicKey(signingKey(token)).export({ format: 'der', type: 'spki' }).subarray(-keyBytes).toString('base64url')

/** Signs a text with the key of a token (Ed25519): 86 letters of base64url, the same each time. */
export const signApproval = (token: Secret, text: string): string =>
  sign(null, Buffer.from(heading + text, 'utf8'), signingKey(token)).toString('base64url')

const publicPattern = /^[A-Za-z0-9_-]{43}$/
const signaturePattern = /^[A-Za-z0-9_-]{86}$/

/** Whether the owner of the token with this public key signed exactly this text. Never throws, whatever comes in. */
export function verifyApproval(publicKey: string, text: string, signature: string): boolean {
  if (!publicPattern.test(publicKey) || !signaturePattern.test(signature)) return false
  const der = Buffer.concat([publicStart, Buffer.from(publicKey, 'base64url')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(heading + text, 'utf8'), key, Buffer.from(signature, 'base64url'))
}
