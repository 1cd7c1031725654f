import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { createTransport } from '../../src/api/call.ts'
import { createExchangeClient, type ExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import type { CommandIo } from '../../src/base/process/command-io.ts'
import { Secret } from '../../src/base/secret.ts'
import { runProgram } from '../../src/commands/cli/program.ts'
import { commandTable } from '../../src/commands/command-table.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Order, OrderDraft } from '../../src/domain/orders/order.ts'
import type { WhitelistEntry, Withdrawal } from '../../src/domain/transfers/transfer.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { atRest } from '../fakes/at-rest.ts'
import { steadily } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { linesTo } from '../fakes/output.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

export const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)

export type Ran = { code: number; stdout: string[]; stderr: string[]; progress: Array<string | null> }

export type ToldFailure = { kind: string; message: string; todo?: string; clientOrderId?: string }

/** The failure that a command told of as JSON: the last line of its output, and the same words on stderr. */
export function failureIn({ stdout, stderr }: Ran): ToldFailure {
  const { error }: { error: ToldFailure } = JSON.parse(stdout.at(-1) ?? '')
  if (!stderr.join('\n').includes(error.message)) throw new Error(`not told of on stderr: ${error.message}`)
  return error
}

/** How a command that failed ended, and what it told of it. */
export const told = (ran: Ran) => ({ code: ran.code, ...failureIn(ran) })

/** A passphrase as it is set: typed, and typed again. */
export const twice = (text: string): string => `${text}\r${text}\r`

export type Shell = {
  home: string
  environment: Record<string, string>
  clock: FakeClock
  /** Runs the program to its end. */
  run(line: string, options?: RunOptions): Promise<Ran>
  /** Starts it, for what goes on until a signal. */
  start(line: string, options?: RunOptions): Running
  /** Runs while time passes: for what waits, or looks again and again. */
  runThrough(line: string, options?: RunOptions): Promise<Ran>
  /** What the journals of all accounts hold. */
  journalText(): string
  /** Every file below the home folder, path and content. */
  files(): Array<{ path: string; text: string }>
}

export type RunOptions = {
  isTerminal?: boolean
  columns?: number
  /** Typed from the start. */
  typed?: string
  /** Typed when a question with these words is asked. */
  answers?: Readonly<Record<string, string>>
}
export type Running = {
  ran: Ran
  ended: Promise<Ran>
  signal: (name: string) => void
  /** Stdout fails from now on: `EPIPE` when its reader has left, `ENOSPC` on a full disk. */
  breakOutput: (code: string) => void
  type: (text: string) => void
  /** Its stdin ends. */
  closeInput: () => void
  /** Lets time pass, beat by beat, until it holds. */
  until: (isThere: () => boolean) => Promise<void>
}

/** Resolves once the code of a line's command is loaded: that takes the machine's time, which no test's clock shows. */
const loaded = (line: string) =>
  Promise.all(commandTable.filter(({ name }) => ` ${line} `.includes(` ${name} `)).map(({ load }) => load()))

// Small: a hub and its database answer in the machine's own time, and the clock of a command must not run away from it.
const beatMs = 10
const beatsMax = 5_000

/** A home folder of its own, an environment, and the program in this very process. */
export function openShell(environment: Record<string, string> = {}, clock = new FakeClock(startMs)): Shell {
  const home = temporaryFolder('home')
  const variables = { HOME: home, PATH: process.env.PATH ?? '', ...environment }
  const start = (
    line: string,
    { isTerminal = false, columns = 120, typed = '', answers = {} }: RunOptions = {},
  ): Running => {
    const ran: Ran = { code: -1, stdout: [], stderr: [], progress: [] }
    const [ended, hurried] = [new AbortController(), new AbortController()]
    const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal, setRawMode: () => undefined })
    if (typed !== '') stdin.write(typed)
    const stdout = Object.assign(new PassThrough(), { isTTY: isTerminal, columns, rows: 40 })
    const output = linesTo((line) => ran.stdout.push(line))
    const io = {
      environment: variables,
      // Only what commands use of a terminal is there.
      stdin: stdin as unknown as CommandIo['stdin'],
      stdout: stdout as unknown as CommandIo['stdout'],
      ...output,
      printError: (text: string) => {
        ran.stderr.push(text)
        for (const [words, answer] of Object.entries(answers)) if (text.includes(words)) stdin.write(answer)
      },
      progress: (text: string | null) => ran.progress.push(text),
      signal: ended.signal,
      hurry: hurried.signal,
      restoreAtCrash: () => undefined,
      crash: (error: unknown) => {
        throw error
      },
    }
    const tools = { clock, random: () => 0.5, randomBytes, isOwnProcess: false }
    const finished = runProgram(splitLine(line), io, tools, '1.2.3', commandTable).then((code) => {
      ran.code = code
      return ran
    })
    const until = async (isThere: () => boolean) => {
      await loaded(line)
      // What ends after a signal waits for the machine too, and has a bound for that.
      for (let beats = 0; beats < beatsMax && !ended.signal.aborted; beats += 1) {
        if (isThere()) return
        await atRest()
        await clock.advance(beatMs)
        await atRest()
      }
      // It waits for the machine, which loads a module or starts a thread: from here on the clock goes at the machine's
      // pace.
      await steadily(async () => {
        await clock.advance(beatMs)
        await atRest()
        if (!isThere()) throw new Error(`never happened:\n${[...ran.stdout, ...ran.stderr].join('\n')}`)
      })
    }
    return {
      ran,
      ended: finished,
      signal: (name) => (ended.signal.aborted ? hurried : ended).abort(name),
      breakOutput: output.breakWith,
      type: (text) => void stdin.write(text),
      closeInput: () => void stdin.end(),
      until,
    }
  }
  const files = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
  return {
    home,
    environment: variables,
    clock,
    start,
    async runThrough(line, options) {
      const running = start(line, options)
      await running.until(() => running.ran.code !== -1)
      return running.ended
    },
    journalText: () =>
      files()
        .filter(({ path }) => path.includes('/journal/'))
        .map(({ text }) => text)
        .join(''),
    async run(line, options) {
      const { ran, ended } = start(line, options)
      let isOver = false
      const over = ended.finally(() => {
        isOver = true
      })
      await loaded(line)
      // A command that rests between two looks needs time. What loads another module waits for the machine: the clock
      // must not run away from it.
      const passing = steadily(async () => {
        await atRest()
        if (isOver) return
        await clock.advance(beatMs)
        throw new Error(`never ended:\n${[...ran.stdout, ...ran.stderr].join('\n')}`)
      })
      await Promise.race([over, passing])
      return await over
    },
    files,
  }
}

/** Words of a command line; double quotes keep spaces together. */
const splitLine = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')

export type Exchange = {
  sandbox: Sandbox
  clock: FakeClock
  token: (account: string) => string
  client: (account: string) => ExchangeClient
  /** Variables that point at the exchange, as one of its accounts. */
  environment: (account?: string) => Record<string, string>
  admin: (path: string, body: object) => Promise<void>
  /** The trader's working orders, as the exchange reports them. */
  working: () => Promise<readonly Order[]>
  withdrawn: () => Promise<readonly Withdrawal[]>
  /** The entry of the trader's whitelist for bitcoin. */
  bitcoinEntry: () => Promise<WhitelistEntry>
}

/** A practice exchange in this process whose market stands still and whose clock only the test moves. */
export async function openExchange(): Promise<Exchange> {
  const clock = new FakeClock(startMs)
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 },
    { clock, randomBytes, log: () => undefined },
  )
  const token = (name: string) => sandbox.accounts.find((account) => account.name === name)?.token ?? ''
  const transports = new Map<string, ReturnType<typeof createTransport>>()
  onTestFinished(async () => {
    await Promise.all([...transports.values()].map((transport) => transport.close()))
    await sandbox.stop()
  })
  const transportOf = (base: string, key: string, keyHeader: string) => {
    const address = readBaseAddress(base)
    if (!address.ok) throw new Error(address.error)
    const made = createTransport({
      base: address.value,
      key: new Secret(key),
      keyHeader,
      clock,
      random: () => 0.5,
      mayWrite: () => true,
      rate: { perSecond: 1_000_000, burst: 1_000_000 },
    })
    transports.set(`${base} ${key}`, made)
    return made
  }
  const client = (name: string) =>
    createExchangeClient(transportOf(sandbox.exchangeUrl, token(name), exchangeKeyHeader))
  return {
    sandbox,
    clock,
    token,
    client,
    working: async () => (await client('trader').fetchOrders({})).entries,
    withdrawn: async () => (await client('trader').fetchWithdrawals({})).entries,
    async bitcoinEntry() {
      const [entry] = (await client('trader').fetchWhitelistOf('BTC')).entries
      if (entry === undefined) throw new Error('the whitelist is empty')
      return entry
    },
    environment: (name = 'trader') => ({
      PITDESK_EXCHANGE_BASE_URL: sandbox.exchangeUrl,
      PITDESK_API_TOKEN: token(name),
    }),
    async admin(path, body) {
      const transport = transportOf(sandbox.adminUrl, `Bearer ${sandbox.adminToken}`, 'authorization')
      await transport.send({ method: 'POST', path, body: JSON.stringify(body) })
    },
  }
}

/** A book to trade against: 1 BTC on each side around 60,000. */
export async function quotes({ client }: Exchange): Promise<void> {
  const maker = client('counterparty')
  await maker.placeOrder(limitOrder('BUY', '1', '59999.50'))
  await maker.placeOrder(limitOrder('SELL', '1', '60000.50'))
}

let orderCount = 0
/** A limit order good till canceled, with an id of its own. */
export function limitOrder(
  side: 'BUY' | 'SELL',
  quantity: string,
  price: string,
  symbol = 'BTC-USD',
): OrderDraft & { clientOrderId: string } {
  orderCount += 1
  return {
    clientOrderId: `t${orderCount}`,
    symbol,
    side,
    type: 'LIMIT',
    orderQuantity: new Decimal(quantity),
    limitPrice: new Decimal(price),
    stopPrice: null,
    timeInForce: 'GTC',
    expireDate: null,
    minQuantity: null,
    postOnly: false,
  }
}

/** A person has said in a desk of the only open write that it was not placed. */
export async function notPlacedByPerson(shell: Shell, exchange: Exchange): Promise<void> {
  const file = shell.files().find(({ path, text }) => path.includes('/journal/') && text.includes('"record":"desk"'))
  const folder = /^.*\/journal(?=\/)/.exec(file?.path ?? '')?.[0] ?? ''
  const account = /"exchange":"([^"]*)"/.exec(file?.text ?? '')?.[1] ?? ''
  const now = () => exchange.clock.wallMs()
  const journal = await openFileJournal({ folder, exchange: account, now, randomBytes })
  const [open] = journal.open()
  const settlement = { how: 'notPlaced', by: 'person', id: null, evidence: 'listed nowhere' } as const
  await journal.settle(open?.id ?? '', settlement, now())
  await journal.close()
}
