import type { z } from 'zod'
import { type Environment, homeFolder } from '../base/process/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { KeySource } from './key-source.ts'
import { commandSetting, pathSetting, readTexts, type SettingRows, tableOf, textSetting } from './setting-rows.ts'
import { sectionVariable, storeSource, storeVariablesComplaint } from './store-settings.ts'

/**
 * All settings of the hub by their name in the table `[hub]`; the variable is the same in capitals after PITDESK_HUB_.
 */
export const hubSettingRows = {
  store: { reader: textSetting('where the hub keeps everything', 'postgres://db/hub') },
  store_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/hub.address"',
    says: 'postgres://hub:…@db/hub; or store, or store_command',
  },
  store_command: { reader: commandSetting },
} as const satisfies SettingRows

export const hubTable = (home: string) => tableOf(hubSettingRows, home)
type HubTable = z.infer<ReturnType<typeof hubTable>>

const variableOf = sectionVariable('hub')
/** The variables of the hub. */
export const hubVariables: readonly string[] = Object.keys(hubSettingRows).map(variableOf)

/** The configured hub settings, from file and variables; flags and defaults complete them. */
export type HubSettings = {
  /** The source of the store's address; null when none is set. */
  readonly store: KeySource | null
}

/** Reads the hub settings: the file's table, overridden by variables. */
export function hubSettingsOf(table: HubTable | undefined, environment: Environment): Result<HubSettings> {
  const typed = Object.keys(hubSettingRows).flatMap((name) => {
    const text = environment[variableOf(name)] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const read = readTexts(hubTable(homeFolder(environment)), typed, variableOf)
  if (!read.ok) return read
  const twice = storeVariablesComplaint('hub', read.value)
  return twice === null ? ok({ store: storeSource('hub', table ?? {}, read.value) }) : err(twice)
}
