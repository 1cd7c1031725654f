import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import type { CommandIo, CommandTools } from '../../../src/base/process/command-io.ts'
import type { Result } from '../../../src/base/result.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { openDeskSession } from '../../../src/desk/account/session.ts'
import { openDesk } from '../../../src/desk/opening.ts'
import { noReboundKeys } from '../../../src/domain/desk/session.ts'
import type { DeskStore } from '../../../src/store/desk.ts'
import { usualLooks } from '../../../src/store/looks.ts'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import { quietIo } from '../../fakes/quiet-io.ts'
import type { DrillTerminal } from './drill-terminal.ts'
import type { WeekExchange } from './week-exchange.ts'

export type WeekDesk = {
  store: DeskStore
  /** Ends it as the program ends: everything kept, everything closed. */
  stop(): Promise<void>
}

const usable = <T>(result: Result<T, unknown>): T => {
  if (!result.ok) throw new Error(inspect(result.error))
  return result.value
}

/** The configuration of a desk on such an exchange, with an inbox of its own. */
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
  onBug: (error: unknown) => void
}

/**
 * The desk as the program opens it, with real files and real connections, and a real console on an emulated terminal.
 */
export async function openWeekDesk({ home, exchange, terminal, tools, onBug }: WeekDeskOptions): Promise<WeekDesk> {
  const environment = {
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    PITDESK_API_TOKEN: exchange.token,
    PITDESK_PARTNER_KEY: exchange.partnerKey,
  }
  const ending = new AbortController()
  const quit = new AbortController()
  const io = ioOf(environment, ending.signal, onBug)
  const settings = usable(readSettings(environment, {}))
  const session = await openDeskSession({ settings, io, tools, isFresh: false })
  const plan = { settings: { ...settings, symbol: session.symbol }, looks: usualLooks, reboundKeys: noReboundKeys }
  const opened = usable(await openDesk({ ...plan, quit, io, tools }))
  if (opened.trouble.length > 0) throw new Error(opened.trouble.join('; '))
  const { store, commands } = opened.desk
  const { clock } = tools
  const { stdin, stdout } = terminal
  session.attach(store)
  opened.alerts.follow(store, clock, (bytes) => stdout.write(bytes))
  opened.transfers.follow(store, clock)
  const onExit = (error?: unknown) => (error === undefined ? undefined : onBug(error))
  const console = usable(openConsole({ store, commands, stdin, stdout, clock, env: environment, onExit }))
  opened.desk.start()
  return {
    store,
    async stop() {
      console.close()
      await console.waitUntilExit()
      await session.stop()
      await opened.stop()
      ending.abort('SIGTERM')
    },
  }
}

/** What these parts of a command use of a process. */
const ioOf = (environment: CommandIo['environment'], signal: AbortSignal, crash: CommandIo['crash']): CommandIo => ({
  ...quietIo(environment, signal),
  printError: (line) => process.stderr.write(`${line}\n`),
  crash,
})
