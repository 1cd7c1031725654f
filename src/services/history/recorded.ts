import { nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { type Fill, newestFillMs } from '../../domain/orders/fills.ts'
import type { RecordedPrices } from '../../domain/positions/own-prices.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { FillTimes, HistoryFile } from '../../history/history-file.ts'

/**
 * The record of an account: every fill up to some moment, oldest first, executions reported again with other terms (a
 * clause each), and prices. Fills are read from the file at each pass, because a million of them do not fit in memory.
 */
export type Recorded = {
  /** Those after one moment and up to another; all unless given. */
  fills: (times?: FillTimes) => Iterable<Fill>
  fillCount: number
  /** The fill with this id; null for none. */
  find: (execId: string) => Fill | null
  /** Time of the newest fill not later than `latestMs`; null for none. */
  newestMs: (latestMs: number) => number | null
  unreadableCount: number
  otherwise?: readonly string[]
  prices?: RecordedPrices
}

/** A record of these fills, which are in ascending order. */
export function recordedOf(fills: readonly Fill[]): Recorded {
  const byId = new Map(fills.map((fill) => [fill.execId, fill]))
  return {
    fills: ({ afterMs = -1, toMs = Number.MAX_SAFE_INTEGER } = {}) =>
      fills.filter(({ timestampMs }) => timestampMs > afterMs && timestampMs <= toMs),
    fillCount: fills.length,
    find: (execId) => byId.get(execId) ?? null,
    newestMs: (latestMs) =>
      newestFillMs(
        fills.filter(({ timestampMs }) => timestampMs <= latestMs),
        latestMs,
      ),
    unreadableCount: 0,
  }
}

export const nothingRecorded: Recorded = recordedOf([])

/** Entries taken per turn, some ms; a signal is heeded between turns. */
const entriesAtOnce = 1_000

/**
 * Runs steps that each tell how many entries they took, in several turns, so that the desk's thread can do other work.
 * Throws what `signal` is aborted with.
 */
export async function inTurns(steps: Iterable<number>, signal: AbortSignal): Promise<void> {
  let count = 0
  for (const taken of steps) {
    count += taken
    if (count < entriesAtOnce) continue
    count = 0
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** Reads all its fills in several turns. */
export async function allFills({ fills }: Recorded, signal: AbortSignal): Promise<Fill[]> {
  const all: Fill[] = []
  function* steps() {
    for (const fill of fills()) {
      all.push(fill)
      yield 1
    }
  }
  await inTurns(steps(), signal)
  return all
}

/** Result of `run` as it is. */
const asItIs = async <T>(result: T): Promise<T> => result

/**
 * Runs `run` with the record, so that recorded fills are not requested again; it does not change meanwhile. Without a
 * usable history the record is empty, and without all fills it has none: the exchange reports them. `run` must pass on
 * its `HistoryError` before any effect: it is then repeated without the history.
 *
 * `tell` gets the result, and may still read the record for as long as it takes, as when it prints to a slow reader:
 * others may write meanwhile. Its `HistoryError` is thrown. Afterwards the record cannot be used.
 */
export async function withRecorded<T>(open: OpenRecord, run: (recorded: Recorded) => Promise<T>): Promise<T>
export async function withRecorded<T, Told>(
  open: OpenRecord,
  run: (recorded: Recorded) => Promise<T>,
  tell: (result: T) => Promise<Told>,
): Promise<Told>
export async function withRecorded<T>(
  open: OpenRecord,
  run: (recorded: Recorded) => Promise<T>,
  tell: (result: T) => Promise<unknown> = asItIs,
): Promise<unknown> {
  const opened = await open()
  if (!opened.ok) return tell(await run(nothingRecorded))
  const file = opened.value
  try {
    return await tell(await readWith(file, run))
  } finally {
    file.close()
  }
}

type OpenRecord = () => Promise<Result<HistoryFile, HistoryError | null>>

async function readWith<T>(file: HistoryFile, run: (recorded: Recorded) => Promise<T>): Promise<T> {
  try {
    return await file.asOfNow(() => run(recordedIn(file)))
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
  }
  // The recording desk puts a damaged file aside.
  return run(nothingRecorded)
}

function recordedIn(file: HistoryFile): Recorded {
  const prices = file.values.prices
  if (!file.isFillsWhole) return { ...nothingRecorded, prices }
  return {
    fills: (times) => file.fills(times),
    fillCount: file.fillCount(),
    find: (execId) => file.fill(execId),
    newestMs: (latestMs) => {
      const newestMs = file.newestFill(latestMs)?.timestampMs ?? null
      return newestMs !== null && newestMs <= latestMs ? newestMs : null
    },
    unreadableCount: file.unreadableFills,
    otherwise: file.toldOtherwise,
    prices,
  }
}
