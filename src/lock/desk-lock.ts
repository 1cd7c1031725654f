import type { Clock } from '../base/clock.ts'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { ApprovalAnswer, LockAnswer, LockMethod } from '../domain/desk/lock.ts'
import { approverPath, type LockRecord, type LockSecret, lockPath, readLock, writeLock } from './lock-file.ts'
import { acceptCode, isPassphrase } from './secrets.ts'

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
const waitMostMs = 600_000

/** How long after a wrong try nothing more is taken. */
export const waitAfter = (wrongTries: number): number =>
  wrongTries <= freeTries ? 0 : Math.min(waitMostMs, 1_000 * 2 ** Math.min(wrongTries - freeTries - 1, 20))

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
  if (secret === null) return { answer: { kind: 'wrong', waitMs: nextMs }, wait: waiting(nowMs, nextMs) }
  const kept = await writeLock(path, { ...record, secret, wrongTries: 0, lastWrongAtMs: 0 })
  return kept.ok ? { answer: { kind: 'opened' }, wait: null } : broken(kept.error)
}

/** Holds tries against a file one after the other. */
function inTurn(path: string, clock: Clock): (typed: string) => Promise<LockAnswer> {
  const serial = createSerial()
  let wait: Wait | null = null
  const tryOnce = async (typed: string): Promise<LockAnswer> => {
    const tried = await tryLock(path, typed, clock, wait)
    wait = tried.wait
    return tried.answer
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
  let open = record === null ? null : inTurn(path, clock)
  return {
    method,
    open: (typed) => (open ?? noLock.open)(typed),
    async renew() {
      const read = await readLock(path)
      if (!read.ok) return read
      if (read.value === null) return ok(open === null ? 'none' : method)
      open ??= inTurn(path, clock)
      return ok(read.value.secret.kind)
    },
  }
}

function approvalOf(
  stateFolder: string,
  approver: LockRecord | null,
  clock: Clock,
): Pick<DeskLock, 'approver' | 'approve'> {
  if (approver === null) return { approver: null, approve: noLock.approve }
  const by = approver.holder ?? 'the second person'
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
