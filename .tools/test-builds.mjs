// What tests need built: the program and the drills that they start, and Ink as the program has it. Each stays for as
// long as nothing changes that it is made from.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = `${root}.cache`
const dayMs = 86_400_000
/** Between two looks whether another process has built what is waited for. */
const buildLookMs = 100
/** Far above what a build takes on a busy machine. */
const longestBuildMs = 300_000

/** Tells apart what is made from these folders, by name, size and time of every file. */
function markOf(folders) {
  const files = folders.flatMap((folder) =>
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

/** Where Node keeps what it compiled in the processes of tests. */
export const compiled = `${cache}/compiled`

/** Whether this process may build the folder now: another that lives is not at it. */
function takesBuild(lock) {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isBuilding(lock)) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own)
  }
}

/** A lock that is old was left by a process whose number another one has by now. */
function isBuilding(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return statSync(lock).mtimeMs > Date.now() - longestBuildMs
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Builds a folder unless it is there. Of several that begin at once one builds, and the others wait for it. Where one
 * that was thought dead builds too, the second leaves the first one's in place: whoever finds the folder finds all of
 * it.
 */
async function buildOnce(folder, build) {
  const lock = `${folder}.lock`
  while (!existsSync(folder))
    if (takesBuild(lock))
      try {
        if (!existsSync(folder)) await buildInto(folder, build)
      } finally {
        rmSync(lock, { force: true })
      }
    else await setTimeout(buildLookMs)
  const now = new Date()
  await utimes(folder, now, now)
}

async function buildInto(folder, build) {
  const own = `${folder}.${process.pid}`
  await build(own)
  try {
    await rename(own, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    await rm(own, { recursive: true, force: true })
  }
}

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
    if (/^(program|ink|drills)-.*[0-9a-f]{12}/.test(name)) await sweep(path)
  }
  if (existsSync(compiled))
    for (const entry of await readdir(compiled, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await sweep(`${entry.parentPath}/${entry.name}`)
}
