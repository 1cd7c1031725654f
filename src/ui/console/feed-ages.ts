import { type FeedName, feedNames, feeds } from '../../domain/desk/feeds.ts'
import type { DeskState } from '../../store/desk.ts'
import { ageMs, emptyFeed, type Feed, isStale } from '../../store/feeds/feed.ts'
import { feedsOnScreen } from '../../store/feeds/feed-needs.ts'
import { activeLadder, activeSymbol } from '../../store/ladder/ladder.ts'
import { ageText, calmAgeText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'

/** `text` is the age in words, null before the first answer. */
export type FeedAge = {
  name: FeedName
  ageMs: number | null
  text: string | null
  isStale: boolean
  isFailing: boolean
}

/** Queues are asked for only while a ladder on screen shows them: hidden ones are old without anything being wrong. */
function areQueuesShown(state: DeskState): boolean {
  const ladder = activeLadder(state)
  return state.screen.visiblePanes.includes(ladder) && state[ladder].view === 'queues'
}

function feedOf(state: DeskState, name: FeedName): Feed<unknown> {
  if (name === 'book') return state.books.get(activeSymbol(state)) ?? emptyFeed
  if (name !== 'queue') return state[name]
  return (areQueuesShown(state) ? state.queues.get(activeSymbol(state)) : undefined) ?? emptyFeed
}

/** Whether the screen shows anything of a feed. */
function isInView(state: DeskState, name: FeedName): boolean {
  if (name === 'queue') return areQueuesShown(state)
  const { agePanes } = feeds[name]
  return agePanes === 'needed'
    ? feedsOnScreen(state).has(name)
    : state.screen.visiblePanes.some((pane) => agePanes.includes(pane))
}

/** The ages of all feeds in view, and of those out of view that an order would be blocked by. */
export function feedAges(state: DeskState): FeedAge[] {
  const ages = feedNames.map((name): FeedAge => {
    const feed = feedOf(state, name)
    const age = ageMs(feed, state.nowMs)
    const text = age === null ? null : state.looks.isMotionReduced ? calmAgeText(age) : ageText(age)
    return { name, ageMs: age, text, isStale: isStale(feed, name, state.nowMs), isFailing: feed.failure !== null }
  })
  const shown = ages.filter(({ name, isStale: isOld }) => isInView(state, name) || (isOld && feeds[name].isStaleShown))
  return shown.toSorted((first, second) => feeds[first.name].rank - feeds[second.name].rank)
}

const nameOf = (name: FeedName, isShort: boolean): string => feeds[name][isShort ? 'shortLabel' : 'label']

/** One feed in time: `bk 0.4s`; `!` after it while polls fail; `wait` before the first answer. */
export function freshAge(age: FeedAge, isShort: boolean): Row {
  const name = nameOf(age.name, isShort)
  const text = age.text ?? 'wait'
  return [span(`${name} `, 'label'), span(age.isFailing ? `${text}!` : text, age.isFailing ? 'warn' : 'text')]
}

/** All feeds past their limits, after one word for them, `most` of them by name: `[STALE bk 12s ord 14s +2]`. */
export function staleAges(ages: readonly FeedAge[], isShort: boolean, most: number): Row {
  const old = ages.filter((age) => age.isStale)
  if (old.length === 0) return []
  const each = old.slice(0, most).map(({ name, text }) => `${nameOf(name, isShort)} ${text ?? ''}`)
  const more = old.length > most ? ` +${old.length - most}` : ''
  return [span(`[STALE ${each.join(' ')}${more}]`, 'bad')]
}
