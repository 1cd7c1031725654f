import { join } from 'node:path'
import { type Environment, homeFolder, xdgFolders } from '../base/environment.ts'
import { suggestion } from '../base/nearest-name.ts'
import { readOwnFile } from '../base/own-file.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { IdleRules } from '../domain/desk/mode.ts'
import type { KeySetting, LayoutName } from '../domain/desk/session.ts'
import type { Limits } from '../domain/limits.ts'
import type { EntryRules } from '../domain/orders/sizing.ts'
import { type AlertSettings, alertSettingsOf } from './alert-settings.ts'
import { type ConfigFile, listed, readConfigText } from './config-file.ts'
import { entryRulesOf } from './entry-settings.ts'
import { type HubSettings, hubSettingsOf } from './hub-settings.ts'
import { type InboxSettings, inboxSettingsOf } from './inbox-settings.ts'
import { type KeySource, namedSource } from './key-source.ts'
import { limitsComplaint, limitsOf } from './limit-settings.ts'
import { type NotifySettings, notifySettingsOf } from './notify-settings.ts'
import { type ProfileSettings, profileRows, profileTable } from './profile-settings.ts'
import { linksOf, variableNames } from './schema.ts'
import { settingFlags } from './setting-flags.ts'
import { type NamedSettings, namedSettings, readTexts } from './setting-rows.ts'

/** Which exchange: one of the desk's own, or a service somewhere, with how to get the key to it. */
type ExchangeTarget = { kind: 'own' } | { kind: 'service'; baseUrl: string; token: KeySource | null }

/** Everything that can be set, from all sources together; most of it by rows of `profileRows`. */
export type Settings = NamedSettings<typeof profileRows> & {
  profileName: string
  venueKind: 'practice' | 'live'
  exchange: ExchangeTarget
  partnerKey: KeySource | null
  limits: Limits
  pollMs: NonNullable<ProfileSettings['poll_ms']>
  /** Sentences for a screen reader instead of a picture. */
  isSpoken: boolean
  /** What is set of the time without a key; the defaults hold for the rest. */
  idleRules: Partial<IdleRules>
  /** Actions that are to have other keys, as the file says it: not held against the table of keys yet. */
  keys: readonly KeySetting[]
  alerts: AlertSettings
  /** Where a transaction can be looked at: by currency, an address with `{hash}` in it. */
  links: Readonly<Record<string, string>>
  entry: EntryRules
  /** The layout that a flag asks for: of this run alone, whatever is set or was left; null where none does. */
  askedLayout: LayoutName | null
  /** What is told elsewhere. */
  notify: NotifySettings
}

type FlagName = (typeof settingFlags)[number]['name']

/** Flags as they were typed, by the names of their settings; what is not given is undefined. */
export type SettingFlags = Readonly<Partial<Record<FlagName, string | boolean>> & { profile?: string }>

export const configPath = (environment: Environment): string => join(xdgFolders(environment).config, 'config.toml')

/** More than this is not a configuration that the user wrote. */
const configBytesMost = 256 * 1_024

/**
 * The configuration file, or null when there is none. It says where keys come from and go to: one that others can
 * change is not read. The error names every issue, the first one first.
 */
export function readConfigFile(
  environment: Environment,
): { ok: true; value: ConfigFile | null } | { ok: false; issues: readonly string[] } {
  const path = configPath(environment)
  const text = readOwnFile(path, { rule: 'trusted', bytesMost: configBytesMost })
  if (!text.ok) return { ok: false, issues: [`${plainText(path)} ${text.error}`] }
  if (text.value === null) return { ok: true, value: null }
  const source = { path: plainText(path), home: homeFolder(environment) }
  return readConfigText(text.value.replace(/^\ufeff/, ''), source)
}

/** The first thing that is wrong, and how many more there are. */
export function issuesSentence(issues: readonly string[]): string {
  const more = issues.length - 1
  return `${issues[0]}${more === 0 ? '' : ` (and ${more} more: pitdesk doctor lists them)`}`
}

/** What is set of the inbox, by the file and by variables. */
export function readInboxSettings(environment: Environment): Result<InboxSettings> {
  const file = readConfigFile(environment)
  return file.ok ? inboxSettingsOf(file.value?.inbox, environment) : err(issuesSentence(file.issues))
}

/** What is set of the hub, by the file and by variables. */
export function readHubSettings(environment: Environment): Result<HubSettings> {
  const file = readConfigFile(environment)
  return file.ok ? hubSettingsOf(file.value?.hub, environment) : err(issuesSentence(file.issues))
}

/** Why there are no settings. `isTyped`: what was typed on the command line is wrong, not what is set elsewhere. */
export type SettingsFault = { sentence: string; isTyped: boolean }

const fault = (sentence: string, isTyped = false) => err<SettingsFault>({ sentence, isTyped })

/** All settings together: defaults, then the file's profile, then variables, then flags. */
export function readSettings(environment: Environment, flags: SettingFlags = {}): Result<Settings, SettingsFault> {
  const file = readConfigFile(environment)
  if (!file.ok) return fault(issuesSentence(file.issues))
  const chosen = chooseProfile(environment, flags, file.value)
  if (!chosen.ok) return fault(chosen.error, flags.profile !== undefined)
  const variables = readVariables(environment)
  if (!variables.ok) return fault(variables.error)
  const typed = readFlags(flags, environment)
  if (!typed.ok) return fault(typed.error, true)
  const { layout: askedLayout = null, ...typedRest } = typed.value
  const settings = settingsOf(chosen.value, { ...variables.value, ...typedRest }, environment)
  return settings.ok
    ? ok({
        ...settings.value,
        keys: file.value?.keys ?? [],
        alerts: alertSettingsOf(file.value?.alerts),
        links: linksOf(file.value?.links),
        askedLayout,
        entry: entryRulesOf(file.value?.entry, file.value?.sizes),
      })
    : fault(settings.error)
}

type Chosen = { name: string | null; profile: ProfileSettings }

/**
 * The profile that a flag, a variable or the file's default names. With an address in the environment the default does
 * not count: its key and its word that all is practice belong to another address.
 */
function chooseProfile(environment: Environment, flags: SettingFlags, file: ConfigFile | null): Result<Chosen> {
  const profiles = file?.profiles ?? {}
  const named = flags.profile ?? given(environment.PITDESK_PROFILE)
  const hasAddress = given(environment.PITDESK_EXCHANGE_BASE_URL) !== undefined
  const name = named ?? (hasAddress ? undefined : file?.default_profile)
  if (name === undefined) return ok({ name: null, profile: {} })
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return ok({ name, profile })
  const names = Object.keys(profiles)
  const known = names.length === 0 ? `${configPath(environment)} has none` : `there are ${listed(names)}`
  return err(plainText(`unknown profile "${name.slice(0, 60)}"${suggestion(name, names)}: ${known}`))
}

/** What a flag sets: what is called like it unless its row says otherwise. */
function settingOf(flag: string): string {
  const row = settingFlags.find(({ name }) => name === flag)
  return row !== undefined && 'setting' in row ? row.setting : flag
}

/** A variable that is empty counts as not set. */
const given = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text)

function readVariables(environment: Environment): Result<ProfileSettings> {
  const values = [...variableNames].flatMap(([variable, name]) => {
    const text = given(environment[variable])
    return text === undefined ? [] : [[name, text] as const]
  })
  return readTexts(profileTable(homeFolder(environment)), values, (key) => `PITDESK_${key.toUpperCase()}`)
}

function readFlags({ profile: _profile, ...flags }: SettingFlags, environment: Environment): Result<ProfileSettings> {
  const values = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [[settingOf(name), value] as const],
  )
  const table = profileTable(homeFolder(environment))
  const read = readTexts(table, values, (key) => `--${settingFlags.find(({ name }) => settingOf(name) === key)?.name}`)
  // Symbols are rotated on the wall: who asks for that on the command line wants to see it.
  const isWall = read.ok && (read.value.rotate_s ?? 0) > 0 && read.value.layout === undefined
  return isWall ? ok({ ...read.value, layout: 'monitor' }) : read
}

function settingsOf(
  { name, profile }: Chosen,
  over: ProfileSettings,
  environment: Environment,
): Result<Omit<Settings, 'keys' | 'alerts' | 'links' | 'entry' | 'askedLayout'>> {
  const all = { ...profile, ...over }
  const baseUrl = all.exchange_base_url
  if (profile.kind === 'live' && baseUrl === undefined) return err(`the live profile ${name} has no exchange_base_url`)
  const venueKind = baseUrl === undefined || profile.kind === 'practice' ? 'practice' : 'live'
  const limits = limitsOf(all.limits, venueKind)
  const wrongLimits = limitsComplaint(all.limits, limits)
  if (wrongLimits !== null) return err(plainText(`profile ${name ?? ''}: ${wrongLimits}`))
  const token = keySource('api_token', environment, profile, over)
  // Whoever names another service by a variable does not mean those beside the one in the file.
  const isElsewhere = over.exchange_base_url !== undefined && over.exchange_also === undefined
  const also = isElsewhere ? [] : (all.exchange_also ?? [])
  if (baseUrl === undefined && also.length > 0) return err('exchange_also needs exchange_base_url beside it')
  return ok({
    ...namedSettings(profileRows, { ...all, exchange_also: also }),
    profileName: name ?? (baseUrl === undefined ? 'practice' : 'environment'),
    venueKind,
    exchange: baseUrl === undefined ? { kind: 'own' } : { kind: 'service', baseUrl, token },
    partnerKey: keySource('partner_key', environment, profile, over),
    limits,
    pollMs: all.poll_ms ?? {},
    // The variable that other programs of this kind know as well.
    isSpoken: all.screen_reader ?? environment.INK_SCREEN_READER === 'true',
    idleRules: idleRulesOf(all),
    notify: notifySettingsOf(all, keySource('notify_secret', environment, profile, over)),
  })
}

function idleRulesOf({ safe_after_s: safe, lock_after_s: lock }: ProfileSettings): Partial<IdleRules> {
  const ms = (seconds: number) => (seconds === 0 ? null : seconds * 1000)
  return {
    ...(safe === undefined ? {} : { safeAfterMs: ms(safe) }),
    ...(lock === undefined ? {} : { lockAfterMs: ms(lock) }),
  }
}

/**
 * The variable with the key itself counts before one that names a file or a command, and any variable before the file.
 */
function keySource(
  key: 'api_token' | 'partner_key' | 'notify_secret',
  environment: Environment,
  profile: ProfileSettings,
  variables: ProfileSettings,
): KeySource | null {
  const variable = `PITDESK_${key.toUpperCase()}`
  const text = given(environment[variable])
  if (text !== undefined) return { kind: 'variable', name: variable, text }
  for (const [settings, nameOf] of [
    [variables, (part: string) => `${variable}_${part.toUpperCase()}`],
    [profile, (part: string) => `${key}_${part}`],
  ] as const) {
    const source = namedSource({ file: settings[`${key}_file`], command: settings[`${key}_command`] }, nameOf)
    if (source !== null) return source
  }
  return null
}
