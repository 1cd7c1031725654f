import { join } from 'node:path'
import type { DrillClock } from './drill-clock.ts'
import type { DrillTerminal } from './drill-terminal.ts'
import { lengths, listenerCount, memory, openFiles, resources } from './gauges.ts'
import type { WeekDesk } from './week-desk.ts'

type Complain = (sentence: string) => void

export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** What Node itself finds wrong: an error nobody caught, a listener too many. */
export function watchProcess(complain: Complain): void {
  process.on('uncaughtException', (error) => complain(`uncaught: ${errorText(error)}`))
  process.on('unhandledRejection', (error) => complain(`unhandled: ${errorText(error)}`))
  process.on('warning', (warning) => complain(`warning: ${errorText(warning)}`))
}

/** What the desk and the process hold at the end of an hour. */
export async function gauge({ store }: WeekDesk, { stdin, stdout }: DrillTerminal, clock: DrillClock) {
  const held = resources()
  const state = store.getState()
  const longest = lengths(state).slice(0, 3)
  return {
    ...(await memory()),
    sleepers: clock.sleeperCount,
    sockets: (held.TCPSocketWrap ?? 0) + (held.TCPServerWrap ?? 0),
    timers: held.Timeout ?? 0,
    files: openFiles().length,
    listeners: listenerCount([process, stdin, stdout]),
    longest: longest.map(({ path, length }) => `${path} ${length}`),
    unknownWrites: state.unknownWrites.length,
    orders: state.endedOrders.length + (state.orders.value?.length ?? 0),
  }
}

/** After a desk has ended its journal is closed: no file of it is open. `exchangeFolder` is not its own. */
export function checkClosed(folder: string, exchangeFolder: string, complain: Complain): void {
  const kept = openFiles().filter((path) => path.startsWith(folder) && !path.startsWith(join(folder, exchangeFolder)))
  if (kept.length > 0) complain(`the desk has ended and these files are open: ${kept.join(', ')}`)
}

/** After everything has ended nothing sleeps, listens or is connected. */
export function checkNothingLeft(clock: DrillClock, complain: Complain): void {
  if (clock.sleeperCount > 0) complain(`everything has ended and ${clock.sleeperCount} sleeps go on`)
  const { TCPSocketWrap = 0, TCPServerWrap = 0 } = resources()
  if (TCPSocketWrap + TCPServerWrap > 0)
    complain(`everything has ended and ${TCPServerWrap} servers and ${TCPSocketWrap} sockets are open`)
}
