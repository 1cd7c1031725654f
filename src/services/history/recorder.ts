import type { Result } from '../../base/result.ts'
import { hourMs } from '../../base/text/time-text.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import { isWorking, listKey } from '../../domain/orders/order.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile, HistoryOptions } from '../../history/history-file.ts'
import { againMs, clocksOf, type End, Recording, type RecordingOptions } from './recording.ts'
import { Waiting } from './waiting.ts'

export type RecorderOptions = Omit<RecordingOptions, 'clocks' | 'isWorkingNow' | 'onBusy'> & {
  open: (options: HistoryOptions) => Promise<Result<HistoryFile, HistoryError>>
  /**
   * How far the exchange's clock is ahead of this machine's, in ms; 0 while unknown. Beyond `clocksApartMax` one of
   * them is wrong, and nothing is dated by it.
   */
  clocksApartMs?: () => number
}

export type Recorder = {
  /** Takes polled data, which `run` writes later. */
  observe(event: FeedEvent): void
  /** Call when another reader finds the file damaged: it is put aside, and a new one begins. */
  reportDamage(error: HistoryError): void
  /**
   * Opens the file and records until the signal is aborted; resolves when everything is written and the file is closed.
   */
  run(): Promise<void>
}

/** Pause before the first write: the first screen comes first. */
const firstMs = 1_500
/** Minimum time between two files put aside: damage that returns sooner is the disk's fault. */
const asideAgainMs = hourMs

/** What follows the reason for which nothing is recorded. */
const endings: Readonly<Record<HistoryError['kind'], string>> = {
  busy: ' by another program, or by a desk that was stopped. Trading goes on; the desk tries again until it is let go',
  disk: '. Trading goes on; the desk tries again every minute',
  damaged: '. Trading goes on; the desk tries again every minute',
  newer: '',
}

/** Writes polled data to the account's history once a minute, and reads what the file lacks. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { open, clock, signal, toUtcMs, tell } = options
  const waiting = new Waiting()
  const clocks = clocksOf(options.clocksApartMs ?? (() => 0), tell)
  let working: ReadonlySet<string> = new Set()
  let trouble: string | null = null
  let recording: Recording | null = null
  let asideMs = Number.NEGATIVE_INFINITY
  /** True when nothing more is written, so that polled data is no longer kept. */
  let isOver = false

  const complain = ({ message, kind }: HistoryError): void => {
    if (message === trouble) return
    tell('warn', `No history is recorded: ${message}${endings[kind]}.`)
    trouble = message
  }
  /** True when it could not be opened a minute ago because it was in use. */
  let wasBusy = false
  const fail = (error: unknown): HistoryError => {
    if (!(error instanceof HistoryError)) throw error
    if (error.kind !== 'busy' || wasBusy) complain(error)
    wasBusy = error.kind === 'busy'
    return error
  }
  /** True when a file was put aside recently: a damaged one then stays where it is. */
  const isLeft = () => clock.now() - asideMs < asideAgainMs
  const openOne = async (putAside: HistoryOptions['putAside']): Promise<HistoryFile | HistoryError> => {
    const isAside = putAside === 'earlier' || (putAside === 'damaged' && !isLeft())
    const opened = await open({ isLeft: isLeft(), ...(isAside ? { putAside } : {}) })
    if (!opened.ok) return fail(opened.error)
    const { notice } = opened.value
    wasBusy = false
    if (notice !== null) {
      tell('warn', notice)
      if (putAside !== 'earlier') asideMs = clock.now()
    }
    return opened.value
  }
  const isBack = () => {
    if (trouble !== null) tell('info', 'History is recorded again.')
    trouble = null
  }
  const recordIn = async (file: HistoryFile): Promise<End> => {
    const isWorkingNow = (id: string) => working.has(id)
    recording = new Recording(file, waiting, { ...options, clocks, onBusy: complain, isWorkingNow })
    const end = await recording.run(isBack)
    recording = null
    if (end.kind === 'failed' && (putAsideAfter(end) === undefined || isLeft())) fail(end.error)
    return end
  }

  return {
    observe(event) {
      if (isOver) return
      if (event.type === 'tickers' && clocks.agree()) waiting.look(event, toUtcMs(event.atMs))
      if (event.type === 'book') waiting.book(event)
      if (event.type === 'fills') waiting.addFills(event.fills, event.unreadable)
      if (event.type === 'withdrawals') waiting.withdrawals = event.withdrawals
      if (event.type === 'orderEnded' && !isWorking(event.order)) waiting.addOrder(event.order)
      if (event.type === 'orders') working = new Set(event.orders.map(listKey))
    },
    reportDamage(error) {
      if (!isLeft()) recording?.fail(error)
    },
    async run() {
      await clock.sleep(firstMs, signal)
      let putAside: HistoryOptions['putAside']
      while (!signal.aborted) {
        const file = await openOne(putAside)
        const end: End = file instanceof HistoryError ? { kind: 'failed', error: file } : await recordIn(file)
        putAside = putAsideAfter(end)
        isOver = signal.aborted || (end.kind === 'failed' && end.error.kind === 'newer')
        if (isOver) return
        // Always pauses, whatever fails: the desk's thread has other work.
        await clock.sleep(putAside === undefined || isLeft() ? againMs : firstMs, signal)
      }
    },
  }
}

const putAsideAfter = (end: End): HistoryOptions['putAside'] =>
  end.kind === 'anew' ? 'earlier' : end.kind === 'failed' && end.error.kind === 'damaged' ? 'damaged' : undefined
