import { isDeepStrictEqual } from 'node:util'
import { type Clock, sleepToBeat } from '../../base/clock.ts'
import { aborted } from '../../base/process/command-io.ts'
import { ok } from '../../base/result.ts'
import { type Beat, type DutyRole, type Seen, silenceOf, type WatchStatus, wakeText } from '../../domain/desk/duties.ts'
import type { FeedEvent, NewsLevel } from '../../domain/desk/events.ts'
import { isFeedName } from '../../domain/desk/feeds.ts'
import type { News } from '../../domain/notify/message.ts'
import { type BlindRules, type BlindSwitch, createBlindSwitch } from '../../services/blind-switch.ts'
import type { OrderEntry } from '../../services/orders/order-entry.ts'
import type { DeskStore } from '../../store/desk.ts'
import { type DutyPlace, type SeenWatch, seeWatch } from './duty-place.ts'
import { createSeat, type Seat } from './duty-seat.ts'

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
    isMonitor: options.isMonitor,
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

/** Interval of looks at who has the duties, in ms. */
export const lookMs = 2_000

/** Looks that must agree on a silence: after a sleep of the whole machine the other process may move a little later. */
const silentLooks = 3

type KeeperOptions = {
  /** Null for a desk that saves nothing and has its duties alone. */
  place: DutyPlace | null
  role: DutyRole
  /** A desk that sends nothing leaves the duties to one that may: plans would stand still with it. */
  isMonitor: boolean
  duties: readonly Duty[]
  store: DeskStore
  clock: Clock
  signal: AbortSignal
}

export type DutyKeeper = {
  /** True while this process has the duties. */
  isHere(): boolean
  duties: readonly Duty[]
  /** Why this process cannot have them although nobody else does, as a sentence; null otherwise. */
  trouble(): string | null
  /** Sends news that is not an alert to external targets, if set and the duties are here. */
  tell(news: News): void
  /** Takes the duties when they are free, and passes them to a watch that begins, until the signal is aborted. */
  run(): Promise<void>
  /** Leaves the duties to another process while this one is stopped. */
  rest(): Promise<void>
  /** After `rest`: takes them again, unless somebody has them by now. */
  wake(): Promise<void>
  /** After the signal: resolves when every duty has stopped and another process may take them. */
  ended(): Promise<void>
}

function createDutyKeeper(options: KeeperOptions): DutyKeeper {
  const keeper = new Keeper(options)
  let running: Promise<void> = Promise.resolve()
  return {
    isHere: () => keeper.isHere,
    duties: options.duties,
    trouble: () => keeper.trouble,
    tell(news) {
      if (keeper.isHere) for (const duty of options.duties) duty.tell?.(news)
    },
    run() {
      running = keeper.run()
      return running
    },
    rest: () => keeper.rest(),
    wake: () => keeper.wake(),
    // A fault of it is told of where it runs.
    ended: () => running.catch(() => undefined),
  }
}

type Seats = { duties: Seat; next: Seat }

class Keeper {
  isHere = false
  trouble: string | null = null
  readonly #options: KeeperOptions
  /** Null for a desk that has its duties alone. */
  readonly #seats: Seats | null
  #watch: (WatchStatus & Seen) | null = null
  #isFirst = true
  /** Whether they were here when this process was to be stopped; null while it runs. */
  #hadAtRest: boolean | null = null
  /** The other process with the duties, as the last look found it. */
  #other: Beat | null = null
  /** Looks since then that found the same time of it. */
  #sameLooks = 0
  #silent: Beat | null = null

  constructor(options: KeeperOptions) {
    const { place, clock } = options
    this.#options = options
    this.#seats =
      place === null ? null : { duties: createSeat(place.duties, clock), next: createSeat(place.next, clock) }
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
    this.#seats?.next.leave()
  }

  async rest(): Promise<void> {
    this.#hadAtRest = this.isHere
    this.#seats?.next.leave()
    await this.#letGo()
  }

  async wake(): Promise<void> {
    const { place, signal } = this.#options
    const had = this.#hadAtRest
    if (had === null || signal.aborted) return
    this.#hadAtRest = null
    // To have again what was here before is no news.
    this.#isFirst = had
    if (place !== null) await this.#look(place)
    else if (had) this.#begin()
    this.#isFirst = false
  }

  /** Finds out who has the duties now, and takes or releases them. A watch that cannot be seen is as it was. */
  async #look(place: DutyPlace): Promise<void> {
    const before = this.#watch
    const seen = this.#isWatch ? ok(null) : await seeWatch(place)
    const unseen = before && { ...before, isUnseen: true }
    const hasEnded = before !== null && seen.ok && seen.value === null
    this.#watch = seen.ok ? this.#wanted(seen.value) : unseen
    if (this.#watch !== null) await this.#leaveToWatch(this.#watch.pid, before !== null)
    else if (this.#seats !== null && this.#hadAtRest === null) await this.#sit(this.#seats, hasEnded)
    this.#lookAtOther()
    this.#report()
  }

  /**
   * The watch that gets the duties: none that may send nothing where this desk may, as plans would stand still, nor one
   * that has not said yet which it is: it may still ask for a passphrase, or never open.
   */
  #wanted(watch: SeenWatch | null): (WatchStatus & Seen) | null {
    const status = watch?.status ?? null
    return status?.isMonitor === true && !this.#options.isMonitor ? null : status
  }

  async #leaveToWatch(pid: number, wasThere: boolean): Promise<void> {
    const had = this.isHere
    await this.#letGo()
    this.#seats?.next.leave()
    const name = `A watch (pid ${pid})`
    if (had) this.#note('info', `${name} has begun: it has the duties of this desk now.`)
    else if (!wasThere) this.#note('info', `${name} runs: alerts and plans go on when this desk closes.`)
  }

  /** Takes the duties if they are free, else the seat of the desk that gets them next. */
  async #sit({ duties, next }: Seats, wasWatched: boolean): Promise<void> {
    if (this.#options.isMonitor && this.#moving(next.other()) !== null) {
      if (this.isHere) this.#note('info', 'Another desk of this profile may send: it has the duties now.')
      await this.#letGo()
    } else this.#take(duties, wasWatched)
    if (this.isHere) next.leave()
    else if (!this.#isWatch && !this.#options.isMonitor && !next.isMine()) next.take()
    duties.beat()
    next.beat()
  }

  #take(seat: Seat, wasWatched: boolean): void {
    if (this.isHere) return
    const taken = seat.take()
    if (!taken.ok) {
      this.#complain(`This desk cannot run plans, notifications or canceling after an outage: ${taken.error}.`)
      return
    }
    this.trouble = null
    if (!taken.value) {
      const how = this.#options.isMonitor ? 'it keeps them if it may send' : 'it hands them over within seconds'
      if (this.#isFirst && this.#isWatch) this.#note('info', `Another desk of this profile has the duties: ${how}.`)
      return
    }
    this.#begin()
    if (wasWatched) this.#note('warn', 'The watch has ended: this desk has its duties now.')
    else if (!this.#isFirst || this.#isWatch) this.#note('info', 'This desk has the duties now.')
  }

  /** A process that was stopped keeps its locks: nobody else can do what it does not do. */
  #lookAtOther(): void {
    const isWatch = this.#watch?.hasDuties === true
    const other = this.isHere ? null : isWatch ? this.#watch : (this.#seats?.duties.other() ?? null)
    const isSame = other !== null && other.pid === this.#other?.pid && other.beatMs === this.#other.beatMs
    this.#other = other
    this.#sameLooks = isSame ? this.#sameLooks + 1 : 0
    const before = this.#silent
    // What cannot be seen changes nothing of what was.
    const isUnseen = other?.isUnseen === true
    const isMoving = !isUnseen && this.#moving(other) !== null
    const isSilent = !isMoving && ((!isUnseen && this.#sameLooks >= silentLooks) || before !== null)
    this.#silent = other !== null && isSilent ? beatOf(other) : null
    if (other === null) return
    const name = isWatch ? `The watch (pid ${other.pid})` : `The desk with the duties (pid ${other.pid})`
    if (this.#silent !== null && before === null)
      this.#note(
        'bad',
        `${name} is stopped or stuck: plans, notifications and canceling after an outage stand still. ` +
          `${wakeText(other.pid)}: another desk has its duties then.`,
      )
    else if (isMoving && before?.pid === other.pid) this.#note('info', `${name} moves again.`)
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
    this.#seats?.duties.leave()
  }

  /** The process if it moves, else null. */
  #moving(beat: Beat | null): Beat | null {
    return beat === null || silenceOf(beat, this.#options.clock.wallMs()) !== null ? null : beat
  }

  #report(): void {
    const { store, duties } = this.#options
    const holds = duties.flatMap((duty) => duty.holds() ?? [])
    const where = this.isHere ? 'here' : 'elsewhere'
    const watch = this.#watch
    const { role, ...before } = store.getState().duties
    const heir = this.isHere ? this.#moving(this.#seats?.next.other() ?? null) : null
    const now = { where, watch, silent: this.#silent, heirPid: heir?.pid ?? null, holds } as const
    if (!isDeepStrictEqual(now, before)) store.dispatch({ type: 'dutiesChanged', duties: now })
  }

  #complain(sentence: string): void {
    if (sentence !== this.trouble) this.#note('warn', sentence)
    this.trouble = sentence
  }

  #note(level: NewsLevel, text: string): void {
    const { store, clock } = this.#options
    store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  }
}

const beatOf = ({ pid, beatMs }: Beat): Beat => ({ pid, beatMs })
