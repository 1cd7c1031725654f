import type { Clock } from '../../base/clock.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import type { Environment } from '../../base/process/environment.ts'
import { ok, type Result } from '../../base/result.ts'
import { readInboxSettings, type Settings } from '../../config/settings.ts'
import {
  createThemeFolder,
  type OwnThemes,
  themeFolderPath,
  watchThemeFolder,
  wishedTheme,
} from '../../config/theme-folder.ts'
import type { DutyRole } from '../../domain/desk/duties.ts'
import type { ReboundKeys } from '../../domain/desk/session.ts'
import type { DeskStore } from '../../store/desk.ts'
import type { Looks } from '../../store/looks.ts'
import type { Venue } from '../../store/mode.ts'

/** The plan of a desk: all that is known before any call, start or lock. */
export type DeskPlan = {
  /** With the symbol that the desk begins on. */
  settings: Settings
  looks: Looks
  reboundKeys: ReboundKeys
  /** Aborted when the desk is to end. */
  quit: AbortController
  io: CommandIo
  tools: CommandTools
  /** A console unless given. */
  role?: DutyRole
}

/** The venue of a desk with these settings. */
export const venueOf = ({ profileName, venueKind, exchange }: Settings): Venue => ({
  profileName,
  kind: exchange.kind === 'own' ? 'practice' : venueKind,
})

/** The facts about a desk before anything is opened: its venue, and whether it has a gateway. */
export const beginningOf = ({ settings }: Pick<DeskPlan, 'settings'>) => ({
  venue: venueOf(settings),
  isOwn: settings.exchange.kind === 'own',
  isGatewaySet: settings.gatewayBaseUrl !== null || settings.partnerKey !== null,
})

/** True when a key comes from the user's own program, which may ask for a passphrase on this terminal. */
export function mayAskPerson({ exchange, partnerKey, notify }: Settings, environment: Environment): boolean {
  const inbox = readInboxSettings(environment)
  const token = exchange.kind === 'service' ? exchange.token : null
  const sources = [token, partnerKey, notify.url?.secret, inbox.ok ? inbox.value.store : null]
  return sources.some((source) => source?.kind === 'command')
}

/** The first looks of a desk, and the watch on the user's theme files. */
export type DeskLooks = {
  looks: Looks
  /** Reports faulty themes to the store, and changes in their folder until `signal`. */
  follow(store: DeskStore, clock: Clock, signal: AbortSignal): void
}

/** Reads the user's own themes and selects the configured one. */
export function readDeskLooks(settings: Settings, environment: Environment): Result<DeskLooks> {
  const path = themeFolderPath(environment)
  const folder = createThemeFolder(path)
  const own = folder.read()
  const chosen = wishedTheme(settings.theme, own)
  if (!chosen.ok) return chosen
  const { isMotionReduced, isSpoken, isPrivate, screenOutput } = settings
  return ok({
    looks: { ...chosen.value, ground: null, isMotionReduced, isSpoken, isPrivate, screenOutput },
    follow(store, clock, signal) {
      const tell = ({ themes, complaints }: OwnThemes) =>
        store.dispatch({ type: 'themesRead', themes, complaints, atMs: clock.now() })
      if (own.complaints.length > 0) tell(own)
      watchThemeFolder(path, folder, { clock, signal, onRead: tell })
    },
  })
}

/**
 * The settings shared by a desk and the screen before it: a setting that only one had would show when the desk replaces
 * that screen.
 */
export const faceOf = ({ settings, looks, reboundKeys }: Pick<DeskPlan, 'settings' | 'looks' | 'reboundKeys'>) => {
  const { isMonitor, symbol, limits, idleRules, onHangUp, onFocusLoss, entry } = settings
  const { isTitled, hasProgress, hasMouse, areKeysCoded, links } = settings
  const terminal = {
    ...{ hangUp: onHangUp, focusRule: onFocusLoss },
    ...{ isTitled, hasProgress, hasMouse, areKeysCoded, links },
  }
  return { isMonitor, symbol, limits, idleRules, looks, reboundKeys, terminal, entry }
}
