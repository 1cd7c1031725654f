import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Clock, sleepToBeat } from '../../base/clock.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { type Environment, xdgFolders } from '../../base/process/environment.ts'
import { err, type Result } from '../../base/result.ts'
import { diskReason } from '../../base/text/error-text.ts'
import type { Settings } from '../../config/settings.ts'
import type { KeptAlerts } from '../../domain/alerts/news.ts'
import { sharedAlerts } from '../../domain/alerts/shared-alerts.ts'
import { JournalError } from '../../journal/entry.ts'
import { Turns } from '../../journal/locks.ts'
import { type AlertsFile, alertsPath, createAlertsFile } from '../../state-files/alerts-file.ts'
import { followKept } from '../../store/alerts/alert-changes.ts'
import { type AlertsStart, keptOf, nothingKept } from '../../store/alerts/alerts.ts'
import type { DeskStore } from '../../store/desk.ts'
import { isOnDuty } from '../../store/duties.ts'
import { followSignals } from '../../ui/terminal/signals.ts'
import { alertText } from '../../ui/text/privacy.ts'
import { profileAtExchangeOf } from './account-folder.ts'

/** The alerts a desk starts with, their saving and their signals. */
export type DeskAlerts = {
  start: AlertsStart
  /** Saves changes, takes over those of other processes of the profile, and rings and notifies through `write`. */
  follow(store: DeskStore, clock: Clock, write: (bytes: string) => void): void
  /** Ends that; resolves when everything is saved. */
  stop(): Promise<void>
}

/** Interval in ms of the looks at changes by another desk or the watch. */
const lookMs = 2_000

/** Reads the alerts saved by an earlier run. A read error is reported once a desk can show it. */
export async function readDeskAlerts(settings: Settings, environment: Environment): Promise<DeskAlerts> {
  const { signals, standing } = settings.alerts
  const path = alertsPath(xdgFolders(environment).state, profileAtExchangeOf(settings))
  const file = createAlertsFile(path)
  const read = await file.read()
  const kept = read.ok ? read.value : null
  const ends: (() => void)[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    start: { standing, kept },
    follow(store, clock, write) {
      let trouble: string | null = null
      let toldId = store.getState().alerts.nextId
      const tell = (sentence: string | null) => {
        // Whoever arms one more is told that it is not kept either.
        const { nextId } = store.getState().alerts
        const isNew = sentence !== trouble || nextId > toldId
        toldId = nextId
        if (sentence !== null && isNew)
          store.dispatch({ type: 'noted', level: 'warn', text: sentence, atMs: clock.now(), isAside: true })
        trouble = sentence
      }
      tell(read.ok ? null : read.error)
      const sharing = new Sharing(path, file, store, kept)
      const look = (isForced: boolean) => {
        last = last
          .then(() => sharing.look(isForced))
          .then((done) => done !== null && tell(done.ok ? null : done.error))
      }
      const stopping = new AbortController()
      const lookNowAndThen = async () => {
        while (!stopping.signal.aborted) {
          await sleepToBeat(clock, lookMs, stopping.signal)
          if (!stopping.signal.aborted) look(false)
        }
      }
      void lookNowAndThen()
      ends.push(
        () => stopping.abort(),
        followSignals({ store, write, settings: signals, env: environment, wordsOf: alertText }),
        followKept(store, () => look(true)),
      )
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      await last
    },
  }
}

/** The alerts of one profile, which several consoles and a watch may save in the same file at once. */
class Sharing {
  readonly #path: string
  readonly #file: AlertsFile
  readonly #store: DeskStore
  readonly #turns: Turns
  /** The state of both at the last merge; what the disk did not take is in neither. */
  #own: KeptAlerts
  #inFile: KeptAlerts
  #mark: string | null
  /** True after a failed write: the next look tries again. */
  #isOwed = false

  constructor(path: string, file: AlertsFile, store: DeskStore, kept: KeptAlerts | null) {
    this.#path = path
    this.#file = file
    this.#store = store
    this.#turns = new Turns(`${path}.lock`, 'keeps the alerts')
    this.#own = this.#ownNow()
    this.#inFile = kept ?? nothingKept
    this.#mark = this.#markNow()
  }

  /** Merges both if something may have changed; null when nothing has. */
  async look(isForced: boolean): Promise<Result<unknown> | null> {
    if (!isForced && !this.#isOwed && this.#markNow() === this.#mark) return null
    try {
      makeFolder(dirname(this.#path))
      return await this.#turns.alone(() => this.#share())
    } catch (error) {
      if (!(error instanceof JournalError) && !isSystemError(error)) throw error
      // Without a lock another process may write in between. Writing reports the file error.
      return await this.#share()
    }
  }

  #ownNow(): KeptAlerts {
    const { alerts, ahead } = this.#store.getState()
    return withTimesMoved(keptOf(alerts), ahead.wallMs)
  }

  async #share(): Promise<Result<unknown>> {
    const read = await this.#file.read()
    // A missing or set-aside file is written again as it was.
    const file = (read.ok ? read.value : null) ?? this.#inFile
    const state = this.#store.getState()
    const own = this.#ownNow()
    const ownBefore = this.#own
    const both = sharedAlerts({ own, ownBefore, file, fileBefore: this.#inFile }, isOnDuty(state))
    this.#own = both.own
    this.#inFile = both.file
    const taken = withTimesMoved(both.own, -state.ahead.wallMs)
    if (!isSame(both.own, own)) this.#store.dispatch({ type: 'alertsShared', kept: taken, renumbered: both.renumbered })
    const isKept = read.ok && read.value !== null && isSame(both.file, file)
    const written = isKept ? null : await this.#file.write(both.file)
    this.#mark = this.#markNow()
    this.#isOwed = written?.ok === false
    if (written?.ok === false) {
      await this.#forgetUnsaved(file, both.own, ownBefore)
      return written
    }
    return read.ok ? (written ?? read) : err(read.error)
  }

  /**
   * After a failed write: what is not on disk must look like a change since the last merge, or the next one would take
   * an alert that the file lacks for one deleted elsewhere.
   */
  async #forgetUnsaved(fileBefore: KeptAlerts, own: KeptAlerts, ownBefore: KeptAlerts): Promise<void> {
    const read = await this.#file.read()
    // A write may fail after the file was replaced.
    const file = (read.ok ? read.value : null) ?? fileBefore
    const inFile = new Set(file.watches.map(({ id }) => id))
    const before = new Map(ownBefore.watches.map((watch) => [watch.id, watch]))
    const watches = own.watches.filter(({ id }) => inFile.has(id)).map((watch) => before.get(watch.id) ?? watch)
    const { chosen, snoozedUntilMs } = file
    this.#inFile = file
    this.#own = { ...own, watches, chosen, snoozedUntilMs }
  }

  /** Identifies a version of the file: every write replaces it by a new one. What the disk says where it has none. */
  #markNow(): string | null {
    try {
      const stat = statSync(this.#path, { throwIfNoEntry: false })
      return stat === undefined ? null : `${stat.ino} ${stat.mtimeMs} ${stat.size}`
    } catch (error) {
      return diskReason(error)
    }
  }
}

/**
 * What the file says of times is by the wall clock, what a desk knows by desk time: once the wall clock was set these
 * differ, and processes differ in desk time.
 */
function withTimesMoved(kept: KeptAlerts, byMs: number): KeptAlerts {
  if (byMs === 0) return kept
  // The file accepts no time before 1970.
  const moved = <T extends { atMs: number }>(each: T): T => ({ ...each, atMs: Math.max(0, each.atMs + byMs) })
  const { snoozedUntilMs, watches, fired } = kept
  return {
    ...kept,
    snoozedUntilMs: snoozedUntilMs === null ? null : Math.max(0, snoozedUntilMs + byMs),
    watches: watches.map((watch) => (watch.state.kind === 'fired' ? { ...watch, state: moved(watch.state) } : watch)),
    fired: fired.map(moved),
  }
}

const textOf = ({ watches, nextId, chosen, snoozedUntilMs, fired, fillsSeenMs, endsTold }: KeptAlerts): string =>
  JSON.stringify([watches, nextId, Object.entries(chosen).sort(), snoozedUntilMs, fired, fillsSeenMs, endsTold])

const isSame = (left: KeptAlerts, right: KeptAlerts): boolean => textOf(left) === textOf(right)

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error
