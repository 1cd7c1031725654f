import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The process as far as it matters here: what ends it, and its end. */
export type Endable = {
  once(signal: keyof typeof signals, listener: () => void): unknown
  off(signal: keyof typeof signals, listener: () => void): unknown
  exit(code: number): void
}

/**
 * Does its work in a new folder, which is gone afterwards: when it is done, when it fails, and when a person or a
 * terminal ends the program. Other programs may still write there, hence the attempts.
 */
export async function inScratchFolder<T>(
  work: (folder: string) => Promise<T>,
  program: Endable = process,
  parent = tmpdir(),
): Promise<T> {
  const folder = mkdtempSync(join(parent, 'pitdesk-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const listeners = Object.entries(signals).map(([name, code]) => {
    const listener = () => {
      remove()
      program.exit(code)
    }
    return { name: name as keyof typeof signals, listener }
  })
  for (const { name, listener } of listeners) program.once(name, listener)
  try {
    return await work(folder)
  } finally {
    for (const { name, listener } of listeners) program.off(name, listener)
    remove()
  }
}
