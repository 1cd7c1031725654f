import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { readBaseAddress } from '../../api/base-address.ts'
import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { proxyVariable, readProxy } from '../../api/proxy.ts'
import type { AnswerReport } from '../../api/transport.ts'
import { ownFileComplaint, ownFolderComplaint } from '../../base/files/own-file.ts'
import { isThere } from '../../base/files/plain-file.ts'
import { type CommandIo, type CommandTools, readingSignal } from '../../base/process/command-io.ts'
import { type Environment, xdgFolders } from '../../base/process/environment.ts'
import { nodeComplaint } from '../../base/process/node-runtime.ts'
import type { CommandLine } from '../../base/process/run-command.ts'
import { Secret } from '../../base/secret.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { listed } from '../../config/config-file.ts'
import { configPath, readConfigFile, readInboxSettings, type Settings } from '../../config/settings.ts'
import { createThemeFolder, themeFolderPath, wishedTheme } from '../../config/theme-folder.ts'
import { unknownVariables, variableComplaint } from '../../config/variables.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { openSession } from '../../desk/account/profile.ts'
import { blindNameWarnings, blindSymbols, currencyLimitWarnings, symbolLimitWarnings } from '../../desk/limit-names.ts'
import { mayTradeAtHub } from '../../domain/hub/person.ts'
import { HistoryError } from '../../history/history-database.ts'
import { historyFileName, openHistory } from '../../history/history-file.ts'
import { readTelemetrySettings } from '../../inbox/telemetry/settings.ts'
import { failureNotice, failureSentence } from '../../services/failure-sentences.ts'
import { personText } from '../../store/mode.ts'
import { readRebinding } from '../../ui/keys/rebinding.ts'
import { compactColumnsMin, compactRowsMin } from '../../ui/panes/layout/layout.ts'
import { readColorDepth, readGlyphSet } from '../../ui/terminal/colors.ts'
import { columnsMin, rowsMin } from '../../ui/text/cells.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, failure } from '../cli/exit-codes.ts'
import { readProfile } from '../cli/session.ts'
import { type Finding, fail, keySourceFinding, ok, warn } from './doctor-finding.ts'
import { journalFinding } from './doctor-journal.ts'
import { historyText } from './history.ts'
import { runUntilBrokenOff } from './read-command.ts'

/**
 * Checks everything a desk depends on, and prints one line each; with `--json` all findings at once. Fails when one of
 * them does: as unreachable if only the connection to the exchange fails.
 */
export const runDoctor: Run = async (given, io, tools): Promise<Ending> => {
  const isJson = given.has('json')
  const told: Finding[] = []
  const tell = async (findings: readonly Finding[]) => {
    told.push(...findings)
    for (const { level, about, text } of isJson ? [] : findings)
      await io.print(plainText(`${level.padEnd(4)}  ${about.padEnd(13)}  ${text}`))
  }
  await tell([nodeFinding(process.versions.node)])
  await tell([...configFindings(io.environment), ...variableFindings(io.environment), ...modeFindings(io.environment)])
  const settings = readProfile(given, io)
  if (settings.ok) {
    await tell([
      profileFinding(settings.value),
      ...alsoFindings(settings.value),
      ...gatewayFindings(settings.value),
      ...keyFindings(settings.value),
    ])
    await tell(notifyFindings(settings.value))
    await tell(themeFindings(settings.value, io.environment))
    await tell(proxyFindings(settings.value, io.environment))
    const asked = await runUntilBrokenOff(io, async () => {
      await tell(await exchangeFindings(settings.value, io, tools))
      return done
    })
    if (asked.code !== done.code) return { ...asked, beside: { findings: told } }
  } else if (readConfigFile(io.environment).ok && variableComplaint(io.environment) === null)
    await tell([fail('settings', settings.error.sentence)])
  await tell(inboxFindings(io.environment))
  await tell(terminalFindings(io))
  const failing = told.filter(({ level }) => level === 'fail')
  if (failing.length === 0) {
    if (isJson) await io.print(jsonLine(told))
    return done
  }
  const kind = failing.every(({ about }) => about === connection) ? 'unreachable' : 'failed'
  const count = failing.length === 1 ? '1 check fails' : `${failing.length} checks fail`
  const sentence = isJson ? failing.map(({ about, text }) => `${about}: ${text}`).join('; ') : `${count}: see above.`
  return failure(kind, sentence, { beside: { findings: told } })
}

function nodeFinding(version: string): Finding {
  const wrong = nodeComplaint(version)
  return wrong === null ? ok('node', version) : warn('node', wrong)
}

/** The subject of findings about the connection to the exchange. */
const connection = 'connection'

function configFindings(environment: Environment): Finding[] {
  const path = configPath(environment)
  const file = readConfigFile(environment)
  if (!file.ok) return file.issues.map((issue) => fail('configuration', issue))
  if (file.value === null) return [ok('configuration', `${path} does not exist: defaults and the environment count`)]
  const names = Object.keys(file.value.profiles ?? {})
  const rebinding = readRebinding(file.value.keys)
  return [
    ok('configuration', `${path}, ${names.length === 0 ? 'no profiles' : `profiles ${listed(names)}`}`),
    ...(rebinding.ok ? [] : rebinding.issues.map((issue) => fail('keys', issue))),
  ]
}

/** Variables with the desk's prefix but an unknown name. */
const variableFindings = (environment: Environment): Finding[] =>
  unknownVariables(environment).map(({ name, complaint }) =>
    complaint === null ? warn('environment', `unknown variable ${name}: ignored`) : fail('environment', complaint),
  )

/** Faults in the user's own themes, or a missing configured theme; none if all is well. */
function themeFindings({ theme }: Settings, environment: Environment): Finding[] {
  const own = createThemeFolder(themeFolderPath(environment)).read()
  const chosen = wishedTheme(theme, { ...own, complaints: [] })
  return [...(chosen.ok ? [] : [fail('themes', chosen.error)]), ...own.complaints.map((each) => warn('themes', each))]
}

/** Who may read the desk's folders, and who may change them. */
function modeFindings(environment: Environment): Finding[] {
  const folders = xdgFolders(environment)
  const places: [string, string, string | null][] = [
    ['state folder', folders.state, ownFolderComplaint(folders.state)],
    ['config folder', folders.config, ownFolderComplaint(folders.config)],
    ['file', configPath(environment), ownFileComplaint(configPath(environment), 'trusted')],
  ]
  return places.map(([name, path, wrong]) => {
    try {
      return modeFinding(name, path, wrong)
    } catch (error) {
      return fail('file modes', `the ${name} ${path} cannot be looked at: ${diskReason(error)}`)
    }
  })
}

/** Throws the disk's error. */
function modeFinding(name: string, path: string, wrong: string | null): Finding {
  const stat = isThere(path) ? statSync(path) : undefined
  if (stat === undefined) return ok('file modes', `${path} does not exist yet`)
  if (wrong !== null) return fail('file modes', `the ${name} ${path} ${wrong}`)
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  if (stat.isDirectory() && !mayUse(path))
    return fail('file modes', `the ${name} ${path} may not be looked into by you (${mode}, uid ${stat.uid})`)
  if (name === 'state folder' && (stat.mode & 0o077) !== 0)
    return warn('file modes', `others may read the state folder ${path} (${mode}): chmod 700 it`)
  return ok('file modes', `${path} (${mode})`)
}

function mayUse(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function profileFinding({ profileName, venueKind, exchange, isMonitor }: Settings): Finding {
  const where = exchange.kind === 'own' ? 'its own practice exchange' : addressText(exchange.baseUrl)
  return ok(
    'profile',
    `${profileName}: ${venueKind.toUpperCase()}, ${where}${isMonitor ? ', MONITOR (read only)' : ''}`,
  )
}

/** Further addresses of the same hub: the key goes to each of them. */
const alsoFindings = ({ exchangeAlso }: Settings): Finding[] =>
  exchangeAlso.map((address) => {
    const base = readBaseAddress(address)
    return base.ok
      ? ok('profile', `also at ${addressText(address)}, not asked`)
      : fail('profile', `exchange_also: ${base.error}`)
  })

function gatewayFindings({ gatewayBaseUrl }: Settings): Finding[] {
  if (gatewayBaseUrl === null) return []
  const base = readBaseAddress(gatewayBaseUrl)
  return [base.ok ? ok('gateway', addressText(gatewayBaseUrl)) : fail('gateway', `gateway_base_url: ${base.error}`)]
}

/** An address without any user name or password in it. */
const addressText = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  return url === null ? 'not an address' : `${url.origin}${url.pathname}`
}

function keyFindings({ exchange, partnerKey }: Settings): Finding[] {
  const sources = [exchange.kind === 'service' ? exchange.token : null, partnerKey].filter((source) => source !== null)
  return sources.map(keySourceFinding)
}

/** The targets of messages. Only hosts are named: the rest of such an address is often a key. */
function notifyFindings({ notify: { command, url, heartbeat } }: Settings): Finding[] {
  const findings: Finding[] = []
  if (command !== null) findings.push(commandFinding(command.line))
  if (url !== null) {
    findings.push(ok('notify', `notify_url: ${url.address.host}`))
    findings.push(
      url.secret === null
        ? warn('notify', 'no notify_secret_file: what notify_url gets is not signed, and its receiver cannot check it')
        : keySourceFinding(url.secret),
    )
  }
  if (heartbeat !== null)
    findings.push(ok('notify', `heartbeat_url: ${heartbeat.address.host}, every ${heartbeat.everyMs / 1_000} s`))
  return findings
}

/** A program given by its full path must exist; one given by name is found when it is started. */
function commandFinding(command: CommandLine): Finding {
  if (command.kind === 'shell') return ok('notify', 'notify_command: a line for the shell')
  const { file } = command
  if (!file.startsWith('/')) return ok('notify', `notify_command: ${file}, found by PATH`)
  const wrong = fileComplaint(file)
  return wrong === null ? ok('notify', `notify_command: ${file}`) : fail('notify', `notify_command: ${file} ${wrong}`)
}

function fileComplaint(path: string): string | null {
  try {
    return isThere(path) && statSync(path).isFile() ? null : 'is not a file'
  } catch (error) {
    return `cannot be looked at: ${diskReason(error)}`
  }
}

const skewMaxMs = 2_000

async function exchangeFindings(settings: Settings, io: CommandIo, tools: CommandTools): Promise<Finding[]> {
  if (settings.exchange.kind === 'own') {
    const own = ok('exchange', 'the desk starts its own: nothing to reach')
    return [own, ...(await keptFindings(settings, new Secret(''), io))]
  }
  let report: AnswerReport | null = null
  const onAnswer = (answer: AnswerReport) => {
    report = answer
  }
  const session = await openSession({ settings, io, tools, mayWrite: false, onAnswer })
  if (!session.ok) return [fail('exchange', session.error), await journalFinding(settings, null, io)]
  const { client, token, close } = session.value
  const attempt = async (call: Promise<unknown>): Promise<string | null> => {
    try {
      await call
      return null
    } catch (error) {
      if (isOfExchange(error, io)) return token.redact(failureNotice(error))
      throw error
    }
  }
  try {
    const refused = await attempt(client.fetchFees(readingSignal(io)))
    // A canceled call says nothing about the exchange.
    if (refused !== null && io.output.unread.aborted) return []
    const kept = await keptFindings(settings, token, io)
    if (report === null) return [fail(connection, refused ?? 'no answer'), ...kept]
    const findings = [ok(connection, `answered in ${Math.round(roundTripOf(report))} ms`)]
    findings.push(refused === null ? ok('key', 'accepted by the exchange') : fail('key', refused))
    if (refused === null && client.isShared()) findings.push(await hubFinding(client, io))
    findings.push(clockFinding(report))
    if (refused === null) findings.push(...(await limitFindings(settings, client, io)))
    return [...findings, ...kept]
  } finally {
    await close()
  }
}

/** False for a call that a signal ended, too: it says nothing of the exchange. */
const isOfExchange = (error: unknown, { signal }: Pick<CommandIo, 'signal'>): error is ExchangeError =>
  error instanceof ExchangeError && !(error.fault === 'canceled' && signal.aborted)

/** The desk's person at the hub, and the consequence for orders. */
async function hubFinding(client: ExchangeClient, io: CommandIo): Promise<Finding> {
  try {
    const person = await client.fetchHubPerson(readingSignal(io))
    const { account, halted } = person
    if (halted !== null) return warn('hub', `via hub as ${personText(person)}, which is halted: ${halted}`)
    const whose = account === null ? '' : `, account ${account}`
    const reads = mayTradeAtHub(person) ? '' : ': read only, the desk is MONITOR'
    return ok('hub', `via hub as ${personText(person)}${whose}${reads}`)
  } catch (error) {
    if (!isOfExchange(error, io)) throw error
    return warn('hub', `the hub does not say as whom it knows this token: ${failureSentence(error)}`)
  }
}

/** The account's records on this machine. */
const keptFindings = async (settings: Settings, token: Secret, io: CommandIo): Promise<Finding[]> => [
  await journalFinding(settings, token, io),
  ...historyFindings(settings, token, io),
]

/** The account's recorded history, if any, and its size. */
function historyFindings(settings: Settings, token: Secret, io: CommandIo): Finding[] {
  const { folder } = accountOf(settings, token, io)
  const path = join(folder, historyFileName)
  try {
    if (!isThere(path)) return []
  } catch (error) {
    return [warn('history', `${path} cannot be used: ${diskReason(error)}`)]
  }
  const file = openHistory(folder, { isReadOnly: true })
  if (!file.ok) return [warn('history', file.error.message)]
  try {
    return [ok('history', `${file.value.path}, ${historyText(file.value.size())}`)]
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    return [warn('history', error.message)]
  } finally {
    file.value.close()
  }
}

/**
 * Limits and cancel settings that name unlisted symbols or currencies; a limit of such a symbol blocks every order. An
 * exchange that does not list its symbols fails only the reads that need them.
 */
async function limitFindings(settings: Settings, client: ExchangeClient, io: CommandIo): Promise<Finding[]> {
  const { limits } = settings
  const named = limits.perSymbol.size + limits.withdrawals.dayPerCurrency.size + blindSymbols(settings).length
  if (named === 0) return []
  try {
    const { instruments, unread } = await client.fetchSymbols(readingSignal(io))
    return [
      ...symbolLimitWarnings(limits, instruments, unread).map((text) => fail('limits', text)),
      ...currencyLimitWarnings(limits, instruments).map((text) => warn('limits', text)),
      ...blindNameWarnings(settings, instruments, unread).map((text) => fail('settings', text)),
    ]
  } catch (error) {
    if (!isOfExchange(error, io)) throw error
    return [warn('limits', 'the exchange did not list its symbols: settings that name some are not checked')]
  }
}

const roundTripOf = ({ roundTripMs }: AnswerReport): number => roundTripMs

function clockFinding({ skew }: AnswerReport): Finding {
  if (skew === null) return warn('clock', 'the exchange did not send its time: your clock is not compared')
  const { skewMs, uncertaintyMs } = skew
  const text =
    `the exchange's clock is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} yours (±${uncertaintyMs} ` +
    'ms)'
  const isFar = Math.abs(skewMs) - uncertaintyMs > skewMaxMs
  return isFar ? warn('clock', `${text}: turn on NTP`) : ok('clock', text)
}

function terminalFindings({ stdin, stdout, environment }: CommandIo): Finding[] {
  if (stdout.isTTY !== true || stdin.isTTY !== true)
    return [warn('terminal', 'stdin or stdout is not a terminal: the desk needs both, scripts do not')]
  const { columns, rows } = stdout
  const size = `${columns}x${rows}`
  const needs = `the desk needs ${columnsMin}x${rowsMin}`
  if (columns < compactColumnsMin || rows < compactRowsMin) return [fail('terminal', `${size} is too small: ${needs}`)]
  return [
    columns < columnsMin || rows < rowsMin
      ? warn('terminal', `${size} has room for a compact ladder: ${needs}`)
      : ok('terminal', `${size}, colors ${readColorDepth(environment)}, ${readGlyphSet(environment)} characters`),
  ]
}

/**
 * The proxy to the exchange, by host alone, because the address may hold a password. Nothing without a proxy; an
 * unusable one is reported as a fault of the connection.
 */
function proxyFindings({ exchange }: Settings, environment: Environment): Finding[] {
  const base = exchange.kind === 'service' ? readBaseAddress(exchange.baseUrl) : null
  if (base === null || !base.ok) return []
  const { origin } = base.value
  const proxy = readProxy(origin, environment)
  if (!proxy.ok) return []
  if (proxy.value !== null) return [ok('proxy', `the exchange through ${proxy.value.host} (${proxy.value.variable})`)]
  const other = proxyVariable(environment, 'ALL_PROXY')
  const asIfRead = readProxy(origin, { ...environment, HTTPS_PROXY: other, https_proxy: undefined })
  if (asIfRead.ok && asIfRead.value === null) return []
  return [
    warn('proxy', 'ALL_PROXY is not read, the exchange is called directly: set HTTPS_PROXY to go through a proxy'),
  ]
}

/** The inbox's settings: keys of its store and targets, and where telemetry goes. Makes no calls. */
function inboxFindings(environment: Environment): Finding[] {
  // Errors in the file itself were reported already.
  if (!readConfigFile(environment).ok) return []
  const settings = readInboxSettings(environment)
  if (!settings.ok) return [fail('inbox', settings.error), ...telemetryFindings(environment)]
  const { store, targets } = settings.value
  return [
    ...(store === null ? [] : [keySourceFinding(store)]),
    ...targets.flatMap(({ secrets }) => secrets.map(keySourceFinding)),
    ...telemetryFindings(environment),
  ]
}

/** Only hosts are named: the rest of such an address can be a key. */
function telemetryFindings(environment: Environment): Finding[] {
  const settings = readTelemetrySettings(environment)
  if (!settings.ok) return [fail('telemetry', settings.error)]
  return Object.entries({ traces: settings.value?.traces, metrics: settings.value?.metrics }).flatMap(
    ([kind, signal]) => (signal ? [ok('telemetry', `${kind} of the inbox: ${signal.url.host}`)] : []),
  )
}
