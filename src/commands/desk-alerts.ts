import type { Clock } from '../base/clock.ts'
import type { Environment } from '../config/environment.ts'
import { xdgFolders } from '../config/folders.ts'
import type { Settings } from '../config/settings.ts'
import { alertsPath, createAlertsFile } from '../state-files/alerts-file.ts'
import { followKept } from '../store/alerts/alert-changes.ts'
import type { AlertsStart } from '../store/alerts/alerts.ts'
import type { DeskStore } from '../store/desk.ts'
import { followSignals } from '../ui/terminal/signals.ts'
import { profileAtExchangeOf } from './account-folder.ts'

/** What the alerts of a desk begin with, and how they stay and are heard. */
export type DeskAlerts = {
  start: AlertsStart
  /** Keeps what changes, rings and notifies through `write`, until `stop`. */
  follow(store: DeskStore, clock: Clock, write: (bytes: string) => void): void
  /** Resolves when all is kept. */
  stop(): Promise<void>
}

/** Reads what an earlier run kept. What cannot be read is told of once there is a desk to tell it. */
export async function readDeskAlerts(settings: Settings, environment: Environment): Promise<DeskAlerts> {
  const { signals, standing } = settings.alerts
  const file = createAlertsFile(alertsPath(xdgFolders(environment).state, profileAtExchangeOf(settings)))
  const read = await file.read()
  const ends: (() => void)[] = []
  let lastWrite: Promise<unknown> = Promise.resolve()
  let trouble: string | null = read.ok ? null : read.error

  return {
    start: { standing, kept: read.ok ? read.value : null },
    follow(store, clock, write) {
      const tell = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
      if (trouble !== null) tell(trouble)
      ends.push(
        followSignals({ store, write, settings: signals, env: environment }),
        followKept(store, (kept) => {
          lastWrite = file.write(kept).then((written) => {
            const sentence = written.ok ? null : written.error
            // A full disk is told of once, not at every alert.
            if (sentence !== null && sentence !== trouble) tell(sentence)
            trouble = sentence
          })
        }),
      )
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      await lastWrite
    },
  }
}
