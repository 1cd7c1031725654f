import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import { type FollowedTransfers, nothingFollowed } from '../domain/transfers/followed.ts'
import { createTransfersFile } from '../state-files/transfers-file.ts'
import type { DeskStore } from '../store/desk.ts'
import { followTransfers } from '../store/transfers/followed-transfers.ts'
import { type Account, accountFiles } from './account-folder.ts'

/** Keeps what changes in a file. What the disk says is reported once, not at every change. */
function createKeeper<T>(file: { write(kept: T): Promise<Result<unknown>> }, read: Result<unknown>) {
  let lastWrite: Promise<unknown> = Promise.resolve()
  let trouble: string | null = read.ok ? null : read.error
  return {
    /** Tells what was wrong with reading, and returns what keeps a value from then on. */
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
    /** Resolves when all is kept. */
    ended: () => lastWrite,
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

/** Reads what earlier runs on the account saw. What cannot be read is reported once there is a desk to tell it. */
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
