import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { diskReason } from '../base/error-text.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import { createJsonFile, positiveAmount, whole } from './json-file.ts'

/** Cut rather than refused: a reason comes from the service, and a long one must not cost the whole file. */
const text = z.string().transform((typed) => plainText(typed).slice(0, 1_000))
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft') }),
  // Missing in files of an older program, which did not say.
  z.object({ kind: z.literal('sending'), atMs: whole, isBegun: z.boolean().default(true) }),
  z.object({ kind: z.literal('unknown'), atMs: whole, journalKey: z.string() }),
  z.object({ kind: z.literal('sent'), withdrawalId: text.nullable(), atMs: whole }),
  // An older program did not tell these apart.
  z.object({
    ...{ kind: z.literal('refused'), reason: text, atMs: whole },
    how: z.enum(['notPlaced', 'notSent']).optional(),
  }),
  z.object({ kind: z.literal('dropped'), atMs: whole }),
])

const draft = z.object({
  draftId: id,
  currency: z.string(),
  // Never changed, so that it is the very entry that was chosen or none.
  beneficiary: z.object({ whitelistId: z.string(), name: text }),
  amount: z.literal('max').or(positiveAmount),
  createdAtMs: whole,
  note: text.nullable(),
  key: z.string().max(64).optional(),
  approval: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('wanted') }),
    z.object({ kind: z.literal('given'), by: text, atMs: whole }),
  ]),
  state,
})

const schema = z.object({ version: z.literal(1), drafts: z.array(draft).max(10_000) })

/**
 * Takes a lock that the system lets go of when the process ends; null while somebody else has it. The error is what the
 * disk says.
 */
export type TakeLock = (path: string) => Result<{ release(): void } | null>

export type DraftsFile = {
  /** The drafts as they are kept now, newest first. */
  read(): Promise<Result<readonly WithdrawalDraft[]>>
  /**
   * Changes the drafts in one step that no other process comes between, and resolves when that is on disk. What
   * `change` makes an error stays as it is.
   */
  update(
    change: (drafts: readonly WithdrawalDraft[]) => Result<readonly WithdrawalDraft[]>,
  ): Promise<Result<readonly WithdrawalDraft[]>>
  /**
   * Runs while no other process does the same on these drafts. The error, and it is not run: one does and goes on doing
   * so, or the disk does not let it.
   */
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

type Options = { path: string; takeLock: TakeLock; clock: Clock }

type LockName = 'change.lock' | 'send.lock'
const busyWith: Record<LockName, string> = {
  'change.lock': 'changing its drafts',
  'send.lock': 'sending a withdrawal',
}

/**
 * Another process is waited for about three seconds: it needs a few milliseconds for a change, and seconds for a send.
 */
const pauseMs = 25
const triesMost = 120

/** The drafts of one account in one file, which every desk and command of that account reads and writes. */
export function createDraftsFile({ path, takeLock, clock }: Options): DraftsFile {
  const file = createJsonFile(path, 'the drafts of withdrawals', schema)
  // One after the other in this process: the lock is for the others.
  const serial = createSerial()

  async function takeTurn(name: LockName): Promise<Result<{ release(): void }>> {
    const refused = (reason: string) => err(`the drafts in ${path} cannot be locked: ${reason}`)
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    } catch (error) {
      return refused(diskReason(error))
    }
    // Counted and not timed: a clock that is set back meanwhile makes nobody wait for longer.
    for (let tries = 0; tries <= triesMost; tries += 1) {
      if (tries > 0) await clock.sleep(pauseMs)
      const lock = takeLock(`${path}.${name}`)
      if (!lock.ok) return refused(lock.error)
      if (lock.value !== null) return ok(lock.value)
    }
    return err(`another desk or command of this account is ${busyWith[name]}: try again`)
  }

  async function locked<T>(name: LockName, run: () => Promise<T>): Promise<Result<T>> {
    const lock = await takeTurn(name)
    if (!lock.ok) return lock
    try {
      return ok(await run())
    } finally {
      lock.value.release()
    }
  }

  async function read(): Promise<Result<readonly WithdrawalDraft[]>> {
    const kept = await file.read()
    return kept.ok ? ok(kept.value?.drafts ?? []) : kept
  }

  return {
    read,
    update: (change) =>
      serial(async () => {
        const written = await locked('change.lock', async () => {
          const before = await read()
          if (!before.ok) return before
          const after = change(before.value)
          if (!after.ok || after.value === before.value) return after
          const kept = await file.write({ version: 1, drafts: [...after.value] })
          return kept.ok ? after : kept
        })
        return written.ok ? written.value : written
      }),
    alone: (run) => locked('send.lock', run),
  }
}
