import type { Clock } from '../base/clock.ts'
import { type FollowedTransfers, nothingFollowed } from '../domain/transfers/followed.ts'
import { createTransfersFile } from '../state-files/transfers-file.ts'
import type { DeskStore } from '../store/desk.ts'
import { followTransfers } from '../store/transfers/followed-transfers.ts'
import { type Account, accountFiles } from './account-folder.ts'

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
  let end = () => {}
  let lastWrite: Promise<unknown> = Promise.resolve()
  let trouble: string | null = read.ok ? null : read.error
  return {
    start: (read.ok ? read.value : null) ?? nothingFollowed,
    follow(store, clock) {
      const tell = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
      if (trouble !== null) tell(trouble)
      end = followTransfers(store, (followed) => {
        lastWrite = file.write(followed).then((written) => {
          const sentence = written.ok ? null : written.error
          // A full disk is told of once, not at every change.
          if (sentence !== null && sentence !== trouble) tell(sentence)
          trouble = sentence
        })
      })
    },
    async stop() {
      end()
      await lastWrite
    },
  }
}
