import type { Clock } from '../base/clock.ts'
import type { Commands } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'
import type { OpenedConsole } from '../ui/console/open-console.tsx'
import type { JobControl } from './job-control.ts'

type Parts = {
  store: DeskStore
  commands: Pick<Commands, 'leaveForShell'>
  console: Pick<OpenedConsole, 'leave'>
  jobs: JobControl
  clock: Clock
}

/**
 * Lets the desk sleep when a person or a signal asks for it: the terminal is given back, the process stops, and once it
 * goes on the time that passed is on screen before anything else. Returns how to end it.
 */
export function followSleep({ store, commands, console, jobs, clock }: Parts): () => void {
  const sleep = async () => {
    const leftAtMs = clock.now()
    let hasStopped = false
    await console.leave(async () => {
      hasStopped = await jobs.stop()
      store.dispatchAll([
        { type: 'ticked', nowMs: clock.now(), wallMs: clock.wallMs() },
        { type: 'cameBack', awayMs: clock.now() - leftAtMs, hasStopped, atMs: clock.now() },
      ])
    })
  }
  jobs.onAsked(() => commands.leaveForShell())
  const leave = store.subscribe(({ terminal }, { terminal: before }) => {
    if (terminal.presence === 'leaving' && before.presence !== 'leaving') void sleep()
  })
  return () => {
    leave()
    jobs.end()
  }
}
