import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { createRandom } from '../../../src/base/random.ts'
import { freePort } from '../../fakes/free-port.ts'
import { DrillClock } from './drill-clock.ts'
import { createDrillTerminal } from './drill-terminal.ts'
import { watchTraffic } from './traffic.ts'
import { checkClosed, checkNothingLeft, errorText, gauge, watchProcess } from './week-checks.ts'
import { configure, openWeekDesk } from './week-desk.ts'
import { startWeekExchange } from './week-exchange.ts'
import { weekFaults } from './week-faults.ts'
import { liveHour } from './week-hour.ts'
import { type Hour, judgeHours, summaryOf } from './week-verdict.ts'

/**
 * `awakeSeconds` of each hour are lived second by second, the rest in leaps. A day has `dayHours`; at its end the desk
 * is closed.
 */
export type WeekOptions = { hours: number; dayHours: number; hourMs: number; awakeSeconds: number; seed: number }

const startMs = Date.UTC(2026, 0, 5, 0, 0, 0)
const exchangeFolder = 'exchange'
/** Memory as a disk, where the system has it: the practice exchange makes a week of commands durable here. */
const memoryDisk = '/dev/shm'

/** The world of the week: an exchange, a terminal and a clock, in which one desk after another lives. */
async function openWorld({ seed }: WeekOptions, complain: (sentence: string) => void) {
  const folder = mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'pitdesk-week-'))
  const traffic = watchTraffic()
  const clock = new DrillClock(startMs, traffic.settled)
  let offsetMs = 0
  const deskClock: Clock = {
    now: () => clock.now(),
    wallMs: () => clock.now() + offsetMs,
    sleep: (ms, signal) => clock.sleep(ms, signal),
  }
  const chance = createRandom(seed, 'endurance')
  const exchange = await startWeekExchange(join(folder, exchangeFolder), clock, seed)
  const inboxPort = await freePort()
  configure(folder, exchange, inboxPort)
  await exchange.admin('/webhook/register', { url: `http://127.0.0.1:${inboxPort}/events` })
  const terminal = createDrillTerminal(120, 40)
  const tools = { clock: deskClock, random: () => chance.uniform(), randomBytes, isOwnProcess: true }
  const onBug = (error: unknown) => complain(`fault: ${errorText(error)}`)
  const setDeskClock = (ms: number) => {
    offsetMs = ms
  }
  return {
    ...{ folder, traffic, clock, deskClock, setDeskClock, exchange, terminal, chance, complain },
    openDesk: () => openWeekDesk({ home: folder, exchange, terminal, tools, onBug }),
  }
}

/** Lives the week. Resolves with whether nothing was to complain of. */
export async function runWeek(options: WeekOptions, say: (line: string) => void): Promise<boolean> {
  const startedMs = systemClock.now()
  const complaints: string[] = []
  const complain = (sentence: string) => {
    complaints.push(sentence)
    say(`! ${sentence}`)
  }
  watchProcess(complain)
  const world = await openWorld(options, complain)
  const { folder, traffic, clock, exchange, terminal } = world
  const span = { hourMs: options.hourMs, awakeMs: options.awakeSeconds * 1_000 }
  const hours: Hour[] = []
  let desk = await world.openDesk()
  for (let hour = 0; hour < options.hours; hour += 1) {
    const fault = weekFaults[hour % weekFaults.length]
    if (fault === undefined) throw new Error('there is no fault')
    const calls = traffic.begun()
    const lived = await liveHour({ ...world, desk }, fault, span)
    const gauged = await gauge(desk, terminal, clock)
    hours.push({ hour, fault: fault.name, ...lived, ...gauged, calls: traffic.begun() - calls })
    say(JSON.stringify(hours.at(-1)))
    const isLast = hour + 1 === options.hours
    if (!isLast && (hour + 1) % options.dayHours !== 0) continue
    await desk.stop()
    checkClosed(folder, exchangeFolder, complain)
    if (!isLast) desk = await world.openDesk()
  }
  await exchange.stop()
  await traffic.settled()
  for (const sentence of judgeHours(hours)) complain(sentence)
  checkNothingLeft(clock, complain)
  const { user, system } = process.cpuUsage()
  const seconds = { wall: Math.round((systemClock.now() - startedMs) / 1_000), cpu: Math.round((user + system) / 1e6) }
  say(JSON.stringify({ ...summaryOf(hours), complaints: complaints.length, seconds }))
  if (complaints.length === 0) rmSync(folder, { recursive: true, force: true })
  else say(`what it left is in ${folder}`)
  return complaints.length === 0
}
