import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { ownFolderComplaint, readOwnFile } from '../base/files/own-file.ts'
import { type Environment, xdgFolders } from '../base/process/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import { systemCode } from '../base/text/error-text.ts'
import { suggestion } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import { autoTheme, builtInThemes } from '../themes/built-in.ts'
import { readThemeFile } from '../themes/read-theme-file.ts'
import type { ThemeFile } from '../themes/tones.ts'

/** The user's themes, and a sentence for each mistake in their files. */
export type OwnThemes = { themes: readonly ThemeFile[]; complaints: readonly string[] }

type ThemeFolder = {
  /** Reads the folder. A file that has become invalid counts as it was when last valid. */
  read(): OwnThemes
}

/** No user writes more files than this. */
const filesMax = 100
const bytesMax = 64 * 1_024

export const themeFolderPath = (environment: Environment): string => join(xdgFolders(environment).config, 'themes')

/** Creates a reader of a theme folder, which may be missing. Remembers the last valid version of each file. */
export function createThemeFolder(folder: string): ThemeFolder {
  const lastGood = new Map<string, ThemeFile>()

  /** Null when the file was deleted between listing and reading. */
  function readOne(path: string): OwnThemes | null {
    const text = readOwnFile(path, { rule: 'trusted', bytesMax })
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

/** `themes/mine.json`, short enough for the notice line. */
const nameOf = (path: string): string => plainText(path.split('/').slice(-2).join('/'))

function namesIn(folder: string): Result<string[]> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    return ok(names.toSorted().slice(0, filesMax))
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

/** All themes including the user's, and the name of the wanted one; the error lists the themes there are. */
export function wishedTheme(wished: string | null, own: OwnThemes): Result<{ themes: ThemeFile[]; theme: string }> {
  const themes = [...builtInThemes, ...own.themes]
  const theme = wished ?? autoTheme
  const names = [autoTheme, ...themes.map(({ name }) => name)]
  if (names.includes(theme)) return ok({ themes, theme })
  const faults = own.complaints.map((complaint) => ` ${complaint}.`).join('')
  return err(`unknown theme "${theme}"${suggestion(theme, names)} (there are ${names.join(', ')}).${faults}`)
}

/** Editors save in several steps, so the folder is read after this quiet time. */
const quietMs = 200

/** Listens to changes in a folder until `signal`, also when the folder is created later. */
type Listen = (folder: string, onChange: () => void, signal: AbortSignal) => void

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The folder, or its nearest existing parent. */
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
    // The folder may have appeared or vanished before listening started.
    moveOn()
  }
  listen()
}

/** Null when the system allows no more watches, or the folder just vanished; the themes then stay as they are. */
function watchOf(path: string, signal: AbortSignal): FSWatcher | null {
  try {
    const watcher = watch(path, { persistent: false, signal })
    return watcher.on('error', () => watcher.close())
  } catch {
    return null
  }
}

type WatchOptions = { clock: Clock; signal: AbortSignal; onRead: (own: OwnThemes) => void; listen?: Listen }

/** Reads the folder again after each change, until `signal`. */
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
