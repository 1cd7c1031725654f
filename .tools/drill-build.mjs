// Bundles drills of `test/drill`, for `npm run drill` and for the short runs among the tests.
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildInkTable, programInput, threads } from './build.mjs'
import { manualPlugin } from './manual.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** These draw: they get the console as the program has it, and a bundle of their own. */
export const drawing = ['endurance']

/** Bundles these drills into `folder`, each as a file of its name, with the threads that they start. */
export async function buildDrills(folder, names) {
  const isDrawing = names.some((name) => drawing.includes(name))
  if (isDrawing) await buildInkTable()
  const asShipped = {
    ...programInput,
    external: ['@xterm/headless', '@lydell/node-pty'],
  }
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(names.map((name) => [name, `${root}test/drill/${name}.ts`])),
      ...threads,
      'program-clock': `${root}test/drill/hostile/program-clock.ts`,
    },
    platform: 'node',
    logLevel: 'warn',
    ...(isDrawing ? asShipped : { external: [/^[^./]/], plugins: [manualPlugin] }),
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' })
}
