// The program that tests start: bundled once for as long as no source changes, whichever test is first to need it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = `${root}.cache`
const dayMs = 86_400_000

/** Told apart by name, size and time of everything that decides what is built. */
function sourcesMark() {
  const files = ['src', 'themes', '.tools'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  )
  const marks = [...files, `${root}package.json`, `${root}package-lock.json`].toSorted().map((path) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  return createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 12)
}

/** The folder of the built program, inside the project: packages that stay outside the bundle are found from there. */
export const testProgram = `${cache}/program-${sourcesMark()}`

/**
 * Builds it unless it is there. Two that begin at once both build, apart, and the second leaves the first one's in
 * place: whoever finds the folder finds all of it.
 */
export async function buildTestProgram() {
  if (!existsSync(testProgram)) {
    const { build } = await import('./build.mjs')
    const own = `${testProgram}.${process.pid}`
    await build(own)
    try {
      await rename(own, testProgram)
    } catch (error) {
      if (!existsSync(`${testProgram}/pitdesk.js`)) throw error
      await rm(own, { recursive: true, force: true })
    }
  }
  const now = new Date()
  await utimes(testProgram, now, now)
}

/** Takes away what no test has used for a day. */
export async function sweepTestPrograms() {
  await mkdir(cache, { recursive: true })
  for (const name of await readdir(cache)) {
    const path = `${cache}/${name}`
    if (name.startsWith('program-') && (await stat(path)).mtimeMs < Date.now() - dayMs)
      await rm(path, { recursive: true, force: true })
  }
}
