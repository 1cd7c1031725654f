// `npm run drill -- inbox [--orders N] [--kills N] [--seed N]`: an inbox that is killed with -9 again and again under
// load, and a gateway whose answers get lost, whose connections end in the middle, and which sends some events twice.
// What got a yes must be there once, every order must be shown as it ended, and the partner's own service must have got
// all of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { compileCacheVariables } from '../../src/base/process/node-runtime.ts'
import { createOutput, standardSink } from '../../src/base/process/output.ts'
import { createRandom } from '../../src/base/random.ts'
import { readArguments } from '../../src/commands/cli/arguments.ts'
import { inboxRows } from '../../src/commands/inbox/rows.ts'
import { runInboxServe } from '../../src/commands/inbox/serve.ts'
import { openStore } from '../../src/inbox/store/open-store.ts'
import { ended, firstLine } from '../fakes/child-program.ts'
import { patienceMs } from '../fakes/eventually.ts'
import { planOf } from './inbox-events.ts'
import { startPartner } from './inbox-partner.ts'
import { deliverAll } from './inbox-sender.ts'
import { judgeInbox } from './inbox-verdict.ts'

const self = fileURLToPath(import.meta.url)

/** `pitdesk inbox serve`, without the rest of the program. */
async function runInbox(argv: readonly string[]): Promise<number> {
  const ended = new AbortController()
  process.on('SIGTERM', () => ended.abort('SIGTERM'))
  const output = createOutput(standardSink(process.stdout))
  const io = {
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    output,
    print: (line: string) => output.write(`${line}\n`),
    // Quarantine and what the partner does not take are told of line by line; here they are counted in the end.
    printError: (line: string) =>
      void (/quarantine|such bodies|forward|ending/.test(line) || process.stderr.write(`${line}\n`)),
    progress: () => undefined,
    signal: ended.signal,
    restoreAtCrash: () => undefined,
    crash: (error: unknown) => {
      throw error
    },
  }
  const row = inboxRows.find(({ name }) => name === 'inbox serve')
  if (row === undefined) throw new Error('there is no inbox to serve')
  const given = readArguments(row, argv)
  if (!given.ok) throw new Error(given.error.sentence)
  const { code, sentence = '' } = await runInboxServe(given.value, io, {
    clock: systemClock,
    random: Math.random,
    isOwnProcess: true,
    randomBytes,
  })
  if (code !== 0) process.stderr.write(`${sentence}\n`)
  return code
}

type Setting = { home: string; store: string; forward: string }

async function startInbox({ home, store, forward }: Setting, port: string): Promise<{ child: ChildProcess; url: URL }> {
  const flags = ['--port', port, '--allow', '127.0.0.1', '--store', store, '--forward', forward]
  const environment = { PATH: process.env.PATH, HOME: home, ...compileCacheVariables() }
  const child = spawn(process.execPath, [self, 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  })
  const first = await firstLine(child, 'the inbox')
  return { child, url: new URL(JSON.parse(first).url) }
}

async function drill(options: { orders: number; kills: number; seed: number }): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-inbox-drill-'))
  const random = (name: string) => createRandom(options.seed, name)
  const partner = await startPartner(random('partner'))
  const setting = { home, store: `sqlite://${join(home, 'inbox.sqlite')}`, forward: partner.url }
  const plan = planOf(options.orders, random('plan'))
  const startedMs = systemClock.now()
  let inbox = await startInbox(setting, '0')
  const { url } = inbox
  try {
    const answered = new Set<string>()
    let restarting: Promise<void> | null = null
    let killed = 0
    const restart = async () => {
      inbox.child.kill('SIGKILL')
      await ended(inbox.child)
      inbox = await startInbox(setting, url.port)
      killed += 1
      restarting = null
    }
    const sent = await deliverAll(url, plan.deliveries, random('sender'), ({ id }) => {
      answered.add(id)
      // Spread over the whole of the work, at moments when much is under way.
      const due = ((killed + 1) * plan.deliveries.length) / (options.kills + 1)
      if (killed < options.kills && restarting === null && answered.size >= due) restarting = restart()
    })
    await restarting
    await partnerHasAll(plan.deliveries.filter(({ isEvent }) => isEvent).length, partner.taken)
    inbox.child.kill('SIGTERM')
    const code = await ended(inbox.child)
    const store = await openStore(setting.store, { clock: systemClock })
    if (!store.ok) throw new Error(store.error)
    const verdict = await judgeInbox(store.value, plan, answered, partner)
    await store.value.close()
    if (code !== 0) verdict.complaints.push(`the inbox ended with ${code} on SIGTERM`)
    if (killed < options.kills) verdict.complaints.push(`only ${killed} kills: more orders are needed`)
    for (const complaint of verdict.complaints.slice(0, 50)) process.stderr.write(`${complaint}\n`)
    const seconds = Math.round((systemClock.now() - startedMs) / 100) / 10
    const figures = { ...sent, ...verdict.figures, killed, complaints: verdict.complaints.length, seconds }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    return verdict.complaints.length === 0 ? 0 : 1
  } finally {
    inbox.child.kill('SIGKILL')
    await ended(inbox.child)
    await partner.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** What is handed on may lag behind; what is not there in time never comes. */
async function partnerHasAll(count: number, taken: ReadonlyMap<string, number>): Promise<void> {
  const startedMs = systemClock.now()
  while (taken.size < count && systemClock.now() - startedMs < patienceMs) await systemClock.sleep(50)
}

if (process.argv[2] === 'serve') process.exit(await runInbox(process.argv.slice(3)))
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '6000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
})
const whole = (text: string) => Number.parseInt(text, 10)
process.exitCode = await drill({ orders: whole(values.orders), kills: whole(values.kills), seed: whole(values.seed) })
