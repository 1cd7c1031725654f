// `npm run drill -- orders [--writes N] [--withdrawals N] [--kills N] [--seed N]`: an exchange that fails in every way
// it can, and a desk that is killed again and again. In the end the journal and the exchange must agree on everything.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom } from '../../src/base/random.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { createDraftsFile } from '../../src/state-files/drafts-file.ts'
import { ended, firstLine } from '../fakes/child-program.ts'
import { type AdminPlace, administer } from './administer.ts'
import { type ClientSetting, runClient } from './client-child.ts'
import { connect } from './connect.ts'
import { runExchange } from './exchange-child.ts'
import { type DrillOptions, faults } from './setting.ts'
import { allOrders, judge } from './verdict.ts'

const self = fileURLToPath(import.meta.url)
const killAfterMs = { least: 30, most: 900 }

type Place = AdminPlace & { exchangeUrl: string; token: string }

/** This program again in another role, with its first line of output. */
async function startChild(role: string, values: object): Promise<{ child: ChildProcess; firstLine: string }> {
  const child = spawn(process.execPath, [self, role], { stdio: ['pipe', 'pipe', 'inherit'] })
  // What it needs goes in by stdin: argument lists can be read by everyone, and keys are among it.
  child.stdin.write(`${JSON.stringify(values)}\n`)
  return { child, firstLine: await firstLine(child, role) }
}

/** Lets the desk work, killed `kills` times with -9 at moments of chance, until it has ended by itself. */
async function workUnderFire(setting: ClientSetting, { kills, seed }: DrillOptions): Promise<number> {
  const chance = createRandom(seed, 'kills')
  let killed = 0
  for (;;) {
    const { child } = await startChild('client', setting)
    if (killed < kills) {
      const afterMs = killAfterMs.least + chance.uniform() * (killAfterMs.most - killAfterMs.least)
      const end = new AbortController()
      child.once('exit', () => end.abort())
      await systemClock.sleep(afterMs, end.signal)
      if (child.exitCode === null) child.kill('SIGKILL')
    }
    const code = await ended(child)
    if (code === 0) return killed
    if (code !== null) throw new Error(`the desk ended with ${code}`)
    killed += 1
  }
}

async function drill(options: DrillOptions): Promise<number> {
  const startedMs = systemClock.now()
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-drill-'))
  const { child: exchange, firstLine } = await startChild('exchange', { seed: options.seed })
  const place: Place = JSON.parse(firstLine)
  try {
    for (const [verb, values] of faults) await administer(place, `/fault/${verb}`, values)
    const orders = Math.floor(options.writes / 2)
    const { exchangeUrl, token } = place
    const setting = {
      exchangeUrl,
      token,
      folder: join(folder, 'journal', 'drill'),
      orders,
      withdrawals: options.withdrawals,
    }
    const killed = await workUnderFire(setting, options)
    await administer(place, '/fault/off', {})
    const { client, close } = connect(exchangeUrl, token)
    const { entries, gaps } = await new FolderReader(setting.folder).since(0)
    const path = join(setting.folder, '..', 'drafts.json')
    const drafts = await createDraftsFile({ path, account: 'drill', takeLock, clock: systemClock }).read()
    if (!drafts.ok) throw new Error(drafts.error)
    const money = { withdrawals: (await client.fetchWithdrawals({})).entries, drafts: drafts.value }
    const verdict = judge(entries.all(), await allOrders(client), money, { orders, withdrawals: options.withdrawals })
    await close()
    const seconds = Math.round((systemClock.now() - startedMs) / 100) / 10
    for (const complaint of verdict.complaints) process.stderr.write(`${complaint}\n`)
    process.stdout.write(`${JSON.stringify({ ...verdict.figures, kills: killed, tornLines: gaps.length, seconds })}\n`)
    if (verdict.complaints.length > 0) {
      process.stderr.write(`the journal is kept in ${setting.folder}\n`)
      return 1
    }
    rmSync(folder, { recursive: true, force: true })
    return 0
  } finally {
    exchange.stdin?.end()
    await ended(exchange)
  }
}

function readOptions(argv: readonly string[]): DrillOptions {
  const number = (name: string, fallback: number) => [name, { type: 'string', default: String(fallback) }] as const
  const flags = [number('writes', 1_000), number('withdrawals', 200), number('kills', 40), number('seed', 1)]
  const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(flags) })
  const read = (name: string) => {
    const count = Number(values[name])
    if (!Number.isInteger(count) || count < 0) throw new Error(`--${name} must be a whole number`)
    return count
  }
  return { writes: read('writes'), withdrawals: read('withdrawals'), kills: read('kills'), seed: read('seed') }
}

/** What the parent says on the first line of stdin. */
async function given<T>(): Promise<T> {
  for await (const line of createInterface({ input: process.stdin })) return JSON.parse(line)
  throw new Error('nothing was said on stdin')
}

const [, , role = ''] = process.argv
if (role === 'exchange') await runExchange((await given<{ seed: number }>()).seed)
else if (role === 'client') {
  const setting = await given<ClientSetting>()
  // A drill that is gone leaves no desk behind.
  process.stdin.resume().once('end', () => process.exit(1))
  await runClient(setting)
  process.exit(0)
} else process.exitCode = await drill(readOptions(process.argv.slice(2)))
