import { memo, useCallback } from 'react'
import { draftedOrderId } from '../../../domain/orders/drafted-order.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { TicketState } from '../../../store/ticket/ticket.ts'
import { type Binding, offeredEntriesOf, withKeys } from '../../tables/key-bindings.ts'
import { useBindings } from '../../tables/key-context.ts'
import { useDesk, useTheme } from '../../text/desk-context.ts'
import { frameRows } from '../../text/frame.tsx'
import { Region, wholeState } from '../../text/region.tsx'
import { type Row, span, wordRows } from '../../text/row.ts'
import { venueName } from '../../text/trade-words.ts'
import { formContent, longContent, passedRows } from './check-rows.ts'
import { editContent, roomyRows, type TicketSize } from './edit-content.ts'
import { MarketPane } from './market-pane.tsx'
import { moveContent } from './move-form.ts'
import { idRows, reviewRows } from './order-rows.ts'
import {
  hasKeysBelow,
  isReviewShort,
  type Review,
  reading,
  reviewed,
  shortReview,
  summaryOf,
  whyDraftGone,
} from './review.ts'
import { keysRow, type TicketContent } from './ticket-layout.ts'

function reviewContent(state: DeskState, ticket: Review, { width, rowCount, bindings }: TicketSize): TicketContent {
  const { draft, checks, head, complaints } = reviewed(state, ticket, width)
  const isGone = whyDraftGone({ ...state, ticket }) !== null
  const title = [span(isGone ? 'REVIEW: nothing to send' : `REVIEW on ${venueName(state.venue)}: send?`, 'warn')]
  const keys = keysRow(offeredEntriesOf(bindings, 'review', { ...state, ticket }), width)
  if (isReviewShort(state, ticket, { width, rowCount })) {
    const key = withKeys('{reviewDown}', bindings)
    const look = { title, checks, key, keys: hasKeysBelow(state, ticket) ? [keys] : [] }
    return longContent(shortReview(state, ticket, { width, rowCount }), look)
  }
  const sections = {
    head,
    complaints,
    summary: summaryOf(state, draft, width),
    extra: [
      ...idRows(ticket.drafted === undefined ? null : draftedOrderId(ticket.drafted.draftId), width),
      ...(rowCount < roomyRows ? [] : passedRows(checks, width)),
    ],
    keys,
  }
  return formContent({ title, sections, checks, kind: 'dialog' }, rowCount)
}

function sendingContent(state: DeskState, ticket: TicketState, { width, rowCount }: TicketSize): TicketContent {
  const { draft, instrument } = reading(state, ticket)
  // The last journaled order is this one: no second order is sent while one is in flight.
  const [newest] = state.sentOrders
  const id = newest?.stage === 'inFlight' ? newest.clientOrderId : null
  const rows: Row[] = [
    ...(draft === null || instrument === undefined ? [] : reviewRows(draft, instrument, state.venue, width)),
    ...(id === null ? [] : idRows(id, width)),
    [],
    ...wordRows('Sending. No answer yet: do not resubmit.', width, 'warn'),
  ]
  return { title: [span('SENDING…', 'warn')], rows: rows.slice(0, rowCount), kind: 'dialog' }
}

/** The content of an open ticket in `rowCount` lines of `width` cells. */
export function ticketContent(state: DeskState, ticket: TicketState, size: TicketSize): TicketContent {
  switch (ticket.stage) {
    case 'edit':
      return editContent(state, ticket, size)
    case 'review':
      return reviewContent(state, ticket, size)
    case 'sending':
      return sendingContent(state, ticket, size)
  }
}

type PaneSize = { width: number; height: number }

function contentOf(state: DeskState, bindings: readonly Binding[], { width, height }: PaneSize) {
  const size = { width: width - 2, rowCount: height - 2, bindings }
  const { ticket, move } = state
  if (ticket !== null) return ticketContent(state, ticket, size)
  return move === null ? null : moveContent(state, move, size)
}

/** The order being written, reviewed, sent or moved. Its checks depend on almost the whole state. */
const OrderForm = memo(function OrderForm({ width, height }: PaneSize) {
  const theme = useTheme()
  const bindings = useBindings()
  const rows = useCallback(
    (state: DeskState): Row[] => {
      const content = contentOf(state, bindings, { width, height })
      return content === null ? [] : frameRows(content, { width, height }, content.kind, theme)
    },
    [bindings, width, height, theme],
  )
  return <Region width={width} height={height} select={wholeState} rows={rows} />
})

/** The order being written or moved; otherwise the market at a glance and how to start an order. */
export const TicketPane = memo(function TicketPane(size: PaneSize) {
  const hasForm = useDesk(({ ticket, move }) => ticket !== null || move !== null)
  return hasForm ? <OrderForm {...size} /> : <MarketPane {...size} />
})
