import { type Clock, sleepToBeat } from '../../base/clock.ts'
import type { AccountId, CommandOf, CommandType, Outcome } from '../core/commands.ts'
import { Exchange } from '../core/exchange.ts'
import type { ExchangeSnapshot } from '../core/snapshot.ts'
import type { ExchangeReader } from '../core/views.ts'
import { type Companion, Companions, DataFile } from './data-file.ts'
import { DurableHistory } from './durable-history.ts'
import { CommandLog, Journal, recover } from './journal.ts'
import { createNotes, type Notes } from './notes.ts'
import { createSnapshots } from './snapshots.ts'
import { UnusableData } from './unusable-data.ts'

type DurableOptions = {
  /** Called once if the disk fails: no further command can be executed. */
  onFailure?: (failure: UnusableData) => void
  /** Number of commands after which a snapshot is taken, so that the next start has few to replay. */
  snapshotEvery?: number
  /** True: the folder is removed at the end. Nothing waits for the disk, and nothing is kept for another start. */
  isTemporary?: boolean
}

/**
 * How long, in ms, a command without a waiting caller may stay off the disk, such as the market's own. No one has been
 * told of it, since every answer waits for the disk; a killed world resumes from a few seconds earlier.
 */
const restMs = 2_000
const snapshotEveryDefault = 50_000

/**
 * The exchange's phase: `founding`, being set up, with nothing on disk; `kept`; `failed`, after a disk error; or
 * `closed`.
 */
type Phase = { kind: 'founding' | 'kept' | 'closed' } | { kind: 'failed'; failure: UnusableData }

/**
 * The core with persistence: every command with an effect is stored in the data folder, in order, and a restart
 * restores the same state. Commands execute at once; those of one turn of the event loop become durable together.
 * Whoever must not disclose something before it is on disk waits for `settled`.
 */
export class DurableExchange {
  private readonly file: DataFile
  private readonly log: CommandLog
  private readonly notes: Notes
  private readonly onFailure: (failure: UnusableData) => void
  private readonly snapshotEvery: number
  private readonly isTemporary: boolean
  private readonly forgotten: Set<AccountId>
  private readonly companions = new Companions()
  private history: DurableHistory
  private exchange: Exchange
  private phase: Phase
  private turn: Promise<void> | null = null

  /**
   * Opens the exchange in this folder, in the state in which it ended, however it ended; a new folder gives an empty
   * one, to be established. Throws `UnusableData` if the folder cannot be used.
   */
  static open(folder: string, options: DurableOptions = {}): DurableExchange {
    const file = DataFile.open(folder, options.isTemporary)
    try {
      return new DurableExchange(file, options)
    } catch (error) {
      file.close()
      throw error
    }
  }

  /** Uses a file that is already open, and is closed with the exchange. Throws as `open` does. */
  constructor(file: DataFile, { onFailure, snapshotEvery, isTemporary = false }: DurableOptions = {}) {
    this.file = file
    this.onFailure = onFailure ?? (() => {})
    this.snapshotEvery = snapshotEvery ?? snapshotEveryDefault
    this.isTemporary = isTemporary
    this.notes = createNotes(file)
    this.forgotten = new Set(this.notes.forgottenAccounts())
    this.history = new DurableHistory(file, this.forgotten)
    const journal = new Journal(file)
    const snapshots = createSnapshots(file)
    snapshots.tidy()
    const recovered = recover(file, { snapshots, journal, history: this.history })
    this.exchange = recovered?.exchange ?? new Exchange(this.history)
    this.log = new CommandLog(journal, snapshots, recovered ?? { sequence: 0, snapshotSequence: 0 })
    this.phase = { kind: recovered === null ? 'founding' : 'kept' }
  }

  get read(): ExchangeReader {
    return this.exchange.read
  }

  /** The whole state except its history: equal JSON texts mean equal states. */
  snapshot(): ExchangeSnapshot {
    return this.exchange.snapshot()
  }

  /** The note stored when this exchange was established; null if it has not been yet. */
  get note(): string | null {
    return this.phase.kind === 'founding' ? null : this.notes.world()
  }

  /** Adds a companion with tables of its own in the same file: its writes are committed with the exchange's. */
  join<T extends Companion>(make: (file: DataFile) => T): T {
    return this.companions.add(make(this.file))
  }

  /** Executes a command at once. It is on disk once `settled` says so, or soon after through `keep`. */
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T> {
    if (this.phase.kind === 'failed') throw this.phase.failure
    if (this.phase.kind === 'closed') throw new Error('the exchange is closed')
    const outcome = this.exchange.execute(command)
    // A refused command without events changed nothing: a replay does not need it.
    const hadEffect = outcome.ok || outcome.events.length > 0
    if (hadEffect && this.phase.kind === 'kept') this.log.add(command, outcome.events.length)
    return outcome
  }

  /**
   * Null if everything executed so far, here and by companions, is on disk; otherwise a promise that resolves when it
   * is, at the end of this turn of the event loop, and rejects with `UnusableData` if that fails.
   */
  settled(): Promise<void> | null {
    if (this.phase.kind !== 'failed' && !this.log.isWaiting && !this.companions.isWaiting) return null
    this.turn ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.turn = null
        this.commit('commands')
        if (this.phase.kind === 'failed') reject(this.phase.failure)
        else resolve()
      })
    })
    return this.turn
  }

  /** Until aborted, writes what no one waits for, and takes snapshots when due. */
  async keep(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleepToBeat(clock, restMs, signal)
      this.commit('everything')
      if (this.log.sinceSnapshot >= this.snapshotEvery) this.beginSnapshot()
    }
  }

  /**
   * While founding: these accounts, which have no history yet, shall never get one. For accounts that trade all the
   * time and that no one queries.
   */
  forget(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.forgotten.add(account)
  }

  /** Ends the founding: the current state is on disk, with a note for the next start. Throws `UnusableData`. */
  establish(note: string): void {
    this.orFail(() => {
      this.file.begin()
      this.notes.write(note, [...this.forgotten])
      this.snapshotNow()
      if (!this.isTemporary) this.file.shrink()
    })
    this.phase = { kind: 'kept' }
  }

  /**
   * Starts a new founding. Until it is established, the file still holds the previous exchange. Throws `UnusableData`.
   */
  startOver(): void {
    if (this.phase.kind === 'failed') throw this.phase.failure
    this.phase = { kind: 'founding' }
    this.log.forget()
    this.forgotten.clear()
    this.orFail(() => {
      this.companions.startOver()
      this.history = new DurableHistory(this.file, this.forgotten)
      this.exchange = new Exchange(this.history)
      this.file.clear()
    })
  }

  /** Makes everything durable, and leaves a snapshot for a quick next start, unless temporary. To be called once. */
  close(): void {
    if (!this.isTemporary) {
      this.commit('everything')
      this.toDisk(() => {
        if (this.log.sinceSnapshot > 0) this.snapshotNow()
      })
    }
    this.phase = { kind: 'closed' }
    this.file.close()
  }

  /** Without `everything`, history waits until there is enough to be worth a write: a replay restores it. */
  private commit(scope: 'commands' | 'everything'): void {
    this.toDisk(() => {
      if (scope === 'everything' || this.history.waiting === 'much') this.history.write()
      if (this.log.hasWork) {
        this.file.begin()
        this.log.write()
      }
      this.companions.write(this.file)
      this.file.commit()
    })
  }

  /** Writes, unless the disk has failed before; a new failure is recorded in the phase. */
  private toDisk(write: () => void): void {
    if (this.phase.kind !== 'kept') return
    try {
      this.orFail(write)
    } catch (error) {
      if (!(error instanceof UnusableData)) throw error
    }
  }

  /** A disk failure during this write ends the exchange. */
  private orFail(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (error instanceof UnusableData) {
        this.phase = { kind: 'failed', failure: error }
        this.onFailure(error)
      }
      throw error
    }
  }

  private beginSnapshot(): void {
    this.commit('everything')
    if (this.phase.kind === 'kept') this.log.beginSnapshot(this.exchange.snapshot())
  }

  private snapshotNow(): void {
    this.file.begin()
    this.history.write()
    this.log.snapshotNow(this.exchange.snapshot())
    this.companions.write(this.file)
    this.file.commit()
  }
}
