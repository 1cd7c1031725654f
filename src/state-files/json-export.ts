import { rm } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { diskReason } from '../base/disk-error.ts'
import { err, ok, type Result } from '../base/result.ts'
import { newExport } from './new-export.ts'

export type JsonExport = {
  /**
   * Writes the text, which is JSON, to a new file `<name>-<UTC stamp>.json` for its owner alone (0600) and says where
   * it is. No file is ever overwritten, and what could not be written whole is removed.
   */
  write(name: string, json: string): Promise<Result<{ path: string }>>
}

/** JSON files in `folder`, which is made when the first one is written. */
export function createJsonExport(folder: string, clock: Pick<Clock, 'wallMs'>): JsonExport {
  return {
    async write(name, json) {
      let created: string | null = null
      try {
        const { path, file } = await newExport(folder, { name, extension: 'json', atMs: clock.wallMs() })
        created = path
        try {
          await file.writeFile(`${json}\n`)
          await file.sync()
        } finally {
          await file.close()
        }
        return ok({ path })
      } catch (error) {
        if (created !== null) await rm(created, { force: true })
        return err(`The ${name} could not be exported to ${folder}: ${diskReason(error)}. Nothing was kept.`)
      }
    },
  }
}
