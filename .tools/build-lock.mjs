// Of several processes that need the same thing built, such as two `npm start` in a fresh clone, one builds it and the
// others wait.
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
