import type { Clock } from '../../base/clock.ts'
import { aborted, type CommandIo } from '../../base/command-io.ts'
import { nodeComplaint } from '../../base/node-runtime.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { CertificatePaths } from '../../inbox/receiver/certificate-files.ts'
import type { Arguments } from './arguments.ts'
import { done, type Ending } from './exit-codes.ts'

/** The files of `certificateFlags`; null when neither is given. */
export function readCertificateFlags(given: Arguments): Result<CertificatePaths | null> {
  const [certPath, keyPath] = [given.value('tls-cert'), given.value('tls-key')]
  if ((certPath === undefined) !== (keyPath === undefined)) return err('--tls-cert and --tls-key go together')
  return ok(certPath === undefined || keyPath === undefined ? null : { certPath, keyPath })
}

/** The log of a server on stderr, one line per message, with its time. */
export const serverLog =
  (io: CommandIo, clock: Clock) =>
  (line: string): void =>
    io.printError(`${new Date(clock.wallMs()).toISOString()} ${plainText(line)}`)

/** Prints a started server's addresses, lets it serve until a signal, and stops it. */
export async function serveUntilSignal(
  { io, log }: { io: CommandIo; log: (line: string) => void },
  addresses: Readonly<Record<string, string | null>>,
  stop: () => Promise<void>,
): Promise<Ending> {
  await io.print(JSON.stringify(addresses))
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) log(`warning: ${oldNode}`)
  // A server whose addresses could not be printed is of no use.
  if ((await io.output.written()) === null) {
    await aborted(io.signal)
    log(`ending on ${String(io.signal.reason)}`)
  }
  await stop()
  return done
}
