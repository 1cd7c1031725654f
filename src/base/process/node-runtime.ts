import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../clock.ts'

/**
 * The first release of each Node line with the security fixes of 2026-10-21; the lines in between get no more fixes.
 */
const fixedReleases = ['24.22.1', '26.12.1'] as const

const partsOf = (version: string): number[] => version.split('.').map(Number)

function isAtLeast(version: string, least: string): boolean {
  const [one, other] = [partsOf(version), partsOf(least)]
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at === undefined || (one[at] ?? 0) > (other[at] ?? 0)
}

/** What is wrong with this release of Node (`24.21.0`), as a sentence without its end; null when nothing is known. */
export function nodeComplaint(version: string): string | null {
  const [newest = ''] = fixedReleases.toReversed()
  const isFixed = fixedReleases.some((fixed) => partsOf(fixed)[0] === partsOf(version)[0] && isAtLeast(version, fixed))
  if (isFixed || isAtLeast(version, newest)) return null
  return `Node ${version} lacks the security fixes of 2026-10-21: use Node ${fixedReleases.join(' or ')} or newer`
}

/** A start is complete after this time. */
export const startedAfterMs = 5_000

/**
 * Writes this thread's compiled code to the cache for the next start, unless `signal` comes first: a killed process
 * writes none. Node captures a file's code before the file runs, so a later moment would add nothing. Takes about 25 ms
 * the first time, then nothing.
 */
export async function keepCompiled(clock: Clock, signal?: AbortSignal): Promise<void> {
  await clock.sleep(startedAfterMs, signal)
  if (signal?.aborted !== true) flushCompileCache()
}

/** First collection: after this time a start has left all its garbage. */
const firstTidyMs = 30_000
/** Interval of the later collections. */
export const tidyEveryMs = 120_000

/**
 * The engine's collector; undefined unless it is exposed. Not by its bare name: flags belong to the whole process, and
 * when another thread takes this one back meanwhile, that would be an error, which ends a thread and with it the desk.
 */
export const exposedCollector = (): unknown => runInNewContext('globalThis.gc')

/** Collects and compacts this thread's heap in 40 to 80 ms. Skipped when another thread begins or ends the same now. */
export function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = exposedCollector()
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** While the user is active a collection is postponed by this time, at most so many times. */
const heldUpMs = 1_000
const heldUpMax = 60

/** How `tidyNowAndThen` collects, and whether a collection would delay the user now. */
type Tidying = { tidy?: () => void; isInTheWay?: () => boolean }

/**
 * Returns memory to the system 30 s after a start and then every two minutes, until `signal`: the garbage of a start is
 * scattered, and the engine returns whole pages only. Saves about 10 MiB, most of which grows back within four minutes.
 * A collection blocks the thread, so it is postponed while the user is active, by a minute at most.
 */
export async function tidyNowAndThen(
  clock: Clock,
  signal: AbortSignal,
  { tidy = collectAll, isInTheWay = () => false }: Tidying = {},
): Promise<void> {
  await clock.sleep(firstTidyMs, signal)
  while (!signal.aborted) {
    for (let tries = 0; tries < heldUpMax && isInTheWay(); tries += 1) await clock.sleep(heldUpMs, signal)
    if (signal.aborted) return
    tidy()
    await clock.sleep(tidyEveryMs, signal)
  }
}

/** The environment variables that make a thread share this program's compile cache; none when there is no cache. */
export function compileCacheVariables(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Node adds a folder for its own version to the named one.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
