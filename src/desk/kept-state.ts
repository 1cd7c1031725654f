import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import type { Result } from '../base/result.ts'
import type { Settings } from '../config/settings.ts'
import { type FollowedTransfers, nothingFollowed } from '../domain/transfers/followed.ts'
import { alertsPath, createAlertsFile } from '../state-files/alerts-file.ts'
import { createTransfersFile } from '../state-files/transfers-file.ts'
import { followKept } from '../store/alerts/alert-changes.ts'
import type { AlertsStart } from '../store/alerts/alerts.ts'
import type { DeskStore } from '../store/desk.ts'
import { followTransfers } from '../store/transfers/followed-transfers.ts'
import { followSignals } from '../ui/terminal/signals.ts'
import { type Account, accountFiles, profileAtExchangeOf } from './account-folder.ts'

/** Keeps what changes in a file. What the disk says is told of once, not at every change. */
function createKeeper<T>(file: { write(kept: T): Promise<Result<unknown>> }, read: Result<unknown>) {
  let lastWrite: Promise<unknown> = Promise.resolve()
  let trouble: string | null = read.ok ? null : read.error
  return {
    /** Tells what was wrong with reading, and returns what keeps a value from then on. */
    open(store: DeskStore, clock: Clock): (kept: T) => void {
      const tell = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
      if (trouble !== null) tell(trouble)
      return (kept) => {
        lastWrite = file.write(kept).then((written) => {
          const sentence = written.ok ? null : written.error
          if (sentence !== null && sentence !== trouble) tell(sentence)
          trouble = sentence
        })
      }
    },
    /** Resolves when all is kept. */
    ended: () => lastWrite,
  }
}

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
  const keeper = createKeeper(file, read)
  const ends: (() => void)[] = []

  return {
    start: { standing, kept: read.ok ? read.value : null },
    follow(store, clock, write) {
      const keep = keeper.open(store, clock)
      ends.push(followSignals({ store, write, settings: signals, env: environment }), followKept(store, keep))
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      await keeper.ended()
    },
  }
}

/** What a desk begins with of money under way, and how what it sees of it stays. */
export type DeskTransfers = {
  start: FollowedTransfers
  /** Keeps what changes, until `stop`. */
  follow(store: DeskStore, clock: Clock): void
  /** Resolves when all is kept. */
  stop(): Promise<void>
}

/** Reads what earlier runs on the account saw. What cannot be read is told of once there is a desk to tell it. */
export async function readDeskTransfers(account: Account): Promise<DeskTransfers> {
  const file = createTransfersFile(accountFiles(account).transfers)
  const read = await file.read()
  const keeper = createKeeper(file, read)
  let end = () => {}
  return {
    start: (read.ok ? read.value : null) ?? nothingFollowed,
    follow(store, clock) {
      end = followTransfers(store, keeper.open(store, clock))
    },
    async stop() {
      end()
      await keeper.ended()
    },
  }
}
