import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDrafts } from '../../../src/commands/account-drafts.ts'
import { openAccountJournal } from '../../../src/commands/account-journal.ts'
import type { CommandTools } from '../../../src/commands/command.ts'
import { readDeskAlerts } from '../../../src/commands/desk-alerts.ts'
import { openDeskGateway } from '../../../src/commands/desk-gateway.ts'
import { openDeskSession } from '../../../src/commands/desk-session.ts'
import { readDeskTransfers } from '../../../src/commands/desk-transfers.ts'
import type { CommandIo } from '../../../src/commands/io.ts'
import { composeDesk } from '../../../src/compose.ts'
import { readSettings } from '../../../src/config/settings.ts'
import type { Result } from '../../../src/domain/result.ts'
import { Secret } from '../../../src/domain/secret.ts'
import type { OpenWrite, WriteJournal } from '../../../src/journal/entry.ts'
import type { DeskStore } from '../../../src/store/store.ts'
import { openConsole } from '../../../src/ui/open-console.tsx'
import type { DrillTerminal } from './drill-terminal.ts'
import type { Traffic } from './traffic.ts'
import type { WeekExchange } from './week-exchange.ts'

export type WeekDesk = {
  store: DeskStore
  /** Resolves once a person quit. */
  quit: Promise<void>
  /** Ends it as the program ends: everything kept, everything closed. */
  stop(): Promise<void>
}

const usable = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** The configuration of a desk on the week's exchange, with an inbox of its own. */
export function configure(
  home: string,
  { exchangeUrl, gatewayUrl }: Pick<WeekExchange, 'exchangeUrl' | 'gatewayUrl'>,
  inboxPort: number,
): void {
  const folder = join(home, '.config', 'pitdesk')
  mkdirSync(folder, { recursive: true })
  const lines = [
    'default_profile = "week"',
    '[profiles.week]',
    'kind = "practice"',
    `exchange_base_url = "${exchangeUrl}"`,
    `gateway_base_url = "${gatewayUrl}"`,
    '[inbox]',
    'in_desk = true',
    'host = "127.0.0.1"',
    `port = ${inboxPort}`,
    'metrics_port = 0',
    'allow = ["127.0.0.0/8"]',
  ]
  writeFileSync(join(folder, 'config.toml'), `${lines.join('\n')}\n`)
}

export type WeekDeskOptions = {
  home: string
  exchange: WeekExchange
  terminal: DrillTerminal
  tools: CommandTools
  /** Told of what is written to the disk, so that it is waited for. */
  traffic: Traffic
  onBug: (error: unknown) => void
}

/** The desk as the program puts it together: real files, real connections, a real console on an emulated terminal. */
export async function openWeekDesk({
  home,
  exchange,
  terminal,
  tools,
  traffic,
  onBug,
}: WeekDeskOptions): Promise<WeekDesk> {
  const environment = {
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    PITDESK_API_TOKEN: exchange.token,
    PITDESK_PARTNER_KEY: exchange.partnerKey,
  }
  const ending = new AbortController()
  const io = ioOf(environment, ending.signal, onBug)
  const settings = usable(readSettings(environment))
  const { clock } = tools
  const token = new Secret(exchange.token)
  const gateway = await openDeskGateway(settings, null, { io, tools })
  if (gateway.trouble.length > 0) throw new Error(gateway.trouble.join('; '))
  const alerts = await readDeskAlerts(settings, environment)
  const transfers = await readDeskTransfers(join(home, '.local/state/pitdesk'), settings.profileName)
  const session = await openDeskSession({ settings, io, tools, isFresh: false })
  const quit = new AbortController()
  const desk = usable(
    composeDesk({
      venue: { profileName: settings.profileName, kind: 'practice' },
      exchangeBaseUrl: exchange.exchangeUrl,
      token,
      isMonitor: false,
      symbol: session.symbol,
      limits: settings.limits,
      idleRules: settings.idleRules,
      alerts: alerts.start,
      followed: transfers.start,
      gateway: gateway.gateway,
      exportsFolder: join(home, '.local/state/pitdesk/exports'),
      journal: waitedFor(usable(await openAccountJournal(settings, token, io, tools)), traffic),
      drafts: openDrafts(settings, io, tools),
      ...tools,
      onQuit: () => quit.abort(),
      onBug,
    }),
  )
  const { store, commands } = desk
  session.attach(store)
  alerts.follow(store, clock, (bytes) => terminal.stdout.write(bytes))
  transfers.follow(store, clock)
  const { stdin, stdout } = terminal
  const onExit = (error?: unknown) => (error === undefined ? quit.abort() : onBug(error))
  const console = usable(openConsole({ store, commands, stdin, stdout, clock, env: environment, onExit }))
  desk.start()
  return {
    store,
    quit: new Promise((resolve) => quit.signal.addEventListener('abort', () => resolve(), { once: true })),
    async stop() {
      console.close()
      await console.waitUntilExit()
      await session.stop()
      await desk.stop()
      await alerts.stop()
      await transfers.stop()
      await gateway.stop()
      ending.abort('SIGTERM')
    },
  }
}

/** What these parts of a command use of a process. */
function ioOf(environment: CommandIo['environment'], signal: AbortSignal, crash: (error: unknown) => void): CommandIo {
  return {
    environment,
    stdin: process.stdin,
    stdout: process.stdout,
    print: () => undefined,
    complain: (line) => process.stderr.write(`${line}\n`),
    progress: () => undefined,
    signal,
    restoreAtCrash: () => undefined,
    crash,
  }
}

/** The journal, with the clock standing still while it writes: a disk takes real time. */
function waitedFor(journal: WriteJournal, { during }: Traffic): WriteJournal {
  const waitedWrite = ({ id, step, end }: OpenWrite): OpenWrite => ({
    id,
    step: (...given) => during(step(...given)),
    end: (...given) => during(end(...given)),
  })
  return {
    begin: (...given) => during(journal.begin(...given).then(waitedWrite)),
    settle: (...given) => during(journal.settle(...given)),
    open: () => journal.open(),
    adopt: () => during(journal.adopt()),
    openElsewhere: () => during(journal.openElsewhere()),
    history: (sinceMs) => during(journal.history(sinceMs)),
    listen: (onTrouble) => journal.listen(onTrouble),
    close: () => journal.close(),
  }
}
