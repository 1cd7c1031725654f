import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'

/**
 * Keeps what is known of a crash in `folder` (mode 0600) and returns the file's path, or null when it cannot be
 * written. Keys are a type that prints as dots, so that none can be in it.
 */
export function writeCrashFile(folder: string, error: unknown, atMs: number): string | null {
  const time = new Date(atMs).toISOString().replaceAll(':', '-')
  const path = join(folder, `crash-${time}.log`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${time} node ${process.version}\n${inspect(error, { depth: 6 })}\n`, { mode: 0o600 })
    return path
  } catch {
    // The disk may be what failed: the message on the terminal has to do.
    return null
  }
}
