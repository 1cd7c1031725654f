import { createContext, use } from 'react'
import { useStore } from 'zustand'
import type { FeedName } from '../../domain/desk/feeds.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { type Feed, isStale } from '../../store/feeds/feed.ts'
import type { Regions } from '../terminal/screen/screen-output.ts'
import type { Theme } from './theme.ts'

/** What everything on screen works with. */
export type ConsoleContext = {
  store: DeskStore
  commands: Commands | Leaving
  theme: Theme
  /** Where regions draw themselves; where there is none their lines are text like any other. */
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

/** A part of the desk's state. The selector returns what is stored, or a plain value, and never makes anything new. */
export const useDesk = <T>(selector: (state: DeskState) => T): T => useStore(useConsole().store, selector)

/** How long what runs by itself stands still where motion is reduced. */
const stillMs = 10_000

/**
 * A selector for what a line or a curve is drawn from: nobody reads ten of them a second, so it changes once in
 * `beatMs`, and where motion is reduced every ten seconds; at once where what `keyOf` gives is another. One for each
 * pane that draws from it.
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
 * The desk's time for ages that are shown to the second: what changes within one draws nothing. Where motion is reduced
 * they step more slowly.
 */
export function ageTime({ looks, nowMs }: Pick<DeskState, 'looks' | 'nowMs'>): number {
  const stepMs = looks.isMotionReduced ? stillMs : 1_000
  return Math.floor(nowMs / stepMs) * stepMs
}

/** All that a person can do with a desk that is still being opened. */
export type Leaving = { leave: () => void }

/**
 * A feed of the desk as panes draw it: without its age while that does not matter, so that an answer that says what the
 * one before said draws nothing. From the moment it is stale on it is the feed itself.
 */
export const shownFeed = <T>(feed: Feed<T>, name: FeedName, nowMs: number): Feed<T> =>
  isStale(feed, name, nowMs) ? feed : { value: feed.value, failure: feed.failure, atMs: null }

/**
 * The desk's time while one of these feeds of `shownFeed` is stale, else `otherwiseMs`: time alone changes nothing but
 * how old is what is old.
 */
export const staleTime = (feeds: readonly Feed<unknown>[], nowMs: number, otherwiseMs = 0): number =>
  feeds.some(({ atMs }) => atMs !== null) ? nowMs : otherwiseMs
