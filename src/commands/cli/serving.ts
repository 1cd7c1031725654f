import { type Clock, within } from '../../base/clock.ts'
import { aborted, type CommandIo } from '../../base/process/command-io.ts'
import { nodeComplaint } from '../../base/process/node-runtime.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { CertificatePaths } from '../../inbox/receiver/certificate-files.ts'
import type { Arguments } from './arguments.ts'
import { done, type Ending, exitCodeOf } from './exit-codes.ts'

/** The certificate and key of `servingFlags`; null when neither is given. */
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

/**
 * How long an end waits, in ms: a write with its turn may take 15 s, and its record a moment more. A disk or a database
 * may not answer at all.
 */
const endMs = 20_000

type Serving = { io: Pick<CommandIo, 'signal' | 'hurry'>; log: (line: string) => void; tools: { clock: Clock } }

/**
 * Ends a server in order; null when it did. Not in order, with a line in the log: after `endMs`, or at once on a second
 * signal. The program ends then all the same.
 */
export async function endedInOrder(
  { io, log, tools: { clock } }: Serving,
  stop: () => Promise<void>,
): Promise<Ending | null> {
  const inOrder = stop().then(() => 'inOrder' as const)
  const never = new Promise<never>(() => undefined)
  const hurried = io.hurry === undefined ? never : aborted(io.hurry).then(() => 'hurried' as const)
  const how = await within(Promise.race([inOrder, hurried]), endMs, clock)
  if (how === 'inOrder') return null
  log(
    how === 'hurried'
      ? `ended by a second signal, ${String(io.hurry?.reason)}, without waiting for what is under way`
      : `not ended within ${endMs / 1_000} s, as where a disk or a database does not answer: it is left as it is`,
  )
  return { code: exitCodeOf(io.signal) }
}

/** Prints a started server's addresses, lets it serve until a signal, stops it, and closes its store in any case. */
export async function serveUntilSignal(
  { io, log, tools }: Serving & { io: CommandIo },
  addresses: Readonly<Record<string, string | null>>,
  { stop, close }: { stop: () => Promise<void>; close: () => Promise<void> },
): Promise<Ending> {
  await io.print(JSON.stringify(addresses))
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) log(`warning: ${oldNode}`)
  // A server whose addresses could not be printed is of no use.
  if ((await io.output.written()) === null) {
    await aborted(io.signal)
    log(`ending on ${String(io.signal.reason)}`)
  }
  return (await endedInOrder({ io, log, tools }, () => stop().finally(close))) ?? done
}
