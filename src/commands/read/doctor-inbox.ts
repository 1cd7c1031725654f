import type { Environment } from '../../base/environment.ts'
import { readConfigFile, readInboxSettings } from '../../config/settings.ts'
import { readTelemetrySettings } from '../../inbox/telemetry/settings.ts'
import { type Finding, fail, keySourceFinding, ok } from './doctor-finding.ts'

/** The inbox's settings: keys of its store and targets, and where telemetry goes. Makes no calls. */
export function inboxFindings(environment: Environment): Finding[] {
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
