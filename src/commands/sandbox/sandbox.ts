import { randomBytes } from 'node:crypto'
import { aborted } from '../../base/command-io.ts'
import { PortTaken } from '../../base/listen.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { announceAdmin } from '../../sandbox/admin/admin-note.ts'
import { UnusableData } from '../../sandbox/persistence/unusable-data.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts'
import { wireModes } from '../../wire/exact-json.ts'
import { type Arguments, wholeFlag } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, failed, wrongUsage } from '../cli/exit-codes.ts'

/** Runs the practice exchange until a signal. A failure in the middle is told of at once, and ends it. */
export const runSandbox: Run = async (given, io, { clock }) => {
  const options = readOptions(given)
  if (!options.ok) return wrongUsage(options.error)
  const failing = new AbortController()
  const onFailure = (message: string) => {
    io.printError(`pitdesk sandbox: ${message}`)
    failing.abort()
  }
  try {
    const tools = { clock, randomBytes, log: (line: string) => io.printError(line), onFailure }
    const sandbox = await startSandbox(options.value, tools)
    const announced = announceAdmin(io.environment, sandbox, process.pid)
    if (!announced.ok) io.printError(`pitdesk sandbox: ${announced.error}`)
    await io.print(firstLine(sandbox))
    // Whoever cannot be told where it is cannot use it.
    if ((await io.output.written()) === null) await aborted(AbortSignal.any([io.signal, failing.signal]))
    if (announced.ok) announced.value()
    await sandbox.stop()
    return failing.signal.aborted ? { code: 1 } : done
  } catch (error) {
    if (!(error instanceof PortTaken || error instanceof UnusableData)) throw error
    return failing.signal.aborted ? { code: 1 } : failed(error.message)
  }
}

/**
 * Where everything is, and the keys to it, for programs to read: the names and their order are part of the interface.
 */
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

/** What the flags ask for. The error names the flag. */
function readOptions(given: Arguments): Result<SandboxOptions> {
  const ports: number[] = []
  for (const name of ['port', 'gateway-port', 'admin-port']) {
    const port = wholeFlag(given, name, 0, 65_535)
    if (!port.ok) return port
    ports.push(port.value ?? 0)
  }
  const [port = 0, gatewayPort = 0, adminPort = 0] = ports
  const seed = wholeFlag(given, 'seed', 0, Number.MAX_SAFE_INTEGER)
  if (!seed.ok) return seed
  const rateLimit = wholeFlag(given, 'rate-limit', 1, 1_000_000)
  if (!rateLimit.ok) return rateLimit
  const wire = wireModes.find((mode) => mode === given.value('wire'))
  if (wire === undefined) return err(`--wire must be one of ${wireModes.join(', ')}`)
  const data = given.value('data')
  return ok({
    ...{ port, gatewayPort, adminPort, wire },
    market: given.value('market') === 'off' ? 'off' : 'on',
    ...(data === undefined ? {} : { data }),
    ...(seed.value === undefined ? {} : { seed: seed.value }),
    ...(rateLimit.value === undefined ? {} : { rateLimit: rateLimit.value }),
  })
}
