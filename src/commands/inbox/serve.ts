import { ok, type Result } from '../../base/result.ts'
import { readInboxSettings } from '../../config/settings.ts'
import {
  openInboxStore,
  readServeOptions,
  type ServeOptions,
  type ServeWishes,
  startInbox,
  storeAddress,
} from '../../desk/gateway/inbox.ts'
import type { InboxContext } from '../../desk/gateway/inbox-forward.ts'
import { type CertificatePair, readCertificatePair } from '../../inbox/receiver/certificate-files.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { readCertificateFlags, serverLog, serveUntilSignal } from '../cli/serving.ts'

/** Receives events until a signal. Open requests then end, and their senders get an answer. */
export const runInboxServe: Run = async (given, io, tools) => {
  const settings = readInboxSettings(io.environment)
  if (!settings.ok) return failed(settings.error)
  const wishes = readWishes(given)
  const options = wishes.ok ? readServeOptions(wishes.value, settings.value) : wishes
  if (!options.ok) return wrongUsage(options.error)
  const address = await storeAddress(given.value('store'), settings.value, { io, tools })
  if (!address.ok) return failure(address.error.kind, address.error.sentence)
  const { tls } = options.value
  const certificate = tls === null ? null : readCertificatePair(tls)
  if (certificate?.ok === false) return failed(certificate.error)
  const store = await openInboxStore(address.value, { io, tools }, { isApart: true })
  if (!store.ok) return failed(store.error)
  const log = serverLog(io, tools.clock)
  const pair = certificate?.value ?? null
  return await serve(options.value, pair, { store: store.value, storeName: address.value.reveal(), log, io, tools })
}

/** The options of the flags. The error names the flag. */
function readWishes(given: Arguments): Result<ServeWishes> {
  const [port, metricsPort] = [given.number('port'), given.number('metrics-port')]
  const retentionDays = given.number('retention-days')
  const paths = readCertificateFlags(given)
  if (!paths.ok) return paths
  const host = given.value('host')
  const forward = given.value('forward')
  return ok({
    ...(port === undefined ? {} : { port }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
    ...(paths.value === null ? {} : { tls: paths.value }),
    ...(host === undefined ? {} : { host }),
    ...(forward === undefined ? {} : { forward }),
    allow: given.values('allow'),
    trustProxies: given.values('trust-proxy'),
  })
}

async function serve(
  options: ServeOptions,
  certificate: CertificatePair | null,
  context: InboxContext,
): Promise<Ending> {
  const close = () => context.store.close()
  const started = await startInbox(options, certificate, context)
  if (!started.ok) {
    await close()
    return failed(started.error)
  }
  const { url, metricsUrl, stop } = started.value
  return await serveUntilSignal(context, { url, metricsUrl }, { stop, close })
}
