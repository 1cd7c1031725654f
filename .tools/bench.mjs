// `npm run bench -- NAME …`: builds test/bench/NAME.ts and runs it with what follows the name.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { manualPlugin } from './manual.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = '', ...rest] = process.argv.slice(2)
const source = `${root}test/bench/${name}.ts`
if (!/^[a-z-]+$/.test(name) || !existsSync(source)) {
  const names = readdirSync(`${root}test/bench`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
  process.stderr.write(`usage: npm run bench -- NAME; there is ${names.join(', ')}\n`)
  process.exit(2)
}
const bundle = await rolldown({
  input: source,
  platform: 'node',
  external: [/^[^./]/],
  plugins: [manualPlugin],
  logLevel: 'warn',
})
const file = `${root}.cache/bench/${name}.mjs`
await bundle.write({ file, format: 'esm', codeSplitting: false })
process.argv.splice(1, process.argv.length - 1, file, ...rest)
await import(pathToFileURL(file).href)
