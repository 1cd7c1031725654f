import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { parseAmount } from '../domain/money.ts'
import { plainText } from '../domain/plain-text.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import { createJsonFile } from './json-file.ts'

const amount = z.string().transform((typed, context) => {
  const value = parseAmount(typed)
  if (value?.gt(0)) return value
  context.issues.push({ code: 'custom', message: 'is no amount', input: typed })
  return z.NEVER
})
const time = z.number().int().nonnegative()
/** Cut rather than refused: a reason comes from the service, and a long one must not cost the whole file. */
const text = z.string().transform((typed) => plainText(typed).slice(0, 1_000))
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('draft') }),
  z.object({ kind: z.literal('sending'), atMs: time }),
  z.object({ kind: z.literal('unknown'), atMs: time, journalKey: z.string() }),
  z.object({ kind: z.literal('sent'), withdrawalId: text.nullable(), atMs: time }),
  z.object({ kind: z.literal('refused'), reason: text, atMs: time }),
  z.object({ kind: z.literal('dropped'), atMs: time }),
])

const draft = z.object({
  draftId: id,
  currency: z.string(),
  // Never changed, so that it is the very entry that was chosen or none.
  beneficiary: z.object({ whitelistId: z.string(), name: text }),
  amount: z.literal('max').or(amount),
  createdAtMs: time,
  note: text.nullable(),
  approval: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('wanted') }),
    z.object({ kind: z.literal('given'), by: text, atMs: time }),
  ]),
  state,
})

const schema = z.object({ version: z.literal(1), drafts: z.array(draft).max(10_000) })

/** Where the drafts of a profile are kept, in the state folder. */
export const draftsPath = (stateFolder: string, profileName: string): string =>
  join(stateFolder, 'drafts', `${encodeURIComponent(profileName)}.json`)

/** Takes a lock that the system lets go of when the process ends; null while somebody else has it. */
export type TakeLock = (path: string) => { release(): void } | null

export type DraftsFile = {
  /** The drafts as they are kept now, newest first. */
  read(): Promise<Result<readonly WithdrawalDraft[]>>
  /**
   * Changes the drafts in one step that no other process comes between, and resolves when that is on disk. What `change` makes an
   * error stays as it is.
   */
  update(
    change: (drafts: readonly WithdrawalDraft[]) => Result<readonly WithdrawalDraft[]>,
  ): Promise<Result<readonly WithdrawalDraft[]>>
  /** Runs while no other process does the same on these drafts; null, and not run, when one does and goes on doing so. */
  alone<T>(run: () => Promise<T>): Promise<T | null>
}

type Options = { path: string; takeLock: TakeLock; clock: Clock }

/** How long another process is waited for, which needs a few milliseconds for a change and seconds for a send. */
const patienceMs = 3_000
const pauseMs = 25

/** The drafts of one profile in one file, which every desk and command of that profile reads and writes. */
export function createDraftsFile({ path, takeLock, clock }: Options): DraftsFile {
  const file = createJsonFile(path, 'the drafts of withdrawals', schema)
  let lastChange: Promise<unknown> = Promise.resolve()

  async function locked<T>(name: string, run: () => Promise<T>): Promise<T | null> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const endMs = clock.now() + patienceMs
    let lock = takeLock(`${path}.${name}`)
    while (lock === null && clock.now() < endMs) {
      await clock.sleep(pauseMs)
      lock = takeLock(`${path}.${name}`)
    }
    if (lock === null) return null
    try {
      return await run()
    } finally {
      lock.release()
    }
  }

  async function read(): Promise<Result<readonly WithdrawalDraft[]>> {
    const kept = await file.read()
    return kept.ok ? ok(kept.value?.drafts ?? []) : kept
  }

  return {
    read,
    update(change) {
      // One after the other in this process: the lock is for the others.
      const done = lastChange.then(async () => {
        const written = await locked('change.lock', async () => {
          const before = await read()
          if (!before.ok) return before
          const after = change(before.value)
          if (!after.ok || after.value === before.value) return after
          const kept = await file.write({ version: 1, drafts: [...after.value] })
          return kept.ok ? after : kept
        })
        return written ?? err(`the drafts in ${path} are in use by another process of this desk`)
      })
      lastChange = done.catch(() => undefined)
      return done
    },
    alone: (run) => locked('send.lock', run),
  }
}
