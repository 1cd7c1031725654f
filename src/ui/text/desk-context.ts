import { createContext, use, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import type { FeedName } from '../../domain/desk/feeds.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { type Feed, isStale } from '../../store/feeds/feed.ts'
import type { Theme } from './theme.ts'

/** What everything on screen works with. */
export type ConsoleContext = { store: DeskStore; commands: Commands | Leaving; theme: Theme }

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
 * The same for what a line or a curve is drawn from: where motion is reduced it changes every ten seconds, not with
 * each price.
 */
export function useDeskCalmly<T>(selector: (state: DeskState) => T): T {
  const kept = useRef<{ beat: number; value: T } | null>(null)
  return useDesk((state) => {
    if (!state.looks.isMotionReduced) return selector(state)
    const beat = Math.floor(state.nowMs / stillMs)
    if (kept.current?.beat !== beat) kept.current = { beat, value: selector(state) }
    return kept.current.value
  })
}

/**
 * The desk's time for ages that are shown to the second: what changes within one draws nothing. Where motion is reduced
 * they step more slowly.
 */
export const useAgeTime = (): number =>
  useDesk(({ nowMs, looks }) => {
    const stepMs = looks.isMotionReduced ? stillMs : 1_000
    return Math.floor(nowMs / stepMs) * stepMs
  })

/** All that a person can do with a desk that is still being opened. */
export type Leaving = { leave: () => void }

/**
 * A feed of the desk as panes draw it: without its age while that does not matter, so that an answer that says what the
 * one before said draws nothing, and does not even ask the pane. From the moment it is stale on it is the feed itself.
 */
export function useFeed<T>(name: FeedName, select: (state: DeskState) => Feed<T>): Feed<T> {
  const value = useDesk((state) => select(state).value)
  const failure = useDesk((state) => select(state).failure)
  const old = useDesk((state) => {
    const feed = select(state)
    return isStale(feed, name, state.nowMs) ? feed : null
  })
  return useMemo(() => old ?? { value, failure, atMs: null }, [old, value, failure])
}

/**
 * The desk's time while one of these feeds of `useFeed` is stale, else `otherwiseMs`: time alone changes nothing but
 * how old is what is old.
 */
export function useStaleTime(feeds: readonly Feed<unknown>[], otherwiseMs = 0): number {
  const isAnyOld = feeds.some(({ atMs }) => atMs !== null)
  return useDesk((state) => (isAnyOld ? state.nowMs : otherwiseMs))
}
