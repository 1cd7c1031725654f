import { createContext, use } from 'react'
import { useStore } from 'zustand'
import type { FeedName } from '../../domain/desk/feeds.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { type Feed, isStale } from '../../store/feeds/feed.ts'
import type { Regions } from '../terminal/screen/screen-output.ts'
import type { Theme } from './theme.ts'

/** What every component on screen uses. */
export type ConsoleContext = {
  store: DeskStore
  commands: Commands | Leaving
  theme: Theme
  /** Where regions draw themselves; null or omitted: their lines are drawn as text. */
  regions?: Regions | null
}

const Context = createContext<ConsoleContext | null>(null)
export const ConsoleProvider = Context.Provider

export function useConsole(): ConsoleContext {
  const context = use(Context)
  if (context === null) throw new Error('A part of the screen was drawn outside the console.')
  return context
}

export const useTheme = (): Theme => useConsole().theme

/** A part of the desk's state. The selector must return a stored or primitive value, never a new object. */
export const useDesk = <T>(selector: (state: DeskState) => T): T => useStore(useConsole().store, selector)

/** Update interval in ms with reduced motion. */
const stillMs = 10_000

/**
 * Throttles a selector of chart or table data: its value changes at most once per `beatMs`, with reduced motion every
 * ten seconds, and at once if the result of `keyOf` changes. Each pane needs one of its own.
 */
export function calmly<T>(
  select: (state: DeskState) => T,
  beatMs = 0,
  keyOf: (state: DeskState) => string = ({ symbol }) => symbol,
): (state: DeskState) => T {
  let kept: { beat: number; key: string; value: T } | null = null
  return (state) => {
    const stepMs = state.looks.isMotionReduced ? stillMs : beatMs
    if (stepMs === 0) return select(state)
    const [beat, key] = [Math.floor(state.nowMs / stepMs), keyOf(state)]
    if (kept?.beat !== beat || kept.key !== key) kept = { beat, key, value: select(state) }
    return kept.value
  }
}

/**
 * The desk's time in whole seconds, for ages: changes within a second cause no redraw. With reduced motion it steps
 * every ten seconds.
 */
export function ageTime({ looks, nowMs }: Pick<DeskState, 'looks' | 'nowMs'>): number {
  const stepMs = looks.isMotionReduced ? stillMs : 1_000
  return Math.floor(nowMs / stepMs) * stepMs
}

/** All that a user can do while the desk is still opening. */
export type Leaving = { leave: () => void }

/**
 * A feed as panes draw it: without its time while it is fresh, so that an identical answer causes no redraw. Once
 * stale, it is the feed itself.
 */
export const shownFeed = <T>(feed: Feed<T>, name: FeedName, nowMs: number): Feed<T> =>
  isStale(feed, name, nowMs) ? feed : { value: feed.value, failure: feed.failure, atMs: null }

/**
 * The desk's time if one of these feeds from `shownFeed` is stale, otherwise `otherwiseMs`: the passing of time redraws
 * only the ages of stale data.
 */
export const staleTime = (feeds: readonly Feed<unknown>[], nowMs: number, otherwiseMs = 0): number =>
  feeds.some(({ atMs }) => atMs !== null) ? nowMs : otherwiseMs
