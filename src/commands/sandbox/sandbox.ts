import { randomBytes } from 'node:crypto'
import { PortTaken } from '../../base/net/listen.ts'
import { aborted } from '../../base/process/command-io.ts'
import { announceAdmin } from '../../sandbox/admin/admin-note.ts'
import { loadClient } from '../../sandbox/gateway/sender/post.ts'
import { UnusableData } from '../../sandbox/persistence/unusable-data.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts'
import { wireModes } from '../../wire/exact-json.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, failed } from '../cli/exit-codes.ts'
import { endedInOrder } from '../cli/serving.ts'

/** Runs the practice exchange until a signal. A later failure is reported at once, and ends it. */
export const runSandbox: Run = async (given, io, { clock }) => {
  const failing = new AbortController()
  const onFailure = ({ message }: UnusableData) => {
    io.printError(`pitdesk sandbox: ${message}`)
    failing.abort()
  }
  try {
    const tools = { clock, randomBytes, log: (line: string) => io.printError(line), onFailure }
    const sandbox = await startSandbox(optionsOf(given), tools)
    const announced = announceAdmin(io.environment, sandbox, process.pid)
    if (!announced.ok) io.printError(`pitdesk sandbox: ${announced.error}`)
    await io.print(firstLine(sandbox))
    await loadClient()
    // An exchange whose addresses could not be printed is of no use.
    if ((await io.output.written()) === null) await aborted(AbortSignal.any([io.signal, failing.signal]))
    if (announced.ok) announced.value()
    const cut = await endedInOrder({ io, log: io.printError, tools: { clock } }, sandbox.stop)
    return failing.signal.aborted ? { code: 1 } : (cut ?? done)
  } catch (error) {
    if (!(error instanceof PortTaken || error instanceof UnusableData)) throw error
    return failing.signal.aborted ? { code: 1 } : failed(error.message)
  }
}

/** The addresses and keys, for programs: the names and their order are part of the interface. */
function firstLine(sandbox: Sandbox): string {
  const { exchangeUrl, gatewayUrl, adminUrl, adminToken, partnerKey } = sandbox
  const accounts = sandbox.accounts.map(({ name, token, twoFactor }) => ({ name, token, twoFactor }))
  return JSON.stringify({
    exchange: exchangeUrl,
    gateway: gatewayUrl,
    admin: adminUrl,
    adminToken,
    accounts,
    partnerKey,
  })
}

/** The options of the flags, already checked by their rows. */
function optionsOf(given: Arguments): SandboxOptions {
  const port = (name: string): number => given.number(name) ?? 0
  const [seed, rateLimit, data] = [given.number('seed'), given.number('rate-limit'), given.value('data')]
  const wire = wireModes.find((mode) => mode === given.value('wire'))
  return {
    ...{ port: port('port'), gatewayPort: port('gateway-port'), adminPort: port('admin-port') },
    market: given.value('market') === 'off' ? 'off' : 'on',
    ...(wire === undefined ? {} : { wire }),
    ...(data === undefined ? {} : { data }),
    ...(seed === undefined ? {} : { seed }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
}
