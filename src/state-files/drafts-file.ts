import { z } from 'zod'
import { plainText } from '../base/plain-text.ts'
import { ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import { inTurnOf, type SharedFile } from './file-turns.ts'
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

const busyWith = { 'change.lock': 'changing its drafts', 'send.lock': 'sending a withdrawal' }

/** The drafts of one account in one file, which every desk and command of that account reads and writes. */
export function createDraftsFile(shared: Omit<SharedFile, 'what'>): DraftsFile {
  const file = createJsonFile(shared.path, 'the drafts of withdrawals', schema)
  // One after the other in this process: the lock is for the others.
  const serial = createSerial()
  const locked = <T>(lockName: keyof typeof busyWith, run: () => Promise<T>): Promise<Result<T>> =>
    inTurnOf({ ...shared, what: 'the drafts' }, { lockName, busyWith: busyWith[lockName] }, run)

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
