// Whether the program that `npm start` runs was built from the sources as they are now.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuilding } from './build-lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Who holds it puts the program in place, file by file. */
export const programLock = `${root}.cache/program.lock`

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

/** Whether no source is newer than the program. */
export function isProgramNew() {
  const built = `${root}dist/main.js`
  return existsSync(built) && statSync(built).mtimeMs >= newestSourceMs()
}

/** The same, and that nobody is just putting another one in its place. */
export const isProgramReady = () => !isBuilding(programLock) && isProgramNew()
