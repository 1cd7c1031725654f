import type { RunningReceiver } from '../compose/desk-receiver.ts'
import type { InboxSettings } from '../config/inbox-settings.ts'
import { readCertificatePair } from '../inbox/receiver/certificate-files.ts'
import { noArguments } from './desk-gateway.ts'
import { type InboxContext, startInbox } from './inbox-running.ts'
import { readServeOptions } from './inbox-serve-options.ts'

/**
 * Starts the inbox of the settings inside the desk, as `pitdesk inbox serve` does in a process of its own. Rejects with
 * a sentence when it cannot.
 */
export async function openOwnInbox(settings: InboxSettings, context: InboxContext): Promise<RunningReceiver> {
  const options = readServeOptions(noArguments, settings)
  if (!options.ok) throw new Error(options.error)
  const { tls } = options.value
  const certificate = tls === null ? null : readCertificatePair(tls)
  if (certificate?.ok === false) throw new Error(certificate.error)
  const started = await startInbox(options.value, certificate?.value ?? null, context)
  if (!started.ok) throw new Error(started.error)
  return started.value
}
