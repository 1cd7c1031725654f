import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Secret } from './secret.ts'

/** Prefix of hub tokens, so that one that leaks into a file or chat is recognizable. */
const tokenStart = 'pdh_'
const tokenBytes = 24
const tokenPattern = /^pdh_[A-Za-z0-9_-]{32}$/

/** Creates a token: `pdh_` and 192 random bits. */
export const makeToken = (randomBytes: (count: number) => Buffer): string =>
  tokenStart + randomBytes(tokenBytes).toString('base64url')

/** True when a text has the form of a token. */
export const isTokenText = (text: string): boolean => tokenPattern.test(text)

/**
 * The digest of a token that a hub stores, 64 hexadecimal digits. A plain hash is safe, because 192 random bits cannot
 * be guessed.
 */
export const tokenDigest = (token: string): string => hash('sha256', token)

// The bytes before the 32 bytes of an Ed25519 key in PKCS #8 and SPKI (RFC 8410).
const privateStart = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicStart = Buffer.from('302a300506032b6570032100', 'hex')
const keyBytes = 32

/** Separates this key from the token's other use: neither reveals the other. */
const derivation = 'pitdesk hub approval key 1'
/** Prefix of every signed text, so that a signature is valid nowhere else. */
const heading = 'pitdesk hub approval 1\n'

/** The key that signs the approvals of a token's owner. Derived from the token each time, never stored. */
function signingKey(token: Secret): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', token.reveal(), '', derivation, keyBytes))
  return createPrivateKey({ key: Buffer.concat([privateStart, seed]), format: 'der', type: 'pkcs8' })
}

/**
 * The public half of a token's signing key, as a hub stores it; the token cannot be derived from it. 43 base64url
 * characters.
 */
export const approvalKeyOf = (token: Secret): string =>
  createPublicKey(signingKey(token)).export({ format: 'der', type: 'spki' }).subarray(-keyBytes).toString('base64url')

/** Signs a text with a token's key (Ed25519, deterministic): 86 base64url characters. */
export const signApproval = (token: Secret, text: string): string =>
  sign(null, Buffer.from(heading + text, 'utf8'), signingKey(token)).toString('base64url')

const publicPattern = /^[A-Za-z0-9_-]{43}$/
const signaturePattern = /^[A-Za-z0-9_-]{86}$/

/** True when the owner of this public key's token signed exactly this text. Never throws, whatever the input. */
export function verifyApproval(publicKey: string, text: string, signature: string): boolean {
  if (!publicPattern.test(publicKey) || !signaturePattern.test(signature)) return false
  const der = Buffer.concat([publicStart, Buffer.from(publicKey, 'base64url')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(heading + text, 'utf8'), key, Buffer.from(signature, 'base64url'))
}
