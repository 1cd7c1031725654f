import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new empty folder, gone after the test; its name says what it was for. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pitdesk-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
