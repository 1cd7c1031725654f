import { readdirSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '../../../src/base/clock.ts'
import { isMissingFile } from '../../../src/base/text/error-text.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

export type Memory = { heapMb: number; externalMb: number; rssMb: number }

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10

/** What is in use after everything was collected that can be; `externalMb` is of buffers outside the heap. */
export async function memory(): Promise<Memory> {
  // What is held by weak references and what finalisers let go of takes more than one round.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    await nextTurn()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapMb: megabytes(heapUsed), externalMb: megabytes(external), rssMb: megabytes(rss) }
}

/** What the process holds open: by kind, as Node names them. */
export function resources(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Files and sockets of the process, by what they are; a socket has only its number. */
export function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)]
    } catch (error) {
      // The folder itself was open while it was read.
      if (isMissingFile(error)) return []
      throw error
    }
  })
}

/** How many listeners emitters have together. */
export const listenerCount = (emitters: readonly NodeJS.EventEmitter[]): number =>
  emitters.reduce(
    (sum, emitter) => sum + emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0),
    0,
  )

export type Length = { path: string; length: number }

/** Every list, map and set inside `value` with its length, the longest first. Amounts and plain texts are none. */
export function lengths(value: unknown, depthMax = 6): Length[] {
  const found = new Map<string, number>()
  const seen = new Set<unknown>()
  const look = (each: unknown, path: string, depth: number) => {
    if (typeof each !== 'object' || each === null || seen.has(each) || depth > depthMax) return
    seen.add(each)
    const items =
      each instanceof Map ? [...each.values()] : each instanceof Set || Array.isArray(each) ? [...each] : null
    if (items !== null) {
      found.set(path, Math.max(found.get(path) ?? 0, items.length))
      for (const item of items) look(item, `${path}[]`, depth + 1)
      return
    }
    for (const [name, part] of Object.entries(each)) look(part, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  look(value, '', 0)
  return [...found].map(([path, length]) => ({ path, length })).sort((a, b) => b.length - a.length)
}
