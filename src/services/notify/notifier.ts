import type { Clock } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { DueRules } from '../../domain/notify/due.ts'
import { type KeptMessages, type News, newsTextMax } from '../../domain/notify/message.ts'
import { emptyQueue, type Target, TargetQueue, type TargetStatus } from './queue.ts'

/** Stores waiting messages between runs; `write` replaces all of them and resolves when they are on disk. */
/** Where messages that wait outlive the process: see `createMessagesFile`. */
type MessagesKeeper = {
  read(): Promise<Result<KeptMessages | null>>
  write(kept: KeptMessages): Promise<Result<unknown>>
}

export type NotifierOptions = {
  targets: readonly Target[]
  rules: DueRules
  /** False to leave out amounts and prices. */
  hasAmounts: boolean
  file: MessagesKeeper
  clock: Clock
  random: () => number
  newId: () => string
  tell: (level: 'info' | 'warn' | 'bad', sentence: string) => void
}

export type Notifier = {
  /** Adds news for each target that wants its kind. It is on disk within a moment, and before it is sent. */
  tell(news: News): void
  /** Starts sending, messages of an earlier run first. */
  start(): Promise<void>
  /** Stops sending; messages not taken stay on disk. */
  stop(): Promise<void>
  /** The status of each target. */
  status(): readonly TargetStatus[]
}

/**
 * Sends news to external targets. Each message is delivered at least once to each of its targets, in order, under an id
 * that is the same in every attempt. A disk failure is reported once; messages are then sent from memory.
 */
export function createNotifier(options: NotifierOptions): Notifier {
  const { targets, rules, hasAmounts, file, clock, random, newId, tell } = options
  const keeper = createKeeper(file, () => Object.fromEntries(queues.map(({ target, kept }) => [target.name, kept])), {
    clock,
    tell,
  })
  const queues = targets.map(
    (target) => new TargetQueue(target, { rules, clock, random, newId, keep: keeper.keep, tell }),
  )
  return {
    tell({ bareText, text, ...news }) {
      // Cut before cleaning, which removes half a character at the end.
      const said = plainText((hasAmounts ? text : bareText).slice(0, newsTextMax))
      const message = { ...news, text: said, atMs: clock.wallMs() }
      const taken = queues.map((queue) => queue.add(message))
      if (taken.includes(true)) void keeper.keep()
    },
    async start() {
      const read = await file.read()
      if (!read.ok) tell('warn', read.error)
      const earlier = (read.ok ? read.value : null) ?? {}
      tellLost(earlier, targets, tell)
      keeper.open()
      for (const queue of queues) queue.start(earlier[queue.target.name] ?? emptyQueue)
    },
    async stop() {
      await Promise.all(queues.map((queue) => queue.stop()))
      await keeper.stop()
    },
    status: () => queues.map(({ status }) => status),
  }
}

/** Reports messages lost because their target is no longer set. */
function tellLost(earlier: KeptMessages, targets: readonly Target[], tell: NotifierOptions['tell']): void {
  for (const [name, { waiting, sending }] of Object.entries(earlier)) {
    const count = waiting.length + (sending?.messages.length ?? 0)
    if (count > 0 && !targets.some((target) => target.name === name))
      tell('warn', `${name} is no longer set: ${count} ${count === 1 ? 'message' : 'messages'} for it dropped.`)
  }
}

/** Pause before a failed write is repeated: nothing else may change for hours. */
const againAfterMs = 10_000

/**
 * Stores messages, one write at a time; changes during a write go into the next one. `keep` resolves with the write
 * that contains its change, however many follow. Failed writes are repeated.
 */
function createKeeper(
  file: MessagesKeeper,
  kept: () => KeptMessages,
  { clock, tell }: Pick<NotifierOptions, 'clock' | 'tell'>,
) {
  const oneByOne = createSerial()
  const stopping = new AbortController()
  let isAgainDue = false
  let isDirty = false
  let isOpen = false
  // A write that has not begun: it will contain every change until then.
  let next: Promise<void> | null = null
  let trouble: string | null = null

  const write = async (): Promise<void> => {
    next = null
    const written = await file.write(kept())
    const sentence = written.ok ? null : written.error
    if (sentence !== null && trouble === null) tell('bad', `${sentence} Messages are sent from memory.`)
    if (sentence === null && trouble !== null) tell('info', 'Queued messages are saved to disk again.')
    trouble = sentence
    if (sentence !== null) void again()
  }
  const again = async (): Promise<void> => {
    if (isAgainDue) return
    isAgainDue = true
    await clock.sleep(againAfterMs, stopping.signal)
    isAgainDue = false
    if (!stopping.signal.aborted) void keep()
  }
  const keep = (): Promise<void> => {
    // The file must be read before anything replaces it.
    if (!isOpen) isDirty = true
    else next ??= oneByOne(write)
    return next ?? Promise.resolve()
  }
  return {
    keep,
    open() {
      isOpen = true
      if (isDirty) void keep()
    },
    /** Stops repeating failed writes; resolves once the last requested write was tried. */
    stop: () => {
      stopping.abort()
      return oneByOne(() => Promise.resolve())
    },
  }
}
