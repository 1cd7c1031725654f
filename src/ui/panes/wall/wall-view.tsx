import { memo, useMemo } from 'react'
import type { DeskState } from '../../../store/desk.ts'
import { shownState } from '../../../store/frozen-view.ts'
import { useTheme } from '../../text/desk-context.ts'
import { createFrame } from '../../text/frame.tsx'
import { Region } from '../../text/region.tsx'
import { createRowKeeper, fitWords, type KeepRow, type Row, rowWidth, span } from '../../text/row.ts'
import type { WallPart } from '../layout/plan.ts'
import type { BigGlyphs } from './big-text.ts'
import { priceContent, priceView, type Size, tickersContent, tickersView, type WallContent } from './market-rows.ts'
import { stateContent, stateView } from './state-rows.ts'
import { flowContent, flowView, ordersContent, ordersView } from './trade-rows.ts'
import { worthContent, worthView } from './worth-rows.ts'

type Drawing<View> = {
  view: (state: DeskState) => View
  content: (view: View, size: Size, glyphs: BigGlyphs, keep: KeepRow) => WallContent
}

/** A part's selector and rows; the source also says whether the screen is frozen. */
type Drawn = { select: (state: DeskState) => unknown; rows: (source: unknown) => Row[] }

/** A part's rows in its frame; dim if its data is stale, or the screen is frozen. */
function drawn<View>(
  { view, content }: Drawing<View>,
  of: (state: DeskState) => DeskState,
  { size, frame, glyphs }: { size: Size; frame: ReturnType<typeof createFrame>; glyphs: BigGlyphs },
): Drawn {
  const keep = createRowKeeper()
  const select = (state: DeskState) => ({
    own: view(of(state)),
    isFrozen: of(state) !== state && state.picture.kind === 'frozen',
  })
  const rows = ({ own, isFrozen }: ReturnType<typeof select>): Row[] => {
    const made = content(own, size, glyphs, keep)
    const frozen: Row = isFrozen ? [span('  FROZEN', 'warn')] : []
    const note = [...frozen, ...made.note]
    const title = [...fitWords([span(made.title, 'title')], size.width - 2 - rowWidth(note)), ...note]
    return frame({ title: made.title === '' ? made.note : title, rows: made.rows, isStale: made.isStale || isFrozen })
  }
  return { select, rows: (source) => rows(source as ReturnType<typeof select>) }
}

type Making = Parameters<typeof drawn>[2]
const live = (state: DeskState): DeskState => state

/** The drawing of each part. The state part is always live, even while the others are frozen. */
const makers: Readonly<Record<WallPart, (making: Making) => Drawn>> = {
  wallPrice: (making) => drawn({ view: priceView, content: priceContent }, shownState, making),
  wallState: (making) => drawn({ view: stateView, content: stateContent }, live, making),
  wallWorth: (making) => drawn({ view: worthView, content: worthContent }, shownState, making),
  wallTickers: (making) =>
    drawn(
      { view: tickersView, content: (view, size, _, keep) => tickersContent(view, size, keep) },
      shownState,
      making,
    ),
  wallOrders: (making) =>
    drawn({ view: ordersView, content: (view, size, _, keep) => ordersContent(view, size, keep) }, shownState, making),
  wallFlow: (making) =>
    drawn({ view: flowView, content: (view, size, _, keep) => flowContent(view, size, keep) }, shownState, making),
}

type WallViewProps = { part: WallPart; width: number; height: number }

/** One part of the wall, without cursor and key names. It reads the live desk, not the frozen screen. */
export const WallView = memo(function WallView({ part, width, height }: WallViewProps) {
  const theme = useTheme()
  const { select, rows } = useMemo(() => {
    const frame = createFrame({ width, height }, 'plain', theme)
    const glyphs = theme.glyphs.isAscii ? 'ascii' : 'blocks'
    return makers[part]({ size: { width: width - 2, height: height - 2 }, frame, glyphs })
  }, [part, width, height, theme])
  return <Region width={width} height={height} select={select} rows={rows} />
})
