import type { Clock } from '../base/clock.ts'
import type { CommandIo, CommandTools } from '../base/command-io.ts'
import type { Environment } from '../base/environment.ts'
import { ok, type Result } from '../base/result.ts'
import { readInboxSettings, type Settings } from '../config/settings.ts'
import {
  createThemeFolder,
  type OwnThemes,
  themeFolderPath,
  watchThemeFolder,
  wishedTheme,
} from '../config/theme-folder.ts'
import type { DutyRole } from '../domain/desk/duties.ts'
import type { ReboundKeys } from '../domain/desk/session.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Looks } from '../store/looks.ts'
import type { Venue } from '../store/mode.ts'

/** What a desk is opened with: all that is known before anything is asked, started or locked. */
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

/** Where a desk on these settings is. */
export const venueOf = ({ profileName, venueKind, exchange }: Settings): Venue => ({
  profileName,
  kind: exchange.kind === 'own' ? 'practice' : venueKind,
})

/** What a desk on these settings is before anything is opened: where it is, and whether it has a gateway. */
export const beginningOf = ({ settings }: Pick<DeskPlan, 'settings'>) => ({
  venue: venueOf(settings),
  isOwn: settings.exchange.kind === 'own',
  isGatewaySet: settings.gatewayBaseUrl !== null || settings.partnerKey !== null,
})

/** Whether a key comes from a program of the user's own: it may ask for a passphrase, on this very terminal. */
export function mayAskPerson({ exchange, partnerKey, notify }: Settings, environment: Environment): boolean {
  const inbox = readInboxSettings(environment)
  const token = exchange.kind === 'service' ? exchange.token : null
  const sources = [token, partnerKey, notify.url?.secret, inbox.ok ? inbox.value.store : null]
  return sources.some((source) => source?.kind === 'command')
}

/** What a desk looks like at the start, and how it learns that the user changed a theme meanwhile. */
export type DeskLooks = {
  looks: Looks
  /** Tells the store what is wrong with the themes, and what changes in their folder until `signal` ends it. */
  follow(store: DeskStore, clock: Clock, signal: AbortSignal): void
}

/** Reads the user's own themes and chooses the wished one. */
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
 * What a desk and the screen before it have in common: a setting that both did not have would show when one takes the
 * place of the other.
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
