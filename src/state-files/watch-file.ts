import { z } from 'zod'
import { readPlainFile } from '../base/files/plain-file.ts'
import { readOnce } from '../base/read-once.ts'
import type { Result } from '../base/result.ts'
import { isMissingFile } from '../base/text/error-text.ts'
import { plainText } from '../base/text/plain-text.ts'
import type { WatchStatus } from '../domain/desk/duties.ts'
import { createJsonFile, shortened, whole } from './json-file.ts'

/** More than a hundred sentences need. */
const bytesMax = 1024 * 1024

const sentenceMax = 500
const sentence = z.string().max(sentenceMax).transform(plainText)

const schema = z.object({
  version: z.literal(1),
  pid: whole,
  sinceMs: whole,
  beatMs: whole,
  hasDuties: z.boolean(),
  does: z.array(sentence).max(50),
  troubles: z.array(sentence).max(50),
  isExchangeSilent: z.boolean(),
  // Missing in files of earlier versions.
  unsaid: whole.default(0),
  isMonitor: z.boolean().optional(),
})

/** The status file of a watch. */
export type WatchFile = {
  /** Only for the watch that holds the lock next to the file. */
  write(status: WatchStatus): Promise<Result<null>>
  /** The last status written; null when unreadable, which does not tell whether a watch runs. */
  read(): Promise<WatchStatus | null>
}

export function createWatchFile(path: string): WatchFile {
  const file = createJsonFile<WatchStatus & { version: 1 }>(path, 'what the watch does', schema)
  return {
    write(status) {
      const cut = (list: readonly string[]) => list.map((each) => shortened(each, sentenceMax))
      return file.write({ version: 1, ...status, does: cut(status.does), troubles: cut(status.troubles) })
    },
    async read() {
      try {
        const read = schema.safeParse(JSON.parse(readPlainFile(path, bytesMax).toString('utf8')), readOnce)
        if (!read.success) return null
        const { version: _version, ...status } = read.data
        return status
      } catch (error) {
        // Missing or not JSON: readers rely on the lock and do without the status.
        if (isMissingFile(error) || error instanceof SyntaxError || (error instanceof Error && 'code' in error))
          return null
        throw error
      }
    },
  }
}
