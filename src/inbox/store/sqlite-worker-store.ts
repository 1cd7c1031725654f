import { Worker } from 'node:worker_threads'
import { type Clock, within } from '../../base/clock.ts'
import { createListeners } from '../../base/listeners.ts'
import { toError } from '../../base/text/error-text.ts'
import type { EventStore, Recorded } from './event-store.ts'
import { type Askable, type FromThread, pack, type ToThread } from './sqlite/thread-messages.ts'

/** In the same folder as this source file, or as the built program. */
const threadFile = import.meta.url.endsWith('.ts') ? './sqlite/store-thread.ts' : './store-thread.js'

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting> }

/**
 * Resolves once the thread has opened its file; rejects with the sentence why it could not. `onEnd` is called when it
 * ended by itself or was closed.
 */
function startThread(worker: Worker, onNews: () => void, onEnd: () => void): Promise<Thread> {
  const waiting = new Map<number, Waiting>()
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error)
      for (const each of waiting.values()) each.reject(error)
      waiting.clear()
    }
    const settle = (id: number, how: (each: Waiting) => void): void => {
      const each = waiting.get(id)
      waiting.delete(id)
      if (each !== undefined) how(each)
    }
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'open') resolve({ worker, waiting })
      else if (message.kind === 'unusable') fail(new Error(message.sentence))
      else if (message.kind === 'answer') settle(message.id, (each) => each.resolve(message.value))
      else if (message.kind === 'failed') settle(message.id, (each) => each.reject(new Error(message.sentence)))
      else onNews()
    })
    worker.on('error', (error) => fail(toError(error)))
    worker.on('exit', () => {
      fail(new Error('the thread that keeps the events has ended'))
      onEnd()
    })
  })
}

/** Resolves once the thread has closed its file and ended. */
function endOf({ worker }: Thread): Promise<unknown> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.postMessage({ kind: 'close' } satisfies ToThread)
  return ended
}

type Ask = <Name extends keyof Askable>(
  name: Name,
) => (...words: Parameters<Askable[Name]>) => ReturnType<Askable[Name]>

/** All methods that are called across threads unchanged. */
const asking = (ask: Ask): Askable => ({
  events: ask('events'),
  event: ask('event'),
  conflictsOf: ask('conflictsOf'),
  quarantine: ask('quarantine'),
  release: ask('release'),
  counts: ask('counts'),
  forgetBefore: ask('forgetBefore'),
  identity: ask('identity'),
  takeLease: ask('takeLease'),
  renewLease: ask('renewLease'),
  releaseLease: ask('releaseLease'),
  movePlace: ask('movePlace'),
  waitingEvents: ask('waitingEvents'),
  attemptsOf: ask('attemptsOf'),
  deadLetters: ask('deadLetters'),
  sendAgain: ask('sendAgain'),
  forgetTarget: ask('forgetTarget'),
  standings: ask('standings'),
  countAfter: ask('countAfter'),
  unreadCount: ask('unreadCount'),
})

/** Creates a worker for the store at `path`. */
export const newWorker = (path: string): Worker =>
  new Worker(new URL(threadFile, import.meta.url), { workerData: path })
type Opening = {
  readonly path: string
  readonly clock: Pick<Clock, 'sleep'>
  readonly startWorker?: typeof newWorker
}

/** How long a close waits for the thread, in ms; for what was asked of it before it takes less. */
const closeMs = 15_000

/**
 * Opens the store of `openSqliteStore` in a separate thread, so that receiving continues during a commit. Rejects with
 * a sentence that names the file when it cannot be opened. If the thread ends, its unanswered calls reject, and the
 * next call starts another. A close leaves a thread that does not end in time, as where its disk does not answer: what
 * it has answered is on disk. Tests pass `startWorker`.
 */
export async function openSqliteWorkerStore({ path, clock, startWorker = newWorker }: Opening): Promise<EventStore> {
  const listeners = createListeners()
  let lastId = 0
  let isClosed = false
  let live: Promise<Thread> | null = null

  const send = ({ worker }: Thread, message: ToThread, handedOver: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, handedOver)
  const forget = () => {
    live = null
  }
  /** The system may refuse a thread, as where there are too many: nothing ends then, and the next call tries again. */
  const worker = (): Worker => {
    try {
      return startWorker(path)
    } catch (error) {
      queueMicrotask(forget)
      throw error
    }
  }
  const start = async (): Promise<Thread> => {
    const thread = await startThread(worker(), listeners.tell, forget)
    if (listeners.size > 0) send(thread, { kind: 'listen', isWanted: true })
    return thread
  }
  const thread = (): Promise<Thread> => {
    if (isClosed) throw new Error('the inbox is closed')
    live ??= start()
    return live
  }
  const wantNews = (isWanted: boolean): void => {
    // A thread that failed to start reports that to its next caller.
    live?.then(
      (to) => send(to, { kind: 'listen', isWanted }),
      () => undefined,
    )
  }

  const post = async (message: (id: number) => ToThread, handedOver?: readonly ArrayBuffer[]): Promise<unknown> => {
    const to = await thread()
    lastId += 1
    const id = lastId
    return new Promise<unknown>((resolve, reject) => {
      to.waiting.set(id, { resolve, reject })
      send(to, message(id), handedOver)
    })
  }
  const ask: Ask =
    <Name extends keyof Askable>(name: Name) =>
    (...words: Parameters<Askable[Name]>): ReturnType<Askable[Name]> =>
      // Both ends of a message are the same program, in which each name's result is typed.
      post((id) => ({ kind: 'ask', id, name, words })) as ReturnType<Askable[Name]>

  await thread()
  return {
    async record(incoming) {
      if (incoming.length === 0) return []
      const batch = pack(incoming)
      const handedOver = [batch.numbers.buffer, batch.bodies.buffer]
      return (await post((id) => ({ kind: 'record', id, batch }), handedOver)) as readonly Recorded[]
    },
    ...asking(ask),
    listen(listener) {
      const leave = listeners.add(listener)
      if (listeners.size === 1) wantNews(true)
      return () => {
        leave()
        if (listeners.size === 0) wantNews(false)
      }
    },
    async close() {
      if (isClosed) return
      const last = live
      isClosed = true
      listeners.clear()
      if (last !== null) await within(endOf(await last), closeMs, clock)
    },
  }
}
