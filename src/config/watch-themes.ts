import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { OwnThemes, ThemeFolder } from './theme-folder.ts'

/** Saving a file takes several steps, and editors differ: the folder is read when it has been quiet for this long. */
const quietMs = 200

/** Listens to changes in a folder until `signal` ends it, also in one that is made later. */
type Listen = (folder: string, onChange: () => void, signal: AbortSignal) => void

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The folder, or while it is not there the nearest one above it. */
function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return isFolder(folder) || above === folder ? folder : nearestFolder(above)
}

const listenToFolder: Listen = (folder, onChange, signal) => {
  const listen = () => {
    if (signal.aborted) return
    const path = nearestFolder(folder)
    const watcher = watchOf(path, signal)
    if (watcher === null) return
    const moveOn = () => {
      if (nearestFolder(folder) === path) return
      watcher.removeAllListeners('change')
      watcher.close()
      listen()
      onChange()
    }
    watcher.on('change', () => {
      if (path === folder) onChange()
      moveOn()
    })
    // It may have come or gone before anybody listened.
    moveOn()
  }
  listen()
}

/** Null where the system watches no more folders, or this one has just gone: the themes stay as they are. */
function watchOf(path: string, signal: AbortSignal): FSWatcher | null {
  try {
    const watcher = watch(path, { persistent: false, signal })
    return watcher.on('error', () => watcher.close())
  } catch {
    return null
  }
}

type WatchOptions = { clock: Clock; signal: AbortSignal; onRead: (own: OwnThemes) => void; listen?: Listen }

/** Reads the folder again after each change in it. Ends with `signal`. */
export function watchThemeFolder(folder: string, themes: ThemeFolder, options: WatchOptions): void {
  const { clock, signal, onRead, listen = listenToFolder } = options
  let waiting = new AbortController()
  const changed = async () => {
    waiting.abort()
    const own = new AbortController()
    waiting = own
    await clock.sleep(quietMs, AbortSignal.any([own.signal, signal]))
    if (!own.signal.aborted && !signal.aborted) onRead(themes.read())
  }
  listen(folder, () => void changed(), signal)
}
