import { Secret, TOTP } from 'otpauth'
import type { LockSecret } from './lock-file.ts'

type Code = Extract<LockSecret, { kind: 'code' }>

const secretBytes = 20
const periodMs = 30_000
/** A clock that is half a minute off still opens it. */
const window = 1

const totpOf = (secret: string): TOTP =>
  new TOTP({
    issuer: 'pitdesk',
    label: 'desk lock',
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: Secret.fromBase32(secret),
  })

/** A new shared secret. `randomBytes` must be cryptographic. */
export function newCodeSecret(randomBytes: (count: number) => Uint8Array): Code {
  const bytes = Uint8Array.from(randomBytes(secretBytes))
  return { kind: 'code', secret: new Secret({ buffer: bytes.buffer }).base32, lastStep: 0 }
}

/** The address that authenticator apps take, as text or as a picture made of it. */
export const codeAddress = ({ secret }: Code): string => totpOf(secret).toString()

/**
 * The lock after a right code, or null. A code is right half a minute early or late, and opens once: one that was used,
 * and every one before it, is wrong from then on.
 */
export function acceptCode(typed: string, kept: Code, nowMs: number): Code | null {
  const token = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(kept.secret).validate({ token, timestamp: nowMs, window })
  if (delta === null) return null
  const step = Math.floor(nowMs / periodMs) + delta
  return step > kept.lastStep ? { ...kept, lastStep: step } : null
}
