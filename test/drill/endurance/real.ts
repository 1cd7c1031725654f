import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../src/base/clock.ts'
import { createRandom, type Random } from '../../../src/base/random.ts'
import { lateMs } from '../../../src/ui/terminal/key-reader.ts'
import { cacheOf } from '../../fakes/child-program.ts'
import { patienceMs } from '../../fakes/eventually.ts'
import { freePort } from '../../fakes/free-port.ts'
import { Terminal } from '../../pty/terminal.ts'
import { buildProgram } from '../built-program.ts'
import { keysAtRandom, pause, pauseMs, sizeAtRandom } from './keys.ts'
import { type Holding, holdingOf } from './process-tree.ts'
import { type RealExchange, startRealExchange } from './real-exchange.ts'
import { awaited, comeOut, showsNow } from './real-screen.ts'
import { judgeHoldings } from './real-verdict.ts'
import { configure } from './week-desk.ts'

export type RealOptions = { seconds: number; seed: number }

/** A run shorter than this is shorter in each of its parts. */
const usualMs = 60_000

/** How the exchange goes away, and for how long; a halted one lets calls wait for nothing. */
const outages = [
  { signal: 'SIGKILL', minMs: 3_000, maxMs: 25_000 },
  { signal: 'SIGTERM', minMs: 3_000, maxMs: 25_000 },
  { signal: 'SIGSTOP', minMs: 8_000, maxMs: 25_000 },
] as const
/**
 * From the start of an outage until the screen must tell of it; and from its end until all of it must be fresh again.
 */
const toldMs = 15_000
const freshMs = 45_000

type Counts = { keys: number; resizes: number; outages: number; told: number; looks: number; freshMaxMs: number }

type Place = {
  /** How long things last, as a share of what is usual. */
  pace: number
  terminal: Terminal
  exchange: RealExchange
  chance: Random
  counts: Counts
  holdings: Holding[]
  complain: (sentence: string) => void
}

/** Lives the time with the built program in a real terminal. Resolves with whether nothing was to complain of. */
export async function runReal({ seconds, seed }: RealOptions, say: (line: string) => void): Promise<boolean> {
  const complaints: string[] = []
  const complain = (sentence: string) => {
    complaints.push(sentence)
    say(`! ${sentence}`)
  }
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-endurance-'))
  const program = await buildProgram()
  const exchange = await startRealExchange(program, home, join(home, 'exchange'), seed)
  const terminal = await openDesk(program, home, exchange)
  const counts: Counts = { keys: 0, resizes: 0, outages: 0, told: 0, looks: 0, freshMaxMs: 0 }
  const pace = Math.min(1, (seconds * 1_000) / usualMs)
  const place: Place = { pace, terminal, exchange, chance: createRandom(seed, 'real'), counts, holdings: [], complain }
  try {
    const endMs = systemClock.now() + seconds * 1_000
    while (systemClock.now() < endMs && !terminal.hasEnded) await round(place, say)
    await leave(place)
  } finally {
    if (!terminal.hasEnded) terminal.kill('SIGKILL')
    await exchange.stop()
  }
  const crashes = readdirSync(join(home, '.local/state/pitdesk')).filter((name) => name.startsWith('crash'))
  if (crashes.length > 0) complain(`there are crash files: ${crashes.join(', ')}`)
  for (const sentence of judgeHoldings(place.holdings)) complain(sentence)
  const at = (share: number) => place.holdings[Math.floor((place.holdings.length - 1) * share)]
  say(
    JSON.stringify({ seconds, ...counts, start: at(0.1), middle: at(0.5), end: at(1), complaints: complaints.length }),
  )
  if (complaints.length === 0) rmSync(home, { recursive: true, force: true })
  else say(`what it left is in ${home}`)
  return complaints.length === 0
}

async function openDesk(program: string, home: string, exchange: RealExchange): Promise<Terminal> {
  const inboxPort = await freePort()
  configure(home, exchange, inboxPort)
  await exchange.admin('/webhook/register', { url: `http://127.0.0.1:${inboxPort}/events` })
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CACHE_HOME: cacheOf(program),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    PITDESK_API_TOKEN: exchange.token,
    PITDESK_PARTNER_KEY: exchange.partnerKey,
  }
  const options = { columns: 120, rows: 40, environment, folder: home }
  const terminal = new Terminal(process.execPath, [`${program}/pitdesk.js`], options)
  if ((await awaited(terminal, isFresh, patienceMs)) === null) throw new Error(`no desk:\n${terminal.text()}`)
  return terminal
}

/** Everything in view is fresh: nothing is marked, and the book is there. */
const isFresh = (text: string): boolean => text.includes('PRACTICE') && !text.includes('STALE') && showsNow(text)

/**
 * Something is old, an age is marked since its polls fail, or nothing of the exchange is in view and the header says
 * that it fails.
 */
const tellsOfFailure = (text: string): boolean => /STALE|\d[smh]!|failing \d/.test(text)

/** Keys for a while; the exchange goes and comes back, with a look at each; then how much of the machine is held. */
async function round(place: Place, say: (line: string) => void): Promise<void> {
  const { pace, terminal, exchange, chance, counts, holdings, complain } = place
  await pressAwhile(place, pace * (10_000 + 15_000 * chance.uniform()))
  const outage = outages[chance.integer(0, outages.length - 1)] ?? outages[0]
  const outageMs = pace * (outage.minMs + (outage.maxMs - outage.minMs) * chance.uniform())
  const sinceMs = systemClock.now()
  await exchange.down(outage.signal)
  counts.outages += 1
  await pressAwhile(place, outageMs)
  await comeOut(terminal, chance)
  const mustTell = systemClock.now() - sinceMs > toldMs
  if (mustTell && !tellsOfFailure(terminal.text()))
    complain(`after ${outage.signal} the screen says nothing:\n${terminal.text()}`)
  if (mustTell) counts.told += 1
  await exchange.up()
  await comeOut(terminal, chance)
  const tookMs = await awaited(terminal, isFresh, freshMs)
  if (tookMs === null) complain(`after ${outage.signal} not fresh again:\n${terminal.text()}`)
  counts.freshMaxMs = Math.max(counts.freshMaxMs, tookMs ?? freshMs)
  counts.looks += 1
  if (terminal.hasEnded) return
  holdings.push(holdingOf(terminal.pid))
  say(
    JSON.stringify({ outage: outage.signal, outageMs: Math.round(outageMs), freshAfterMs: tookMs, ...holdings.at(-1) }),
  )
}

async function pressAwhile({ terminal, chance, counts }: Place, ms: number): Promise<void> {
  const endMs = systemClock.now() + ms
  while (systemClock.now() < endMs && !terminal.hasEnded) {
    for (const key of keysAtRandom(chance)) {
      if (key !== pause) terminal.type(key)
      counts.keys += 1
      await systemClock.sleep(key === pause ? pauseMs : chance.integer(20, 250))
    }
    if (chance.chance(0.05)) {
      const { columns, rows } = sizeAtRandom(chance)
      terminal.resize(columns, rows)
      counts.resizes += 1
    }
    await systemClock.sleep(chance.exponential(200))
  }
}

/** What went wrong at the exchange, and that it is over, stands in the log. */
async function checkLog(terminal: Terminal, complain: (sentence: string) => void): Promise<void> {
  terminal.resize(200, 60)
  for (const key of ['7', 'z']) {
    await systemClock.sleep(300)
    terminal.type(key)
  }
  const isTold = (text: string) => text.includes('answers again after')
  if ((await awaited(terminal, isTold, patienceMs)) === null)
    complain(`the log says nothing of outages:\n${terminal.text()}`)
}

/** Quits as a person does; asked whether to leave something unknown behind, yes. */
async function leave({ terminal, chance, counts, complain }: Place): Promise<void> {
  if (terminal.hasEnded) {
    complain(`the desk ended by itself:\n${terminal.text()}`)
    return
  }
  await comeOut(terminal, chance)
  if (counts.told > 0) await checkLog(terminal, complain)
  // Right after Esc it might be the rest of another key.
  await systemClock.sleep(lateMs)
  terminal.type('q')
  await systemClock.sleep(1_000)
  if (!terminal.hasEnded) terminal.type('\r')
  const { exitCode, signal } = await terminal.ended()
  if (exitCode !== 0 || signal !== 0) complain(`the desk ended with ${exitCode}, signal ${signal}:\n${terminal.text()}`)
  if (terminal.isAlternate()) complain('the terminal was left on the alternate screen')
}
