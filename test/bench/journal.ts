// What a long journal costs: a command, a start and a lookup, against a fresh journal in the same run. `npm run bench
// -- journal [ENTRIES] [FILES]`: a year of a busy desk, and as many closed files as an earlier program left.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '../../src/base/secret.ts'
import { accountJournalFolder, accountOf } from '../../src/desk/account/account-folder.ts'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { fileName } from '../../src/journal/files.ts'
import { joinFiles, joiningBy } from '../../src/journal/joining.ts'
import { recordLine } from '../../src/journal/record.ts'
import { aDraft } from '../fakes/orders.ts'
import { buildProgram, PracticeProcess, program } from './practice-process.ts'
import { figure, fixed, quantile } from './screen/figures.ts'

const [entryCount = 1_000_000, fileCount = 100_000] = process.argv.slice(2).map(Number)
const runs = 9
const yearMs = 366 * 86_400_000
/** The aims: a command over a year's journal, wall clock and memory. */
const aim = { ms: 300, mib: 150 }

const root = mkdtempSync(join(tmpdir(), 'pitdesk-bench-journal-'))
const nowMs = Date.now()

/** The entry of an order, as a busy desk leaves thousands a day. */
const anEntry = (number: number, atMs: number): JournalEntry => ({
  id: number.toString(16).padStart(24, '0'),
  atMs,
  intent: {
    kind: 'order',
    clientOrderId: clientOrderIdOf(number),
    draft: aDraft(),
    scales: { priceScale: 2, quantityScale: 4 },
  },
  steps: [],
  outcome: { kind: 'accepted', id: `${9_912_041 + number}`, status: 'OPEN' },
  settlement: null,
})
const clientOrderIdOf = (number: number): string => `n${number.toString(36).padStart(19, '0')}`

type Home = { folder: string; journal: string; account: string }

function aHome(name: string, { baseUrl, token }: { baseUrl: string; token: string }): Home {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  const exchange = { kind: 'service', baseUrl, token: null } as const
  const io = { environment: { HOME: folder } }
  const account = accountOf({ profileName: 'environment', exchange }, new Secret(token), io)
  return { folder, journal: accountJournalFolder(account), account: account.name }
}

const desk = (account: string, atMs: number, version: number): string =>
  recordLine({ record: 'desk', at: atMs, version, exchange: account })
const linesOf = (entry: JournalEntry): string => recordsOf(entry).map(recordLine).join('')

/** A year of a desk that fills file after file, joined as it goes. */
async function writeYear({ journal, account }: Home): Promise<void> {
  const closed = join(journal, 'closed')
  mkdirSync(closed, { recursive: true })
  const stepMs = yearMs / entryCount
  let text = ''
  let file = 0
  for (let number = 0; number < entryCount; number += 1) {
    const atMs = Math.round(nowMs - yearMs + number * stepMs)
    if (text === '') text = desk(account, atMs, 2)
    text += linesOf(anEntry(number, atMs))
    if (text.length < 262_144 && number < entryCount - 1) continue
    writeFileSync(join(closed, fileName(`run${String(file).padStart(6, '0')}`, 1)), text)
    text = ''
    file += 1
    await joinFiles({ folder: journal, nowMs, ...joiningBy.desk })
  }
}

/** What so many commands of an earlier program left: a file each, where that program kept them. */
function writeEarlier({ folder, account }: Home): void {
  const closed = join(folder, '.local/state/pitdesk/journal/environment/closed')
  mkdirSync(closed, { recursive: true })
  for (let number = 0; number < fileCount; number += 1) {
    const atMs = Math.round(nowMs - yearMs + (number * yearMs) / fileCount)
    const path = join(closed, fileName(`run${String(number).padStart(6, '0')}`, 1))
    writeFileSync(path, desk(account, atMs, 1) + linesOf(anEntry(number, atMs)))
    utimesSync(path, atMs / 1_000, atMs / 1_000)
  }
}

const usagePath = join(root, 'usage.mjs')
// The most memory that the program had, as the system counts it from its start on.
writeFileSync(
  usagePath,
  String.raw`import { readFileSync } from 'node:fs'
const peak = () => /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
process.on('exit', () => process.stderr.write('\nRSS ' + peak() + '\n'))
`,
)

type Cost = { ms: number; mib: number }

/** One command of the built program, to its end. */
async function run({ folder }: Home, exchange: PracticeProcess, line: string): Promise<Cost> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--import', usagePath, `${program}/pitdesk.js`, ...line.split(' ')], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PITDESK_EXCHANGE_BASE_URL: exchangeUrl(exchange),
      PITDESK_API_TOKEN: exchange.token('trader'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += String(chunk)
  })
  const [code] = await once(child, 'close')
  const ms = performance.now() - startedAt
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${said}`)
  return { ms, mib: Number(/RSS (\d+)/.exec(said)?.[1] ?? Number.NaN) / 1_024 }
}

const exchangeUrl = ({ port }: PracticeProcess): string => `http://127.0.0.1:${port}/v3`

/** Both sides of a market, so that an order can be judged. */
async function quote(exchange: PracticeProcess): Promise<void> {
  for (const [side, price] of [
    ['BUY', '60000'],
    ['SELL', '60001'],
  ]) {
    const order = { clOrdId: `quote${side}`, ordType: 'LIMIT', symbol: 'BTC-USD', side, orderQty: '0.5', price }
    const answer = await globalThis.fetch(`${exchangeUrl(exchange)}/orders`, {
      method: 'POST',
      headers: { 'X-API-Token': exchange.token('counterparty'), 'content-type': 'application/json' },
      body: JSON.stringify({ ...order, timeInForce: 'GTC' }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

let priceCount = 0
/** Prices that were not sent before: the guard against duplicates is not what is measured. */
const placing = (): string => {
  priceCount += 1
  return `order place buy 0.001 BTC-USD --limit ${59_900 - priceCount}.00 --tif IOC --yes --accept partial-fill`
}

async function measureCommand(name: string, home: Home, exchange: PracticeProcess, isAimed: boolean): Promise<void> {
  const costs: Cost[] = []
  for (let count = 0; count < runs; count += 1) costs.push(await run(home, exchange, placing()))
  figure(
    `${name}: order place, median`,
    quantile(
      costs.map(({ ms }) => ms),
      0.5,
    ),
    'ms',
    isAimed ? aim.ms : undefined,
  )
  figure(`${name}: order place, slowest of ${runs}`, Math.max(...costs.map(({ ms }) => ms)), 'ms')
  figure(
    `${name}: order place, memory`,
    quantile(
      costs.map(({ mib }) => mib),
      0.5,
    ),
    'MiB',
    isAimed ? aim.mib : undefined,
  )
}

/** What the journal itself takes, in this process. */
async function measureJournal(name: string, { journal: folder, account }: Home): Promise<void> {
  const options = { folder, exchange: account, now: () => Date.now(), randomBytes }
  const time = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const done = await work()
    figure(`${name}: ${what}`, performance.now() - startedAt, 'ms', undefined, 2)
    return done
  }
  const journal = await time('opened', () => openFileJournal(options))
  const known = clientOrderIdOf(Math.floor(entryCount / 3))
  await time('an id that is not there, first', () => journal.find({ kind: 'order', id: 'not there' }))
  await time('an id that is not there, again', () => journal.find({ kind: 'order', id: 'not there either' }))
  await time('an id that may be there', () => journal.find({ kind: 'order', id: known }))
  await time('what was sent in the last hour', () => journal.history(Date.now() - 3_600_000))
  await time('what was sent in the last day', () => journal.history(Date.now() - 86_400_000))
  await journal.close()
}

function sizeOf({ journal }: Home): string {
  const joined = join(journal, 'joined')
  const names = readdirSync(joined)
  const bytes = names.reduce((sum, each) => sum + statSync(join(joined, each)).size, 0)
  const index = names.filter((each) => each.endsWith('.index'))
  const indexBytes = index.reduce((sum, each) => sum + statSync(join(joined, each)).size, 0)
  return `${index.length} joined files, ${fixed(bytes / 1e6)} MB, of them index ${fixed(indexBytes / 1e6)} MB`
}

await buildProgram()
const exchange = await PracticeProcess.start(join(root, 'exchange'), join(root, 'exchange-home'), 'off')
try {
  await quote(exchange)
  const at = { baseUrl: exchangeUrl(exchange), token: exchange.token('trader') }
  const fresh = aHome('fresh', at)
  // Once before anything counts: the program keeps itself compiled.
  await run(fresh, exchange, placing())
  await measureCommand('fresh', fresh, exchange, false)
  await measureJournal('fresh', fresh)

  const year = aHome('year', at)
  await writeYear(year)
  console.log(`  a year of a busy desk: ${fixed(entryCount)} entries, ${sizeOf(year)}`)
  await run(year, exchange, placing())
  await measureCommand('a year', year, exchange, true)
  await measureJournal('a year', year)
  for (const line of ['journal --open', 'journal --since 1d --csv', 'journal --csv']) {
    const { ms, mib } = await run(year, exchange, line)
    figure(`a year: ${line}`, ms, 'ms')
    figure(`a year: ${line}, memory`, mib, 'MiB')
  }

  const earlier = aHome('earlier', at)
  writeEarlier(earlier)
  const first = await run(earlier, exchange, placing())
  console.log(`  ${fixed(fileCount)} closed files of an earlier program: ${sizeOf(earlier)} afterwards`)
  figure('closed files: the one command that takes them over', first.ms, 'ms')
  figure('closed files: its memory', first.mib, 'MiB')
  await measureCommand('closed files', earlier, exchange, true)
  await measureJournal('closed files', earlier)
  const listed = readFileSync(join(earlier.journal, 'joined', '000001.jsonl'), 'utf8').includes(clientOrderIdOf(0))
  if (!listed) throw new Error('what was taken over is not there')
} finally {
  await exchange.end('SIGTERM')
  rmSync(root, { recursive: true, force: true })
}
