import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Builds the program of this checkout, unless it is as it was when it was last built for a test, and tells where. */
export async function buildProgram(): Promise<string> {
  const source = `const { buildTestProgram, testProgram } = await import('./.tools/test-builds.mjs')
    await buildTestProgram()
    process.stdout.write(testProgram)`
  const argv = ['--input-type=module', '-e', source]
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: process.cwd() })
  return stdout
}
