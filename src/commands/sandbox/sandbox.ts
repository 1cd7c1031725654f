import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Clock, systemClock } from '../../base/clock.ts'
import { aborted } from '../../base/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { announceAdmin } from '../../sandbox/admin/admin-note.ts'
import { PortTaken } from '../../sandbox/http/app.ts'
import { UnusableData } from '../../sandbox/persistence/unusable-data.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts'
import { wireModes } from '../../wire/exact-json.ts'
import { type ExitCode, wrongUsage } from '../cli/exit-codes.ts'
import { flagsOf, tellEnding } from '../cli/tell-ending.ts'
import { type AdminIo, runSandboxAdminCommand } from './admin.ts'

export const sandboxHelp = `Usage: pitdesk sandbox [flags]
       pitdesk sandbox admin NOUN VERB …  (see pitdesk sandbox admin --help)

Runs the practice exchange alone until a signal. The first line on stdout is one JSON object with its addresses
and keys; the log goes to stderr.

  --port N          port of the exchange (4010; 0 for any free one)
  --gateway-port N  port of the gateway (4011)
  --admin-port N    port of the administration (4012)
  --data DIR        the folder in which the exchange lives on (a temporary one, removed at the end)
  --seed N          a whole number: the same seed gives the same market
  --market on|off   whether the market lives by itself (on)
  --wire FORM       how amounts are written: numbers, strings or mixed (numbers)
  --rate-limit N    requests a second for each key (no limit)
  --help            this page`

const flagOptions = {
  port: { type: 'string', default: '4010' },
  'gateway-port': { type: 'string', default: '4011' },
  'admin-port': { type: 'string', default: '4012' },
  data: { type: 'string' },
  seed: { type: 'string' },
  market: { type: 'string', default: 'on' },
  wire: { type: 'string', default: 'numbers' },
  'rate-limit': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/**
 * Runs the practice exchange until `io.signal`, or, with `admin` first, tells one that runs what to do. 0: ended as
 * told. 1: it could not start, or go on. 2: wrong usage.
 */
export async function runSandboxCommand(
  argv: readonly string[],
  io: AdminIo,
  clock: Clock = systemClock,
): Promise<ExitCode> {
  if (argv[0] === 'admin') return runSandboxAdminCommand(argv.slice(1), io, clock)
  const options = readFlags(argv)
  if (!options.ok) {
    const row = { name: 'sandbox', flags: [], isPlain: true } as const
    return await tellEnding(row, wrongUsage(options.error), flagsOf(argv), io)
  }
  if (options.value === 'help') {
    await io.print(sandboxHelp)
    return 0
  }
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
    return failing.signal.aborted ? 1 : 0
  } catch (error) {
    if (!(error instanceof PortTaken || error instanceof UnusableData)) throw error
    if (!failing.signal.aborted) io.printError(`pitdesk sandbox: ${error.message}`)
    return 1
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

function readFlags(argv: readonly string[]): Result<SandboxOptions | 'help'> {
  const parsed = parse(argv)
  if (!parsed.ok) return parsed
  const flags = parsed.value
  if (flags.help) return ok('help')
  if (flags.data === '') return err('--data must name a folder')
  const numbers = readNumbers(flags)
  if (!numbers.ok) return numbers
  const { market } = flags
  if (market !== 'on' && market !== 'off') return err('--market must be on or off')
  const wire = wireModes.find((mode) => mode === flags.wire)
  return wire === undefined
    ? err(`--wire must be one of ${wireModes.join(', ')}`)
    : ok({ ...numbers.value, market, wire, ...(flags.data === undefined ? {} : { data: flags.data }) })
}

type Flags = Extract<ReturnType<typeof parse>, { ok: true }>['value']

function parse(argv: readonly string[]) {
  try {
    return ok(parseArgs({ args: [...argv], options: flagOptions, strict: true }).values)
  } catch (error) {
    // Only the first sentence: the rest of the message is advice on the parser itself.
    return err(error instanceof Error ? (error.message.split(/\.(?:\s|$)/)[0] ?? error.message) : String(error))
  }
}

type Numbers = Pick<SandboxOptions, 'port' | 'gatewayPort' | 'adminPort' | 'seed' | 'rateLimit'>

function readNumbers(flags: Flags): Result<Numbers> {
  const bounds = [
    ['port', flags.port, 0, 65_535],
    ['gateway-port', flags['gateway-port'], 0, 65_535],
    ['admin-port', flags['admin-port'], 0, 65_535],
    ['seed', flags.seed, 0, Number.MAX_SAFE_INTEGER],
    ['rate-limit', flags['rate-limit'], 1, 1_000_000],
  ] as const
  for (const [name, text, least, most] of bounds) {
    if (text === undefined) continue
    const isGood = /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most
    if (!isGood) return err(`--${name} must be a whole number from ${least} to ${most}`)
  }
  return ok({
    port: Number(flags.port),
    gatewayPort: Number(flags['gateway-port']),
    adminPort: Number(flags['admin-port']),
    ...(flags.seed === undefined ? {} : { seed: Number(flags.seed) }),
    ...(flags['rate-limit'] === undefined ? {} : { rateLimit: Number(flags['rate-limit']) }),
  })
}
