import { type Clock, systemClock } from '../../../src/base/clock.ts'
import type { Random } from '../../../src/base/random.ts'
import type { DrillClock } from './drill-clock.ts'
import type { DrillTerminal } from './drill-terminal.ts'
import { silentSince } from './feeds.ts'
import { keysAtRandom, pause, pauseMs, sizeAtRandom, wayOut } from './keys.ts'
import type { WeekDesk } from './week-desk.ts'
import type { WeekExchange } from './week-exchange.ts'
import type { FaultPlace, WeekFault } from './week-faults.ts'

/** Where an hour takes place. */
export type HourPlace = {
  clock: DrillClock
  /** The desk's own clock, which a fault may set. */
  deskClock: Clock
  setDeskClock: (offsetMs: number) => void
  exchange: WeekExchange
  terminal: DrillTerminal
  desk: WeekDesk
  chance: Random
  complain: (sentence: string) => void
}

/** A machine that sleeps most of the time: it gets a turn so often, with everything overdue. */
const leapMs = 75_000
/** Everything is polled at least this often, the slowest feed in every second minute. */
const patienceMs = 600_000
const lookMs = 5_000
/** For the picture to be drawn: Ink paces itself by the machine's time. */
const drawnMs = 60
const enter = '\r'

/**
 * Lives one hour: calm, a fault, and the way back, second by second with keys for `awakeMs`; then leaps to its end.
 * Gives how long it took until everything had been answered again.
 */
export async function liveHour(place: HourPlace, fault: WeekFault, span: { hourMs: number; awakeMs: number }) {
  const { clock, exchange, setDeskClock } = place
  const endMs = clock.now() + span.hourMs
  const faultPlace: FaultPlace = { exchange, setDeskClock, sleep: (ms) => clock.leap(ms) }
  await pressAwhile(place, span.awakeMs * 0.4)
  await fault.begin(faultPlace)
  let isTold = false
  await pressAwhile(place, span.awakeMs * 0.6, () => {
    isTold ||= fault.isTold(place.desk.store.getState())
  })
  if (!isTold) place.complain(`${fault.name}: the desk did not tell of it`)
  await fault.end(faultPlace)
  const recoveredMs = await comeBack(place, fault)
  while (clock.now() + leapMs < endMs) await clock.leap(leapMs)
  await clock.pass(Math.max(0, endMs - clock.now()))
  await calmDown(place)
  await checkScreen(place, fault)
  return { recoveredMs }
}

/** Presses what comes to hand, in a terminal of changing size. */
async function pressAwhile({ clock, terminal, chance }: HourPlace, ms: number, look = () => {}): Promise<void> {
  const endMs = clock.now() + ms
  while (clock.now() < endMs) {
    for (const key of keysAtRandom(chance)) {
      if (key !== pause) terminal.press(key)
      await clock.pass(key === pause ? pauseMs : chance.integer(20, 400))
    }
    if (chance.chance(0.03)) {
      const { columns, rows } = sizeAtRandom(chance)
      terminal.resize(columns, rows)
    }
    await clock.pass(chance.exponential(1_000))
    look()
  }
}

/** Waits until every feed has an answer from after the fault. */
async function comeBack({ clock, deskClock, desk, complain }: HourPlace, fault: WeekFault): Promise<number> {
  const mendedMs = clock.now()
  const sinceMs = deskClock.now()
  const silent = () => silentSince(desk.store.getState(), sinceMs)
  while (silent().length > 0 && clock.now() - mendedMs < patienceMs) await clock.pass(lookMs)
  if (silent().length > 0) complain(`${fault.name}: ${silent().join(', ')} not answered again within ten minutes`)
  return clock.now() - mendedMs
}

/** Leaves what is open, unlocks, lets the picture move, and gives the terminal a size in which everything is drawn. */
async function calmDown({ clock, terminal, desk }: HourPlace): Promise<void> {
  const press = async (key: string) => {
    terminal.press(key)
    await clock.pass(500)
  }
  terminal.resize(120, 40)
  if (desk.store.getState().lock.kind !== 'open') await press(enter)
  for (const key of wayOut) await press(key)
  if (desk.store.getState().picture.kind === 'frozen') await press('p')
  await clock.pass(3_000)
}

/** The screen must show the time that it is. */
async function checkScreen({ deskClock, terminal, complain }: HourPlace, fault: WeekFault): Promise<void> {
  await systemClock.sleep(drawnMs)
  const text = terminal.text()
  const shownAt = /(\d\d):(\d\d):(\d\d)Z/.exec(text)?.[0] ?? ''
  const isNow = [0, 1_000, 2_000].some(
    (agoMs) => `${new Date(deskClock.wallMs() - agoMs).toISOString().slice(11, 19)}Z` === shownAt,
  )
  if (!isNow) complain(`${fault.name}: the screen does not live, it shows ${shownAt || 'no time'}:\n${text}`)
}
