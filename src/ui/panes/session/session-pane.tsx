import { memo } from 'react'
import { isStale } from '../../../store/feeds/feed.ts'
import { hangUpOf } from '../../../store/terminal/reduce-terminal.ts'
import { useDesk } from '../../console-context.ts'
import { useFeed } from '../../use-feed.ts'
import { staleNote } from '../feed-note.ts'
import { type PaneProps, PaneView } from '../pane-view.tsx'
import { sessionRows } from './session-rows.ts'

/** Fee rates, what the session and the day came to, and what went wrong. */
export const SessionPane = memo(function SessionPane(props: PaneProps) {
  const fees = useDesk((state) => state.fees)
  const fillSums = useDesk((state) => state.fillSums)
  const balances = useFeed('balances', (state) => state.balances)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const symbol = useDesk((state) => state.symbol)
  const startedAtMs = useDesk((state) => state.session.startedAtMs)
  const rejectCount = useDesk((state) => state.session.rejectCount)
  const retryCount = useDesk((state) => state.session.calls?.retryCount ?? 0)
  const unsettled = useDesk((state) => state.unsettled)
  const ahead = useDesk((state) => state.ahead)
  // The time shows in whole minutes: what changes within one draws nothing.
  const nowMs = useDesk((state) => Math.floor(state.nowMs / 60_000) * 60_000)
  const areFillsKnown = useDesk((state) => state.fills.value !== null)
  const hangUp = useDesk(hangUpOf)
  const isOld = useDesk((state) => isStale(state.fees, 'fees', state.nowMs))
  const counters = { startedAtMs, rejectCount, retryCount, ahead, hangUp, areFillsKnown }
  const view = { fees, fillSums, balances, instruments, symbol, unsettled, nowMs, ...counters }
  const content = {
    note: isOld ? staleNote(fees, 'fees', nowMs) : [],
    rows: sessionRows(view, props.width - 2, props.height - 2),
    isStale: false,
  }
  return <PaneView {...props} pane="session" content={content} />
})
