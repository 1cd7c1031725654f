import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { composeDesk } from '../compose.ts'
import { readConnection } from '../config/connection.ts'
import { xdgFolders } from '../config/folders.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { Secret } from '../domain/secret.ts'
import { UnusableData } from '../sandbox/persistence/unusable-data.ts'
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts'
import type { Venue } from '../store/state.ts'
import { openConsole } from '../ui/open-console.tsx'
import { type CommandIo, type ExitCode, exitCodeOf } from './io.ts'
import { announceAdmin } from './sandbox-admin-file.ts'

export const deskHelp = `Usage: pitdesk [desk] [--symbol SYMBOL] [--monitor]

Opens the console. Without configuration it trades on its own practice exchange, which starts and ends with it and
remembers everything in the state folder (~/.local/state/pitdesk/practice).

  --symbol SYMBOL  the symbol to show first, for example ETH-USD
  --monitor        only watch: no write can leave the process

PITDESK_EXCHANGE_BASE_URL and PITDESK_API_TOKEN in the environment point it at an exchange instead.`

type Venueful = { venue: Venue; exchangeBaseUrl: string; token: Secret; stop: () => Promise<void> }

/** The exchange to work with: the one the environment names, or a practice exchange of the desk's own. */
async function connect(io: CommandIo): Promise<Result<Venueful>> {
  const connection = readConnection(io.environment)
  if (!connection.ok) return connection
  if (connection.value.kind === 'service') {
    const { profileName, exchangeBaseUrl, token } = connection.value
    return ok({ venue: { profileName, kind: 'live' }, exchangeBaseUrl, token, stop: () => Promise.resolve() })
  }
  const sandbox = await startPractice(join(xdgFolders(io.environment).state, 'practice'))
  if (!sandbox.ok) return sandbox
  const trader = sandbox.value.accounts.find((account) => account.name === 'trader')
  if (trader === undefined) return err('The practice exchange has no trader account: this is a fault of the program.')
  const announced = announceAdmin(io.environment, sandbox.value, process.pid)
  if (!announced.ok) io.complain(`pitdesk: ${announced.error}`)
  return ok({
    venue: { profileName: 'practice', kind: 'practice' },
    exchangeBaseUrl: sandbox.value.exchangeUrl,
    token: new Secret(trader.token),
    stop: () => {
      if (announced.ok) announced.value()
      return sandbox.value.stop()
    },
  })
}

/** The desk's own practice exchange: it lives on in this folder, so what was traded is there the next time. */
async function startPractice(data: string): Promise<Result<Sandbox>> {
  try {
    const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'on', data } as const
    return ok(await startSandbox(options, { clock: systemClock, randomBytes, log: () => {} }))
  } catch (error) {
    if (error instanceof UnusableData) return err(error.message)
    throw error
  }
}

function readFlags(argv: readonly string[]): Result<{ symbol: string; isMonitor: boolean; isHelp: boolean }> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { symbol: { type: 'string' }, monitor: { type: 'boolean' }, help: { type: 'boolean' } },
    })
    const symbol = (values.symbol ?? 'BTC-USD').toUpperCase()
    return ok({ symbol, isMonitor: values.monitor ?? false, isHelp: values.help ?? false })
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}

/** Opens the console and stays until a person quits or a signal ends it. */
export async function runDeskCommand(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const flags = readFlags(argv)
  if (!flags.ok) {
    io.complain(`pitdesk: ${flags.error} (see pitdesk --help)`)
    return 2
  }
  if (flags.value.isHelp) {
    io.print(deskHelp)
    return 0
  }
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    io.complain(
      'pitdesk: the console needs a terminal for its keys and its screen, and this is none. Nothing was started.',
    )
    return 1
  }
  const connected = await connect(io)
  if (!connected.ok) {
    io.complain(`pitdesk: ${connected.error}`)
    return 1
  }
  const quit = new AbortController()
  io.signal.addEventListener('abort', () => quit.abort(), { once: true })
  const { venue, exchangeBaseUrl, token, stop } = connected.value
  const desk = composeDesk({
    venue,
    exchangeBaseUrl,
    token,
    isMonitor: flags.value.isMonitor,
    symbol: flags.value.symbol,
    clock: systemClock,
    random: Math.random,
    randomBytes,
    onQuit: () => quit.abort(),
    onBug: io.crash,
  })
  if (!desk.ok) {
    await stop()
    io.complain(`pitdesk: ${desk.error}`)
    return 1
  }
  const { store, commands } = desk.value
  const console = openConsole({
    store,
    commands,
    stdin: io.stdin,
    stdout: io.stdout,
    clock: systemClock,
    env: io.environment,
    onExit: (error) => (error === undefined ? quit.abort() : io.crash(error)),
  })
  if (!console.ok) {
    await stop()
    io.complain(`pitdesk: ${console.error}`)
    return 1
  }
  io.restoreAtCrash(() => console.value.close())
  desk.value.start()
  await once(quit.signal)
  console.value.close()
  await desk.value.stop()
  await stop()
  return io.signal.aborted ? exitCodeOf(io.signal) : 0
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
