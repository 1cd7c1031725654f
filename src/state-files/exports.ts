import { createWriteStream, lstatSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../base/clock.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { err, ok, type Result } from '../base/result.ts'
import { csvLine } from '../base/text/csv.ts'
import { diskReason, isTakenName } from '../base/text/error-text.ts'

/** A table to export: `name` starts the file name, and each row has as many cells as the head, as exact plain text. */
export type CsvTable = { name: string; head: readonly string[]; rows: Iterable<readonly string[]> }

export type CsvExport = {
  /**
   * Writes the table to a new file `<name>-<UTC stamp>.csv` for the owner alone (0600) and returns its path. Never
   * overwrites a file, and removes one that could not be completed. Takes rows one by one while writing.
   */
  write(table: CsvTable): Promise<Result<{ path: string; rowCount: number }>>
}

/** Exports CSV files to `folder`, which is created on the first write. */
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
   * Writes JSON text to a new file `<name>-<UTC stamp>.json` for the owner alone (0600) and returns its path. Never
   * overwrites a file, and removes one that could not be completed. Takes the text piece by piece while writing.
   */
  write(name: string, pieces: Iterable<string>): Promise<Result<{ path: string }>>
}

/** Exports JSON files to `folder`, which is created on the first write. */
export const createJsonExport = (folder: string, clock: Pick<Clock, 'wallMs'>): JsonExport => ({
  write: (name, pieces) => writeExport(folder, { name, extension: 'json', atMs: clock.wallMs() }, pieces),
})

/** The name of a file until it is complete: whatever ends the program in between, no half file looks like a whole. */
const partOf = (path: string): string => `${path}.part`

/** Writes a complete new file, or none. */
async function writeExport(folder: string, named: Named, texts: Iterable<string>): Promise<Result<{ path: string }>> {
  let created: string | null = null
  try {
    const { path, file } = await newExport(folder, named)
    created = partOf(path)
    await pipeline(Readable.from(texts), createWriteStream(created, { fd: file, flush: true }))
    await rename(created, path)
    return ok({ path })
  } catch (error) {
    if (created !== null) await rm(created, { force: true })
    return err(`The ${named.name} could not be exported to ${folder}: ${diskReason(error)}. Nothing was kept.`)
  }
}

/** Maximum files of one name within a second, more than key repeat can make. */
const sameNameMax = 100

/** `20261120T140207Z` */
const stampOf = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

type Named = { name: string; extension: string; atMs: number }

/**
 * Creates the file for `<name>-<UTC stamp>.<extension>` in the folder, which is made if missing, for the owner alone;
 * adds a number when the name is taken, by a file or by one that is being written. Throws the disk's error.
 */
async function newExport(
  folder: string,
  { name, extension, atMs }: Named,
): Promise<{ path: string; file: FileHandle }> {
  makeFolder(folder)
  const stem = `${name}-${stampOf(atMs)}`
  for (let number = 1; number <= sameNameMax; number += 1) {
    const path = join(folder, `${stem}${number === 1 ? '' : `-${number}`}.${extension}`)
    try {
      const file = await open(partOf(path), 'wx', 0o600)
      // Looked at while the name is this one's: whoever else had it has given its file this name by then.
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, file }
      await file.close()
      await rm(partOf(path), { force: true })
    } catch (error) {
      if (!isTakenName(error)) throw error
    }
  }
  throw new Error(`${sameNameMax} files of this second are there`)
}
