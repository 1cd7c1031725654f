import { z } from 'zod'
import { type Environment, homeFolder } from '../base/process/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import {
  type GatewayOrderState,
  type GatewayOrderType,
  gatewayOrderStates,
  gatewayOrderTypes,
} from '../domain/gateway/event.ts'
import { longestKeepDays, shortestKeepDays, usualKeepDays } from '../domain/gateway/inbox-source.ts'
import { type KeySource, namedSource } from './key-source.ts'
import {
  choiceSetting,
  choicesSetting,
  commandSetting,
  flagSetting,
  type NamedSettings,
  namedSettings,
  pathSetting,
  readTexts,
  type SettingRows,
  setting,
  tableOf,
  textSetting,
  wholeSetting,
  wordsSetting,
} from './setting-rows.ts'
import { sectionVariable, storeSource, storeVariablesComplaint } from './store-settings.ts'

const port = wholeSetting(0, 65_535)
const ranges = wordsSetting('addresses or ranges such as ["10.0.0.0/8"]')

/**
 * All settings of the inbox by their name in the table `[inbox]`; the variable is the same in capitals after
 * PITDESK_INBOX_.
 */
export const inboxSettingRows = {
  host: {
    reader: textSetting('an address of this machine', '0.0.0.0'),
    name: 'host',
    standard: null,
    example: '"0.0.0.0"',
  },
  port: { reader: port, name: 'port', standard: null, example: '443' },
  metrics_port: { reader: port, name: 'metricsPort', standard: null, example: '9464', says: 'on 127.0.0.1' },
  tls_cert: { reader: pathSetting, example: '"/etc/pitdesk/fullchain.pem"' },
  tls_key: { reader: pathSetting, example: '"/etc/pitdesk/privkey.pem"' },
  allow: { reader: ranges, name: 'allow', standard: [], example: '["192.0.2.7"]' },
  trust_proxy: { reader: ranges, name: 'trustProxies', standard: [], example: '[]' },
  store: { reader: textSetting('where events are kept', 'sqlite:///var/lib/pitdesk/inbox.sqlite') },
  store_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/store.address"',
    says: 'postgres://desk:…@db/inbox; or store, or store_command',
  },
  store_command: { reader: commandSetting },
  forward: {
    reader: textSetting('the address that events are forwarded to', 'http://127.0.0.1:8080/events'),
    name: 'forward',
    standard: null,
    example: '"https://orders.example/events"',
  },
  retention_days: {
    reader: wholeSetting(shortestKeepDays, longestKeepDays),
    name: 'retentionDays',
    standard: null,
    example: `${usualKeepDays}`,
    says: `${shortestKeepDays} at least`,
  },
  // True: the desk receives events while it runs; false: it only reads the store.
  in_desk: {
    reader: flagSetting,
    name: 'isInDesk',
    standard: false,
    example: 'false',
    says: 'true: the desk receives as well, while it is open',
  },
} as const satisfies SettingRows

/** Default number of refusals after which an event is given up. */
export const usualGiveUpAfter = 50

/** All settings of a target in `[[inbox.targets]]`; they have no variables. */
export const inboxTargetRows = {
  name: {
    reader: setting((value) =>
      typeof value === 'string' && /^[a-z][a-z0-9_-]{0,39}$/.test(value) && !/^forward(-|$)/.test(value)
        ? ok(value)
        : err('must be up to 40 small letters, digits, - and _, such as "ledger", and not begin with forward'),
    ),
    example: '"ledger"',
    says: 'its checkpoint is kept under this name, wherever its url leads',
  },
  url: {
    reader: textSetting('the address that events are forwarded to', 'https://ledger.example/events'),
    example: '"https://ledger.example/events"',
  },
  states: { reader: choicesSetting(gatewayOrderStates), example: '["COMPLETED", "FAILED"]', says: 'unless said all' },
  types: { reader: choicesSetting(gatewayOrderTypes), example: '["BUY", "SELL"]' },
  currencies: {
    reader: wordsSetting('currencies such as ["EUR", "BTC"]'),
    example: '["EUR"]',
    says: 'of what the user pays or gets',
  },
  countries: { reader: wordsSetting('countries such as ["DE", "FR"]'), example: '["DE", "FR"]', says: 'of the user' },
  begin: {
    reader: choiceSetting(['start', 'now']),
    example: '"start"',
    says: '"now": without the events from before the target was added',
  },
  give_up_after: {
    reader: wholeSetting(0, 100_000),
    example: `${usualGiveUpAfter}`,
    says: 'refusals of one event; 0: never',
  },
  secret_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/ledger.secret"',
    says: 'signs: whsec_…; or secret_command',
  },
  secret_command: { reader: commandSetting },
  old_secret_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/ledger.old"',
    says: 'signs as well, while the target changes over; or old_secret_command',
  },
  old_secret_command: { reader: commandSetting },
} as const satisfies SettingRows

/** A service that events are forwarded to. An empty filter passes everything. */
export type InboxTarget = {
  name: string
  url: string
  states: readonly GatewayOrderState[]
  types: readonly GatewayOrderType[]
  currencies: readonly string[]
  countries: readonly string[]
  begin: 'start' | 'now'
  /** 0: never. */
  giveUpAfter: number
  /** The signing secrets; with two, both sign. */
  secrets: readonly KeySource[]
}

const targetsMax = 20

export const inboxTable = (home: string) => {
  const targets = z.array(tableOf(inboxTargetRows, home)).max(targetsMax, `must be ${targetsMax} targets at most`)
  return tableOf(inboxSettingRows, home).extend({ targets: z.optional(targets) })
}
type InboxTable = z.infer<ReturnType<typeof inboxTable>>

const variableOf = sectionVariable('inbox')
/** The variables of the inbox. */
export const inboxVariables: readonly string[] = Object.keys(inboxSettingRows).map(variableOf)

/** The configured inbox settings, from file and variables; flags and defaults complete them. */
export type InboxSettings = NamedSettings<typeof inboxSettingRows> & {
  tls: { certPath: string; keyPath: string } | null
  /** The source of the store's address, which may contain a password and is treated like a key. */
  store: KeySource | null
  targets: readonly InboxTarget[]
}

/** Reads the inbox settings: the file's table, overridden by variables. */
export function inboxSettingsOf(table: InboxTable | undefined, environment: Environment): Result<InboxSettings> {
  const home = homeFolder(environment)
  const typed = Object.keys(inboxSettingRows).flatMap((name) => {
    const text = environment[variableOf(name)] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const read = readTexts(inboxTable(home), typed, variableOf)
  if (!read.ok) return read
  const twice = storeVariablesComplaint('inbox', read.value)
  if (twice !== null) return err(twice)
  const all = { ...table, ...read.value }
  const { tls_cert: certPath, tls_key: keyPath } = all
  if ((certPath === undefined) !== (keyPath === undefined)) return err('tls_cert and tls_key of [inbox] go together')
  const targets = targetsOf(table?.targets ?? [])
  if (!targets.ok) return targets
  return ok({
    ...namedSettings(inboxSettingRows, all),
    targets: targets.value,
    tls: certPath === undefined || keyPath === undefined ? null : { certPath, keyPath },
    store: storeSource('inbox', table ?? {}, read.value),
  })
}

function targetsOf(tables: NonNullable<InboxTable['targets']>): Result<InboxTarget[]> {
  const targets: InboxTarget[] = []
  for (const each of tables) {
    const { name, url } = each
    if (name === undefined || url === undefined) return err('each of [[inbox.targets]] needs a name and a url')
    if (targets.some((other) => other.name === name)) return err(`[[inbox.targets]] has the name ${name} twice`)
    const nameOf = (part: string) => `${part} of the target ${name}`
    const secrets = [
      namedSource({ file: each.secret_file, command: each.secret_command }, (part) => nameOf(`secret_${part}`)),
      namedSource({ file: each.old_secret_file, command: each.old_secret_command }, (part) =>
        nameOf(`old_secret_${part}`),
      ),
    ]
    targets.push({
      ...{ name, url, states: each.states ?? [], types: each.types ?? [] },
      ...{ currencies: each.currencies ?? [], countries: each.countries ?? [] },
      ...{ begin: each.begin ?? 'start', giveUpAfter: each.give_up_after ?? usualGiveUpAfter },
      secrets: secrets.filter((source) => source !== null),
    })
  }
  return ok(targets)
}
