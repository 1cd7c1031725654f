import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './clock.ts'

/**
 * The first releases of each line of Node with the security fixes of 2026-10-21; lines between them get no fixes any
 * more.
 */
const fixedReleases = ['24.22.1', '26.12.1'] as const

const partsOf = (version: string): number[] => version.split('.').map(Number)

function isAtLeast(version: string, least: string): boolean {
  const [one, other] = [partsOf(version), partsOf(least)]
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at === undefined || (one[at] ?? 0) > (other[at] ?? 0)
}

/**
 * What is wrong with running on this release of Node (`24.21.0`), as a sentence without its end; null when nothing is
 * known to be.
 */
export function nodeComplaint(version: string): string | null {
  const [newest = ''] = fixedReleases.toReversed()
  const isFixed = fixedReleases.some((fixed) => partsOf(fixed)[0] === partsOf(version)[0] && isAtLeast(version, fixed))
  if (isFixed || isAtLeast(version, newest)) return null
  return `Node ${version} lacks the security fixes of 2026-10-21: use Node ${fixedReleases.join(' or ')} or newer`
}

/** By then what runs has started. */
export const startedAfterMs = 5_000

/**
 * Keeps what this thread compiled as it loaded its files for the next start, unless `signal` ends it before: a program
 * that is killed keeps nothing. What Node keeps of a file is made before the file runs, whenever it is written. Costs
 * some 25 ms the first time, then nothing.
 */
export async function keepCompiled(clock: Clock, signal?: AbortSignal): Promise<void> {
  await clock.sleep(startedAfterMs, signal)
  if (signal?.aborted !== true) flushCompileCache()
}

/** By then a start has left behind all that it leaves. */
const firstTidyMs = 30_000
/** How often after that. */
export const tidyEveryMs = 120_000

/** Collects what this thread's heap holds for nothing, and moves the rest together: 40 to 80 ms. */
export function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Where somebody is at work, it is asked again after so long, and no more than so often. */
const heldUpMs = 1_000
const heldUpMost = 60

/** How `tidyNowAndThen` tidies, and whether it would stand in somebody's way right now. */
type Tidying = { tidy?: () => void; isInTheWay?: () => boolean }

/**
 * Gives memory back to the machine half a minute after a start, and every two minutes, until `signal`: what a start
 * leaves lies between what is needed, and the engine gives back whole pages alone. Saves some 10 MiB, most of which
 * grows back within four minutes. Nothing is answered meanwhile: where it would be in the way it waits, for a minute at
 * most.
 */
export async function tidyNowAndThen(
  clock: Clock,
  signal: AbortSignal,
  { tidy = collectAll, isInTheWay = () => false }: Tidying = {},
): Promise<void> {
  await clock.sleep(firstTidyMs, signal)
  while (!signal.aborted) {
    for (let tries = 0; tries < heldUpMost && isInTheWay(); tries += 1) await clock.sleep(heldUpMs, signal)
    if (signal.aborted) return
    tidy()
    await clock.sleep(tidyEveryMs, signal)
  }
}

/** The variables with which another thread shares what this program keeps compiled; none where it keeps nothing. */
export function compileCacheVariables(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Each version of Node has its own folder in the one that is named.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
