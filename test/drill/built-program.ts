import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Builds the program of this checkout into a folder of its own, which goes when this process ends, and tells where.
 * Built inside the project: packages that stay outside the bundle are found from there.
 */
export async function buildProgram(name: string): Promise<string> {
  const folder = join(process.cwd(), '.cache', `${name}-${process.pid}`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const source = `import('./.tools/build.mjs').then((tools) => tools.build(${JSON.stringify(folder)}))`
  await promisify(execFile)(process.execPath, ['-e', source], { cwd: process.cwd() })
  return folder
}
