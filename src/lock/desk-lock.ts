import { argon2, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { doubled } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { ApprovalAnswer, LockAnswer, LockMethod } from '../domain/desk/lock.ts'
import { takeLock } from '../journal/locks.ts'
import { inTurnOf } from '../state-files/file-turns.ts'
import { approverPath, holderOf, type LockRecord, type LockSecret, lockPath, readLock, writeLock } from './lock-file.ts'

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

/** The lock of a desk, which withdrawals are behind as well: what opens it, and who else has to agree to them. */
export type DeskLock = {
  method: LockMethod
  /**
   * Looks for a lock that was set up since, while there was none: from then on it is this one. An error: what is set up
   * cannot be trusted.
   */
  renew(): Promise<Result<LockMethod>>
  /** One try at a time, in order. Never rejects for anything typed or for a file that fails. */
  open(typed: string): Promise<LockAnswer>
  /** Who approves withdrawals; null when nobody was set up as the desk began. */
  approver: string | null
  /**
   * Holds what that person typed against their passphrase, as `open` does. What opens the desk's own lock as well
   * approves nothing: whoever made the draft knows it.
   */
  approve(typed: string): Promise<ApprovalAnswer>
}

/**
 * A slip of the finger costs nothing, guessing costs ever more: 1 s from the third wrong try on, doubling up to ten
 * minutes.
 */
const freeTries = 2
const waitMaxMs = 600_000

/** How long after a wrong try nothing more is taken. */
export const waitAfter = (wrongTries: number): number =>
  wrongTries <= freeTries ? 0 : doubled(1_000, wrongTries - freeTries - 1, waitMaxMs)

/** The wait that this process has seen begin, in desk time: it ends then, whatever the wall clock is set to. */
type Wait = { lastWrongAtMs: number; untilMs: number }

/**
 * What is left of the wait after a wrong try: by the file's word of when that was, or as this process has seen it
 * begin.
 */
function waitLeft({ wrongTries, lastWrongAtMs }: LockRecord, seen: Wait | null, clock: Clock): number {
  if (seen?.lastWrongAtMs === lastWrongAtMs) return Math.max(0, seen.untilMs - clock.now())
  return Math.max(0, waitAfter(wrongTries) - Math.max(0, clock.wallMs() - lastWrongAtMs))
}

/** The secret as it is after it was opened with this, or null. */
async function opened(typed: string, secret: LockSecret, nowMs: number): Promise<LockSecret | null> {
  if (secret.kind === 'code') return acceptCode(typed, secret, nowMs)
  return (await isPassphrase(typed, secret)) ? secret : null
}

/** Whether a code that opens nothing is one of now: whoever sees it in the app still would type it again. */
const wasUsed = (typed: string, secret: LockSecret, nowMs: number): boolean =>
  secret.kind === 'code' && acceptCode(typed, { ...secret, lastStep: 0 }, nowMs) !== null

/** The answer to a try, and the wait that is on from then. */
type Tried = { answer: LockAnswer; wait: Wait | null }

/**
 * Holds what was typed against the lock at `path`. A try counts as wrong on disk before it is looked at, so that ending
 * the program in between does not make it free.
 */
async function tryLock(path: string, typed: string, clock: Clock, seen: Wait | null): Promise<Tried> {
  const broken = (sentence: string): Tried => ({ answer: { kind: 'broken', sentence }, wait: seen })
  const read = await readLock(path)
  if (!read.ok) return broken(read.error)
  const record = read.value
  if (record === null) return broken(`The lock in ${path} is gone: restart the desk.`)
  // The file outlives the program, and codes are made for the hour of the day.
  const nowMs = clock.wallMs()
  const waitMs = waitLeft(record, seen, clock)
  const waiting = (lastWrongAtMs: number, ms: number): Wait => ({ lastWrongAtMs, untilMs: clock.now() + ms })
  if (waitMs > 0) return { answer: { kind: 'early', waitMs }, wait: waiting(record.lastWrongAtMs, waitMs) }
  const wrongTries = record.wrongTries + 1
  const counted = await writeLock(path, { ...record, wrongTries, lastWrongAtMs: nowMs })
  if (!counted.ok) return broken(counted.error)
  const secret = await opened(typed, record.secret, nowMs)
  const nextMs = waitAfter(wrongTries)
  if (secret === null) {
    const used = wasUsed(typed, record.secret, nowMs) ? ({ isUsed: true } as const) : {}
    return { answer: { kind: 'wrong', waitMs: nextMs, ...used }, wait: waiting(nowMs, nextMs) }
  }
  const kept = await writeLock(path, { ...record, secret, wrongTries: 0, lastWrongAtMs: 0 })
  return kept.ok ? { answer: { kind: 'opened' }, wait: null } : broken(kept.error)
}

/**
 * Runs while nobody else tries or changes the lock at `path`, in whatever process. Whoever sets up or removes one needs
 * it too: a try that is under way writes the lock that it has read.
 */
export const inLockTurn = <T>(path: string, clock: Clock, run: () => Promise<T>): Promise<Result<T>> =>
  inTurnOf({ path, what: 'The lock', takeLock, clock }, { lockName: 'turn', busyWith: 'opening the lock' }, run)

/**
 * Holds tries against a file one after the other, those of other processes too: at once they would count as one try,
 * and a code would open each of them.
 */
function inTurn(path: string, clock: Clock): (typed: string) => Promise<LockAnswer> {
  const serial = createSerial()
  let wait: Wait | null = null
  const tryOnce = async (typed: string): Promise<LockAnswer> => {
    const tried = await inLockTurn(path, clock, () => tryLock(path, typed, clock, wait))
    if (!tried.ok) return { kind: 'broken', sentence: `${tried.error}.` }
    wait = tried.value.wait
    return tried.value.answer
  }
  return (typed) => serial(() => tryOnce(typed))
}

/**
 * The lock that is set up in the state folder, with the person who approves; without a lock the screen opens by Enter
 * alone. An error: one of the two cannot be trusted.
 */
export async function openDeskLock(stateFolder: string, clock: Clock): Promise<Result<DeskLock>> {
  const path = lockPath(stateFolder)
  const record = await readLock(path)
  if (!record.ok) return record
  const approver = await readLock(approverPath(stateFolder))
  if (!approver.ok) return approver
  return ok({ ...ownLock(path, record.value, clock), ...approvalOf(stateFolder, approver.value, clock) })
}

/** The lock in the file at `path`, which may come later; one that has been there and is gone opens nothing. */
function ownLock(path: string, record: LockRecord | null, clock: Clock): Pick<DeskLock, 'method' | 'open' | 'renew'> {
  const method = record?.secret.kind ?? 'none'
  let lastMethod: LockMethod = method
  let open = record === null ? null : inTurn(path, clock)
  return {
    method,
    open: (typed) => (open ?? noLock.open)(typed),
    async renew() {
      const read = await readLock(path)
      if (!read.ok) return read
      if (read.value === null) return ok(lastMethod)
      open ??= inTurn(path, clock)
      lastMethod = read.value.secret.kind
      return ok(lastMethod)
    },
  }
}

function approvalOf(
  stateFolder: string,
  approver: LockRecord | null,
  clock: Clock,
): Pick<DeskLock, 'approver' | 'approve'> {
  if (approver === null) return { approver: null, approve: noLock.approve }
  const by = holderOf(approver)
  const open = inTurn(approverPath(stateFolder), clock)
  return {
    approver: by,
    async approve(typed) {
      const answer = await open(typed)
      if (answer.kind !== 'opened') return answer
      const own = await readLock(lockPath(stateFolder))
      if (!own.ok) return { kind: 'broken', sentence: own.error }
      return (await opensToo(typed, own.value)) ? { kind: 'same' } : { kind: 'approved', by }
    },
  }
}

/** Whether a passphrase opens a lock, without counting as a try: for telling two persons' passphrases apart. */
export const opensToo = async (typed: string, lock: LockRecord | null): Promise<boolean> =>
  lock?.secret.kind === 'passphrase' && (await isPassphrase(typed, lock.secret))

export const noLock: DeskLock = {
  method: 'none',
  renew: () => Promise.resolve(ok('none')),
  open: () => Promise.resolve({ kind: 'opened' }),
  approver: null,
  approve: () => Promise.resolve({ kind: 'nobody' }),
}
