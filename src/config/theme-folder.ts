import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import { systemCode } from '../base/error-text.ts'
import { suggestion } from '../base/nearest-name.ts'
import { ownFolderComplaint, readOwnFile } from '../base/own-file.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { autoTheme, builtInThemes } from '../themes/built-in.ts'
import { readThemeFile } from '../themes/read-theme-file.ts'
import type { ThemeFile } from '../themes/tones.ts'

/** The user's own themes, and a sentence for each mistake in their files. */
export type OwnThemes = { themes: readonly ThemeFile[]; complaints: readonly string[] }

type ThemeFolder = {
  /** The folder as it is now. A file that has become wrong counts as it was when it was last right. */
  read(): OwnThemes
}

/** More files than this are none the user made by hand. */
const filesMost = 100
const bytesMost = 64 * 1_024

export const themeFolderPath = (environment: Environment): string => join(xdgFolders(environment).config, 'themes')

/** The themes of a folder; without the folder there are none. Remembers what each file said when it was last right. */
export function createThemeFolder(folder: string): ThemeFolder {
  const lastGood = new Map<string, ThemeFile>()

  /** Null when the file is gone between listing and reading. */
  function readOne(path: string): OwnThemes | null {
    const text = readOwnFile(path, { rule: 'trusted', bytesMost })
    if (text.ok && text.value === null) return null
    const read = text.ok
      ? readThemeFile(text.value ?? '', nameOf(path))
      : { ok: false as const, issues: [`${nameOf(path)} ${text.error}`] }
    if (read.ok) {
      lastGood.set(path, read.value)
      return { themes: [read.value], complaints: [] }
    }
    const before = lastGood.get(path)
    if (before === undefined) return { themes: [], complaints: read.issues }
    const kept = read.issues.map((issue) => `${issue}. Theme unchanged.`)
    return { themes: [before], complaints: kept }
  }

  return {
    read() {
      const listed = namesIn(folder)
      if (!listed.ok) return { themes: [], complaints: [listed.error] }
      const wrong = listed.value.length === 0 ? null : ownFolderComplaint(folder)
      if (wrong !== null) return { themes: [], complaints: [`${plainText(folder)} ${wrong}`] }
      const paths = listed.value.map((name) => join(folder, name))
      for (const path of lastGood.keys()) if (!paths.includes(path)) lastGood.delete(path)
      const readings = paths.map(readOne).filter((reading) => reading !== null)
      return withoutDoubles(
        readings.flatMap(({ themes }) => themes),
        readings.flatMap(({ complaints }) => complaints),
      )
    },
  }
}

/** `themes/mine.json`: short enough for the line where the desk says things. */
const nameOf = (path: string): string => plainText(path.split('/').slice(-2).join('/'))

function namesIn(folder: string): Result<string[]> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    return ok(names.toSorted().slice(0, filesMost))
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok([]) : err(`${plainText(folder)} cannot be read (${code})`)
  }
}

function withoutDoubles(all: readonly ThemeFile[], complaints: readonly string[]): OwnThemes {
  const themes = all.filter((theme, at) => all.findIndex(({ name }) => name === theme.name) === at)
  const doubles = all.filter((theme) => !themes.includes(theme))
  const told = doubles.map(({ name }) => `Two theme files have the name "${name}": only the first one counts`)
  return { themes, complaints: [...complaints, ...told] }
}

/** The themes there are with one's own, and the wished one's name; the error says which themes there are instead. */
export function wishedTheme(wished: string | null, own: OwnThemes): Result<{ themes: ThemeFile[]; theme: string }> {
  const themes = [...builtInThemes, ...own.themes]
  const theme = wished ?? autoTheme
  const names = [autoTheme, ...themes.map(({ name }) => name)]
  if (names.includes(theme)) return ok({ themes, theme })
  const faults = own.complaints.map((complaint) => ` ${complaint}.`).join('')
  return err(`unknown theme "${theme}"${suggestion(theme, names)} (there are ${names.join(', ')}).${faults}`)
}

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
