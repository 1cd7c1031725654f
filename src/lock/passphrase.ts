import { argon2, timingSafeEqual } from 'node:crypto'
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
