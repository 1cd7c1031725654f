import { toError } from '../../base/text/error-text.ts'
import type { EventStore, Incoming, Outcome, Recorded } from '../store/event-store.ts'

type Waiting = { readonly incoming: Incoming; readonly answer: (outcome: Outcome) => void }

/** Keeps a commit shorter than a sender would notice. */
const maxAtOnce = 1_000

export type RecordingQueue = {
  /** Returns false when full; nothing is taken then, and `answer` is never called. */
  add(incoming: Incoming, answer: (outcome: Outcome) => void): boolean
  readonly isFull: boolean
  /** Number of bodies taken and not answered. */
  readonly length: number
}

/**
 * Commits all bodies that arrived within one turn of the event loop, or during the previous commit, together; one
 * commit at a time. `onCommit` gets each batch's outcomes, or the error that made none of it durable, and the duration.
 */
export function recordingQueue(
  store: Pick<EventStore, 'record'>,
  limits: { readonly waiting: number; readonly waitingBytes: number },
  onCommit: (batch: readonly Incoming[], result: readonly Recorded[] | Error, tookMs: number) => void,
  now: () => number,
): RecordingQueue {
  let waiting: Waiting[] = []
  let length = 0
  let bytes = 0
  let isBusy = false

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    const incoming = batch.map((each) => each.incoming)
    const startedAtMs = now()
    let result: readonly Recorded[] | Error
    try {
      result = await store.record(incoming)
    } catch (error) {
      result = toError(error)
    }
    length -= batch.length
    for (const { body } of incoming) bytes -= body.byteLength
    onCommit(incoming, result, now() - startedAtMs)
    for (const [index, { answer }] of batch.entries())
      answer(result instanceof Error ? 'failed' : (result[index] ?? 'failed'))
  }

  const next = async (): Promise<void> => {
    const batch = waiting.length > maxAtOnce ? waiting.splice(0, maxAtOnce) : waiting
    if (batch === waiting) waiting = []
    await commit(batch)
    if (waiting.length > 0) setImmediate(next)
    else isBusy = false
  }

  const isFull = () => length >= limits.waiting || bytes >= limits.waitingBytes
  return {
    add(incoming, answer) {
      if (isFull()) return false
      waiting.push({ incoming, answer })
      length += 1
      bytes += incoming.body.byteLength
      if (!isBusy) {
        isBusy = true
        setImmediate(next)
      }
      return true
    },
    get isFull() {
      return isFull()
    },
    get length() {
      return length
    },
  }
}
