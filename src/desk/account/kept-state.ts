import type { Clock } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { type FollowedTransfers, nothingFollowed, withSendersBalances } from '../../domain/transfers/followed.ts'
import { createTransfersFile } from '../../state-files/transfers-file.ts'
import type { DeskStore } from '../../store/desk.ts'
import { followTransfers } from '../../store/transfers/followed-transfers.ts'
import { type Account, accountFiles } from './account-folder.ts'

/** Saves changes to a file. A file error is reported once, not at every change. */
function createKeeper<T>(file: { write(kept: T): Promise<Result<unknown>> }, read: Result<unknown>) {
  let lastWrite: Promise<unknown> = Promise.resolve()
  let trouble: string | null = read.ok ? null : read.error
  return {
    /** Reports the read error, and returns the function that saves a value. */
    open(store: DeskStore, clock: Clock): (kept: T) => void {
      const tell = (text: string) =>
        store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now(), isAside: true })
      if (trouble !== null) tell(trouble)
      return (kept) => {
        lastWrite = file.write(kept).then((written) => {
          const sentence = written.ok ? null : written.error
          if (sentence !== null && sentence !== trouble) tell(sentence)
          trouble = sentence
        })
      }
    },
    /** Resolves when everything is saved. */
    ended: () => lastWrite,
  }
}

/** The transfers in flight a desk starts with, and their saving. */
export type DeskTransfers = {
  start: FollowedTransfers
  /** Saves changes, until `stop`. */
  follow(store: DeskStore, clock: Clock): void
  /** Resolves when everything is saved. */
  stop(): Promise<void>
}

/** Reads what earlier runs saw of the account's transfers. A read error is reported once a desk can show it. */
export async function readDeskTransfers(account: Account): Promise<DeskTransfers> {
  const file = createTransfersFile(accountFiles(account).transfers)
  const read = await file.read()
  const inTurn = createSerial()
  // A desk and its watch replace each other's file: a balance that only one of them has seen must stay in it.
  const write = (followed: FollowedTransfers) =>
    inTurn(async () => {
      const kept = await file.read()
      return await file.write(withSendersBalances(followed, (kept.ok ? kept.value : null) ?? nothingFollowed))
    })
  const keeper = createKeeper({ write }, read)
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
