import type { Clock } from '../../base/clock.ts'
import { isOpenEnded, type SentOrder } from '../../domain/orders/exposure.ts'
import { type JournalEntry, placedId, type WriteJournal } from '../../journal/entry.ts'

/** Longest time in ms from an order's entry to its end: calls take no longer. */
const callsMaxMs = 60_000
/** An answer that is this young, in ms, may have been on its way when the list was put together. */
const listingMs = 1_000

/**
 * Orders of journal entries, newest first, with times by the clock of `nowMs`. `upMs`: the machine's uptime at `nowMs`,
 * if known.
 */
export const sentOrders = (
  entries: readonly JournalEntry[],
  wallMs: number,
  upMs: number | undefined,
  nowMs: number = wallMs,
): SentOrder[] => entries.flatMap((entry) => sentOrder(entry, nowMs - agoMs(entry, wallMs, upMs))).toReversed()

/**
 * The minimum age of an entry in ms. The wall clock may have been set either way since; uptime says nothing about a
 * time before the boot. A negative age is ignored.
 */
function agoMs({ atMs, upMs: upThenMs }: JournalEntry, nowMs: number, upMs: number | undefined): number {
  const byWall = nowMs - atMs
  const byMachine = upMs === undefined || upThenMs === undefined ? byWall : upMs - upThenMs
  return byMachine < 0 ? byWall : byWall < 0 ? byMachine : Math.min(byWall, byMachine)
}

function sentOrder(entry: JournalEntry, atMs: number): SentOrder[] {
  const { intent, outcome, settlement } = entry
  if (intent.kind !== 'order' && intent.kind !== 'move') return []
  // An order that was never sent does not exist: one listed under its id is another user's.
  if (outcome?.kind === 'notSent' && settlement === null) return []
  return [{ clientOrderId: intent.clientOrderId, draft: intent.draft, atMs, stage: stageOf(entry) }]
}

function stageOf({ outcome, settlement }: JournalEntry): SentOrder['stage'] {
  if (settlement !== null) return settlement.how === 'placed' ? 'taken' : 'refused'
  if (outcome === null) return 'inFlight'
  if (outcome.kind === 'unknown') return 'unknown'
  return outcome.kind === 'accepted' ? 'taken' : 'refused'
}

/** What a desk knows by itself: its own orders, and its list of working orders, `listedAgoMs` old. */
type Known = { own: ReadonlySet<string>; listedAgoMs: number; clock: Pick<Clock, 'now' | 'wallMs' | 'bootedMs'> }

/**
 * Orders that other processes of the account have sent, newest first: those younger than `withinMs`, those without an
 * answer, and those that were answered too late for the list of working orders to have them. The last count as in
 * flight. Rejects with `JournalError` when the journal is unreadable.
 */
export async function sentBeside(
  journal: Pick<WriteJournal, 'history' | 'openElsewhere'>,
  withinMs: number,
  { own, listedAgoMs, clock }: Known,
): Promise<SentOrder[]> {
  const wallMs = clock.wallMs()
  const listedMs = wallMs - listedAgoMs - listingMs
  const read = await journal.history(Math.min(listedMs - callsMaxMs, wallMs - withinMs))
  const known = new Set(read.map(({ id }) => id))
  const older = (await journal.openElsewhere()).filter(({ id }) => !known.has(id))
  // Answered too late for the list, it is as if its answer were still on its way.
  const unlistedOpen = (entry: JournalEntry): JournalEntry =>
    placedId(entry) !== undefined && (entry.endedAtMs ?? entry.atMs) >= listedMs
      ? { ...entry, outcome: null, settlement: null }
      : entry
  return sentOrders([...older, ...read].map(unlistedOpen), wallMs, clock.bootedMs?.(), clock.now())
    .filter(({ clientOrderId }) => !own.has(clientOrderId))
    .filter((sent) => isOpenEnded(sent) || clock.now() - sent.atMs < withinMs)
}
