import { argon2, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { LockSecret } from './lock-file.ts'

type Passphrase = Extract<LockSecret, { kind: 'passphrase' }>

/**
 * 64 MiB and three passes: about a sixth of a second on a small machine, and as much memory for each guess of a thief.
 */
const cost = { memoryKib: 65_536, passes: 3, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** A passphrase counts as its letters however a keyboard composes them. */
const bytesOf = (passphrase: string): Buffer => Buffer.from(passphrase.normalize('NFKC'), 'utf8')

function hashOf(
  passphrase: string,
  salt: Uint8Array,
  { memoryKib, passes, parallelism }: typeof cost,
): Promise<Buffer> {
  const options = {
    message: bytesOf(passphrase),
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism,
    tagLength: hashBytes,
  }
  return new Promise((resolve, reject) => {
    argon2('argon2id', options, (error, hash) => (error === null ? resolve(hash) : reject(error)))
  })
}

/** A passphrase as it is kept. `randomBytes` must be cryptographic. */
export async function keepPassphrase(
  passphrase: string,
  randomBytes: (count: number) => Uint8Array,
): Promise<Passphrase> {
  const salt = randomBytes(saltBytes)
  const hash = await hashOf(passphrase, salt, cost)
  return { kind: 'passphrase', salt: Buffer.from(salt).toString('base64'), hash: hash.toString('base64'), ...cost }
}

/** Whether this is the passphrase; it takes as long for a wrong one. */
export async function isPassphrase(typed: string, kept: Passphrase): Promise<boolean> {
  const wanted = Buffer.from(kept.hash, 'base64')
  const got = await hashOf(typed, Buffer.from(kept.salt, 'base64'), kept)
  return got.length === wanted.length && timingSafeEqual(got, wanted)
}

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
