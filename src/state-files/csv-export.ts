import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../base/clock.ts'
import { csvLine } from '../base/csv.ts'
import { diskReason } from '../base/disk-error.ts'
import { err, ok, type Result } from '../base/result.ts'
import { newExport } from './new-export.ts'

/**
 * Rows to be written: `name` begins the file's name, every row has as many cells as the head, exact and as plain text.
 */
export type CsvTable = { name: string; head: readonly string[]; rows: Iterable<readonly string[]> }

export type CsvExport = {
  /**
   * Writes the table to a new file `<name>-<UTC stamp>.csv` for its owner alone (0600) and says where it is. No file is
   * ever overwritten, and what could not be written whole is removed. Rows are taken one by one while the disk writes.
   */
  write(table: CsvTable): Promise<Result<{ path: string; rowCount: number }>>
}

/** CSV files in `folder`, which is made when the first one is written. */
export function createCsvExport(folder: string, clock: Pick<Clock, 'wallMs'>): CsvExport {
  return {
    async write({ name, head, rows }) {
      let created: string | null = null
      let rowCount = 0
      function* lines() {
        yield `${csvLine(head)}\n`
        for (const row of rows) {
          rowCount += 1
          yield `${csvLine(row)}\n`
        }
      }
      try {
        const { path, file } = await newExport(folder, { name, extension: 'csv', atMs: clock.wallMs() })
        created = path
        await pipeline(Readable.from(lines()), createWriteStream(path, { fd: file, flush: true }))
        return ok({ path, rowCount })
      } catch (error) {
        if (created !== null) await rm(created, { force: true })
        return err(`The ${name} could not be exported to ${folder}: ${diskReason(error)}. Nothing was kept.`)
      }
    },
  }
}
