import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isTakenName } from '../base/disk-error.ts'

/** Files of one name in one second; more than any key repeat makes. */
const sameNameMost = 100

/** `20261120T140207Z` */
const stampOf = (atMs: number): string => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, '')

type Named = { name: string; extension: string; atMs: number }

/**
 * A new file `<name>-<UTC stamp>.<extension>` in the folder, which is made where it is missing, for its owner alone; a
 * number follows where that name is taken. Throws what the disk says.
 */
export async function newExport(
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
