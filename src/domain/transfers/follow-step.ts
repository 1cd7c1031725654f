import type { Decimal } from '../money.ts'
import type { Followed } from './followed.ts'

/** A transfer as the exchange lists it now. */
export type Seen<S> = { id: string; currency: string; amount: Decimal; state: S; timestampMs: number | null }
/** What has changed with one since the last look; `before` is null for one that was not there. */
export type SeenChange<S> = { id: string; currency: string; amount: Decimal; before: S | null; after: S }

export type FollowLook<S, F extends Followed<S>> = {
  seen: readonly Seen<S>[]
  isUnderWay: (state: S) => boolean
  /** A record of one that is seen for the first time. */
  begin: (seen: Seen<S>) => F
  /** What is there at the very first look is no news. */
  isFirst: boolean
  atMs: number
  /** When the look before this one was; null when this is the first of the run. */
  lastLookMs: number | null
  /** How far the exchange's clock is ahead of ours. */
  skewMs: number
}

/** A look that was further back than this says too little about when something happened. */
const looksApartMostMs = 120_000
/** What ended longer ago than this is history and not followed. */
const followedForMs = 30 * 86_400_000

function isFollowed<S, F extends Followed<S>>({ state, timestampMs }: Seen<S>, look: FollowLook<S, F>): boolean {
  return look.isUnderWay(state) || timestampMs === null || timestampMs > look.atMs - followedForMs
}

/**
 * The records after a look at the exchange's list, and what it changed. The same records when nothing has.
 */
export function followStep<S, F extends Followed<S>>(
  known: ReadonlyMap<string, F>,
  look: FollowLook<S, F>,
): { records: ReadonlyMap<string, F>; changes: readonly SeenChange<S>[] } {
  const records = new Map(known)
  const changes: SeenChange<S>[] = []
  for (const seen of look.seen) {
    const kept = records.get(seen.id)
    const last = kept?.history.at(-1)
    // What has ended does not begin again: another account, or a practice exchange begun anew, has given the id once
    // more.
    const isReused = last !== undefined && !look.isUnderWay(last.state) && look.isUnderWay(seen.state)
    const record = isReused ? look.begin(seen) : kept
    if (record === undefined && !isFollowed(seen, look)) continue
    const before = record?.history.at(-1)?.state ?? null
    if (before === seen.state) continue
    const base = record ?? look.begin(seen)
    const history = [...base.history, { state: seen.state, atMs: look.atMs }]
    records.set(seen.id, { ...base, history, tookMs: base.tookMs ?? tookMs(seen, look) })
    changes.push({ id: seen.id, currency: seen.currency, amount: seen.amount, before, after: seen.state })
  }
  const next = changes.length === 0 ? known : withoutOld(records, look)
  return { records: next, changes: look.isFirst ? changes.filter(({ before }) => before !== null) : changes }
}

function tookMs<S, F extends Followed<S>>({ state, timestampMs }: Seen<S>, look: FollowLook<S, F>): number | null {
  const { atMs, lastLookMs, skewMs } = look
  if (state !== 'COMPLETED' || timestampMs === null || lastLookMs === null) return null
  return atMs - lastLookMs > looksApartMostMs ? null : Math.max(0, atMs + skewMs - timestampMs)
}

/**
 * Leaves out what ended long ago. One that is listed without a time stays: nothing else would tell that it is no news.
 */
function withoutOld<S, F extends Followed<S>>(records: ReadonlyMap<string, F>, look: FollowLook<S, F>) {
  const oldMs = look.atMs - 2 * followedForMs
  const timeless = new Set(look.seen.filter(({ timestampMs }) => timestampMs === null).map(({ id }) => id))
  return new Map(
    [...records].filter(([id, { history }]) => {
      const last = history.at(-1)
      return last === undefined || look.isUnderWay(last.state) || last.atMs > oldMs || timeless.has(id)
    }),
  )
}
