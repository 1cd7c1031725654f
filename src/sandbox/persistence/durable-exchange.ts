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
  /** Called once when the disk fails: nothing can be carried out any more. */
  onFailure?: (failure: UnusableData) => void
  /** After so many commands a snapshot is taken, so that the next start has few to replay. */
  snapshotEvery?: number
  /** True: the folder is removed in the end. Nothing waits for the disk, and nothing is left for a next start. */
  isTemporary?: boolean
}

/**
 * How long, in ms, a command without a waiting caller may stay off the disk: what the market does by itself. Nobody has
 * been told of it, as every answer waits for the disk, and a killed world goes on from a few seconds before.
 */
const restMs = 2_000
const snapshotEveryDefault = 50_000

/**
 * Where an exchange stands: `founding`, being made, of which nothing is on disk; `kept`; `failed`, when the disk has
 * given up; or `closed`.
 */
type Phase = { kind: 'founding' | 'kept' | 'closed' } | { kind: 'failed'; failure: UnusableData }

/**
 * The core with a memory: every command that had an effect goes into the data folder, in order, and a restart comes to
 * the same state. Commands are carried out at once; those of one turn of the event loop become durable together.
 * Whoever must not tell of something before it is on disk waits for `settled`.
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
   * Opens the exchange in this folder, in the state in which it ended in whatever way; in a new folder an empty one, to
   * be established. Throws `UnusableData` when the folder cannot serve.
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

  /** On a file that is open already, and is closed with the exchange. Throws as `open` does. */
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

  /** The whole state but its history: equal texts of it are equal states. */
  snapshot(): ExchangeSnapshot {
    return this.exchange.snapshot()
  }

  /** The note that was left when this exchange was established; null when it is yet to be. */
  get note(): string | null {
    return this.phase.kind === 'founding' ? null : this.notes.world()
  }

  /**
   * Lets something live beside the exchange, with tables of its own in the same file: what it writes is committed with
   * the exchange's.
   */
  join<T extends Companion>(make: (file: DataFile) => T): T {
    return this.companions.add(make(this.file))
  }

  /** Carries out a command at once. It is on disk once `settled` says so, or soon after by `keep`. */
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T> {
    if (this.phase.kind === 'failed') throw this.phase.failure
    if (this.phase.kind === 'closed') throw new Error('the exchange is closed')
    const outcome = this.exchange.execute(command)
    // A refused command without events changed nothing: a replay can do without it.
    const hadEffect = outcome.ok || outcome.events.length > 0
    if (hadEffect && this.phase.kind === 'kept') this.log.add(command, outcome.events.length)
    return outcome
  }

  /**
   * Null when everything carried out since the beginning, here and beside the exchange, is on disk; else it resolves,
   * at the end of this turn of the event loop, when it is, and rejects with `UnusableData` when it cannot be.
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

  /** Until aborted, writes what nobody waits for, and takes snapshots when they are due. */
  async keep(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleepToBeat(clock, restMs, signal)
      this.commit('everything')
      if (this.log.sinceSnapshot >= this.snapshotEvery) this.beginSnapshot()
    }
  }

  /**
   * While founding: these accounts, which have no history yet, shall never have one. For those that trade all the time
   * and that nobody asks about.
   */
  forget(accounts: readonly AccountId[]): void {
    for (const account of accounts) this.forgotten.add(account)
  }

  /** Ends the founding: the state as it is now is on disk, with a note for the next start. Throws `UnusableData`. */
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
   * Begins a new founding. Until it is established, the file still holds the exchange that was. Throws `UnusableData`.
   */
  startOver(): void {
    if (this.phase.kind === 'failed') throw this.phase.failure
    this.phase = { kind: 'founding' }
    this.log.forget()
    this.companions.startOver()
    this.forgotten.clear()
    this.history = new DurableHistory(this.file, this.forgotten)
    this.exchange = new Exchange(this.history)
    this.orFail(() => this.file.clear())
  }

  /**
   * Makes everything durable, and leaves a snapshot so that the next start is quick, where there may be one. To be
   * called once.
   */
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

  /** Without `everything`, history waits until there is enough of it to be worth a write: a replay brings it again. */
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

  /** Writes, unless the disk has failed before; that it failed now is in the phase. */
  private toDisk(write: () => void): void {
    if (this.phase.kind !== 'kept') return
    try {
      this.orFail(write)
    } catch (error) {
      if (!(error instanceof UnusableData)) throw error
    }
  }

  /** When the disk fails in this, that is the end. */
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
