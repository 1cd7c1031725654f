import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import type { Clock } from '../clock.ts'
import { plainText } from '../domain/plain-text.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { diskReason, isTakenName } from './write-whole.ts'

/** Rows to be written: `name` begins the file's name, every row has as many cells as the head, exact and as plain text. */
export type CsvTable = { name: string; head: readonly string[]; rows: Iterable<readonly string[]> }

export type CsvExport = {
  /**
   * Writes the table to a new file `<name>-<UTC stamp>.csv` for its owner alone (0600) and says where it is. No file is ever
   * overwritten, and what could not be written whole is removed. Rows are taken one by one while the disk writes.
   */
  write(table: CsvTable): Promise<Result<{ path: string; rowCount: number }>>
}

/** Files of one name in one second; more than any key repeat makes. */
const sameNameMost = 100

/** A new file in the folder that no other has the name of, and its path. */
async function newFile(folder: string, name: string): Promise<{ path: string; file: FileHandle }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.csv`)
    try {
      return { path, file: await open(path, 'wx', 0o600) }
    } catch (error) {
      if (!isTakenName(error) || number >= sameNameMost) throw error
    }
  }
}

/** `20261120T140207Z` */
const stampOf = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

const isNumber = (text: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(text)

/**
 * A cell as a spreadsheet may open it: no control characters, and text that it would take for a formula begins with an
 * apostrophe. Numbers stay numbers, negative ones too.
 */
export function csvCell(text: string): string {
  const plain = plainText(text)
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(plain) && !isNumber(plain) ? `'${plain}` : plain
}

/** CSV files in `folder`, which is made when the first one is written. */
export function createCsvExport(folder: string, clock: Pick<Clock, 'now'>): CsvExport {
  return {
    async write({ name, head, rows }) {
      let created: string | null = null
      let rowCount = 0
      function* lines() {
        yield head.map(csvCell)
        for (const row of rows) {
          rowCount += 1
          yield row.map(csvCell)
        }
      }
      try {
        const { path, file } = await newFile(folder, `${name}-${stampOf(clock.now())}`)
        created = path
        await pipeline(Readable.from(lines()), stringify(), createWriteStream(path, { fd: file, flush: true }))
        return ok({ path, rowCount })
      } catch (error) {
        if (created !== null) await rm(created, { force: true })
        return err(`The ${name} could not be exported to ${folder}: ${diskReason(error)}. Nothing was kept.`)
      }
    },
  }
}
