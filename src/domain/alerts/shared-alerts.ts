import { endsToldMax, type KeptAlerts } from './news.ts'
import type { Watch } from './watch.ts'

/** The alerts of a profile in one process and in the file, now and at the last merge. */
export type AlertViews = { own: KeptAlerts; ownBefore: KeptAlerts; file: KeptAlerts; fileBefore: KeptAlerts }

const byId = ({ watches }: KeptAlerts): ReadonlyMap<number, Watch> => new Map(watches.map((each) => [each.id, each]))

/** True when the user rearmed a watch between two reads; its state does not say so, because it is evaluated at once. */
const isRearmed = (now: Watch, before: Watch | undefined): boolean =>
  before !== undefined && (now.armedCount ?? 0) > (before.armedCount ?? 0)

/** Watches created on one side since the last merge. */
const made = (now: KeptAlerts, before: KeptAlerts): readonly Watch[] => {
  const known = byId(before)
  return now.watches.filter(({ id }) => !known.has(id))
}

type Pair = { own: Watch; file: Watch }

/** A watch as another process rearmed it, which has seen no price yet. */
const rearmedAs = (watch: Watch, { armedCount }: Watch): Watch => ({ ...watch, armedCount, state: { kind: 'unseen' } })

/**
 * Merges one watch. Each process evaluates it by its own data, so that an alert of one process does not silence
 * another; the file has the state of the process on duty. Rearming is taken over.
 */
function paired(pair: Pair, ownBefore: Watch | undefined, fileBefore: Watch | undefined, isOnDuty: boolean): Pair {
  const { own, file } = pair
  const now = isRearmed(file, fileBefore) ? rearmedAs(own, file) : own
  if (isOnDuty) return { own: now, file: now }
  return { own: now, file: isRearmed(own, ownBefore) ? rearmedAs(file, own) : file }
}

/** A new watch for the other processes: one that has fired already, as with `now`, is still to fire in them. */
const forOthers = (watch: Watch): Watch =>
  watch.state.kind === 'fired' ? { ...watch, state: { kind: 'near' } } : watch

/** What came of a merge; `renumbered`: the numbers of own alerts that got another one, and which. */
type Merged = { own: KeptAlerts; file: KeptAlerts; renumbered: ReadonlyMap<number, number> }

/**
 * Merges the alerts that several processes of a profile share in a file: what the user created, deleted, armed,
 * switched or snoozed in one applies to all, and no write loses another's. Fired alerts are listed as in the process on
 * duty. Both results have the same watches.
 */
export function sharedAlerts(views: AlertViews, isOnDuty: boolean): Merged {
  const { own, ownBefore, file, fileBefore } = views
  const [ownBeforeById, fileBeforeById, ownById] = [byId(ownBefore), byId(fileBefore), byId(own)]
  const madeHere = made(own, ownBefore)
  let nextId = Math.max(own.nextId, file.nextId)
  const pairs: Pair[] = []
  const taken = new Set<number>()
  const renumbered = new Map<number, number>()
  for (const each of file.watches) {
    const isMadeThere = !fileBeforeById.has(each.id)
    const mine = madeHere.some(({ id }) => id === each.id) ? undefined : ownById.get(each.id)
    // Deleted here since the last merge.
    if (mine === undefined && !isMadeThere) continue
    taken.add(each.id)
    pairs.push(
      mine === undefined
        ? { own: each, file: each }
        : paired({ own: mine, file: each }, ownBeforeById.get(each.id), fileBeforeById.get(each.id), isOnDuty),
    )
  }
  for (const each of madeHere) {
    // Both created one with the same number: the later one gets another.
    const watch = taken.has(each.id) ? { ...each, id: nextId } : each
    if (watch !== each) {
      renumbered.set(each.id, watch.id)
      nextId += 1
    }
    pairs.push({ own: watch, file: isOnDuty ? watch : forOthers(watch) })
  }
  const chosen = { ...file.chosen, ...changedChoices(own.chosen, ownBefore.chosen) }
  const isSnoozedHere = own.snoozedUntilMs !== ownBefore.snoozedUntilMs
  const both = {
    ...{ nextId, chosen, snoozedUntilMs: isSnoozedHere ? own.snoozedUntilMs : file.snoozedUntilMs },
    ...fillsSeen(own, file),
    ...endsTold(own, file),
  }
  return {
    own: {
      ...both,
      watches: kept(
        own.watches,
        pairs.map((pair) => pair.own),
      ),
      fired: own.fired,
    },
    file: { ...both, watches: pairs.map((pair) => pair.file), fired: isOnDuty ? own.fired : file.fired },
    renumbered,
  }
}

/** The newest execution that either has seen. */
function fillsSeen(own: KeptAlerts, file: KeptAlerts): Pick<KeptAlerts, 'fillsSeenMs'> {
  const seen = [own.fillsSeenMs, file.fillsSeenMs].filter((each) => each !== undefined)
  return seen.length === 0 ? {} : { fillsSeenMs: Math.max(...seen) }
}

/** The orders whose fills either has told of with their end. */
function endsTold(own: KeptAlerts, file: KeptAlerts): Pick<KeptAlerts, 'endsTold'> {
  const both = [...new Set([...(file.endsTold ?? []), ...(own.endsTold ?? [])])]
  return both.length === 0 ? {} : { endsTold: both.slice(-endsToldMax) }
}

/** Returns the earlier list when nothing differs, so that callers see no change. */
const kept = (before: readonly Watch[], now: readonly Watch[]): readonly Watch[] =>
  before.length === now.length && now.every((each, index) => each === before[index]) ? before : now

const changedChoices = (now: KeptAlerts['chosen'], before: KeptAlerts['chosen']): KeptAlerts['chosen'] =>
  Object.fromEntries(Object.entries(now).filter(([rule, isOn]) => before[rule as keyof typeof before] !== isOn))
