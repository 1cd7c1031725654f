// `npm start`: builds when a source is newer than the build, then starts the program in this same process.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}dist/main.js`

/** The newest change among the sources and what decides how they are built, in ms since 1970. */
function newestSourceMs() {
  const entries = ['src', 'themes'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true }),
  )
  entries.push(...readdirSync(`${root}.tools`, { withFileTypes: true }))
  const files = entries.filter((entry) => entry.isFile())
  const paths = [...files.map((entry) => `${entry.parentPath}/${entry.name}`), `${root}package.json`]
  return Math.max(...paths.map((path) => statSync(path).mtimeMs))
}

if (!existsSync(built) || statSync(built).mtimeMs < newestSourceMs()) {
  const { build } = await import('./build.mjs')
  await build()
}
await import('../dist/pitdesk.js')
