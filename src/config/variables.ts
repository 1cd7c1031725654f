import type { Environment } from '../base/environment.ts'
import { nearestNames } from '../base/nearest-name.ts'
import { plainText } from '../base/plain-text.ts'
import { hubVariables } from './hub-settings.ts'
import { inboxVariables } from './inbox-settings.ts'
import { profileRows } from './profile-settings.ts'
import { variableNames } from './schema.ts'
import type { SettingRow } from './setting-rows.ts'

const prefix = 'PITDESK_'

/** Variables that are not settings of a profile, the inbox or the hub. */
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

/** A set variable that looks like one of the program's and is not. */
export type UnknownVariable = {
  name: string
  /** Why it keeps every setting from being taken, as a sentence; null for one that resembles none. */
  complaint: string | null
}

function complaintOf(name: string, rest: string): string | null {
  const key = fileOnly.get(rest.toUpperCase())
  if (key !== undefined) return `${name} sets nothing: ${key} is set in config.toml only. Unset it.`
  const [meant] = nearestNames(rest, known)
  if (meant === undefined) return null
  return `${name} is not a variable of pitdesk, did you mean ${prefix}${meant}? Correct or unset it.`
}

/** The set variables that look like the program's own and are not, also those in lower case. */
export const unknownVariables = (environment: Environment): readonly UnknownVariable[] =>
  Object.keys(environment).flatMap((name) => {
    const rest = name.slice(prefix.length)
    const isOurs = name.toUpperCase().startsWith(prefix) && environment[name] !== undefined
    if (!isOurs || (name.startsWith(prefix) && known.includes(rest))) return []
    return [{ name: plainText(name), complaint: complaintOf(plainText(name), rest) }]
  })

/**
 * Why no setting is taken from this environment, as a sentence; null when it may be. A misspelled name would leave what
 * it was meant to choose as it is without it: another account, or real money.
 */
export const variableComplaint = (environment: Environment): string | null =>
  unknownVariables(environment).find(({ complaint }) => complaint !== null)?.complaint ?? null
