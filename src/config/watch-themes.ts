import { statSync, watch } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { OwnThemes, ThemeFolder } from './theme-folder.ts'

/** Saving a file takes several steps, and editors differ: the folder is read when it has been quiet for this long. */
const quietMs = 200

/** Listens to changes in a folder until `signal` ends it; without the folder nothing is heard. */
type Listen = (folder: string, onChange: () => void, signal: AbortSignal) => void

const listenToFolder: Listen = (folder, onChange, signal) => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const watcher = watch(folder, { persistent: false, signal }, onChange)
  // The folder was taken away, or the system watches no more: the themes stay as they are.
  watcher.on('error', () => watcher.close())
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
