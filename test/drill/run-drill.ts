import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { buildTestDrills } from '../../.tools/test-builds.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a drill to its end, or to the test's: its exit code, and all that it said. */
export async function runDrill(name: string, ...flags: string[]): Promise<{ code: unknown; output: string }> {
  const drill = spawn(process.execPath, [`${await buildTestDrills(name)}/${name}.js`, ...flags], { cwd: root })
  onTestFinished(() => void drill.kill('SIGTERM'))
  let output = ''
  for (const stream of [drill.stdout, drill.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const [code] = await once(drill, 'close')
  return { code, output }
}
