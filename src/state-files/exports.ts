import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../base/clock.ts'
import { csvLine } from '../base/csv.ts'
import { diskReason, isTakenName } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'

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
export const createCsvExport = (folder: string, clock: Pick<Clock, 'wallMs'>): CsvExport => ({
  async write({ name, head, rows }) {
    let rowCount = 0
    function* lines() {
      yield `${csvLine(head)}\n`
      for (const row of rows) {
        rowCount += 1
        yield `${csvLine(row)}\n`
      }
    }
    const written = await writeExport(folder, { name, extension: 'csv', atMs: clock.wallMs() }, lines())
    return written.ok ? ok({ ...written.value, rowCount }) : written
  },
})

export type JsonExport = {
  /**
   * Writes the text, which is JSON, to a new file `<name>-<UTC stamp>.json` for its owner alone (0600) and says where
   * it is. No file is ever overwritten, and what could not be written whole is removed.
   */
  write(name: string, json: string): Promise<Result<{ path: string }>>
}

/** JSON files in `folder`, which is made when the first one is written. */
export const createJsonExport = (folder: string, clock: Pick<Clock, 'wallMs'>): JsonExport => ({
  write: (name, json) => writeExport(folder, { name, extension: 'json', atMs: clock.wallMs() }, [`${json}\n`]),
})

/** Writes a new file whole, or leaves none. */
async function writeExport(folder: string, named: Named, texts: Iterable<string>): Promise<Result<{ path: string }>> {
  let created: string | null = null
  try {
    const { path, file } = await newExport(folder, named)
    created = path
    await pipeline(Readable.from(texts), createWriteStream(path, { fd: file, flush: true }))
    return ok({ path })
  } catch (error) {
    if (created !== null) await rm(created, { force: true })
    return err(`The ${named.name} could not be exported to ${folder}: ${diskReason(error)}. Nothing was kept.`)
  }
}

/** Files of one name in one second; more than any key repeat makes. */
const sameNameMost = 100

/** `20261120T140207Z` */
const stampOf = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

type Named = { name: string; extension: string; atMs: number }

/**
 * A new file `<name>-<UTC stamp>.<extension>` in the folder, which is made where it is missing, for its owner alone; a
 * number follows where that name is taken. Throws what the disk says.
 */
async function newExport(
  folder: string,
  { name, extension, atMs }: Named,
): Promise<{ path: string; file: FileHandle }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stem = `${name}-${stampOf(atMs)}`
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${stem}${number === 1 ? '' : `-${number}`}.${extension}`)
    try {
      return { path, file: await open(path, 'wx', 0o600) }
    } catch (error) {
      if (!isTakenName(error) || number >= sameNameMost) throw error
    }
  }
}
