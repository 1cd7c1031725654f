import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import { systemClock } from '../../src/base/clock.ts'
import { Decimal } from '../../src/domain/money.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { accountClients, tokenOf } from '../fakes/account-clients.ts'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { Terminal } from './terminal.ts'

export type StartOptions = {
  columns?: number
  rows?: number
  /** Variables besides the usual ones; undefined takes one of those away. */
  variables?: Readonly<Record<string, string | undefined>>
  /** False: the terminal never answers what it is asked. */
  isAnswering?: boolean
  /** It knows the Kitty keyboard protocol. */
  hasKeyCodes?: boolean
  /** A line for the shell around the program, which stands in it as `$DESK`. */
  shell?: string
}

export type DeskHome = {
  /** A folder that nothing of this machine's configuration is in. */
  folder: string
  /** The variables of a program that works there. */
  variables: Readonly<Record<string, string>>
  /** The desk's own account on the exchange, for another program. */
  client: ExchangeClient
  /** The built program in a terminal of its own, on an exchange whose market stands still. */
  start(options?: StartOptions): Terminal
  /** Takes the quotes of the market away and puts these in their place. */
  quote(bid: string, ask: string): Promise<void>
  /** What a file comes to hold. */
  read(name: string): Promise<string>
  /** The one process that another one started. */
  childOf(pid: number): number
  stop(): Promise<void>
}

/** The text of a file once there is any. */
async function textOf(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  const text = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  if (text() !== '') return text()
  await new Promise<void>((resolve) => {
    const look = () => {
      if (text() === '') return
      watcher.close()
      resolve()
    }
    const watcher = watch(folder, look)
    // It may have come before anybody watched.
    look()
  })
  return text()
}

/** Both sides of a market, so that a desk has something to show. */
async function quote(client: ExchangeClient, bid = '64210.00', ask = '64210.50'): Promise<void> {
  const orderQuantity = new Decimal('0.5')
  await client.cancelAllOrders('BTC-USD')
  for (const [side, limitPrice] of [
    ['BUY', bid],
    ['SELL', ask],
  ] as const)
    await client.placeOrder({
      ...{ symbol: 'BTC-USD', side, type: 'LIMIT', orderQuantity, limitPrice: new Decimal(limitPrice) },
      ...{ stopPrice: null, timeInForce: 'GTC', expireDate: null, minQuantity: null, postOnly: false },
      clientOrderId: `quote${side}${limitPrice.replace('.', '')}`,
    })
}

/** A practice exchange, and a home folder with `config` as the lines of its profile: for desks in real terminals. */
export async function openDeskHome(program: string, config: string): Promise<DeskHome> {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-home-'))
  mkdirSync(join(folder, '.config', 'pitdesk'), { recursive: true })
  const text = `default_profile = "paper"\n[profiles.paper]\nkind = "practice"\n${config}\n`
  writeFileSync(join(folder, '.config', 'pitdesk', 'config.toml'), text)
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  const sandbox = await startSandbox(started, { clock: systemClock, randomBytes, log: () => {} })
  const { trader: client, counterparty, close } = accountClients(sandbox, systemClock)
  await quote(counterparty)
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_CACHE_HOME: cacheOf(program),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    COLORTERM: 'truecolor',
    PITDESK_PROFILE: 'paper',
    PITDESK_EXCHANGE_BASE_URL: sandbox.exchangeUrl,
    PITDESK_API_TOKEN: tokenOf(sandbox, 'trader').reveal(),
    DESK: [process.execPath, ...nodeArgv(program)].join(' '),
  }
  return {
    folder,
    variables,
    client,
    start({
      columns = 80,
      rows = 24,
      variables: more = {},
      shell = '$DESK',
      isAnswering = true,
      hasKeyCodes = false,
    } = {}) {
      const all = Object.entries({ ...variables, ...more }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const environment = Object.fromEntries(all)
      return new Terminal('/bin/sh', ['-c', shell], { columns, rows, environment, folder, isAnswering, hasKeyCodes })
    },
    quote: (bid, ask) => quote(counterparty, bid, ask),
    read: (name) => textOf(folder, name),
    childOf(pid) {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
      if (!/^\d+$/.test(children)) throw new Error(`process ${pid} has not one child but "${children}"`)
      return Number(children)
    },
    async stop() {
      await close()
      await sandbox.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The desk is there: its ladder shows the market. */
export const isQuoted = (text: string): boolean => text.includes('64,210.00') || text.includes('64210.00')

/** What the checks of a ticket rest on is there: none of them is in the way of a review. */
export const isReviewable = (text: string): boolean => /OK \d+ checks/.test(text)
