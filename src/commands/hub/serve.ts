import { usualPort } from '../../base/net/listen.ts'
import { isLoopbackHost } from '../../base/net/loopback.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { readSettings } from '../../config/settings.ts'
import { type HubOptions, startHub } from '../../desk/hub/hub.ts'
import { openHubDatabase } from '../../hub/open-hub-database.ts'
import { type CertificatePaths, readCertificatePair } from '../../inbox/receiver/certificate-files.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, failed, failure, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'
import { readCertificateFlags, serverLog, serveUntilSignal } from '../cli/serving.ts'
import { hubStoreAddress } from './store.ts'

/** Serves one account to many desks until a signal. Work in flight then ends. */
export const runHubServe: Run = async (given, io, tools) => {
  const profile = given.value('profile')
  const settings = readSettings(io.environment, profile === undefined ? {} : { profile })
  if (!settings.ok) return settingsFailure(settings.error)
  const wishes = readWishes(given)
  if (!wishes.ok) return wrongUsage(wishes.error)
  const { certificate, host, port } = wishes.value
  const pair = certificate === null ? null : readCertificatePair(certificate)
  if (pair?.ok === false) return failed(pair.error)
  const address = await hubStoreAddress(given, { io, tools })
  if (!address.ok) return failure(address.error.kind, address.error.sentence)
  const database = await openHubDatabase({ url: address.value.reveal(), clock: tools.clock })
  if (!database.ok) return failed(plainText(address.value.redact(database.error)))
  const log = serverLog(io, tools.clock)
  return await serve({
    ...{ settings: settings.value, database: database.value, listen: { host, port }, io, tools, log },
    tls: certificate === null || pair === null ? null : { paths: certificate, pair: pair.value },
    isNewKey: given.has('new-key'),
    metricsPort: given.number('metrics-port') ?? 0,
  })
}

type Wishes = { host: string; port: number; certificate: CertificatePaths | null }

/** The options of the flags. Beyond this machine tokens need TLS. */
function readWishes(given: Arguments): Result<Wishes> {
  const paths = readCertificateFlags(given)
  if (!paths.ok) return paths
  const certificate = paths.value
  const host = given.value('host') ?? (certificate === null ? '127.0.0.1' : '0.0.0.0')
  if (certificate === null && !isLoopbackHost(host))
    return err(`--host ${host} is reached by other machines, and tokens go there: name --tls-cert and --tls-key`)
  return ok({ host, port: given.number('port') ?? usualPort, certificate })
}

async function serve(options: HubOptions): Promise<Ending> {
  const close = () => options.database.close()
  const started = await startHub(options)
  if (!started.ok) {
    await close()
    return failed(started.error)
  }
  const { url, metricsUrl, stop } = started.value
  return await serveUntilSignal(options, { url: `${url}/v3`, metricsUrl }, { stop, close })
}
