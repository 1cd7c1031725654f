import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Clock } from './clock.ts'

/** By then what runs has started. */
const startedAfterMs = 5_000

/**
 * Keeps what the start of this thread has compiled for the next one, unless `signal` ends it before. At its end it
 * would be too late: what only the start needs has been given up by then, and a program that is killed keeps nothing.
 * Costs some 25 ms the first time, then nothing.
 */
export async function keepCompiled(clock: Clock, signal?: AbortSignal): Promise<void> {
  await clock.sleep(startedAfterMs, signal)
  if (signal?.aborted !== true) flushCompileCache()
}

/** The variables with which another thread shares what this program keeps compiled; none where it keeps nothing. */
export function compileCacheVariables(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  // Each version of Node has its own folder in the one that is named.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
