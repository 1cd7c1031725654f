import { ok } from '../../src/base/result.ts'
import type { TakeLock } from '../../src/state-files/file-turns.ts'

/** Locks of one machine, for processes that a test lets end: what a process held is free once it is gone. */
export function aMachine() {
  const held = new Map<string, object>()
  return {
    startProcess(): { takeLock: TakeLock; end: () => void } {
      const process = {}
      let isOver = false
      const letGo = (path: string) => {
        if (held.get(path) === process) held.delete(path)
      }
      return {
        takeLock(path) {
          if (isOver || held.has(path)) return ok(null)
          held.set(path, process)
          return ok({ release: () => letGo(path) })
        },
        end() {
          isOver = true
          for (const path of [...held.keys()]) letGo(path)
        },
      }
    },
  }
}
