import { z } from 'zod'
import { createJsonFile, whole } from './json-file.ts'

const schema = z.object({ version: z.literal(1), epoch: whole, fence: whole, writes: whole })
type Kept = Omit<z.infer<typeof schema>, 'version'>

/** What a host remembers of a hub's database, outside of it. Disk errors are logged, and nothing is remembered then. */
export function createHubMemory(
  path: string,
  log: (line: string) => void,
): { read(): Promise<Kept | null>; keep(remembered: Kept): Promise<void> } {
  const file = createJsonFile(path, 'what is remembered of the database', schema)
  return {
    async read() {
      const kept = await file.readToChange()
      if (kept.ok) return kept.value
      log(kept.error)
      return null
    },
    async keep(remembered) {
      const written = await file.write({ version: 1, ...remembered })
      if (!written.ok) log(written.error)
    },
  }
}
