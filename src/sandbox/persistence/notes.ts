import { z } from 'zod'
import { readOnce } from '../../base/read-once.ts'
import type { AccountId } from '../core/commands.ts'
import type { ExchangeSetup } from '../setup.ts'
import { type DataFile, text } from './data-file.ts'
import { damaged } from './unusable-data.ts'

export type Notes = ReturnType<typeof createNotes>

/** Data that is stored along with the exchange but is not part of its state. */
export function createNotes(file: DataFile) {
  const reading = file.prepare('SELECT value FROM note WHERE name = ?')
  const writing = file.prepare('INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)')
  const read = (name: string): string | null =>
    file.attempt(() => {
      const row = reading.get(name)
      return row === undefined ? null : text(row, 'value')
    })
  return {
    /** The creator's note for the next start. */
    world: () => read('world'),
    /** The accounts without a history. */
    forgottenAccounts: (): readonly AccountId[] => {
      const listed = (read('forgotten') ?? '').split(' ').filter((id) => id !== '')
      if (!listed.every((id) => /^\d{1,15}$/.test(id))) throw damaged(file.folder, 'its notes are unreadable')
      return listed.map(Number)
    },
    /** Writes into the open transaction. */
    write: (world: string, forgotten: readonly AccountId[]) =>
      file.attempt(() => {
        writing.run('world', world)
        writing.run('forgotten', forgotten.join(' '))
      }),
  }
}

/** The keys of the administration and the gateway. */
export type HouseKeys = { adminToken: string; partnerKey: string }
/** What the world needs besides the exchange's state, which holds no secret: only hashes of tokens. */
type SetupNote = HouseKeys & { world: ExchangeSetup }

const count = z.number().int().nonnegative()
const noteSchema: z.ZodType<SetupNote> = z.object({
  adminToken: z.string(),
  partnerKey: z.string(),
  world: z.object({
    accounts: z.array(z.object({ name: z.string(), token: z.string(), twoFactor: z.boolean() })),
    marketAccounts: z.object({ makers: z.tuple([count, count]), crowd: count, takers: count }),
    profiles: z.array(
      z.object({
        symbol: z.string(),
        anchorTicks: z.number().positive(),
        volatilityTicks: z.number().positive(),
        typicalLots: count,
        minLots: count,
        maxLots: z.exactOptional(count),
        tradesPerSecond: z.number().positive(),
      }),
    ),
    haltedSymbols: z.array(z.string()),
  }),
})

export const writeSetupNote = (note: SetupNote): string => JSON.stringify(note)

/** Throws `UnusableData` if the text is not a note. */
export function readSetupNote(text: string, folder: string): SetupNote {
  try {
    return noteSchema.parse(JSON.parse(text), readOnce)
  } catch (error) {
    throw damaged(folder, 'its notes are unreadable', error)
  }
}
