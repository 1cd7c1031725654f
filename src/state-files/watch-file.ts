import { z } from 'zod'
import { isMissingFile } from '../base/error-text.ts'
import { readPlainFile } from '../base/plain-file.ts'
import { plainText } from '../base/plain-text.ts'
import { readOnce } from '../base/read-once.ts'
import type { Result } from '../base/result.ts'
import type { WatchStatus } from '../domain/desk/duties.ts'
import { createJsonFile, whole } from './json-file.ts'

/** A hundred sentences, with room. */
const bytesMost = 1024 * 1024

const sentence = z.string().max(500).transform(plainText)

const schema = z.object({
  version: z.literal(1),
  pid: whole,
  sinceMs: whole,
  beatMs: whole,
  hasDuties: z.boolean(),
  does: z.array(sentence).max(50),
  troubles: z.array(sentence).max(50),
  isExchangeSilent: z.boolean(),
  // An earlier version does not say it.
  unsaid: whole.default(0),
})

/** Where a watch writes what it is and does. */
export type WatchFile = {
  /** Only for the watch that has the lock beside it. */
  write(status: WatchStatus): Promise<Result<null>>
  /** What the watch wrote last; null where nothing can be read: it says nothing of whether a watch runs. */
  read(): Promise<WatchStatus | null>
}

export function createWatchFile(path: string): WatchFile {
  const file = createJsonFile<WatchStatus & { version: 1 }>(path, 'what the watch does', schema)
  return {
    write: (status) => file.write({ version: 1, ...status }),
    async read() {
      try {
        const read = schema.safeParse(JSON.parse(readPlainFile(path, bytesMost).toString('utf8')), readOnce)
        if (!read.success) return null
        const { version: _version, ...status } = read.data
        return status
      } catch (error) {
        // Not there, or not JSON: whoever reads goes by the lock, and does without the words.
        if (isMissingFile(error) || error instanceof SyntaxError || (error instanceof Error && 'code' in error))
          return null
        throw error
      }
    },
  }
}
