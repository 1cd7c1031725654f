import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../../base/clock.ts'
import { errorText } from '../../../base/text/error-text.ts'
import { openSqliteStore, type SqliteStore } from '../sqlite-store.ts'
import { busyCacheKiB } from './database.ts'
import { type Askable, type FromThread, type ToThread, unpack } from './thread-messages.ts'

// The thread of a store of `openSqliteWorkerStore`, so that the disk does not delay receiving.

if (parentPort === null) throw new Error('the store of a thread needs one to answer')
const port = parentPort
const say = (message: FromThread): void => port.postMessage(message)

function ask(store: Askable, name: keyof Askable, words: readonly unknown[]): Promise<unknown> {
  // Both ends of a message are the same program, in which the parameters of each name are typed.
  const call = store[name] as (...words: readonly unknown[]) => Promise<unknown>
  return call(...words)
}

function serve(store: SqliteStore): void {
  let stopListening: (() => void) | null = null
  const answer = async (message: ToThread): Promise<void> => {
    switch (message.kind) {
      case 'record':
        return say({ kind: 'answer', id: message.id, value: await store.record(unpack(message.batch)) })
      case 'ask':
        return say({ kind: 'answer', id: message.id, value: await ask(store, message.name, message.words) })
      case 'listen':
        stopListening?.()
        stopListening = message.isWanted ? store.listen(() => say({ kind: 'news' })) : null
        // Something may have been recorded between the request to listen and now.
        if (message.isWanted) say({ kind: 'news' })
        return
      case 'close':
        await store.close()
        port.close()
    }
  }
  port.on('message', (message: ToThread) => {
    answer(message).catch((error: unknown) => {
      if (!('id' in message)) throw error
      say({ kind: 'failed', id: message.id, sentence: errorText(error) })
    })
  })
}

try {
  const store = openSqliteStore({ path: String(workerData), clock: systemClock, cacheKiB: busyCacheKiB })
  serve(store)
  say({ kind: 'open' })
} catch (error) {
  say({ kind: 'unusable', sentence: errorText(error) })
}
