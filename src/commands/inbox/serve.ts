import { aborted } from '../../base/command-io.ts'
import { nodeComplaint } from '../../base/node-release.ts'
import { plainText } from '../../base/plain-text.ts'
import { readInboxSettings } from '../../config/settings.ts'
import { done, type Ending, failed, wrongUsage } from '../../desk/exit-codes.ts'
import { type InboxContext, startInbox } from '../../desk/inbox.ts'
import { readServeOptions, type ServeOptions } from '../../desk/inbox-options.ts'
import { openInboxStore, storeAddress } from '../../desk/inbox-store.ts'
import { type CertificatePair, readCertificatePair } from '../../inbox/receiver/certificate-files.ts'
import type { Run } from '../cli/command.ts'

/** Receives events until a signal. What is under way then comes to its end, and its sender hears so. */
export const runInboxServe: Run = async (given, io, tools) => {
  const settings = readInboxSettings(io.environment)
  if (!settings.ok) return failed(settings.error)
  const options = readServeOptions(given, settings.value)
  if (!options.ok) return wrongUsage(options.error)
  const address = await storeAddress(given, settings.value, { io, tools })
  if (!address.ok) return address.error
  const { tls } = options.value
  const certificate = tls === null ? null : readCertificatePair(tls)
  if (certificate?.ok === false) return failed(certificate.error)
  const store = await openInboxStore(address.value, { io, tools }, { isApart: true })
  if (!store.ok) return failed(store.error)
  const log = (line: string) => io.printError(`${new Date(tools.clock.wallMs()).toISOString()} ${plainText(line)}`)
  try {
    const pair = certificate?.value ?? null
    return await serve(options.value, pair, { store: store.value, storeName: address.value.reveal(), log, io, tools })
  } finally {
    await store.value.close()
  }
}

async function serve(
  options: ServeOptions,
  certificate: CertificatePair | null,
  context: InboxContext,
): Promise<Ending> {
  const { log, io } = context
  const started = await startInbox(options, certificate, context)
  if (!started.ok) return failed(started.error)
  const { url, metricsUrl, stop } = started.value
  await io.print(JSON.stringify({ url, metricsUrl }))
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) log(`warning: ${oldNode}`)
  // Whoever cannot be told where it is cannot use it.
  if ((await io.output.written()) === null) {
    await aborted(io.signal)
    log(`ending on ${String(io.signal.reason)}`)
  }
  await stop()
  return done
}
