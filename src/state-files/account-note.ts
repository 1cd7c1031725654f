import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile, type JsonFile } from './json-file.ts'

/**
 * The note in an account's folder. `profiles` are the profiles it was used with, each with the time of the newest
 * closed file in the folder that earlier versions used for that name.
 */
export type AccountNote = { version: 1; account: string; profiles: { name: string; earlierMs: number }[] }

const noteSchema: z.ZodType<AccountNote> = z.object({
  version: z.literal(1),
  account: z.string().max(2_000),
  profiles: z.array(z.object({ name: z.string().max(200), earlierMs: z.number() })).max(1_000),
})

/** Opens the note in an account's folder that says whose it is. */
export const openAccountNote = (folder: string): JsonFile<AccountNote> =>
  createJsonFile(join(folder, 'account.json'), 'the note about the account', noteSchema)
