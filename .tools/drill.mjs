// `npm run drill -- NAME …`: builds test/drill/NAME.ts and runs it, in a process of its own, with what follows the
// name.
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildDrills } from './drill-build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = ['endurance', 'hostile', 'hub', 'inbox', 'inbox-fuzz', 'inbox-hosts', 'orders', 'plans']
const [name = '', ...rest] = process.argv.slice(2)
const source = `${root}test/drill/${name}.ts`
if (!names.includes(name) || !existsSync(source)) {
  process.stderr.write(`usage: npm run drill -- NAME; there is ${names.join(', ')}\n`)
  process.exit(2)
}
// Each run has its own folder: two may run at once, and each starts itself again in other roles.
const folder = `${root}.cache/drill/${name}-${process.pid}`
await buildDrills(folder, [name])
const child = spawn(process.execPath, [`${folder}/${name}.js`, ...rest], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})
