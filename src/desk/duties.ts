import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, sleepToBeat } from '../base/clock.ts'
import { aborted } from '../base/command-io.ts'
import { diskReason } from '../base/error-text.ts'
import { makeFolder } from '../base/make-folder.ts'
import { err, type Result } from '../base/result.ts'
import type { DutyRole, WatchStatus } from '../domain/desk/duties.ts'
import type { FeedEvent, NewsLevel } from '../domain/desk/events.ts'
import { isFeedName } from '../domain/desk/feeds.ts'
import type { News } from '../domain/notify/message.ts'
import { type Lock, takeLock } from '../journal/locks.ts'
import { type BlindRules, type BlindSwitch, createBlindSwitch } from '../services/blind-switch.ts'
import type { OrderEntry } from '../services/orders/order-entry.ts'
import { namedFile } from '../state-files/json-file.ts'
import { createWatchFile } from '../state-files/watch-file.ts'
import type { DeskStore } from '../store/desk.ts'
import type { Account } from './account-folder.ts'

/**
 * A duty, done by one process for a profile and account, either a watch or a console. `start` and `stop` alternate: a
 * console passes its duties to a watch, and has them again when that ends.
 */
export type Duty = {
  /** Its name in words, such as `plans`. */
  name: string
  /** Begins; `store` is the desk's. */
  start(store: Pick<DeskStore, 'subscribe' | 'dispatch'>): void
  /** Resolves when it has stopped completely. */
  stop(): Promise<void>
  /** What it does at present, in words such as `2 plans`; null when there is nothing that could stop. */
  holds(): string | null
  /** Its trouble as a sentence; null for none. */
  trouble(): string | null
  /** Gets news that is not an alert; missing when it tells none. */
  tell?(news: News): void
  /** Metrics for Prometheus, by names such as `plans_open`; missing for none. */
  numbers?(): Readonly<Record<string, number>>
}

/** The parts of duties. */
export type DutyParts = {
  /** Cancels orders after an outage; null when not set. */
  blind: BlindSwitch | null
  /** Duties opened before the desk, such as external notifications. */
  others: readonly Duty[]
}

/** All duties of a desk, one per line. */
const dutiesOf = ({ blind, others }: DutyParts): readonly Duty[] => [
  ...(blind === null ? [] : [blindDuty(blind)]),
  ...others,
]

/** It acts by itself where the duties are (`isOnDuty`), and need not be started. */
const blindDuty = (blind: BlindSwitch): Duty => ({
  name: 'cancel when blind',
  start: () => undefined,
  stop: () => Promise.resolve(),
  holds: () => 'canceling after an outage',
  trouble: () => null,
  numbers: () => ({ blind: blind.blindSinceMs() === null ? 0 : 1 }),
})

type DutyOptions = {
  blind?: BlindRules
  role?: DutyRole
  dutyPlace?: DutyPlace
  duties?: readonly Duty[]
  isMonitor: boolean
  clock: Clock
}
type DutyWorld = {
  store: DeskStore
  orders: Pick<OrderEntry, 'cancelAll'>
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  /** The plans of the desk; null when nothing may be sent. */
  plans: Duty | null
}

/** Creates the duties of a desk and their keeper; `observe` gets polled data. */
export function keepDuties(
  options: DutyOptions,
  world: DutyWorld,
): DutyKeeper & { observe(event: { type: FeedEvent['type']; atMs?: number }): void } {
  const { role = 'console', dutyPlace: place = null, duties: others = [], clock } = options
  const { store, signal } = world
  const tell = (news: News) => keeper.tell(news)
  const blind = blindSwitchOf(options, { ...world, tell, isOnDuty: () => keeper.isHere() })
  const keeper = createDutyKeeper({
    place,
    role,
    duties: dutiesOf({ blind, others: [...(world.plans === null ? [] : [world.plans]), ...others] }),
    store,
    clock,
    signal,
  })
  return {
    ...keeper,
    observe(event) {
      if (isFeedName(event.type)) blind?.answered(event.atMs)
    },
  }
}

/** Creates what cancels orders after an outage; null when not set, or when nothing may be canceled. */
function blindSwitchOf(
  { blind: rules, isMonitor, clock }: DutyOptions,
  { store, orders, signal, track, tell, isOnDuty }: DutyWorld & { tell: (news: News) => void; isOnDuty: () => boolean },
): BlindSwitch | null {
  if (rules === undefined || isMonitor) return null
  const blind = createBlindSwitch({
    ...{ rules, clock, signal, track, isOnDuty },
    cancelAll: (symbol) => orders.cancelAll(symbol),
    tell(level, text) {
      store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
      tell({ kind: 'watch', level, text, bareText: text })
    },
  })
  store.subscribe((state, before) => {
    if (state.nowMs !== before.nowMs) blind.look()
  })
  return blind
}

/** Files by which the processes of a profile know who has the duties. */
export type DutyPlace = { watchLock: string; dutiesLock: string; statusFile: string }

export function dutyPlace({ folder, profileName }: Pick<Account, 'folder' | 'profileName'>): DutyPlace {
  const name = namedFile(profileName)
  const lock = name.replace(/\.json$/, '.lock')
  return {
    watchLock: join(folder, `watch-${lock}`),
    dutiesLock: join(folder, `duties-${lock}`),
    statusFile: join(folder, `watch-${name}`),
  }
}

/** Whether a watch runs, by its lock, and its last status; null when none runs. */
export async function seeWatch(place: DutyPlace): Promise<{ status: WatchStatus | null } | null> {
  if (!existsSync(place.watchLock)) return null
  const lock = takeLock(place.watchLock)
  if (lock.ok && lock.value !== null) {
    lock.value.release()
    return null
  }
  // A file error about the lock says nothing about a watch.
  return lock.ok ? { status: await createWatchFile(place.statusFile).read() } : null
}

/** How long to wait for a lock that is only looked at, in ms. */
const glanceMs = 500

/**
 * Makes this process the watch; null when another one is. The error is the file error. The status of the previous watch
 * is removed, because it would be taken for this one's.
 */
export function claimWatch(place: DutyPlace): Result<Lock | null> {
  try {
    makeFolder(dirname(place.watchLock))
  } catch (error) {
    return err(diskReason(error))
  }
  const lock = takeLock(place.watchLock, glanceMs)
  if (!lock.ok || lock.value === null) return lock
  try {
    rmSync(place.statusFile, { force: true })
    return lock
  } catch (error) {
    lock.value.release()
    return err(diskReason(error))
  }
}

/** Interval of looks at who has the duties, in ms. */
export const lookMs = 2_000

type KeeperOptions = {
  /** Null for a desk that saves nothing and has its duties alone. */
  place: DutyPlace | null
  role: DutyRole
  duties: readonly Duty[]
  store: DeskStore
  clock: Clock
  signal: AbortSignal
}

export type DutyKeeper = {
  /** True while this process has the duties. */
  isHere(): boolean
  duties: readonly Duty[]
  /** Sends news that is not an alert to external targets, if set and the duties are here. */
  tell(news: News): void
  /** Takes the duties when they are free, and passes them to a watch that begins, until the signal is aborted. */
  run(): Promise<void>
  /** After the signal: resolves when every duty has stopped and another process may take them. */
  ended(): Promise<void>
}

function createDutyKeeper(options: KeeperOptions): DutyKeeper {
  const keeper = new Keeper(options)
  let running: Promise<void> = Promise.resolve()
  return {
    isHere: () => keeper.isHere,
    duties: options.duties,
    tell(news) {
      if (keeper.isHere) for (const duty of options.duties) duty.tell?.(news)
    },
    run() {
      running = keeper.run()
      return running
    },
    // Its errors are reported where it runs.
    ended: () => running.catch(() => undefined),
  }
}

class Keeper {
  isHere = false
  readonly #options: KeeperOptions
  #lock: Lock | null = null
  #watch: { status: WatchStatus | null } | null = null
  #isFirst = true
  #trouble: string | null = null

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { place, signal, clock } = this.#options
    if (place === null) {
      this.#begin()
      await aborted(signal)
    }
    while (place !== null && !signal.aborted) {
      await this.#look(place)
      this.#isFirst = false
      if (!signal.aborted) await sleepToBeat(clock, lookMs, signal)
    }
    await this.#letGo()
  }

  /** Finds out who has the duties now, and takes or releases them accordingly. */
  async #look(place: DutyPlace): Promise<void> {
    const before = this.#watch
    this.#watch = this.#isWatch ? null : await seeWatch(place)
    if (this.#watch !== null) await this.#leaveToWatch(before !== null)
    else this.#take(place, before !== null)
    this.#report()
  }

  async #leaveToWatch(wasThere: boolean): Promise<void> {
    const had = this.isHere
    await this.#letGo()
    const pid = this.#watch?.status?.pid
    const name = pid === undefined ? 'A watch' : `A watch (pid ${pid})`
    if (had) this.#note('info', `${name} has begun: it has the duties of this desk now.`)
    else if (!wasThere) this.#note('info', `${name} runs: alerts and plans go on when this desk closes.`)
  }

  #take(place: DutyPlace, wasWatched: boolean): void {
    if (this.isHere) return
    const lock = takeLock(place.dutiesLock)
    if (!lock.ok) {
      this.#complain(`This desk cannot run plans, notifications or canceling after an outage: ${lock.error}.`)
      return
    }
    if (lock.value === null) {
      const other = 'Another desk of this profile has the duties'
      if (this.#isFirst && this.#isWatch) this.#note('info', `${other}: it hands them over within seconds.`)
      return
    }
    this.#lock = lock.value
    this.#trouble = null
    this.#begin()
    if (wasWatched) this.#note('warn', 'The watch has ended: this desk has its duties now.')
    else if (!this.#isFirst || this.#isWatch) this.#note('info', 'This desk has the duties now.')
  }

  get #isWatch(): boolean {
    return this.#options.role === 'watch'
  }

  #begin(): void {
    this.isHere = true
    for (const duty of this.#options.duties) duty.start(this.#options.store)
  }

  async #letGo(): Promise<void> {
    if (!this.isHere) return
    await Promise.all(this.#options.duties.map((duty) => duty.stop()))
    this.isHere = false
    this.#lock?.release()
    this.#lock = null
  }

  #report(): void {
    const { store, duties } = this.#options
    const holds = duties.flatMap((duty) => duty.holds() ?? [])
    const where = this.isHere ? 'here' : 'elsewhere'
    const watch = this.#watch === null ? null : (this.#watch.status ?? unknownWatch)
    const before = store.getState().duties
    const isSame =
      before.where === where &&
      before.holds.join() === holds.join() &&
      (before.watch === watch || JSON.stringify(before.watch) === JSON.stringify(watch))
    if (!isSame) store.dispatch({ type: 'dutiesChanged', duties: { where, watch, holds } })
  }

  #complain(sentence: string): void {
    if (sentence !== this.#trouble) this.#note('warn', sentence)
    this.#trouble = sentence
  }

  #note(level: NewsLevel, text: string): void {
    const { store, clock } = this.#options
    store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  }
}

/** A watch that is only known by its lock, because it is just beginning. */
const unknownWatch: WatchStatus = {
  ...{ pid: 0, sinceMs: 0, beatMs: 0, hasDuties: false, does: [], troubles: [], isExchangeSilent: false, unsaid: 0 },
}
