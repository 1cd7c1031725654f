// `npm run drill -- NAME …`: builds test/drill/NAME.ts and runs it, in a process of its own, with what follows the
// name.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildInkTable, programInput, threads } from './build.mjs'
import { manualPlugin } from './manual.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = ['endurance', 'hostile', 'hub', 'inbox', 'inbox-fuzz', 'inbox-hosts', 'orders', 'plans']
/** These draw: they get the console as the program has it. */
const drawing = ['endurance']
const [name = '', ...rest] = process.argv.slice(2)
const source = `${root}test/drill/${name}.ts`
if (!names.includes(name) || !existsSync(source)) {
  process.stderr.write(`usage: npm run drill -- NAME; there is ${names.join(', ')}\n`)
  process.exit(2)
}
if (drawing.includes(name)) await buildInkTable()
const asShipped = {
  ...programInput,
  external: [...programInput.external, '@xterm/headless', '@lydell/node-pty'],
}
const bundle = await rolldown({
  input: {
    [name]: source,
    ...threads,
    'program-clock': `${root}test/drill/hostile/program-clock.ts`,
  },
  platform: 'node',
  logLevel: 'warn',
  ...(drawing.includes(name) ? asShipped : { external: [/^[^./]/], plugins: [manualPlugin] }),
})
// Each run has its own folder: two may run at once, and each starts itself again in other roles.
const folder = `${root}.cache/drill/${name}-${process.pid}`
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' })
const child = spawn(process.execPath, [`${folder}/${name}.js`, ...rest], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})
