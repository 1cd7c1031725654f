import type { Environment } from '../base/process/environment.ts'
import { nearestNames } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import { hubVariables } from './hub-settings.ts'
import { inboxVariables } from './inbox-settings.ts'
import { profileRows } from './profile-settings.ts'
import { variableNames } from './schema.ts'
import type { SettingRow } from './setting-rows.ts'

const prefix = 'PITDESK_'

/** Known names that are not settings of a profile, the inbox or the hub. */
const others = ['PROFILE', 'API_TOKEN', 'PARTNER_KEY', 'NOTIFY_SECRET', 'ADMIN_URL', 'ADMIN_TOKEN']

const known: readonly string[] = [
  ...[...variableNames.keys(), ...inboxVariables, ...hubVariables].map((name) => name.slice(prefix.length)),
  ...others,
]

const fileOnly = new Map(
  Object.entries<SettingRow>(profileRows).flatMap(([key, { isFileOnly }]) =>
    isFileOnly === true ? [[key.toUpperCase(), key] as const] : [],
  ),
)

/** A variable with the program's prefix and an unknown name. */
export type UnknownVariable = {
  name: string
  /** Why no setting is read beside it, as a sentence; null when it resembles no known name and is ignored. */
  complaint: string | null
}

function complaintOf(name: string, rest: string): string | null {
  const key = fileOnly.get(rest.toUpperCase())
  if (key !== undefined) return `${name} sets nothing: ${key} is set in config.toml only. Unset it.`
  const [meant] = nearestNames(rest, known)
  if (meant === undefined) return null
  return `${name} is not a variable of pitdesk, did you mean ${prefix}${meant}? Correct or unset it.`
}

/** The variables that are set with the program's prefix, in any case of letters, and that it does not know. */
export const unknownVariables = (environment: Environment): readonly UnknownVariable[] =>
  Object.keys(environment).flatMap((name) => {
    const rest = name.slice(prefix.length)
    const isSet = name.toUpperCase().startsWith(prefix) && (environment[name] ?? '') !== ''
    if (!isSet || (name.startsWith(prefix) && known.includes(rest))) return []
    return [{ name: plainText(name), complaint: complaintOf(plainText(name), rest) }]
  })

/**
 * Why no setting is read from this environment, as a sentence; null when they may be. Ignoring a misspelled name would
 * leave its default in force: another account, perhaps with real money.
 */
export const variableComplaint = (environment: Environment): string | null =>
  unknownVariables(environment).find(({ complaint }) => complaint !== null)?.complaint ?? null
