import { useMemo } from 'react'
import type { FeedName } from '../domain/desk/events.ts'
import type { DeskState } from '../store/desk.ts'
import { type Feed, isStale } from '../store/feeds/feed.ts'
import { useDesk } from './console-context.ts'

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
