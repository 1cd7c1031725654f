// Of several processes that need the same thing built, such as two `npm start` in a fresh clone, one builds it and the
// others wait.
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rename, rm, utimes } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** Between two looks whether another process has built what is waited for. */
const lookMs = 100
/** Far above what a build takes on a busy machine. */
const longestBuildMs = 300_000

/** Whether this process may build now: another that lives is not at it. */
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

/**
 * Whether somebody builds under this lock now. One that is old was left by a process whose number another one has by
 * now.
 */
export function isBuilding(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return statSync(lock).mtimeMs > Date.now() - longestBuildMs
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Resolves once it is built, by this process or by another one; `lock` is a path whose folder is there. */
export async function buildAlone({ lock, isBuilt, build }) {
  while (!isBuilt())
    if (takesBuild(lock))
      try {
        if (!isBuilt()) await build()
      } finally {
        rmSync(lock, { force: true })
      }
    else await setTimeout(lookMs)
}

/** Builds a folder unless it is there: whoever finds the folder finds all of it. */
export async function buildOnce(folder, build) {
  await buildAlone({ lock: `${folder}.lock`, isBuilt: () => existsSync(folder), build: () => buildInto(folder, build) })
  const now = new Date()
  await utimes(folder, now, now)
}

/** Where one that was thought dead builds too, the second leaves the first one's in place. */
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
