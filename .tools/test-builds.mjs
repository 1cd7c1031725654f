// What tests need built: the program and the drills that they start, Ink as the program has it, and a cluster of
// PostgreSQL. Each stays for as long as nothing changes that it is made from.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildOnce } from './build-lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = `${root}.cache`
const dayMs = 86_400_000

/** Tells apart what is made from these folders and files, by name, size and time of every file. */
function markOf(folders, more = []) {
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  )
  const others = ['package.json', 'package-lock.json', ...more].map((file) => `${root}${file}`)
  const marks = [...files, ...others].toSorted().map((path) => {
    const { size, mtimeMs } = statSync(path)
    return `${path} ${size} ${mtimeMs}`
  })
  return createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 12)
}

/** The folder of the built program, inside the project: packages that stay outside the bundle are found from there. */
export const testProgram = `${cache}/program-${markOf(['src', 'themes', '.tools'])}`

/** The folder of `ink.js`, `ink-table.js` and `ink-testing-library.js`. */
export const testInk = `${cache}/ink-${markOf(['.tools'])}`

/** The folder of all drills that share a bundle with this one: they differ in little, and one more takes no time. */
async function drillsFor(name) {
  const { drawing } = await import('./drill-build.mjs')
  const shared = ['hostile', 'hub', 'inbox', 'inbox-hosts', 'orders', 'plans']
  const [kind, names] = drawing.includes(name) ? ['drawing', drawing] : ['plain', shared]
  return { folder: `${cache}/drills-${kind}-${markOf(['src', 'themes', '.tools', 'test'])}`, names }
}

/** The folder of a PostgreSQL cluster as it was just made (`test/fakes/postgres.ts`). */
export const testCluster = `${cache}/cluster-${markOf([], ['test/fakes/postgres.ts'])}`

/** Where Node keeps what it compiled in the processes of tests. */
export const compiled = `${cache}/compiled`
/** Where sources are kept without their types (`test-modules.mjs`). */
const transformed = `${cache}/transformed`

export const buildTestProgram = () =>
  buildOnce(testProgram, async (folder) => (await import('./build.mjs')).build(folder))
/** Builds this drill, and others along with it, and gives the folder that holds it as a file of its name. */
export async function buildTestDrills(name) {
  const { folder, names } = await drillsFor(name)
  await buildOnce(folder, async (own) => (await import('./drill-build.mjs')).buildDrills(own, names))
  return folder
}

export const buildTestInk = () => buildOnce(testInk, async (folder) => (await import('./build.mjs')).buildInk(folder))

/** Takes a folder or file away that is as it was a day ago. */
async function sweep(path) {
  if ((await stat(path)).mtimeMs < Date.now() - dayMs) await rm(path, { recursive: true, force: true })
}

/** Takes away what no test has used for a day, and what was compiled that long ago. */
export async function sweepTestBuilds() {
  await mkdir(cache, { recursive: true })
  for (const name of await readdir(cache)) {
    const path = `${cache}/${name}`
    if (/^(program|ink|drills|cluster)-.*[0-9a-f]{12}/.test(name)) await sweep(path)
  }
  for (const folder of [compiled, transformed])
    if (existsSync(folder))
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) await sweep(`${entry.parentPath}/${entry.name}`)
}
