import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../src/clock.ts'
import { createRandom } from '../../../src/sandbox/market/random.ts'
import { DrillClock } from './drill-clock.ts'
import { createDrillTerminal } from './drill-terminal.ts'
import { freePort } from './free-port.ts'
import { lengths, listenerCount, memory, openFiles, resources } from './gauges.ts'
import { watchTraffic } from './traffic.ts'
import { configure, openWeekDesk, type WeekDesk } from './week-desk.ts'
import { startWeekExchange } from './week-exchange.ts'
import { weekFaults } from './week-faults.ts'
import { type HourPlace, liveHour } from './week-hour.ts'
import { type Hour, judgeHours } from './week-verdict.ts'

/** `awakeSeconds` of each hour are lived second by second, the rest in leaps. A day has `dayHours`; at its end the desk is closed. */
export type WeekOptions = { hours: number; dayHours: number; hourMs: number; awakeSeconds: number; seed: number }

const startMs = Date.UTC(2026, 0, 5, 0, 0, 0)
/** Memory as a disk, where the system has it: the practice exchange makes a week of commands durable here. */
const memoryDisk = '/dev/shm'

/** Lives the week. Resolves with whether nothing was to complain of. */
export async function runWeek(options: WeekOptions, say: (line: string) => void): Promise<boolean> {
  const startedMs = systemClock.now()
  const complaints: string[] = []
  const complain = (sentence: string) => {
    complaints.push(sentence)
    say(`! ${sentence}`)
  }
  watchProcess(complain)
  const folder = mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'pitdesk-week-'))
  const traffic = watchTraffic()
  const clock = new DrillClock(startMs, traffic.settled)
  let offsetMs = 0
  const deskClock: Clock = { now: () => clock.now() + offsetMs, sleep: (ms, signal) => clock.sleep(ms, signal) }
  const chance = createRandom(options.seed, 'endurance')
  const exchange = await startWeekExchange(folder, clock, options.seed)
  const inboxPort = await freePort()
  configure(folder, exchange, inboxPort)
  await exchange.admin('/webhook/register', { url: `http://127.0.0.1:${inboxPort}/events` })
  const terminal = createDrillTerminal(120, 40)
  const tools = { clock: deskClock, random: () => chance.uniform(), randomBytes }
  const open = () =>
    openWeekDesk({
      home: folder,
      exchange,
      terminal,
      tools,
      onBug: (error) => complain(`fault: ${text(error)}`),
    })
  const setDeskClock = (ms: number) => {
    offsetMs = ms
  }
  const hours: Hour[] = []
  let desk = await open()
  for (let hour = 0; hour < options.hours; hour += 1) {
    const fault = weekFaults[hour % weekFaults.length]
    if (fault === undefined) throw new Error('there is no fault')
    const place: HourPlace = { clock, deskClock, setDeskClock, exchange, terminal, desk, chance, complain }
    const calls = traffic.begun()
    const lived = await liveHour(place, fault, { hourMs: options.hourMs, awakeMs: options.awakeSeconds * 1_000 })
    const gauged = { ...lived, ...(await gauge(desk, terminal)), sleepers: clock.sleeperCount }
    hours.push({ hour, fault: fault.name, ...gauged, calls: traffic.begun() - calls })
    say(JSON.stringify(hours.at(-1)))
    if ((hour + 1) % options.dayHours !== 0 && hour + 1 < options.hours) continue
    await desk.stop()
    checkClosed(folder, complain)
    if (hour + 1 < options.hours) desk = await open()
  }
  await exchange.stop()
  await traffic.settled()
  for (const sentence of judgeHours(hours)) complain(sentence)
  checkNothingLeft(clock, complain)
  const cpu = process.cpuUsage()
  const seconds = {
    wall: Math.round((systemClock.now() - startedMs) / 1_000),
    cpu: Math.round((cpu.user + cpu.system) / 1e6),
  }
  say(JSON.stringify(summary(hours, complaints.length, seconds)))
  if (complaints.length === 0) rmSync(folder, { recursive: true, force: true })
  else say(`what it left is in ${folder}`)
  return complaints.length === 0
}

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** What Node itself finds wrong: an error nobody caught, a listener too many. */
function watchProcess(complain: (sentence: string) => void): void {
  process.on('uncaughtException', (error) => complain(`uncaught: ${text(error)}`))
  process.on('unhandledRejection', (error) => complain(`unhandled: ${text(error)}`))
  process.on('warning', (warning) => complain(`warning: ${text(warning)}`))
}

type Terminal = { stdin: NodeJS.EventEmitter; stdout: NodeJS.EventEmitter }

async function gauge({ store }: WeekDesk, { stdin, stdout }: Terminal) {
  const held = resources()
  const state = store.getState()
  const longest = lengths(state).slice(0, 3)
  return {
    ...(await memory()),
    sockets: (held.TCPSocketWrap ?? 0) + (held.TCPServerWrap ?? 0),
    timers: held.Timeout ?? 0,
    files: openFiles().length,
    listeners: listenerCount([process, stdin, stdout]),
    longest: longest.map(({ path, length }) => `${path} ${length}`),
    unsettled: state.unsettled.length,
    orders: state.endedOrders.length + (state.orders.value?.length ?? 0),
  }
}

/** After a desk has ended its journal is closed: no file of it is open. */
function checkClosed(folder: string, complain: (sentence: string) => void): void {
  const kept = openFiles().filter((path) => path.startsWith(folder) && !path.startsWith(join(folder, 'exchange')))
  if (kept.length > 0) complain(`the desk has ended and these files are open: ${kept.join(', ')}`)
}

function checkNothingLeft(clock: DrillClock, complain: (sentence: string) => void): void {
  if (clock.sleeperCount > 0) complain(`everything has ended and ${clock.sleeperCount} sleeps go on`)
  const { TCPSocketWrap = 0, TCPServerWrap = 0 } = resources()
  if (TCPSocketWrap + TCPServerWrap > 0)
    complain(`everything has ended and ${TCPServerWrap} servers and ${TCPSocketWrap} sockets are open`)
}

function summary(hours: readonly Hour[], complaints: number, seconds: { wall: number; cpu: number }) {
  const most = (of: (hour: Hour) => number) => Math.max(...hours.map(of))
  return {
    hours: hours.length,
    faults: new Set(hours.map(({ fault }) => fault)).size,
    calls: hours.reduce((sum, { calls }) => sum + calls, 0),
    heapMb: {
      first: hours[0]?.heapMb,
      middle: hours[Math.floor(hours.length / 2)]?.heapMb,
      last: hours.at(-1)?.heapMb,
    },
    most: {
      heapMb: most(({ heapMb }) => heapMb),
      recoveredS: most(({ recoveredMs }) => recoveredMs) / 1_000,
      sleepers: most(({ sleepers }) => sleepers),
      sockets: most(({ sockets }) => sockets),
      files: most(({ files }) => files),
      listeners: most(({ listeners }) => listeners),
    },
    complaints,
    seconds,
  }
}
