import type { Clock } from '../../base/clock.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import type { DueRules } from '../../domain/notify/due.ts'
import type { KeptMessages, News } from '../../domain/notify/message.ts'
import { emptyQueue, type Target, TargetQueue, type TargetStatus } from './queue.ts'

/** Keeps what waits from run to run; `write` replaces it whole, and on the disk when it resolves. */
export type MessagesFile = {
  read(): Promise<Result<KeptMessages | null>>
  write(kept: KeptMessages): Promise<Result<unknown>>
}

export type NotifierOptions = {
  targets: readonly Target[]
  rules: DueRules
  /** False: amounts and prices are left out. */
  hasAmounts: boolean
  file: MessagesFile
  clock: Clock
  random: () => number
  newId: () => string
  tell: (level: 'info' | 'warn' | 'bad', sentence: string) => void
}

export type Notifier = {
  /** Takes news in, for each target that it is for. On the disk within a moment, and before it is sent. */
  tell(news: News): void
  /** Begins to send, with what an earlier run left first. */
  start(): Promise<void>
  /** Ends sending; what is not taken stays on the disk. */
  stop(): Promise<void>
  /** What is known of each target. */
  status(): readonly TargetStatus[]
}

const textMax = 1_000

/**
 * Tells news elsewhere. A message is delivered at least once to each of its targets, in order, and under an id that
 * stays the same however often it is sent. A disk that refuses is reported once; messages go out from memory then.
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
      // Cut first: half a character is none.
      const said = plainText((hasAmounts ? text : bareText).slice(0, textMax))
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

/** What waited for a target that is no longer set is told nowhere. */
function tellLost(earlier: KeptMessages, targets: readonly Target[], tell: NotifierOptions['tell']): void {
  for (const [name, { waiting, sending }] of Object.entries(earlier)) {
    const count = waiting.length + (sending?.messages.length ?? 0)
    if (count > 0 && !targets.some((target) => target.name === name))
      tell('warn', `${name} is no longer set: ${count} ${count === 1 ? 'message' : 'messages'} for it dropped.`)
  }
}

/** How soon what a disk refused is written again: nothing else may change for hours. */
const againAfterMs = 10_000

/**
 * Writes what is kept: one write at a time, and what changes meanwhile goes into the next one. `keep` resolves with the
 * write that has what it was called for, however much is told while that goes on. What a disk refuses is tried again.
 */
function createKeeper(
  file: MessagesFile,
  kept: () => KeptMessages,
  { clock, tell }: Pick<NotifierOptions, 'clock' | 'tell'>,
) {
  const oneByOne = createSerial()
  const stopping = new AbortController()
  let isAgainDue = false
  let isDirty = false
  let isOpen = false
  // Has not begun: what changes until it does goes into it.
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
    // Before the file has been read nothing may take its place.
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
    /** Ends trying again; resolves once what was asked for has been tried. */
    stop: () => {
      stopping.abort()
      return oneByOne(() => Promise.resolve())
    },
  }
}
