import type { Clock } from '../clock.ts'
import type { LockAnswer, LockMethod } from '../domain/lock.ts'
import { ok, type Result } from '../domain/result.ts'
import { acceptCode } from './code.ts'
import { type LockRecord, type LockSecret, lockPath, readLock, writeLock } from './lock-file.ts'
import { isPassphrase } from './passphrase.ts'

/** The lock of a desk: what opens it, and whether something that was typed does. */
export type DeskLock = {
  method: LockMethod
  /** One try at a time, in order. Never rejects for anything typed or for a file that fails. */
  open(typed: string): Promise<LockAnswer>
}

/** A slip of the finger costs nothing, guessing costs ever more: 1 s from the third wrong try on, doubling up to ten minutes. */
const freeTries = 2
const waitMostMs = 600_000

/** How long after a wrong try nothing more is taken. */
export const waitAfter = (wrongTries: number): number =>
  wrongTries <= freeTries ? 0 : Math.min(waitMostMs, 1_000 * 2 ** Math.min(wrongTries - freeTries - 1, 20))

/** What is left of that wait; a clock that was set back does not make it longer. */
const waitLeft = ({ wrongTries, lastWrongAtMs }: LockRecord, nowMs: number): number =>
  Math.max(0, waitAfter(wrongTries) - Math.max(0, nowMs - lastWrongAtMs))

/** The secret as it is after it was opened with this, or null. */
async function opened(typed: string, secret: LockSecret, nowMs: number): Promise<LockSecret | null> {
  if (secret.kind === 'code') return acceptCode(typed, secret, nowMs)
  return (await isPassphrase(typed, secret)) ? secret : null
}

/**
 * Holds what was typed against the lock at `path`. A try counts as wrong on disk before it is looked at, so that ending the program in
 * between does not make it free.
 */
async function tryLock(path: string, typed: string, clock: Clock): Promise<LockAnswer> {
  const broken = (sentence: string): LockAnswer => ({ kind: 'broken', sentence })
  const read = await readLock(path)
  if (!read.ok) return broken(read.error)
  const record = read.value
  if (record === null) return broken(`The lock in ${path} is gone: start the desk anew.`)
  const nowMs = clock.now()
  const waitMs = waitLeft(record, nowMs)
  if (waitMs > 0) return { kind: 'early', waitMs }
  const wrongTries = record.wrongTries + 1
  const counted = await writeLock(path, { ...record, wrongTries, lastWrongAtMs: nowMs })
  if (!counted.ok) return broken(counted.error)
  const secret = await opened(typed, record.secret, nowMs)
  if (secret === null) return { kind: 'wrong', waitMs: waitAfter(wrongTries) }
  const kept = await writeLock(path, { version: 1, secret, wrongTries: 0, lastWrongAtMs: 0 })
  return kept.ok ? { kind: 'opened' } : broken(kept.error)
}

/** The lock that is set up in the state folder; without one the screen opens by Enter alone. An error: it cannot be trusted. */
export async function openDeskLock(stateFolder: string, clock: Clock): Promise<Result<DeskLock>> {
  const path = lockPath(stateFolder)
  const record = await readLock(path)
  if (!record.ok) return record
  if (record.value === null) return ok(noLock)
  let last: Promise<unknown> = Promise.resolve()
  return ok({
    method: record.value.secret.kind,
    open(typed) {
      const answer = last.then(() => tryLock(path, typed, clock))
      last = answer.catch(() => undefined)
      return answer
    },
  })
}

export const noLock: DeskLock = { method: 'none', open: () => Promise.resolve({ kind: 'opened' }) }
