import { z } from 'zod'
import type { World } from '../world.ts'
import { damaged } from './unusable-data.ts'

/** What opens the administration and the gateway. */
export type HouseKeys = { adminToken: string; partnerKey: string }
/** What the world is made of beside the exchange's state, which holds no secret: it keeps only hashes of tokens. */
export type WorldNote = HouseKeys & { world: World }

const count = z.number().int().nonnegative()
const noteSchema: z.ZodType<WorldNote> = z.object({
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

export const writeWorldNote = (note: WorldNote): string => JSON.stringify(note)

/** Throws `UnusableData` when the text is not a note. */
export function readWorldNote(text: string, folder: string): WorldNote {
  try {
    return noteSchema.parse(JSON.parse(text))
  } catch (error) {
    throw damaged(folder, 'its notes make no sense', error)
  }
}
