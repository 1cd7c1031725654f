import type { Clock } from '../base/clock.ts'
import { ok, type Result } from '../base/result.ts'
import type { Environment } from '../config/environment.ts'
import type { Settings } from '../config/settings.ts'
import { createThemeFolder, type OwnThemes, themeFolderPath, wishedTheme } from '../config/theme-folder.ts'
import { watchThemeFolder } from '../config/watch-themes.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Looks } from '../store/looks.ts'

/** What a desk looks like at the start, and how it learns that a person changed a theme meanwhile. */
export type DeskLooks = {
  looks: Looks
  /** Tells the store what is wrong with the themes, and what changes in their folder until `signal` ends it. */
  follow(store: DeskStore, clock: Clock, signal: AbortSignal): void
}

/** Reads the person's own themes and chooses the wished one. */
export function readDeskLooks(settings: Settings, environment: Environment): Result<DeskLooks> {
  const path = themeFolderPath(environment)
  const folder = createThemeFolder(path)
  const own = folder.read()
  const chosen = wishedTheme(settings.theme, own)
  if (!chosen.ok) return chosen
  const { isMotionReduced, isSpoken, screenOutput } = settings
  return ok({
    looks: { ...chosen.value, ground: null, isMotionReduced, isSpoken, screenOutput },
    follow(store, clock, signal) {
      const tell = ({ themes, complaints }: OwnThemes) =>
        store.dispatch({ type: 'themesRead', themes, complaints, atMs: clock.now() })
      if (own.complaints.length > 0) tell(own)
      watchThemeFolder(path, folder, { clock, signal, onRead: tell })
    },
  })
}
