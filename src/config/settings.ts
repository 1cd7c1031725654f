import { join } from 'node:path'
import { readOwnFile } from '../base/files/own-file.ts'
import { serviceAddress } from '../base/net/service-address.ts'
import { type Environment, homeFolder, xdgFolders } from '../base/process/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import { suggestion } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import type { IdleRules } from '../domain/desk/mode.ts'
import type { KeySetting, LayoutName } from '../domain/desk/session.ts'
import type { EntryRules } from '../domain/entry-rules.ts'
import type { Limits } from '../domain/limits.ts'
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
import { variableComplaint } from './variables.ts'

/** The exchange: the desk's own practice exchange, or a service and the source of its key. */
type ExchangeTarget = { kind: 'own' } | { kind: 'service'; baseUrl: string; token: KeySource | null }

/** All settings, merged from all sources; most are rows of `profileRows`. */
export type Settings = NamedSettings<typeof profileRows> & {
  profileName: string
  venueKind: 'practice' | 'live'
  exchange: ExchangeTarget
  partnerKey: KeySource | null
  limits: Limits
  pollMs: NonNullable<ProfileSettings['poll_ms']>
  /** True for sentences for a screen reader instead of a drawn screen. */
  isSpoken: boolean
  /** The configured idle rules; the others have defaults. */
  idleRules: Partial<IdleRules>
  /** Key bindings as in the file, not yet checked against the table of keys. */
  keys: readonly KeySetting[]
  alerts: AlertSettings
  /** Block explorer addresses by currency, with `{hash}` in them. */
  links: Readonly<Record<string, string>>
  entry: EntryRules
  /** The layout given by a flag, for this run only; it overrides all others. Null when none was given. */
  askedLayout: LayoutName | null
  /** Notifications to other places. */
  notify: NotifySettings
}

type FlagName = (typeof settingFlags)[number]['name']

/** Flags as typed, by the names of their settings; undefined when not given. */
export type SettingFlags = Readonly<Partial<Record<FlagName, string | boolean>> & { profile?: string }>

export const configPath = (environment: Environment): string => join(xdgFolders(environment).config, 'config.toml')

/** Larger files were not written by a user. */
const configBytesMax = 256 * 1_024

/**
 * Reads the configuration file; null when there is none. It decides where keys come from and are sent to, so one that
 * others can change is refused. The error lists all issues, the first one first.
 */
export function readConfigFile(
  environment: Environment,
): { ok: true; value: ConfigFile | null } | { ok: false; issues: readonly string[] } {
  const path = configPath(environment)
  const text = readOwnFile(path, { rule: 'trusted', bytesMax: configBytesMax })
  if (!text.ok) return { ok: false, issues: [`${plainText(path)} ${text.error}`] }
  if (text.value === null) return { ok: true, value: null }
  const source = { path: plainText(path), home: homeFolder(environment) }
  return readConfigText(text.value.replace(/^\ufeff/, ''), source)
}

/** The first issue, and the number of others. */
export function issuesSentence(issues: readonly string[]): string {
  const more = issues.length - 1
  return `${issues[0]}${more === 0 ? '' : ` (and ${more} more: pitdesk doctor lists them)`}`
}

/** The file that settings are read from, null for none; an error where it or a variable beside it is wrong. */
function readSources(environment: Environment): Result<ConfigFile | null> {
  const stray = variableComplaint(environment)
  if (stray !== null) return err(stray)
  const file = readConfigFile(environment)
  return file.ok ? file : err(issuesSentence(file.issues))
}

/** Reads the inbox settings from file and variables. */
export function readInboxSettings(environment: Environment): Result<InboxSettings> {
  const file = readSources(environment)
  return file.ok ? inboxSettingsOf(file.value?.inbox, environment) : file
}

/** Reads the hub settings from file and variables. */
export function readHubSettings(environment: Environment): Result<HubSettings> {
  const file = readSources(environment)
  return file.ok ? hubSettingsOf(file.value?.hub, environment) : file
}

/** Why the settings are invalid. `isTyped` when the command line is wrong, instead of the file or a variable. */
export type SettingsFault = { sentence: string; isTyped: boolean }

const fault = (sentence: string, isTyped = false) => err<SettingsFault>({ sentence, isTyped })

/** Reads all settings: defaults, then the file's profile, then variables, then flags. */
export function readSettings(environment: Environment, flags: SettingFlags): Result<Settings, SettingsFault> {
  const file = readSources(environment)
  if (!file.ok) return fault(file.error)
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
 * Chooses the profile named by a flag, a variable or the file's default. With an exchange address in the environment
 * the default is ignored: its key and its practice flag belong to another address.
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
  const clause = `unknown profile "${name.slice(0, 60)}"`
  if (names.length === 0) return err(plainText(`${clause}: ${configPath(environment)} has none`))
  const meant = suggestion(name, names)
  return err(plainText(`${clause}${meant === '' ? ': there' : `${meant} There`} are ${listed(names)}`))
}

/** The setting of a flag: of the same name unless its row says otherwise. */
function settingOf(flag: string): string {
  const row = settingFlags.find(({ name }) => name === flag)
  return row !== undefined && 'setting' in row ? row.setting : flag
}

/** An empty variable counts as unset. */
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
  // Rotation works in the wall layout, so asking for it on the command line selects that layout.
  const isWall = read.ok && (read.value.rotate_s ?? 0) > 0 && read.value.layout === undefined
  return isWall ? ok({ ...read.value, layout: 'monitor' }) : read
}

/**
 * Whether all these addresses are the profile's own: what it says of them says nothing of another one, which may move
 * real money. One that names no address speaks of whatever address is given.
 */
function areOwnAddresses(profile: ProfileSettings, baseUrls: readonly string[]): boolean {
  if (profile.exchange_base_url === undefined) return true
  const own = [profile.exchange_base_url, ...(profile.exchange_also ?? [])].map(serviceAddress)
  return baseUrls.every((baseUrl) => own.includes(serviceAddress(baseUrl)))
}

function settingsOf(
  { name, profile }: Chosen,
  over: ProfileSettings,
  environment: Environment,
): Result<Omit<Settings, 'keys' | 'alerts' | 'links' | 'entry' | 'askedLayout'>> {
  const all = { ...profile, ...over }
  const baseUrl = all.exchange_base_url
  // A variable with another service does not mean the file's alternatives to its own service.
  const isElsewhere = over.exchange_base_url !== undefined && over.exchange_also === undefined
  const also = isElsewhere ? [] : (all.exchange_also ?? [])
  if (baseUrl === undefined && also.length > 0) return err('exchange_also needs exchange_base_url beside it')
  const isPractice =
    baseUrl === undefined || (profile.kind === 'practice' && areOwnAddresses(profile, [baseUrl, ...also]))
  const venueKind = isPractice ? 'practice' : 'live'
  const limits = limitsOf(all.limits, venueKind)
  const wrongLimits = limitsComplaint(all.limits, limits)
  if (wrongLimits !== null) return err(plainText(`profile ${name ?? ''}: ${wrongLimits}`))
  const token = keySource('api_token', environment, profile, over)
  return ok({
    ...namedSettings(profileRows, { ...all, exchange_also: also }),
    profileName: name ?? (baseUrl === undefined ? 'practice' : 'environment'),
    venueKind,
    exchange: baseUrl === undefined ? { kind: 'own' } : { kind: 'service', baseUrl, token },
    partnerKey: keySource('partner_key', environment, profile, over),
    limits,
    pollMs: all.poll_ms ?? {},
    // A variable that other programs of this kind also read.
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

/** A variable with the key overrides one that names a file or command, and any variable overrides the file. */
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
