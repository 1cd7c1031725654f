import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

// A later bench that measures this version as one before calls both by these names: `version-before.ts`.
export const childProgram = `${process.cwd()}/.cache/bench-screen/console-child.js`

/** Bundles the console on a tape as the program is bundled. */
export async function buildChild(): Promise<void> {
  const { buildInkTable, programInput } = await import(pathToFileURL(`${process.cwd()}/.tools/build.mjs`).href)
  await buildInkTable()
  const bundle = await rolldown({ ...programInput, input: 'test/bench/screen/console-child.tsx' })
  await bundle.write({ file: childProgram, format: 'esm', codeSplitting: false })
}
