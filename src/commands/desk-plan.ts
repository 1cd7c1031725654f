import type { Environment } from '../config/environment.ts'
import { readInboxSettings, type Settings } from '../config/settings.ts'
import type { ReboundKeys } from '../domain/desk/session.ts'
import type { Looks } from '../store/looks.ts'
import type { Venue } from '../store/mode.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'

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
}

/** Where a desk on these settings is. */
export const venueOf = ({ profileName, venueKind, exchange }: Settings): Venue => ({
  profileName,
  kind: exchange.kind === 'own' ? 'practice' : venueKind,
})

/** Whether a key comes from a program of the person's own: it may ask for a passphrase, on this very terminal. */
export function mayAskPerson({ exchange, partnerKey }: Settings, environment: Environment): boolean {
  const inbox = readInboxSettings(environment)
  const sources = [exchange.kind === 'service' ? exchange.token : null, partnerKey, inbox.ok ? inbox.value.store : null]
  return sources.some((source) => source?.kind === 'command')
}
